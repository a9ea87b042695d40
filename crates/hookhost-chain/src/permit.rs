//! Which answers a hook may give.

use hookhost_contract::{Capability, HookDecision, Manifest, Point, Sandbox};

/// Which answers a hook may give. The point says which capability an answer needs there
/// ([`Point::modify_capability`], [`Point::stop_capability`]); an allow and an inject need none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// What the hook declared, where that is enforced. `None`: it may give every answer.
    declared: Option<Vec<Capability>>,
}

/// An answer that a hook may not give.
#[derive(Debug, thiserror::Error)]
#[error(
    "the reply is {answer}, and at {point} that needs the capability `{needed}`: add it to `capabilities` in hook.json"
)]
pub(crate) struct Breach {
    answer: &'static str,
    point: Point,
    needed: Capability,
}

impl Permit {
    /// Every answer: capabilities state intent.
    pub fn everything() -> Self {
        Self { declared: None }
    }

    /// What a manifest's capabilities permit under a sandbox.
    pub fn of(manifest: &Manifest, sandbox: Sandbox) -> Self {
        match sandbox {
            Sandbox::Advisory => Self::everything(),
            // A sandbox that is not known here is none that lets everything pass.
            _ => Self { declared: Some(manifest.capabilities.clone()) },
        }
    }

    /// Refuses what the hook may not answer. The word counts: a modify that changes nothing is still a modify, since
    /// what a hook may say must not depend on the payload.
    pub(crate) fn check(&self, point: &Point, decision: &HookDecision) -> Result<(), Breach> {
        let Some(declared) = &self.declared else { return Ok(()) };
        let (answer, needed) = match decision {
            HookDecision::Allow | HookDecision::Inject(_) => return Ok(()),
            HookDecision::Modify { .. } => ("a modify", point.modify_capability()),
            HookDecision::Ask { .. } => ("an ask", point.stop_capability()),
            HookDecision::Block { .. } => ("a block", point.stop_capability()),
        };
        match needed {
            Some(needed) if !declared.contains(&needed) => Err(Breach { answer, point: point.clone(), needed }),
            _ => Ok(()),
        }
    }
}
