//! What a hook costs before it is called: how long ten of them take to start in a new process, and the memory of each
//! further one, in both tiers.
//!
//! `cargo xtask bench starts` runs this, optimised. The numbers are reported and never judged: they depend on the machine.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use hookhost::{Action, Call, HookHost, HookState, Tier};
use serde::{Deserialize, Serialize};

/// How many hooks a host has.
const HOOKS: usize = 10;
/// How many processes are measured for each tier.
const PROCESSES: usize = 7;
/// How many further hooks the memory is measured with.
const FURTHER: usize = 20;

/// A hook as one finds them: it keeps state and answers by what it is given.
const SOURCE: &str = "const seen = new Map();
export function createHook(config) {
  return {
    async run(point, payload, ctx) {
      seen.set(payload.text, (seen.get(payload.text) ?? 0) + 1);
      return /force/.test(payload.text) ? { action: 'block', reason: 'no' } : { action: 'allow' };
    },
  };
}
";

#[derive(Parser)]
#[command(name = "starts")]
struct Arguments {
    /// How to print the numbers
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Measure one process of this tier, which is this one
    #[arg(long, hide = true)]
    once: Option<Tier>,
    /// Cargo passes this
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

type Fault = Box<dyn std::error::Error + Send + Sync>;

/// One process.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    /// From nothing to the first decision of all hooks, in milliseconds.
    cold_ms: f64,
    /// The same for a second host in that process.
    again_ms: f64,
    /// Resident memory of each further hook, in MiB.
    mib_per_hook: f64,
}

/// The medians of some processes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Numbers {
    tier: &'static str,
    hooks: usize,
    processes: usize,
    #[serde(flatten)]
    median: Sample,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.once {
        Some(tier) => once(tier).and_then(|sample| Ok(serde_json::to_string(&sample)?)).map(|text| println!("{text}")),
        None => all(arguments.format),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn all(format: Format) -> Result<(), Fault> {
    let mut all = Vec::new();
    for tier in [Tier::Web, Tier::Node] {
        let samples = (0..PROCESSES).map(|_| process(tier)).collect::<Result<Vec<_>, _>>()?;
        let median = |of: fn(&Sample) -> f64| {
            let mut values: Vec<_> = samples.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let median = Sample {
            cold_ms: median(|sample| sample.cold_ms),
            again_ms: median(|sample| sample.again_ms),
            mib_per_hook: median(|sample| sample.mib_per_hook),
        };
        all.push(Numbers { tier: tier.as_str(), hooks: HOOKS, processes: PROCESSES, median });
    }
    match format {
        Format::Json => println!("{}", serde_json::to_string_pretty(&all)?),
        Format::Human => {
            println!("{HOOKS} hooks, median of {PROCESSES} processes");
            for Numbers { tier, median, .. } in all {
                println!(
                    "  {tier:5} {:6.1} ms to the first decision, {:6.1} ms for a second host, {:5.1} MiB for each further hook",
                    median.cold_ms, median.again_ms, median.mib_per_hook
                );
            }
        }
    }
    Ok(())
}

/// Measures another process, which has not used V8 before.
fn process(tier: Tier) -> Result<Sample, Fault> {
    let output = Command::new(std::env::current_exe()?).args(["--once", tier.as_str()]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[tokio::main]
async fn once(tier: Tier) -> Result<Sample, Fault> {
    let ten = project(HOOKS)?;
    let begun = Instant::now();
    let host = start(ten.path(), tier, HOOKS).await?;
    let cold_ms = millis(begun);
    let begun = Instant::now();
    let second = start(ten.path(), tier, HOOKS).await?;
    let again_ms = millis(begun);

    let further = project(FURTHER)?;
    let before = resident()?;
    let more = start(further.path(), tier, FURTHER).await?;
    let mib_per_hook = (resident()? - before) / FURTHER as f64;
    drop((host, second, more));
    Ok(Sample { cold_ms, again_ms, mib_per_hook })
}

fn project(hooks: usize) -> Result<tempfile::TempDir, Fault> {
    let project = tempfile::tempdir()?;
    for number in 0..hooks {
        let folder = project.path().join(format!("hooks/h{number}"));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("hook.json"), r#"{ "points": ["preInput"], "timeoutMs": 10000 }"#)?;
        std::fs::write(folder.join("index.mjs"), SOURCE)?;
    }
    Ok(project)
}

async fn start(project: &Path, tier: Tier, hooks: usize) -> Result<HookHost, Fault> {
    let host = HookHost::builder().project(project).tier(tier).build().await?;
    let decision = host.decide(Call::pre_input("hello")).await;
    let ready = host.report().hooks.iter().filter(|hook| matches!(hook.state, HookState::Ready)).count();
    if decision.action != Action::Allow || decision.runs.len() != hooks || ready != hooks {
        return Err(format!("not as expected: {decision:?}").into());
    }
    Ok(host)
}

fn millis(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

fn resident() -> Result<f64, Fault> {
    let stats = memory_stats::memory_stats().ok_or("the memory of this process cannot be read")?;
    Ok(stats.physical_mem as f64 / f64::from(1 << 20))
}
