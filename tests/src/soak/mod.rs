//! Good and hostile traffic at full speed, for as long as one likes: nothing may panic, no decision may be wrong, and
//! memory may not grow.
//!
//! The projects are in `tests/soak/`. `long-lived` is one host for the whole time: eight hooks that behave, each call of
//! which has one right decision ([`good`]), and a dozen that do not, of which it is known what may come of each attack
//! ([`hostile`]). A good answer comes between most attacks, so that the hooks recover and are really rebuilt, again and
//! again. Hosts of `short-lived` are built and dropped meanwhile, some of them in the middle of a loop: threads or
//! isolates that stay behind show as memory.

mod events;
mod good;
mod hostile;
mod memory;
mod tally;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hookhost::{Call, Decision, HookHost, Limits, Tier};
use tokio::task::JoinSet;

use crate::Fault;
use events::Told;
use good::GoodCall;
use hostile::{HOSTILE, Hostile, Outcome, STUCK};
use memory::Samples;
use tally::Tally;

pub use memory::Memory;
pub use tally::Counts;

/// How many tasks call the hooks that behave.
const GOOD_TASKS: u64 = 4;
/// How much heap each hook has: little, so that bombs go off soon.
const HEAP_BYTES: usize = 16 << 20;
/// How long a decision may take at the very most; beyond that, it hangs. The longest time limit of a hook is 20 s, its
/// load limit is 10 s, and a chain has eight hooks.
const HANGS: Duration = Duration::from_secs(120);
/// How long a hook that rests or is stuck may take to answer well again. The longest rest is 30 s.
const COMES_BACK: Duration = Duration::from_secs(90);
/// How long a task lets a hook rest before it asks again.
const WHILE_IT_RESTS: Duration = Duration::from_millis(100);
/// From how much growth on, in percent, memory counts as leaking.
const LEAK: f64 = 10.0;
/// How many more threads there may be at one moment than at another: hosts come and go.
const SPARE_THREADS: usize = 32;
/// A shorter soak says too little about memory for a judgement.
const LONG_ENOUGH: Duration = Duration::from_secs(30);

/// A soak to run.
#[derive(Debug, Clone)]
pub struct Soak {
    /// The tier of all hooks.
    pub tier: Tier,
    /// How long calls are made before memory is looked at. Everything else counts from the start.
    pub warm_up: Duration,
    /// How long calls are made after that.
    pub time: Duration,
    /// Which random traffic. The order in which the tasks come to run is not fixed by it.
    pub seed: u64,
    /// How often progress is told.
    pub every: Duration,
}

/// Where a soak is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// What was seen so far.
    pub counts: Counts,
    /// Instances that broke and were built anew.
    pub rebuilds: u64,
    /// Resident memory, in bytes.
    pub resident: usize,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elapsed, counts, rebuilds, resident } = self;
        write!(
            f,
            "{:>4} s  {} calls, {} rebuilds, {} hosts, {} wrong, {} MiB",
            elapsed.as_secs(),
            counts.calls,
            rebuilds,
            counts.hosts,
            counts.wrong,
            resident >> 20
        )
    }
}

/// What a soak has seen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Summary {
    /// The tier of all hooks.
    pub tier: Tier,
    /// Which traffic it was.
    pub seed: u64,
    /// How long calls were made.
    pub elapsed: Duration,
    /// What was seen.
    pub counts: Counts,
    /// How often an instance broke and was built anew, by hook.
    pub rebuilds: BTreeMap<String, u64>,
    /// Panics, also those that were caught.
    pub panics: u64,
    /// What the engine logged as a fault of its own.
    pub errors: Vec<String>,
    /// Memory.
    pub memory: Memory,
}

