//! Numbers about the limits: how precisely a hook that loops is ended, and what it costs a good hook beside it.
//!
//! `cargo xtask bench` runs this, optimised. Times are reported and never judged: they depend on the machine and on what
//! else it does. That every decision was the expected one is judged.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use hookhost::{Action, Call, Decision, FailureCause, HookHost};
use serde::Serialize;
use serde_json::json;

/// The `timeoutMs` of the hook that loops.
const LIMIT: Duration = Duration::from_millis(50);
/// How often it is ended.
const KILLS: usize = 200;
/// How often the good hook is called alone, and as often again beside the loop.
const SAMPLES: usize = 60_000;
/// The two kinds take turns, so that a machine that becomes slower meanwhile is slower for both.
const ROUNDS: usize = 6;
/// How long a hook that rests is left alone.
const WHILE_IT_RESTS: Duration = Duration::from_millis(50);
/// How often the good hook is called before anything is measured.
const WARM_UP: usize = 1000;

#[derive(Parser)]
#[command(name = "limits")]
struct Arguments {
    /// How to print the numbers
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Cargo passes this
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// What goes wrong in a bench: a host that cannot be built, or another decision than the expected one.
type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Everything that was measured.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Numbers {
    kill: Kill,
    neighbour: Neighbour,
}

/// Milliseconds from the deadline of a call that loops to the decision about it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kill {
    limit_ms: f64,
    runs: usize,
    overshoot_ms: Spread,
}

/// Milliseconds that a decision of one good hook takes, alone and while another hook of the host loops.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Neighbour {
    samples: usize,
    alone_ms: Spread,
    beside_a_loop_ms: Spread,
    /// How many times slower it is beside the loop.
    ratio: Ratio,
    /// How often the loop was ended meanwhile.
    kills: u64,
}

#[derive(Serialize)]
struct Ratio {
    p50: f64,
    p99: f64,
}

#[derive(Serialize)]
struct Spread {
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

impl Spread {
    fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |percent: f64| {
            let rank = (samples.len() as f64 * percent / 100.0).ceil() as usize;
            // In whole microseconds: no clock here is better.
            samples.get(rank.saturating_sub(1)).map_or(0.0, |ms| (ms * 1e3).round() / 1e3)
        };
        Self { p50: at(50.0), p90: at(90.0), p99: at(99.0), max: at(100.0) }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { p50, p90, p99, max } = self;
        write!(f, "p50 {p50:8.3}   p90 {p90:8.3}   p99 {p99:8.3}   max {max:8.3}")
    }
}

fn main() -> ExitCode {
    let Arguments { format, .. } = Arguments::parse();
    let numbers = match measure() {
        Ok(numbers) => numbers,
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::FAILURE;
        }
    };
    match format {
        Format::Human => print(&numbers),
        Format::Json => println!("{}", json!(numbers)),
    }
    ExitCode::SUCCESS
}

fn print(Numbers { kill, neighbour }: &Numbers) {
    println!(
        "a loop past its limit of {} ms, ended {} times: ms from the deadline to the decision",
        kill.limit_ms, kill.runs
    );
    println!("  overshoot       {}", kill.overshoot_ms);
    println!("\na good hook, {} calls each: ms from the call to the decision", neighbour.samples);
    println!("  alone           {}", neighbour.alone_ms);
    println!("  beside a loop   {}", neighbour.beside_a_loop_ms);
    let Ratio { p50, p99 } = neighbour.ratio;
    println!("  ratio           p50 {p50:8.2}{:18}p99 {p99:8.2}   (the loop was ended {} times)", "", neighbour.kills);
}

fn measure() -> Result<Numbers, Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/project");
        let host = Arc::new(HookHost::builder().project(project).strict(true).build().await?);
        Ok(Numbers { kill: kill(&host).await?, neighbour: neighbour(&host).await? })
    })
}

async fn kill(host: &HookHost) -> Result<Kill, Fault> {
    let mut overshoots = Vec::with_capacity(KILLS);
    for _ in 0..KILLS {
        // The hook recovers, so that it does not rest.
        calm(host).await?;
        let taken = attack(host).await?;
        overshoots.push((taken.as_secs_f64() - LIMIT.as_secs_f64()) * 1e3);
    }
    Ok(Kill { limit_ms: LIMIT.as_secs_f64() * 1e3, runs: KILLS, overshoot_ms: Spread::of(overshoots) })
}

