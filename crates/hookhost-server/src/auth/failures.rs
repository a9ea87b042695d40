//! How many wrong tokens an address may show.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Ten: wrong tokens in a row, and as many more a minute.
const FAILURES_A_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);
/// Beyond so many addresses, those that have not failed for a minute are forgotten.
const ADDRESSES: usize = 10_000;

/// Counts wrong tokens by address.
///
/// A token that is right is let in whatever others at the address do: a chat loop must not lose its guards because of a
/// neighbour behind the same proxy. Guessing is made hopeless by the length of tokens; this keeps guesses from filling the
/// log and from costing more than an answer.
pub(crate) struct Failures {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Failures {
    pub(crate) fn new() -> Self {
        Self { limiter: RateLimiter::keyed(Quota::per_minute(FAILURES_A_MINUTE)), clock: DefaultClock::default() }
    }

    /// Counts one.
    ///
    /// # Errors
    /// There were too many: how long the address has to wait.
    pub(crate) fn count(&self, address: IpAddr) -> Result<(), Duration> {
        if self.limiter.len() > ADDRESSES {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&neighbourhood(address)).map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

/// Whoever has an IPv6 address has a whole network of them.
fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_count() {
        let failures = Failures::new();
        let ask = |address: &str| failures.count(address.parse().unwrap()).is_ok();
        assert!((0..10).all(|_| ask("192.0.2.1")));
        assert!(!ask("192.0.2.1"));
        assert!(!ask("::ffff:192.0.2.1"), "the same, written in another way");
        assert!(ask("192.0.2.2"));
        assert!((0..10).all(|host| ask(&format!("2001:db8::{host}"))));
        assert!(!ask("2001:db8::ffff"), "one network");
        assert!(ask("2001:db8:0:1::1"));
    }
}
