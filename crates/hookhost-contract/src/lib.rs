//! The words that hookhost shares with hook authors and with the programs that embed it.
//!
//! Plain types without I/O: what a manifest may say ([`Manifest`]), where a hook is called ([`Point`]), what it is
//! given ([`Invocation`]), what it may answer ([`Reply`]), what comes of it ([`Decision`]), and which tools may run
//! after that ([`PolicyFile`]). The numbers that limit a hook ([`Limits`]) and the exit codes of the command line
//! ([`exit`]) are here too, so that each fact has one place.
//!
//! ```
//! use hookhost_contract::{Action, HookDecision, Point, Reply};
//!
//! let point: Point = "preToolUse".parse()?;
//! assert_eq!(point.mutable_field(), Some("args"));
//!
//! let reply = Reply::parse(&serde_json::json!({ "action": "block", "reason": "not in this workflow" }))?;
//! assert_eq!(reply.decision.action(), Action::Block);
//!
//! // A reply that is not one of the known answers is never an allow: it is a failure, and says what to write.
//! let error = Reply::parse(&serde_json::json!({ "action": "Allow" })).unwrap_err();
//! assert!(error.to_string().contains("did you mean `allow`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

#[macro_use]
mod words;

mod call;
mod decision;
pub mod exit;
mod fixture;
mod invocation;
mod json;
mod limits;
mod manifest;
pub mod payload;
mod point;
mod policy;
mod project;
mod reply;
mod sandbox;
#[cfg(feature = "schema")]
pub mod schema;
mod store;
#[cfg(feature = "types")]
pub mod types;

pub use call::{Call, CallError, Caller};
pub use decision::{Action, Decision, Failure, FailureCause, HookLog, HookMessage, HookRun};
pub use fixture::{
    Expect, FIXTURE_SUFFIX, Fixture, FixtureDefaults, FixtureFile, FixtureStep, FixtureStores, SharedFixtures,
};
pub use invocation::{Answer, CallContext, Invocation};
pub use json::{parse_json, plain_object};
pub use limits::{Limits, MAX_TIMEOUT_MS};
pub use manifest::{Capability, FailPolicy, Manifest, Match, Mode};
pub use point::{Point, UnknownPoint};
pub use policy::{PolicyAction, PolicyFile, PolicyRule};
pub use project::{HookSettings, PackageEntry, ProjectConfig};
pub use reply::{
    Approval, ApprovalDefault, HookDecision, Injection, InjectionRole, InvalidReply, MessageLevel, REPLY_FIELDS, Reply,
    ReplyAction, STOP_WORDS, UserMessage,
};
pub use sandbox::Sandbox;
pub use store::{Row, Store, StoreError, StoreFuture};
pub use words::{UnknownWord, suggest};

/// A JSON object whose keys keep their order.
pub type JsonObject = serde_json::Map<String, serde_json::Value>;
