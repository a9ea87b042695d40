//! `cargo xtask soak`: good and hostile traffic at full speed.

use std::process::Command;

use anyhow::Result;
use clap::ValueEnum;

use crate::needs;
use crate::run::run;
use crate::workspace::Workspace;

/// What hooks find. xtask is built before the engine, whose names these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    /// What browsers and servers share.
    Web,
    /// What Node has, too.
    Node,
}

/// Runs the soak of hookhost-tests for so many seconds, which judges itself.
pub(crate) fn soak(workspace: &Workspace, seconds: u64, tier: Tier, seed: Option<u64>, release: bool) -> Result<()> {
    needs::ensure(workspace)?;
    run(&mut command(workspace, seconds, tier, seed, release))
}

fn command(workspace: &Workspace, seconds: u64, tier: Tier, seed: Option<u64>, release: bool) -> Command {
    // Not `--package hookhost-tests`: see `demo::build`. In the workspace's root, `--bin` alone means every package.
    let mut soak = workspace.cargo(["run", "--bin", "soak"]);
    // What glibc keeps would look like a leak: in many arenas (see `sum_up` in tests/src/soak/memory.rs), and on its heap
    // since it takes larger and larger blocks from there the more of them are freed, unless these are set.
    soak.envs([("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")]);
    if release {
        soak.arg("--release");
    }
    let tier = match tier {
        Tier::Web => "web",
        Tier::Node => "node",
    };
    soak.args(["--", "--seconds", &seconds.to_string(), "--tier", tier]);
    if let Some(seed) = seed {
        soak.args(["--seed", &seed.to_string()]);
    }
    soak
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::shown;

    #[test]
    fn what_is_asked_for_is_passed_on() {
        let workspace = Workspace::at(std::env::temp_dir());
        let typed = |tier, seed, release| shown(&command(&workspace, 5, tier, seed, release));
        assert_eq!(typed(Tier::Web, None, false), "cargo run --bin soak -- --seconds 5 --tier web");
        assert_eq!(
            typed(Tier::Node, Some(7), true),
            "cargo run --bin soak --release -- --seconds 5 --tier node --seed 7"
        );
    }
}
