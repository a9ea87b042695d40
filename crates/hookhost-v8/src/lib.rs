//! Runs one hook in V8, under limits.
//!
//! An [`Engine`] starts [`Instance`]s; an instance is one hook in one isolate on one thread at a time, and answers
//! calls. It knows nothing of other hooks or of what an answer means.
//!
//! ```text
//!   caller (any runtime)        instance thread                     watchdog thread (one for the engine)
//!   --------------------        -------------------------------     ------------------------------------
//!   Instance::call ---command-> begin a turn, run(point, ...)
//!        |    \____deadline_______________________________________> asleep until the next deadline
//!        |                      end the turn <----- kill the turn ---- passed: kill what runs, if it is this call,
//!        |                      drive the event loop   under its lock    then answer timed_out
//!        <------- one answer: the hook's, or the watchdog's, whoever is first
//! ```
//!
//! - A promise that misses its deadline fails its own call; the isolate lives on. Code that runs past a deadline is
//!   terminated, and the isolate is replaced by a fresh one from the snapshot.
//! - Some of V8's built-ins do not look up while they run. A hook that runs on inside one for a second after it was
//!   killed is stuck ([`InstanceState::Stuck`]), and its calls fail at once.
//! - A thread may be lost: ten seconds after the kill it is still inside such a built-in, or V8 gave up there, and would
//!   end the process if the thread went on. Then another thread takes the hook's seat and its inbox, and what the first
//!   one does has no effect any more. A hook that has cost three threads is not started again
//!   ([`InstanceState::GivenUp`]).
//! - The heap has a limit, and what a hook holds outside of it (array buffers, blobs, WebAssembly memories) has the same
//!   one again. Who goes beyond gets a `RangeError` where that is possible, and is killed otherwise.
//! - A hook that breaks again without a good answer in between rests before it is started again
//!   ([`InstanceState::Resting`]).
//! - All instance threads descend from one thread that initialised V8.
//! - What surrounds a hook (globals, module loading) is a realm ([`Tier`]); nothing else differs between them.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use hookhost_contract::{Invocation, Limits, Point};
//! use hookhost_v8::{Engine, HookSpec, Permissions, Tier};
//!
//! # async fn example() -> Result<(), hookhost_v8::EngineError> {
//! let engine = Engine::start(Tier::default(), Limits::default())?;
//! let instance = engine.spawn(HookSpec {
//!     name: "guard".into(),
//!     folder: "/project/hooks/guard".into(),
//!     handler: "/project/hooks/guard/index.mjs".into(),
//!     config: serde_json::Map::new(),
//!     store: None,
//!     permissions: Permissions::everything(),
//!     process_env: std::env::vars().collect(),
//!     timeout: Duration::from_millis(1500),
//!     coverage: None,
//! })?;
//! let answer = instance
//!     .call(&Invocation {
//!         point: Point::PreInput,
//!         payload: r#"{"text":"hello"}"#.into(),
//!         context: Arc::default(),
//!         timeout: Duration::from_millis(1500),
//!     })
//!     .await;
//! println!("{:?}", answer.reply);
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_code)]

mod backoff;
mod call;
mod coverage;
mod engine;
mod error;
mod host;
mod inbox;
mod instance;
mod isolate;
mod lost;
mod memory;
mod modules;
mod ops;
mod permissions;
mod realm;
mod status;
mod tier_in_use;
mod to_javascript;
mod turn;
mod uncaught;
mod v8_thread;
mod watchdog;
mod worker;

pub use coverage::{CoverageSink, FileCoverage, FunctionCoverage};
pub use engine::{Engine, HookSpec};
pub use error::EngineError;
pub use instance::{Instance, InstanceState, MemoryUse};
pub use permissions::Permissions;
pub use realm::{Tier, UnknownTier};
