//! `cargo xtask bench`: numbers from an optimised build.

use std::process::Command;

use anyhow::Result;
use clap::ValueEnum;

use crate::needs;
use crate::run::run;
use crate::workspace::Workspace;

/// How the numbers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs: one JSON object on standard output.
    Json,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// How long a thousand fixtures over ten hooks take.
    Fixtures,
    /// How precise a kill is, and what it costs a good hook beside it.
    Limits,
    /// How many decisions a second the HTTP service makes, and what a hook that loops costs its neighbours. Needs wrk.
    Service,
    /// How much time and memory a thousand sessions take on one host.
    Sessions,
    /// How long hooks take to start, and their memory, in both tiers.
    Starts,
}

/// Runs a bench of hookhost-tests.
pub(crate) fn bench(workspace: &Workspace, subject: Subject, format: Format) -> Result<()> {
    needs::ensure(workspace)?;
    run(&mut command(workspace, subject, format))
}

fn command(workspace: &Workspace, subject: Subject, format: Format) -> Command {
    let subject = match subject {
        Subject::Fixtures => "fixtures",
        Subject::Limits => "limits",
        Subject::Service => "service",
        Subject::Sessions => "sessions",
        Subject::Starts => "starts",
    };
    // Not `--package hookhost-tests`: see `demo::build`.
    let mut bench = workspace.cargo(["bench", "--workspace", "--bench", subject]);
    if format == Format::Json {
        bench.args(["--", "--format", "json"]);
    }
    bench
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::shown;

    #[test]
    fn the_format_is_passed_on() {
        let workspace = Workspace::at(std::env::temp_dir());
        let typed = |subject, format| shown(&command(&workspace, subject, format));
        assert_eq!(typed(Subject::Limits, Format::Human), "cargo bench --workspace --bench limits");
        assert_eq!(typed(Subject::Starts, Format::Json), "cargo bench --workspace --bench starts -- --format json");
    }
}
