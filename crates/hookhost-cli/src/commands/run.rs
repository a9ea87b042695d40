//! `hookhost run`: one decision.

use std::fmt::Write;
use std::path::Path;

use hookhost::{Approval, Call, Decision, HookHost, HookRun, HostReport, Mode, exit, suggest};

use super::block_on;
use super::host::{caller, recording, report_problems, with_ctx};
use crate::args::{Format, Global, Run};
use crate::input;
use crate::output::{Outcome, Problem};
use crate::plain::plain;
use crate::said::why;
use crate::style::{self, paint};

pub(crate) fn run(global: &Global, run: &Run) -> Result<Outcome, Problem> {
    let call = call(run)?;
    let stdin = Path::new("-");
    if run.payload == stdin && run.ctx.store.as_deref() == Some(stdin) {
        return Err(Problem::usage("--payload and --store cannot both be standard input: give one of them a file"));
    }
    let builder = with_ctx(HookHost::builder().project(global.project()), global, &run.ctx)?;
    let mut builder = recording(builder, &run.record)?;
    if let Some(name) = &run.hook {
        // The others would start in vain.
        builder = builder.only_hooks([name]);
    }
    let decision = block_on(async {
        let host = builder.build().await.map_err(|error| Problem::failed(error.to_string()))?;
        let report = host.report();
        report_problems(&report, global.project());
        if let Some(name) = &run.hook {
            expect_hook(&report, name, &call)?;
        }
        Ok(host.decide(call).await)
    })??;
    let code = exit::of_action(decision.action);
    match global.format {
        Format::Json => Outcome::json(&decision, code),
        Format::Human => Ok(Outcome { text: human(&decision), code }),
    }
}

fn call(run: &Run) -> Result<Call, Problem> {
    if run.point.is_event() {
        return Err(Problem::usage(format!(
            "`{}` is an event, and `run` asks at a point of a turn: preInput, preToolUse, postToolUse, preOutput or \
             postTurn",
            run.point
        )));
    }
    let payload = input::json(&run.payload, "payload")?;
    let mut call = Call::from_json(run.point.clone(), payload).map_err(|error| Problem::usage(error.to_string()))?;
    call.caller = caller(&run.ctx);
    call.scope_id = run.ctx.scope_id.clone();
    call.only_hook = run.hook.clone();
    if !run.ctx.context.is_empty() {
        call.context = Some(run.ctx.context.iter().cloned().collect());
    }
    Ok(call)
}

/// Asking a hook that would not be called says nothing about it.
fn expect_hook(report: &HostReport, name: &str, call: &Call) -> Result<(), Problem> {
    let Some(hook) = report.hooks.iter().find(|hook| hook.name == name) else {
        let names = report.hooks.iter().map(|hook| hook.name.as_str());
        return Err(Problem::usage(match suggest(name, names.clone()) {
            Some(meant) => format!("there is no hook `{name}`; did you mean `{meant}`?"),
            None if report.hooks.is_empty() => format!("there is no hook `{name}`: this project has none"),
            None => {
                let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
                format!("there is no hook `{name}`: the hooks are {}", names.join(", "))
            }
        }));
    };
    if hook.state == hookhost::HookState::Disabled {
        return Err(Problem::usage(format!(
            "hook `{name}` is switched off: take it out of hooks.disabled in amodal.json"
        )));
    }
    if !hook.points.contains(&call.point) {
        let points: Vec<_> = hook.points.iter().map(|point| point.as_str()).collect();
        return Err(Problem::usage(format!(
            "hook `{name}` is not called at {}: its hook.json binds it to {}",
            call.point,
            points.join(", ")
        )));
    }
    Ok(())
}

/// The decision first, then who said what, then what changed, then the logs.
fn human(decision: &Decision) -> String {
    let mut text = String::new();
    let word = paint(style::of_action(decision.action).bold(), decision.action.as_str().to_uppercase());
    let _ = write!(text, "{word} at {}", decision.point);
    if let Some(hook) = &decision.hook {
        let _ = write!(text, ", by {}", paint(style::STRONG, hook));
    }
    text.push('\n');
    if let Some(reason) = &decision.reason {
        let _ = writeln!(text, "  {}", plain(reason, "  "));
    }

    if let Some(Approval { prompt: Some(prompt), options, .. }) = &decision.approval {
        let options = options.as_deref().map(|options| format!(" [{}]", options.join(" / "))).unwrap_or_default();
        let _ = writeln!(text, "  {}", plain(&format!("{prompt}{options}"), "  "));
    }

    if decision.runs.is_empty() {
        let _ = writeln!(text, "\nNo hook wanted to see this call.");
    } else {
        text.push('\n');
        let mut table = style::table(&["hook", "answer", "time", "reason"]);
        for run in &decision.runs {
            table.add_row([run.hook.clone(), answer(run), paint(style::DIM, time(run)), plain(&why(run), "")]);
        }
        text.push_str(&style::lines(&table));
    }

    let changed: Vec<_> =
        decision.output.iter().filter(|(key, value)| decision.input.get(*key) != Some(*value)).collect();
    for (key, after) in changed {
        let before = decision.input.get(key).map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "\n{}", plain(key, ""));
        let _ = writeln!(text, "  {} {}", paint(style::BAD, "-"), plain(&before, ""));
        let _ = writeln!(text, "  {} {}", paint(style::GOOD, "+"), plain(&after.to_string(), ""));
    }
    section(
        &mut text,
        "told to the model",
        decision.injections.iter().map(|it| (it.hook.as_str(), it.content.as_str())),
    );
    section(&mut text, "told to the user", decision.messages.iter().map(|it| (it.hook.as_str(), it.text.as_str())));
    section(&mut text, "logs", decision.logs.iter().map(|it| (it.hook.as_str(), it.message.as_str())));
    text
}

fn section<'a>(text: &mut String, title: &str, lines: impl Iterator<Item = (&'a str, &'a str)>) {
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    for (hook, message) in lines {
        let _ = writeln!(text, "  {} {}", paint(style::DIM, format!("{hook}:")), plain(message, "    "));
    }
}

fn answer(run: &HookRun) -> String {
    let mut answer = paint(style::of_action(run.action), run.action);
    if run.mode == Mode::Observe {
        answer.push_str(" (observing)");
    }
    answer
}

fn time(run: &HookRun) -> String {
    format!("{:.1} ms", run.duration_ms)
}
