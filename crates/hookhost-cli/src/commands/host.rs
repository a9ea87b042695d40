//! What the commands that ask hooks have in common: a host with what `ctx` shows.

use std::path::Path;

use hookhost::{Caller, HookHostBuilder, HostReport, JsonStore, MemoryStore, SqliteStore};

use super::no_hooks;
use crate::args::{CallerField, Ctx, Global};
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

fn with_store(builder: HookHostBuilder, path: &Path) -> Result<HookHostBuilder, Problem> {
    if is_sqlite(path) {
        let store = SqliteStore::open(path).map_err(|error| Problem::usage(error.to_string()))?;
        return Ok(builder.store(store));
    }
    if path.is_dir() {
        let store = JsonStore::open(path).map_err(|error| Problem::usage(error.to_string()))?;
        return Ok(builder.store(store));
    }
    let json = input::json(path, "store")?;
    let store = MemoryStore::from_json(&json)
        .map_err(|error| Problem::usage(format!("the store in `{}`: {error}", path.display())))?;
    Ok(builder.store(store))
}

/// By its first bytes: every database of SQLite begins with them.
fn is_sqlite(path: &Path) -> bool {
    use std::io::Read;

    const MAGIC: &[u8] = b"SQLite format 3\0";
    // Only a file has first bytes that can be read twice.
    if !path.is_file() {
        return false;
    }
    let mut first = [0; 16];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok_and(|()| first == MAGIC)
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
