//! Which tier the hooks of this process are in.
//!
//! V8 has one read-only heap for all isolates and takes it from the snapshot of the first. Isolates of another snapshot
//! beside that one would read what is not theirs, and end the process. So there is one tier at a time.

use std::sync::{Mutex, PoisonError};

use crate::error::EngineError;
use crate::realm::Tier;

static IN_USE: Mutex<Option<(Tier, usize)>> = Mutex::new(None);

/// A hook that runs, or may still run, in a tier. A thread that is lost keeps it for good.
pub(crate) struct TierInUse;

impl TierInUse {
    /// Takes a place in `tier`.
    ///
    /// # Errors
    /// There are hooks of the other tier.
    pub(crate) fn take(tier: Tier) -> Result<Self, EngineError> {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *in_use {
            Some((other, _)) if *other != tier => return Err(EngineError::AnotherTier { other: *other, tier }),
            Some((_, hooks)) => *hooks += 1,
            None => *in_use = Some((tier, 1)),
        }
        Ok(Self)
    }
}

impl Drop for TierInUse {
    fn drop(&mut self) {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        *in_use = in_use.take().map(|(tier, hooks)| (tier, hooks - 1)).filter(|(_, hooks)| *hooks > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_tier_at_a_time() {
        let first = TierInUse::take(Tier::Node).unwrap();
        let second = TierInUse::take(Tier::Node).unwrap();
        drop(first);
        assert!(TierInUse::take(Tier::Web).is_err());
        drop(second);
        assert!(TierInUse::take(Tier::Web).is_ok());
        assert!(TierInUse::take(Tier::Node).is_ok());
    }
}
