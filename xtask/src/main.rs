//! The project's own commands, run as `cargo xtask <command>`.
//!
//! `demo` and `test` are all that a fresh machine needs; both first make sure that V8 and libclang are there
//! ([`needs`]). Nothing here depends on a crate that uses them, so that this program builds where they are missing.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

mod bench;
mod checks;
mod demo;
mod r#gen;
mod libclang;
mod needs;
mod optional;
mod place;
mod postgres;
mod run;
mod soak;
mod test;
mod v8;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run `hookhost` on the example hooks, once for each kind of decision, and check what it decides
    Demo,
    /// Run every test: with cargo-nextest if it is installed, else with cargo test
    Test {
        /// Passed on to `cargo nextest run` or `cargo test`; with any, the documentation tests are left out
        #[arg(last = true, value_name = "ARGS")]
        args: Vec<String>,
    },
    /// Good and hostile traffic at full speed: fails on a panic, a wrong decision, or memory that grows
    Soak {
        /// How long calls are made. From 30 on memory is judged, and half a minute of warm-up comes before
        #[arg(long, default_value_t = 60, value_name = "N")]
        seconds: u64,
        /// The tier of all hooks
        #[arg(long, value_enum, default_value_t = soak::Tier::Web)]
        tier: soak::Tier,
        /// Which random traffic [default: another one each time]
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        /// Build with optimisations: a long build, and more traffic
        #[arg(long)]
        release: bool,
    },
    /// How precisely a hook is killed, and what a neighbour that loops costs. Reports times, judges none
    Bench {
        /// What is measured
        #[arg(value_enum, default_value_t = bench::Subject::Limits)]
        subject: bench::Subject,
        /// How to print the numbers
        #[arg(long, value_enum, default_value_t = bench::Format::Human)]
        format: bench::Format,
    },
    /// What can be said without running a test: formatting, generated files, clippy with warnings denied
    Check,
    /// What CI runs: check, then test
    Ci,
    /// Write the JSON Schemas in schemas/ and hookhost.d.ts from the types of hookhost-contract
    Gen {
        /// Write nothing; fail if a file differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// The prebuilt V8 that cargo links
    V8 {
        #[command(subcommand)]
        command: Option<V8Command>,
    },
    /// Make sure that libclang is there, which the cargo feature `node` needs to build, and say where
    Libclang,
    /// Say where the PostgreSQL server is that tests start. Without one, `test` skips those tests
    Postgres,
    /// Say what the tests of the HTTP service use: Chromium, and Python's pip. Without one, `test` skips those tests
    Browser,
}

#[derive(Subcommand)]
enum V8Command {
    /// Say what is present and which archive would be used (the default)
    Status,
    /// Put a local archive where cargo finds it, if it is not there yet
    Install,
}

fn main() -> ExitCode {
    match dispatch(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            // A command that failed has said why in its own words; its exit code is passed on.
            match error.downcast_ref::<run::Failed>() {
                Some(failed) => ExitCode::from(failed.code),
                None => ExitCode::FAILURE,
            }
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Demo => demo::demo(&workspace),
        Command::Test { args } => test::test(&workspace, &args),
        Command::Soak { seconds, tier, seed, release } => soak::soak(&workspace, seconds, tier, seed, release),
        Command::Bench { subject, format } => bench::bench(&workspace, subject, format),
        Command::Check => checks::check(&workspace),
        Command::Ci => checks::ci(&workspace),
        Command::Gen { check: false } => r#gen::write(&workspace),
        Command::Gen { check: true } => r#gen::check(&workspace),
        Command::V8 { command } => match command.unwrap_or(V8Command::Status) {
            V8Command::Status => v8::status(&workspace),
            V8Command::Install => v8::install(&workspace),
        },
        Command::Libclang => libclang::install(&workspace),
        Command::Postgres => postgres::say(),
        Command::Browser => optional::say(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Arguments::command().debug_assert();
    }
}
