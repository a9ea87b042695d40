//! Makes the calls of a compat case through the library, in a process of its own: its current folder and its environment
//! are the hook's. `compat <project> <calls.json> <tier>` prints what `tests/compat/driver.mjs` prints.

#![forbid(unsafe_code)]

use std::env;
use std::io::{Write, stdout};
use std::path::Path;

use hookhost::Tier;
use hookhost_tests::{CompatCase, Fault};

fn main() -> Result<(), Fault> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [project, calls, tier] = &arguments[..] else {
        return Err("usage: compat <project> <calls.json> <web or node>".into());
    };
    let tier: Tier = tier.parse()?;
    let case = CompatCase::read(Path::new(calls))?;
    env::set_current_dir(project)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for line in runtime.block_on(case.decide(tier))? {
        stdout().write_all(line.to_text()?.as_bytes())?;
    }
    Ok(())
}
