//! The `hookhost` command: check, test, measure and run a project's hooks.

#![forbid(unsafe_code)]

mod args;
mod chat;
mod commands;
mod input;
mod output;
mod plain;
mod reporters;
mod said;
mod style;
mod watch;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use hookhost::exit;

use crate::args::{Args, Command};
use crate::output::Outcome;

fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr(args.global.log.as_deref());
    let outcome = match &args.command {
        Command::Chat(chat) => commands::chat(&args.global, chat),
        Command::Check(check) => commands::check(&args.global, check),
        Command::List => commands::list(&args.global),
        Command::Run(run) => commands::run(&args.global, run),
        Command::Bench(bench) => commands::bench(&args.global, bench),
        Command::Dev(dev) => commands::dev(&args.global, dev),
        Command::New(new) => commands::new(&args.global, new),
        Command::Types => commands::types(&args.global),
        Command::Test(test) => commands::test(&args.global, test),
        Command::Completions { shell } => commands::completions(*shell),
    };
    let code = match outcome {
        Ok(Outcome { text, code }) => output::print(&text, args.global.format).map_or_else(|_| exit::FAILED, |()| code),
        Err(problem) => {
            output::complain(&problem, args.global.format);
            problem.code
        }
    };
    ExitCode::from(code)
}

/// What the library and the hooks log goes to stderr, so that stdout holds nothing but the answer.
fn log_to_stderr(level: Option<&str>) {
    let filter = tracing_subscriber::EnvFilter::new(level.unwrap_or("off"));
    let stderr = std::io::stderr();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(stderr.is_terminal())
        .with_writer(std::io::stderr)
        .init();
}
