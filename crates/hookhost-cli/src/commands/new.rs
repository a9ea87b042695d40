//! `hookhost new` and `hookhost types`: files for hook authors.

use std::fmt::Write;
use std::path::PathBuf;

use hookhost::{Point, exit};
use hookhost_testkit::{Language, NewHook, NewHookError, write_types};
use serde_json::json;

use crate::args::{Format, Global, Lang, New};
use crate::output::{Outcome, Problem};
use crate::style::{self, paint};

pub(crate) fn new(global: &Global, new: &New) -> Result<Outcome, Problem> {
    let points = if new.points.is_empty() { vec![Point::PreToolUse] } else { each_once(&new.points) };
    let language = match new.lang {
        Lang::Js => Language::JavaScript,
        Lang::Ts => Language::TypeScript,
    };
    let hook = NewHook::new(&new.name, points).language(language);
    let written = hook.write(global.project()).map_err(|error| match error {
        NewHookError::Io { .. } | NewHookError::Project(_) => Problem::failed(error.to_string()),
        _ => Problem::usage(error.to_string()),
    })?;
    let mut outcome = told(global, &written)?;
    if global.format == Format::Human {
        let _ = writeln!(outcome.text, "\nNext: change the handler and its fixtures, and run `hookhost test`.");
    }
    Ok(outcome)
}

fn each_once(points: &[Point]) -> Vec<Point> {
    let mut once = Vec::new();
    for point in points {
        if !once.contains(point) {
            once.push(point.clone());
        }
    }
    once
}

pub(crate) fn types(global: &Global) -> Result<Outcome, Problem> {
    let written = write_types(global.project())
        .map_err(|(file, error)| Problem::failed(format!("cannot write {}: {error}", file.display())))?;
    let mut outcome = told(global, &written)?;
    if written.is_empty() && global.format == Format::Human {
        outcome.text.push_str("hookhost.d.ts and schemas/ are up to date\n");
    }
    Ok(outcome)
}

fn told(global: &Global, written: &[PathBuf]) -> Result<Outcome, Problem> {
    let shown = |path: &PathBuf| path.strip_prefix(".").unwrap_or(path).display().to_string();
    if global.format == Format::Json {
        let written: Vec<_> = written.iter().map(shown).collect();
        return Outcome::json(&json!({ "written": written }), exit::OK);
    }
    let lines = written.iter().map(|path| format!("{} {}\n", paint(style::GOOD, "wrote"), shown(path)));
    Ok(Outcome { text: lines.collect(), code: exit::OK })
}
