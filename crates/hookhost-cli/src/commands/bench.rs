//! `hookhost bench`: how long hooks take.

use std::time::Duration;

use hookhost::exit;
use hookhost_testkit::{HookBench, TestOptions, bench_hooks};
use serde_json::json;

use super::block_on;
use super::fixtures::{find, options};
use crate::args::{Bench, Format, Global};
use crate::output::{self, Outcome, Problem};
use crate::plain::plain;
use crate::style::{self, paint};

pub(crate) fn bench(global: &Global, bench: &Bench) -> Result<Outcome, Problem> {
    let options: TestOptions = options(global, &bench.given)?;
    let found = find(global, &bench.given)?;
    let time = Duration::try_from_secs_f64(bench.seconds).map_err(|error| Problem::usage(error.to_string()))?;
    let begun = |hook: &str| {
        if global.format == Format::Human {
            output::progress(&format!("measuring {hook}"));
        }
    };
    let measured = block_on(bench_hooks(found, bench.hook.as_deref(), time, &options, begun))?;
    if let (Some(hook), true) = (&bench.hook, measured.is_empty()) {
        return Err(Problem::usage(format!("no hook is called `{hook}`, or it is switched off: see `hookhost list`")));
    }
    // One without fixtures is no fault, if there are others.
    let is_told = measured.iter().any(|hook| hook.calls > 0) && !measured.iter().any(|hook| hook.broken);
    let code = if is_told { exit::OK } else { exit::FAILED };
    match global.format {
        Format::Json => Outcome::json(&json!({ "hooks": measured }), code),
        Format::Human => Ok(Outcome { text: human(&measured), code }),
    }
}

fn human(measured: &[HookBench]) -> String {
    let mut table = style::table(&["hook", "calls/s", "p50", "p95", "p99", "heap", "outside", "notes"]);
    for hook in measured {
        let ms = |ms: f64| if hook.calls == 0 { String::new() } else { format!("{ms:.3} ms") };
        let mib = |bytes: Option<usize>| bytes.map(|bytes| format!("{:.1} MiB", bytes as f64 / 1048576.0));
        let mut notes = Vec::new();
        if hook.failed > 0 {
            notes.push(paint(style::BAD, format!("{} of {} calls failed", hook.failed, hook.calls)));
        }
        notes.extend(hook.problem.as_ref().map(|problem| paint(style::WARN, plain(problem, ""))));
        table.add_row([
            paint(style::STRONG, plain(&hook.hook, "")),
            if hook.calls == 0 { String::new() } else { format!("{:.0}", hook.calls_per_second) },
            ms(hook.p50_ms),
            ms(hook.p95_ms),
            ms(hook.p99_ms),
            mib(hook.memory.map(|memory| memory.heap_bytes)).unwrap_or_default(),
            mib(hook.memory.map(|memory| memory.external_bytes)).unwrap_or_default(),
            notes.join(", "),
        ]);
    }
    style::lines(&table)
}
