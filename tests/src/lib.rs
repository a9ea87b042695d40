//! End-to-end tests of the workspace, and what they share with the tests of the command line.
//!
//! The behaviour of the whole is written down in folders, `tests/cases/<area>/<what_happens>/`: see the README there.
//! `tests/tests/cases.rs` runs each one through the library, `crates/hookhost-cli/tests/cases.rs` runs it again through
//! the command, and both must see what the case's `expect.snap` says.
//!
//! What hooks do that mean harm, or go badly wrong, is in `tests/hostile/<what-it-does>/`: see the README there.
//!
//! Hooks that use packages of the npm registry are in `tests/npm/`: [`NpmPackages`] installs what they use.
//!
//! Hook folders as they are written for Node are in `tests/compat/<what-it-is>/`, and Node itself says what they answer: see
//! the README there.
//!
//! [`crowd`] is many sessions at once on one host.
//!
//! [`many_fixtures`] is a thousand fixtures over ten hooks.
//!
//! [`Soak`] is traffic at full speed, good and hostile, for as long as one likes.

#![forbid(unsafe_code)]

mod case;
mod chromium;
mod compat;
mod host_process;
mod hostile;
mod many_fixtures;
mod npm;
mod redact;
mod schemathesis;
mod sessions;
mod snapshot;
mod soak;
mod tier;

pub use case::{Case, CaseCall, Fault};
pub use chromium::{CHROMIUM, INSTALL_CHROMIUM, WITHOUT_CHROMIUM, chromium};
pub use compat::{CompatCase, CompatLine};
pub use hostile::{HostileCase, copy_folder};
pub use many_fixtures::{Layout, many_fixtures};
pub use npm::{NpmPackages, NpmPlace, NpmProject, install as install_npm};
pub use redact::{Redactor, workspace_root};
pub use schemathesis::{WITHOUT_SCHEMATHESIS, schemathesis};
pub use sessions::{Crowd, crowd};
pub use snapshot::assert_decisions;
pub use soak::{Counts, Memory, Progress, Soak, Summary};
