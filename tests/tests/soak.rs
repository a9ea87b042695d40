//! A short soak: nothing panics and no decision is wrong. `cargo xtask soak` runs it for longer, and watches memory.

use std::time::Duration;

use hookhost::{Action, Tier};
use hookhost_tests::{Fault, Soak};

#[test]
fn three_seconds_of_good_and_hostile_traffic_in_the_web_tier() -> Result<(), Fault> {
    three_seconds(Tier::Web)
}

#[test]
fn three_seconds_of_good_and_hostile_traffic_in_the_node_tier() -> Result<(), Fault> {
    three_seconds(Tier::Node)
}

fn three_seconds(tier: Tier) -> Result<(), Fault> {
    let (time, every) = (Duration::from_secs(3), Duration::from_secs(60));
    let soak = Soak { tier, warm_up: Duration::ZERO, time, seed: 1, every };
    let summary = soak.run(|_| {})?;
    assert!(summary.faults().is_empty(), "{summary}");
    // It was a soak at all: hooks were broken and rebuilt, hosts came and went, and every action was decided on.
    assert!(summary.rebuilds.values().sum::<u64>() > 0, "{summary}");
    assert!(summary.counts.hosts > 0, "{summary}");
    for action in Action::ALL {
        assert!(summary.counts.actions.contains_key(action), "{action}: {summary}");
    }
    Ok(())
}
