//! What a hook author tests with: fixture files are found, run and judged, without a running agent.
//!
//! ```no_run
//! use std::path::PathBuf;
//! use hookhost_testkit::{Progress, TestOptions, find_fixtures, run_fixtures};
//!
//! # async fn test() -> Result<(), hookhost_testkit::FindError> {
//! let files = find_fixtures(&[PathBuf::from("hooks")], None)?;
//! let report = run_fixtures(files, &TestOptions::default(), &Progress::default()).await;
//! for (file, fixture) in report.fixtures() {
//!     println!("{}:{} {}: {:?}", file.file.display(), fixture.line, fixture.name, fixture.status);
//! }
//! assert!(report.ok);
//! # Ok(())
//! # }
//! ```
//!
//! What a fixture may say is in [`hookhost_contract::Fixture`], and how it is read in `hookhost-loader`. Printing is left to
//! whoever calls: everything is in [`TestReport`].

#![forbid(unsafe_code)]

mod bench;
mod compare;
mod coverage;
mod diff;
mod filter;
mod find;
mod host;
mod plan;
mod project;
mod report;
mod run;
mod scaffold;
mod store;
mod types;
mod update;

pub use bench::{HookBench, bench_hooks};
pub use compare::Mismatch;
pub use coverage::{CoverageReport, CoveredFile, Share, lcov};
pub use diff::{DiffLine, Side, diff_json};
pub use filter::Filter;
pub use find::{FindError, FoundFile, find_fixtures};
pub use report::{FileProblem, FileReport, FixtureReport, HookTimes, Status, StepReport, TestReport};
pub use run::{Progress, TestOptions, run_fixtures};
pub use scaffold::{Language, NewHook, NewHookError};
pub use store::{open_folder_or_database, open_store};
pub use types::write_types;
pub use update::{UpdateError, UpdatedFile, update_fixtures};
