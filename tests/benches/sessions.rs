//! What a crowd of sessions on one host costs: time and memory.
//!
//! `cargo xtask bench sessions` runs this, optimised. The numbers are reported and never judged: they depend on the machine.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use hookhost::Tier;
use hookhost_tests::{Crowd, Fault, crowd};

#[derive(Parser)]
#[command(name = "sessions")]
struct Arguments {
    /// How to print the numbers
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// How many sessions there are, all at once
    #[arg(long, default_value_t = 1000)]
    sessions: usize,
    /// The tier of the hooks
    #[arg(long, default_value_t = Tier::Web)]
    tier: Tier,
    /// Cargo passes this
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match measure(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &Arguments) -> Result<(), Fault> {
    let crowd = crowd(arguments.sessions, arguments.tier).await?;
    if !crowd.wrong.is_empty() {
        return Err(crowd.wrong.join("\n").into());
    }
    match arguments.format {
        Format::Json => println!("{}", serde_json::to_string_pretty(&crowd)?),
        Format::Human => {
            let Crowd { sessions, decisions, seconds, host_mib, session_kib, .. } = crowd;
            println!(
                "{sessions} sessions at once: {decisions} decisions of six hooks in {seconds:.2} s, {:.0} a second; \
                 {host_mib:.0} MiB with the host alone, {session_kib:.0} KiB more for each session",
                decisions as f64 / seconds
            );
        }
    }
    Ok(())
}