impl Summary {
    /// Why the soak has failed. Empty if it has not.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.panics > 0 {
            faults.push(format!("{} panics", self.panics));
        }
        if self.counts.wrong > 0 {
            faults.push(format!("{} wrong decisions", self.counts.wrong));
        }
        if !self.errors.is_empty() {
            faults.push(format!("{} faults of the engine", self.errors.len()));
        }
        if self.is_judged_by_memory() && self.memory.growth() >= LEAK {
            faults.push(format!("memory grew by {:.1} % after the first quarter", self.memory.growth()));
        }
        if let Some((quarter, end)) = self.memory.threads
            && self.is_judged_by_memory()
            && end > quarter + SPARE_THREADS
        {
            faults.push(format!("{} threads were left behind after the first quarter", end - quarter));
        }
        faults
    }

    fn is_judged_by_memory(&self) -> bool {
        self.elapsed >= LONG_ENOUGH
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tier, seed, elapsed, counts, rebuilds, panics, errors, memory } = self;
        let seconds = elapsed.as_secs_f64();
        writeln!(f, "tier       {tier}")?;
        writeln!(f, "seed       {seed}")?;
        writeln!(f, "calls      {} in {seconds:.1} s: {:.0} a second", counts.calls, counts.calls as f64 / seconds)?;
        writeln!(f, "decisions  {}", listed(&counts.actions))?;
        writeln!(f, "failures   {}", listed(&counts.causes))?;
        writeln!(
            f,
            "           {} calls of a resting hook, {} of a stuck one, {} good answers too late",
            counts.resting, counts.stuck, counts.late
        )?;
        writeln!(f, "rebuilds   {}: {}", rebuilds.values().sum::<u64>(), listed(rebuilds))?;
        writeln!(f, "hosts      {} built and dropped", counts.hosts)?;
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let Memory { start, quarter, end, threads } = *memory;
        writeln!(
            f,
            "memory     {:.0} MiB at the start, {:.0} after the first quarter, {:.0} at the end: {:+.1} % since then{}",
            mib(start),
            mib(quarter),
            mib(end),
            memory.growth(),
            if self.is_judged_by_memory() { "" } else { " (too short to judge)" }
        )?;
        if let Some((quarter, end)) = threads {
            writeln!(f, "threads    {quarter} after the first quarter, {end} at the end")?;
        }
        writeln!(f, "panics     {panics}")?;
        write!(f, "wrong      {}", counts.wrong)?;
        for wrong in counts.told.iter().chain(errors) {
            write!(f, "\n           {wrong}")?;
        }
        Ok(())
    }
}

fn listed<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    match counts.is_empty() {
        true => "none".to_owned(),
        false => counts.iter().map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join(", "),
    }
}

impl Soak {
    /// Runs it. `tell` is given the progress.
    ///
    /// Once in a process: it listens to the process's log and to its panics.
    ///
    /// # Errors
    /// The long-lived host cannot be built.
    pub fn run(&self, mut tell: impl FnMut(&Progress)) -> Result<Summary, Fault> {
        let told = Told::listen();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let summary = runtime.block_on(self.soak(&told, &mut tell))?;
        Ok(summary)
    }

    async fn soak(&self, told: &Arc<Told>, tell: &mut impl FnMut(&Progress)) -> Result<Summary, Fault> {
        let host = build(&project("long-lived"), self.tier).await?;
        let traffic = Arc::new(Traffic {
            tier: self.tier,
            host,
            tally: Tally::default(),
            numbers: Numbers::default(),
            calls: AtomicU64::new(0),
            until: Instant::now() + self.warm_up + self.time,
        });

        let mut tasks = JoinSet::new();
        let mut random = fastrand::Rng::with_seed(self.seed);
        for _ in 0..GOOD_TASKS {
            tasks.spawn(call_good(traffic.clone(), random.fork()));
        }
        for hostile in HOSTILE {
            tasks.spawn(attack(traffic.clone(), hostile, random.fork()));
        }
        tasks.spawn(build_and_drop(traffic.clone(), random.fork()));

        let started = Instant::now();
        let progress = |samples: &Samples| Progress {
            elapsed: started.elapsed(),
            counts: traffic.tally.so_far(),
            rebuilds: told.broke().values().sum(),
            resident: samples.last(),
        };
        let mut samples = Samples::default();
        samples.take(Duration::ZERO);
        let mut ticks =
            tokio::time::interval(Duration::from_secs(1).min(self.time / 10).max(Duration::from_millis(10)));
        let mut next = self.every;
        while !traffic.is_over() {
            ticks.tick().await;
            samples.take(started.elapsed());
            if started.elapsed() >= next {
                next += self.every;
                tell(&progress(&samples));
            }
        }
        let elapsed = started.elapsed();
        // What is under way comes to its end. A panic of a task has been counted when it happened.
        while tasks.join_next().await.is_some() {}

        for hostile in HOSTILE {
            traffic.recovers(hostile).await;
        }
        if let Some(fault) = traffic.numbers.fault() {
            traffic.tally.wrong(fault);
        }
        Ok(Summary {
            tier: self.tier,
            seed: self.seed,
            elapsed,
            counts: traffic.tally.so_far(),
            rebuilds: told.broke(),
            panics: told.panics(),
            errors: told.errors(),
            memory: samples.sum_up(self.warm_up, elapsed.saturating_sub(self.warm_up)),
        })
    }
}

/// The folder of one of the soak's projects.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("soak").join(name)
}

async fn build(project: &Path, tier: Tier) -> Result<HookHost, Fault> {
    let limits = Limits::default().heap_bytes(HEAP_BYTES);
    Ok(HookHost::builder().project(project).strict(true).limits(limits).tier(tier).build().await?)
}

/// What the tasks share.
struct Traffic {
    tier: Tier,
    host: HookHost,
    tally: Tally,
    numbers: Numbers,
    calls: AtomicU64,
    until: Instant,
}

