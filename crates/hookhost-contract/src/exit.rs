//! The exit codes of the command line.

use crate::Action;

/// Fine: an allow, a modify, an inject; nothing found; listed.
pub const OK: u8 = 0;
/// `check` has findings, the project is broken, or something else went wrong.
pub const FAILED: u8 = 1;
/// The command was not understood.
pub const USAGE: u8 = 2;
/// `run` decided: ask.
pub const ASK: u8 = 3;
/// `run` decided: block.
pub const BLOCK: u8 = 4;

/// The exit code of a decision.
pub fn of_action(action: Action) -> u8 {
    match action {
        Action::Allow | Action::Modify | Action::Inject => OK,
        Action::Ask => ASK,
        Action::Block => BLOCK,
    }
}