async fn neighbour(host: &Arc<HookHost>) -> Result<Neighbour, Fault> {
    for _ in 0..WARM_UP {
        good(host).await?;
    }
    let (mut alone, mut beside) = (Vec::with_capacity(SAMPLES), Vec::with_capacity(SAMPLES));
    let mut kills = 0;
    for _ in 0..ROUNDS {
        for _ in 0..SAMPLES / ROUNDS {
            alone.push(good(host).await?);
        }
        let attacker = Attacker::start(host.clone());
        attacker.looping().await;
        for _ in 0..SAMPLES / ROUNDS {
            beside.push(good(host).await?);
        }
        kills += attacker.stop().await?;
    }
    let (alone_ms, beside_a_loop_ms) = (Spread::of(alone), Spread::of(beside));
    let times = |beside: f64, alone: f64| (beside / alone * 100.0).round() / 100.0;
    let ratio =
        Ratio { p50: times(beside_a_loop_ms.p50, alone_ms.p50), p99: times(beside_a_loop_ms.p99, alone_ms.p99) };
    Ok(Neighbour { samples: SAMPLES, alone_ms, beside_a_loop_ms, ratio, kills })
}

/// Makes a hook loop, again and again.
struct Attacker {
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<Result<(), Fault>>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    attacks: AtomicU64,
}

impl Attacker {
    fn start(host: Arc<HookHost>) -> Self {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let task = tokio::spawn(async move {
            while !own.stop.load(Ordering::Relaxed) {
                calm(&host).await?;
                own.attacks.fetch_add(1, Ordering::Relaxed);
                attack(&host).await?;
            }
            Ok(())
        });
        Self { shared, task }
    }

    /// Waits until the first attack is under way. If it never is, stopping says why.
    async fn looping(&self) {
        while self.shared.attacks.load(Ordering::Relaxed) == 0 && !self.task.is_finished() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Ends the attacks, and says how many there were.
    async fn stop(self) -> Result<u64, Fault> {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.task.await??;
        Ok(self.shared.attacks.load(Ordering::Relaxed))
    }
}

/// One call of the good hook, in milliseconds.
async fn good(host: &HookHost) -> Result<f64, Fault> {
    let call = Call::pre_tool_use("shell", json!({ "command": "git push origin main" })).only_hook("guard");
    let begun = Instant::now();
    let decision = host.decide(call).await;
    let taken = begun.elapsed();
    match decision.action {
        Action::Allow => Ok(taken.as_secs_f64() * 1e3),
        _ => Err(unexpected(&decision)),
    }
}

/// A good answer of the hook that loops otherwise. It waits until the hook is loaded again.
///
/// On a machine that is busy otherwise even this answer can take more than the hook's limit. Then the hook rests after
/// its next break, and is asked until it is there again.
async fn calm(host: &HookHost) -> Result<(), Fault> {
    loop {
        let decision = host.decide(of_the_loop(false)).await;
        match cause(&decision) {
            None if decision.action == Action::Allow => return Ok(()),
            Some(FailureCause::TimedOut | FailureCause::Exited) => tokio::time::sleep(WHILE_IT_RESTS).await,
            _ => return Err(unexpected(&decision)),
        }
    }
}

/// Has the hook loop until it is ended, and says how long that took.
async fn attack(host: &HookHost) -> Result<Duration, Fault> {
    let begun = Instant::now();
    let decision = host.decide(of_the_loop(true)).await;
    let taken = begun.elapsed();
    match cause(&decision) {
        Some(FailureCause::TimedOut) if decision.action == Action::Block => Ok(taken),
        _ => Err(unexpected(&decision)),
    }
}

fn of_the_loop(looping: bool) -> Call {
    Call::pre_tool_use("shell", json!({ "loop": looping })).only_hook("loop")
}

fn cause(decision: &Decision) -> Option<FailureCause> {
    decision.runs.first()?.failure.as_ref().map(|failure| failure.cause)
}

fn unexpected(decision: &Decision) -> Fault {
    let failures: Vec<_> =
        decision.runs.iter().filter_map(|run| run.failure.as_ref()).map(ToString::to_string).collect();
    format!("not the expected decision: {} {}", decision.action, failures.join(", ")).into()
}
