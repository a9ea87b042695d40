//! How long a thousand fixtures over ten hooks take, however they lie in files.
//!
//! `cargo xtask bench fixtures` runs this, optimised. The numbers are reported and never judged: they depend on the machine.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use hookhost::Tier;
use hookhost_tests::{Fault, Layout, many_fixtures};
use serde_json::json;

#[derive(Parser)]
#[command(name = "fixtures")]
struct Arguments {
    /// How to print the numbers
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The tier of the hooks: that of the command line by default
    #[arg(long, default_value_t = Tier::Node)]
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
    let layouts = [
        (Layout::FileForEachHook, "fileForEachHook", "in a file for each hook"),
        (Layout::FileForEachFixture, "fileForEachFixture", "in a file for each fixture"),
        (Layout::WholeChain, "wholeChain", "in one file, of all ten hooks"),
    ];
    let mut told = serde_json::Map::new();
    for (layout, key, words) in layouts {
        let report = many_fixtures(layout, arguments.tier).await?;
        if !report.ok {
            return Err(format!("{words}: {} of 1000 passed", report.passed).into());
        }
        told.insert(key.to_owned(), json!({ "fixtures": report.passed, "durationMs": report.duration_ms }));
        if arguments.format == Format::Human {
            println!("{} fixtures {words}: {:.2} s", report.passed, report.duration_ms / 1000.0);
        }
    }
    if arguments.format == Format::Json {
        println!("{}", serde_json::to_string_pretty(&told)?);
    }
    Ok(())
}
