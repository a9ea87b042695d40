//! One file per command: each returns its answer and never prints.

mod bench;
mod chat;
mod check;
mod dev;
mod fixtures;
mod host;
mod list;
mod new;
mod rerun;
mod run;
mod serve;
mod test;
mod token;

use std::path::Path;

pub(crate) use bench::bench;
pub(crate) use chat::chat;
pub(crate) use check::check;
use clap::CommandFactory;
pub(crate) use dev::dev;
use hookhost::exit;
pub(crate) use list::list;
pub(crate) use new::{new, types};
pub(crate) use run::run;
pub(crate) use serve::serve;
pub(crate) use test::test;
pub(crate) use token::token;

use crate::args::Args;
use crate::output::{Outcome, Problem};

/// `hookhost completions`.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Outcome, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "hookhost", &mut script);
    let text = String::from_utf8(script).map_err(|error| Problem::failed(error.to_string()))?;
    Ok(Outcome { text, code: exit::OK })
}

/// Said of a project without any hook: perhaps it is the wrong folder.
fn no_hooks(project: &Path) -> String {
    format!("no hooks in {}: a hook is a folder hooks/<name>/ with hook.json and index.mjs", project.display())
}

/// Runs a future to its end. One thread is enough: the hooks have their own.
fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::failed(format!("cannot start: {error}")))?;
    Ok(runtime.block_on(future))
}
