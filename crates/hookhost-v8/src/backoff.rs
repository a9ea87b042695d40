//! How long an instance rests before it is built again.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);

/// Grows while an instance breaks again and again without a good answer in between.
#[derive(Default)]
pub(crate) struct Backoff {
    next: Option<Duration>,
}

impl Backoff {
    /// The instance broke. The first time costs no rest; then 1 s, doubling, 30 s at most.
    pub(crate) fn broke(&mut self) -> Duration {
        let rest = self.next.unwrap_or(Duration::ZERO);
        self.next = Some(self.next.map_or(FIRST, |next| (next * 2).min(LONGEST)));
        rest
    }

    /// The instance could not be loaded. Trying again at once would only fail again.
    pub(crate) fn could_not_load(&mut self) -> Duration {
        self.next.get_or_insert(FIRST);
        self.broke()
    }

    /// The instance gave a good answer.
    pub(crate) fn recovered(&mut self) {
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_and_end() {
        let mut backoff = Backoff::default();
        let rests: Vec<_> = (0..8).map(|_| backoff.broke().as_secs()).collect();
        assert_eq!(rests, [0, 1, 2, 4, 8, 16, 30, 30]);
        backoff.recovered();
        assert_eq!(backoff.broke(), Duration::ZERO);
        let mut broken = Backoff::default();
        assert_eq!(broken.could_not_load().as_secs(), 1);
        assert_eq!(broken.could_not_load().as_secs(), 2);
    }
}
