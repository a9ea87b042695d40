//! Orders hooks, calls them and merges their answers into one decision.
//!
//! A [`Chain`] knows engines only as [`RunHook`]: something that takes an invocation and gives back JSON text or a
//! failure. What that text means, which hook is asked, whose answer counts and what a failure means are decided here,
//! and nowhere else.
//!
//! ```
//! use std::{collections::BTreeMap, sync::Arc, time::Duration};
//! use hookhost_chain::{Chain, ChainHook, HookFuture, RunHook};
//! use hookhost_contract::{Action, Answer, Call, Invocation, Manifest, Point};
//!
//! /// An engine for hooks that say no.
//! struct No;
//!
//! impl RunHook for No {
//!     fn run<'a>(&'a self, _: &'a Invocation) -> HookFuture<'a> {
//!         let reply = r#"{"action":"block","reason":"not today"}"#.to_owned();
//!         Box::pin(async { Answer { reply: Ok(reply), logs: vec![] } })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let manifest = Manifest { points: vec![Point::PreToolUse], ..Manifest::default() };
//! let hook = ChainHook::new("no", &manifest, None, Duration::from_millis(1500), Arc::new(No))?;
//! let chain = Chain::new(vec![hook], BTreeMap::new(), None);
//!
//! let decision = chain.decide(Call::pre_tool_use("shell", serde_json::json!({ "command": "ls" }))).await;
//! assert_eq!(decision.action, Action::Block);
//! assert_eq!(decision.reason.as_deref(), Some("not today"));
//! # Ok(())
//! # }
//! ```
//!
//! The rules of the merge are on [`Chain::decide`]. What is recorded, and where, is on [`AuditSink`].
//!
//! | feature | adds |
//! |---|---|
//! | `testing` | `testing::ScriptedHook`, a hook for tests |

#![forbid(unsafe_code)]

mod audit;
mod chain;
mod engine;
mod fail_policy;
mod hook;
mod judge;
mod merge;
mod modify;
mod payload;
mod permit;
mod record;
mod report;
#[cfg(feature = "testing")]
pub mod testing;
mod tool_matcher;

pub use audit::{AuditRecord, AuditSink, Decided, JsonlSink};
pub use chain::Chain;
pub use engine::{HookFuture, RunHook};
pub use hook::{ChainHook, call_order};
pub use permit::Permit;
pub use record::Recorder;
pub use tool_matcher::{BadGlob, ToolMatcher};
