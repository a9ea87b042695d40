//! The tool policy, `policy.json`: read as a whole, then asked about one tool at a time.

mod error;
mod judge;
mod read;

pub use error::PolicyError;
pub use judge::{CompiledPolicy, Verdict};
pub(crate) use read::parse;
pub use read::{LoadedPolicy, POLICY_FILE, load_policy};
