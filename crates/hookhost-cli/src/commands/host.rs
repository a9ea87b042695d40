//! What the commands that ask hooks have in common: a host with what `ctx` shows.

use std::path::Path;

use hookhost::{Caller, HookHostBuilder, HostReport, MemoryStore, Recorder};
use hookhost_testkit::open_folder_or_database;

use super::no_hooks;
use crate::args::{CallerField, Ctx, Global, Record};
use crate::input;
use crate::output::{self, Problem};

/// The host that the command line describes.
pub(super) fn with_ctx(builder: HookHostBuilder, global: &Global, ctx: &Ctx) -> Result<HookHostBuilder, Problem> {
    let mut builder = builder.sandbox(global.sandbox).tier(global.tier);
    for variable in &ctx.env {
        builder = match variable.split_once('=') {
            Some((name, value)) => builder.env_var(name, value),
            None => builder.env_names([variable]),
        };
    }
    match &ctx.store {
        Some(path) => with_store(builder, path),
        None => Ok(builder),
    }
}

/// The same, and decisions are kept.
pub(super) fn recording(builder: HookHostBuilder, record: &Record) -> Result<HookHostBuilder, Problem> {
    let Some(path) = &record.record else { return Ok(builder) };
    let is_file = path.extension().is_some_and(|end| end == "jsonl");
    let recorder = if is_file { Recorder::lines(path) } else { Recorder::folder(path) };
    let recorder =
        recorder.map_err(|error| Problem::usage(format!("decisions cannot be kept in {}: {error}", path.display())))?;
    Ok(builder.audit(recorder.redact(&record.redact)))
}

fn with_store(builder: HookHostBuilder, path: &Path) -> Result<HookHostBuilder, Problem> {
    if let Some(url) =
        path.to_str().filter(|path| ["postgres://", "postgresql://"].iter().any(|it| path.starts_with(it)))
    {
        return with_postgres(builder, url);
    }
    if let Some(store) = open_folder_or_database(path).map_err(Problem::usage)? {
        return Ok(builder.store(store));
    }
    let json = input::json(path, "store")?;
    let store = MemoryStore::from_json(&json)
        .map_err(|error| Problem::usage(format!("the store in `{}`: {error}", path.display())))?;
    Ok(builder.store(store))
}

#[cfg(feature = "postgres")]
fn with_postgres(builder: HookHostBuilder, url: &str) -> Result<HookHostBuilder, Problem> {
    let store = hookhost::PostgresStore::open(url).map_err(|error| Problem::usage(error.to_string()))?;
    Ok(builder.store(store))
}

#[cfg(not(feature = "postgres"))]
fn with_postgres(_: HookHostBuilder, _: &str) -> Result<HookHostBuilder, Problem> {
    Err(Problem::usage("this program was built without PostgreSQL: build it with the cargo feature `postgres`"))
}

/// Who the command line says is behind the turn.
pub(super) fn caller(ctx: &Ctx) -> Option<Caller> {
    if ctx.caller.is_empty() {
        return None;
    }
    let mut caller = Caller::default();
    for (field, value) in &ctx.caller {
        match field {
            CallerField::User => caller.user_id = Some(value.clone()),
            CallerField::Source => caller.source = value.clone(),
            CallerField::Org => caller.org_id = Some(value.clone()),
        }
    }
    Some(caller)
}

/// A guard that was left out must not go unnoticed, whatever the others say.
pub(super) fn report_problems(report: &HostReport, project: &Path) {
    for problem in report.load.warnings() {
        output::warn(&problem.to_string());
    }
    // A folder that was skipped has been spoken of.
    if report.hooks.is_empty() && report.load.warnings().next().is_none() {
        output::warn(&no_hooks(project));
    }
}
