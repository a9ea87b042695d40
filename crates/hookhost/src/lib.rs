//! Runs an AI agent's JavaScript hook folders in V8, under limits, and merges their answers into one decision that a
//! chat loop obeys: block > ask > inject > modify > allow.
//!
//! ```no_run
//! use hookhost::{Action, Call, HookHost};
//!
//! # async fn turn() -> Result<(), hookhost::HookHostError> {
//! let host = HookHost::builder().project(".").build().await?;
//! let call = Call::pre_tool_use("write_file", serde_json::json!({ "path": "notes.txt" }));
//! let decision = host.decide(call).await;
//! match decision.action {
//!     Action::Block => println!("the tool does not run: {}", decision.reason.unwrap_or_default()),
//!     Action::Ask => println!("a person decides about {}", decision.output["args"]),
//!     _ => println!("the tool runs with {}", decision.output["args"]),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`HookHost::decide`] never fails: a hook that throws, hangs or answers nonsense is decided by its fail policy, and
//! [`Decision::runs`] keeps the cause. What was wrong with the project on disk is in [`HookHost::report`].
//!
//! A chat loop has more to do than to ask: a [`Session`] begins [`Turn`]s, which carry decisions out, have a person asked,
//! obey a policy and tell what happened. The way there is in `docs/embedding.md`, and `examples/chat_loop.rs` is a whole
//! loop.
//!
//! ```no_run
//! use hookhost::{HookHost, InputOutcome, ToolCall};
//! use serde_json::json;
//!
//! # async fn talk() -> Result<(), hookhost::HookHostError> {
//! let host = std::sync::Arc::new(HookHost::builder().project(".").build().await?);
//! let turn = host.session().build().turn();
//! match turn.input("Delete the branch.").await {
//!     InputOutcome::Accepted(input) => println!("to the model: {}", input.text),
//!     InputOutcome::Refused(refusal) => println!("to the user: {}", refusal.for_user()),
//! }
//! let call = ToolCall::new("shell", json!({ "command": "git branch -D old" }));
//! let outcome = turn.tool(call, |call| async move { json!(format!("ran {}", call.args)) }).await;
//! println!("to the model: {}", outcome.for_model());
//! let _ = turn.output("Done.", |text| println!("to the user: {text}")).await;
//! turn.finish(json!({})).await;
//! # Ok(())
//! # }
//! ```
//!
//! Hooks see the root loop's traffic only. What runs beside it (subagents, nested composite calls, tools that are
//! called directly) does not pass here: enforce rules for those in the tool itself.

#![forbid(unsafe_code)]

/// The code on the page is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
mod embedding {}

mod approval;
mod builder;
mod error;
mod event;
mod generation;
mod host;
mod instances;
mod policy;
mod reload;
mod report;
mod session;
mod settings;
mod turn;

pub use approval::{
    ApprovalAnswer, ApprovalChoice, ApprovalFuture, ApprovalOption, ApprovalRequest, Approver, AskedBy, PayloadHash,
};
pub use builder::HookHostBuilder;
pub use error::HookHostError;
pub use event::{EventKind, Events, ResolvedBy, SessionEvent};
pub use hookhost_chain::{AuditRecord, AuditSink, Decided, JsonlSink, Recorder};
pub use hookhost_contract::{
    Action, Approval, ApprovalDefault, Call, CallError, Caller, Capability, Decision, FailPolicy, Failure,
    FailureCause, HookLog, HookMessage, HookRun, Injection, InjectionRole, JsonObject, Limits, Manifest, Match,
    MessageLevel, Mode, Point, ProjectConfig, Row, Sandbox, Store, StoreError, StoreFuture, UnknownPoint, UnknownWord,
    exit, parse_json, plain_object, suggest,
};
pub use hookhost_loader::{
    Diagnostic, DiagnosticCode, HookSource, LoadReport, Origin, POLICY_FILE, PolicyError, Position, Project,
    ProjectError, Severity, load as load_project,
};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use hookhost_stores::Table;
pub use hookhost_stores::{JsonStore, JsonStoreBuilder, MemoryStore, MemoryStoreError, OpenError};
#[cfg(feature = "postgres")]
pub use hookhost_stores::{PostgresStore, PostgresStoreBuilder};
#[cfg(feature = "sqlite")]
pub use hookhost_stores::{SqliteStore, SqliteStoreBuilder};
pub use hookhost_v8::{CoverageSink, FileCoverage, FunctionCoverage, MemoryUse, Tier, UnknownTier};
pub use host::HookHost;
pub use policy::{FilePolicy, PolicyFuture, PolicyQuestion, PolicyVerdict, ToolPolicy};
pub use reload::{FailingHook, KeptHook, Reload};
pub use report::{HookState, HookStatus, HostReport};
pub use session::{Session, SessionBuilder};

pub use turn::{
    AcceptedInput, BadToolCall, InputOutcome, ModelText, OutputOutcome, Refusal, RefusedBy, ToolCall, ToolOutcome,
    ToolResult, ToolRun, Turn, UserText,
};
