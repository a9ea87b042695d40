//! The `hookhost` command: check, test, measure and run a project's hooks.

#![forbid(unsafe_code)]

mod args;
mod chat;
mod commands;
mod input;
mod logging;
mod output;
mod plain;
mod reporters;
mod said;
mod style;
mod watch;

use std::process::ExitCode;

use clap::Parser;
use hookhost::exit;

use crate::args::{Args, Command};
use crate::output::Outcome;

fn main() -> ExitCode {
    let args = Args::parse();
    let _logging = logging::start(&args);
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
        Command::Serve(serve) => commands::serve(&args.global, serve),
        Command::Token(token) => commands::token(&args.global, token),
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
