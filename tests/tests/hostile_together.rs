//! Runs the hostile cases of a tier in one process, in an order that differs from time to time: what one leaves behind must
//! not reach another.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hookhost::Tier;
use hookhost_tests::{Fault, HostileCase};

/// How many run at a time.
const AT_A_TIME: usize = 4;

#[test]
fn the_whole_corpus_in_the_web_tier() {
    the_whole_corpus(Tier::Web, 2).unwrap();
}

#[test]
fn the_whole_corpus_in_the_node_tier() {
    // Its corpus is the larger one, and in some of its cases a thread has to be left behind, which takes ten seconds.
    the_whole_corpus(Tier::Node, 1).unwrap();
}

/// Each case runs `rounds` times.
fn the_whole_corpus(tier: Tier, rounds: usize) -> Result<(), Fault> {
    let mut cases = HostileCase::all()?;
    cases.retain(|case| case.tiers().any(|its| its == tier));
    assert!(!cases.is_empty());
    let seed = match std::env::var("HOOKHOST_SEED") {
        Ok(seed) => seed.parse().map_err(|error| format!("HOOKHOST_SEED: {error}"))?,
        Err(_) => fastrand::u64(..),
    };
    writeln!(io::stderr(), "HOOKHOST_SEED={seed} repeats this order")?;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut order = Vec::new();
    for _ in 0..rounds {
        let mut round: Vec<_> = cases.iter().collect();
        random.shuffle(&mut round);
        order.extend(round);
    }
    let waiting = Mutex::new(order.into_iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(case) = next() {
                    // Past the harness, which would keep it back: if the process ends, this says who was at work.
                    let _ = writeln!(io::stderr(), "begins: {}", case.name);
                    if let Err(fault) = case.run_alone(tier) {
                        wrong.lock().unwrap_or_else(PoisonError::into_inner).push(fault.to_string());
                    }
                    let _ = writeln!(io::stderr(), "ends:   {}", case.name);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "HOOKHOST_SEED={seed}: {} of the runs went wrong\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
