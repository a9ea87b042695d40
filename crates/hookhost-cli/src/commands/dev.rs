//! `hookhost dev`: a host that follows what is edited.

use std::path::PathBuf;

use hookhost::{HookHost, HookState, HostReport, Reload, exit};
use hookhost_testkit::TestOptions;

use super::host::{report_problems, with_ctx};
use super::rerun::Rerun;
use super::{block_on, fixtures, no_hooks};
use crate::args::{Dev, Format, Global};
use crate::output::{self, Outcome, Problem};
use crate::plain::plain;
use crate::style::{self, paint};

pub(crate) fn dev(global: &Global, dev: &Dev) -> Result<Outcome, Problem> {
    let options = fixtures::options(global, &dev.given)?;
    let builder = with_ctx(HookHost::builder().project(global.project()), global, &dev.ctx())?;
    block_on(async {
        let mut rerun = Rerun::begin(global, &dev.given)?;
        let host = builder.build().await.map_err(|error| Problem::failed(error.to_string()))?;
        greet(global, &host.report())?;
        if let Ok(found) = fixtures::find(global, &dev.given) {
            let report = fixtures::run(found, &options, global.format).await;
            rerun.show(&report)?;
        } else if global.format == Format::Human {
            output::note("there are no fixtures yet; waiting for a change, ctrl-c ends");
        }
        let mut kept = Vec::new();
        while let Some(changed) = rerun.changed().await {
            follow(global, &host, &mut rerun, &changed, &options, &mut kept).await?;
        }
        Ok(Outcome { text: String::new(), code: exit::OK })
    })?
}

async fn follow(
    global: &Global,
    host: &HookHost,
    rerun: &mut Rerun<'_>,
    changed: &[PathBuf],
    options: &TestOptions,
    kept: &mut Vec<String>,
) -> Result<(), Problem> {
    match host.reload().await {
        Ok(reload) => {
            tell(global, &reload, kept)?;
            *kept = reload.kept.into_iter().map(|kept| kept.hook).collect();
        }
        // Half a file, perhaps: the next change mends it.
        Err(error) => output::warn(&format!("everything stays as it was: {error}")),
    }
    rerun.run(changed, options).await
}

fn greet(global: &Global, report: &HostReport) -> Result<(), Problem> {
    if global.format == Format::Json {
        return print(global, &Outcome::json(report, exit::OK)?.text);
    }
    report_problems(report, global.project());
    if report.hooks.is_empty() {
        return print(global, &format!("{}\n", no_hooks(global.project())));
    }
    let lines = report.hooks.iter().map(|hook| match &hook.state {
        HookState::Failing { failure } => {
            format!("{} {}: {}\n", paint(style::BAD, "failing "), hook.name, plain(&failure.to_string(), "  "))
        }
        state => format!("{} {}\n", paint(style::GOOD, format!("{:<8}", state.as_str())), hook.name),
    });
    print(global, &lines.collect::<String>())
}

/// `kept`: the hooks whose last version could not be used until now.
fn tell(global: &Global, reload: &Reload, kept: &[String]) -> Result<(), Problem> {
    if global.format == Format::Json {
        return print(global, &Outcome::json(reload, exit::OK)?.text);
    }
    let mut text = String::new();
    let mut line = |style, word: &str, hook: &str, why: Option<&str>| {
        let why = why.map(|why| format!(": {}", plain(why, "  "))).unwrap_or_default();
        text.push_str(&format!("{} {}{why}\n", paint(style, format!("{word:<8}")), plain(hook, "")));
    };
    for hook in &reload.reloaded {
        line(style::GOOD, "reloaded", hook, None);
    }
    for hook in reload.unchanged.iter().filter(|hook| kept.contains(hook)) {
        line(style::GOOD, "ready", hook, None);
    }
    for hook in &reload.added {
        line(style::GOOD, "added", hook, None);
    }
    for hook in &reload.removed {
        line(style::WARN, "removed", hook, None);
    }
    for kept in &reload.kept {
        line(style::BAD, "kept", &kept.hook, Some(&format!("the last good version, since {}", kept.why)));
    }
    for skipped in &reload.skipped {
        let name = skipped.hook.as_deref().unwrap_or("hooks");
        line(style::BAD, "skipped", name, Some(&skipped.to_string()));
    }
    for failing in &reload.failing {
        line(style::BAD, "failing", &failing.hook, Some(&failing.failure.to_string()));
    }
    print(global, &text)
}

fn print(global: &Global, text: &str) -> Result<(), Problem> {
    output::print(text, global.format).map_err(|error| Problem::failed(error.to_string()))
}