impl Traffic {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Asks a host, and counts what it decides. A host that does not answer is wrong.
    async fn decide(&self, host: &HookHost, call: Call) -> Option<Decision> {
        let about = format!("{} {:?}", call.point, call.only_hook);
        match tokio::time::timeout(HANGS, host.decide(call)).await {
            Ok(decision) => {
                self.tally.decided(&decision);
                Some(decision)
            }
            Err(_) => {
                self.tally.wrong(format!("no decision after {HANGS:?}: {about}"));
                None
            }
        }
    }

    /// Whatever was done to it, a hook comes back when it is left alone.
    async fn recovers(&self, hostile: &Hostile) {
        let given_up = Instant::now() + COMES_BACK;
        loop {
            let Some(decision) = self.decide(&self.host, hostile::good_call(hostile.hook)).await else { return };
            match hostile::judge_good(hostile, &decision) {
                Outcome::Right => return,
                Outcome::Wrong(what) => return self.tally.wrong(what),
                _ if Instant::now() > given_up => {
                    return self.tally.wrong(format!("{} does not come back within {COMES_BACK:?}", hostile.hook));
                }
                _ => tokio::time::sleep(WHILE_IT_RESTS).await,
            }
        }
    }

    /// Counts what came of a call. Where a hook rests, so does the task.
    async fn count(&self, outcome: Outcome) {
        match outcome {
            Outcome::Right => {}
            Outcome::Rests => {
                self.tally.rested();
                tokio::time::sleep(WHILE_IT_RESTS).await;
            }
            Outcome::Stuck => {
                self.tally.stuck();
                tokio::time::sleep(WHILE_IT_RESTS).await;
            }
            Outcome::Late => self.tally.late(),
            Outcome::Wrong(what) => self.tally.wrong(what),
        }
    }
}

/// The numbers that the counting hook gave: each once, from 1 on, or its state was lost or got at twice.
#[derive(Default)]
struct Numbers {
    seen: Mutex<(u64, u64, u64)>,
}

impl Numbers {
    fn add(&self, number: u64) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = (seen.0 + 1, seen.1 + number, seen.2.max(number));
    }

    fn fault(&self) -> Option<String> {
        let (count, sum, highest) = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let right = highest == count && sum == count * (count + 1) / 2;
        (!right).then(|| format!("{count} numbers add up to {sum}, and the highest is {highest}: state was lost"))
    }
}

/// Calls hooks that behave.
async fn call_good(traffic: Arc<Traffic>, mut random: fastrand::Rng) {
    while !traffic.is_over() {
        let good = GoodCall::random(&mut random, traffic.calls.fetch_add(1, Ordering::Relaxed));
        let Some(decision) = traffic.decide(&traffic.host, good.call()).await else { continue };
        if let Some(number) = good::number(&decision) {
            traffic.numbers.add(number);
        }
        if let Some(fault) = good.fault(&decision) {
            traffic.tally.wrong(fault);
        }
    }
}

/// Attacks one hook again and again; mostly with a good answer in between, so that it does not rest.
async fn attack(traffic: Arc<Traffic>, hostile: &'static Hostile, mut random: fastrand::Rng) {
    while !traffic.is_over() {
        if random.u8(..) < 224
            && let Some(decision) = traffic.decide(&traffic.host, hostile::good_call(hostile.hook)).await
        {
            traffic.count(hostile::judge_good(hostile, &decision)).await;
        }
        let Some(&(text, right)) = random.choice(hostile.attacks) else { return };
        if let Some(decision) = traffic.decide(&traffic.host, hostile::call(hostile.hook, text)).await {
            traffic.count(hostile::judge_attack(right, &decision)).await;
        }
    }
}

/// Builds hosts and drops them, some in the middle of a loop.
async fn build_and_drop(traffic: Arc<Traffic>, mut random: fastrand::Rng) {
    while !traffic.is_over() {
        let host = match build(&project("short-lived"), traffic.tier).await {
            Ok(host) => host,
            Err(fault) => return traffic.tally.wrong(format!("a host cannot be built: {fault}")),
        };
        for hook in ["quick", "heavy", STUCK.hook] {
            if let Some(decision) = traffic.decide(&host, hostile::good_call(hook)).await {
                traffic.count(hostile::judge_good(&STUCK, &decision)).await;
            }
        }
        if let Some(&(text, _)) = random.choice(STUCK.attacks).filter(|_| random.bool()) {
            // Nobody waits for the answer: the loop goes on until the host is dropped.
            let attack = host.decide(hostile::call(STUCK.hook, text));
            let _ = tokio::time::timeout(Duration::from_millis(random.u64(1..30)), attack).await;
        }
        // It waits for the hooks' threads.
        let dropped = tokio::task::spawn_blocking(move || drop(host)).await;
        if dropped.is_ok() {
            traffic.tally.dropped_a_host();
        }
    }
}
