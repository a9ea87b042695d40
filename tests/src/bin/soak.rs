//! `cargo xtask soak` runs this: good and hostile traffic at full speed, for as long as one likes.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use hookhost::Tier;
use hookhost_tests::Soak;

/// Good and hostile traffic at full speed. Fails if there was a panic, a wrong decision, or memory that grows.
#[derive(Parser)]
#[command(name = "soak")]
struct Arguments {
    /// How long calls are made. From 30 on memory is judged, and half a minute of warm-up comes before
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seconds: u64,
    /// The tier of all hooks: web or node
    #[arg(long, default_value_t = Tier::Web, value_name = "TIER")]
    tier: Tier,
    /// Which random traffic [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    let Arguments { seconds, tier, seed } = Arguments::parse();
    let seed = seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    // A soak that is too short to judge memory needs no warm-up for it.
    let warm_up = Duration::from_secs(if seconds < 30 { 0 } else { 30 });
    let soak = Soak { tier, warm_up, time: Duration::from_secs(seconds), seed, every: Duration::from_secs(5) };
    let summary = match soak.run(|progress| println!("{progress}")) {
        Ok(summary) => summary,
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::FAILURE;
        }
    };
    println!("\n{summary}");
    let faults = summary.faults();
    match faults.is_empty() {
        true => ExitCode::SUCCESS,
        false => {
            eprintln!("error: {}", faults.join("; "));
            ExitCode::FAILURE
        }
    }
}
