//! A project's hooks, as far as fixtures speak of them.

use std::path::{Path, PathBuf};

use hookhost::{Capability, HookSource, Point, Project, Severity, suggest};
use hookhost_contract::Fixture;
use hookhost_loader::LoadedFixture;

/// A project that was loaded, or why not.
pub(crate) struct KnownProject {
    pub(crate) folder: PathBuf,
    pub(crate) loaded: Result<Project, String>,
}

impl KnownProject {
    pub(crate) fn load(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), loaded: hookhost::load_project(folder).map_err(|error| error.to_string()) }
    }

    /// What keeps a hook out that should be there: a run without a guard says nothing about the chain.
    pub(crate) fn problems(&self) -> Vec<String> {
        match &self.loaded {
            Ok(project) => project
                .report
                .diagnostics
                .iter()
                .filter(|problem| problem.severity == Severity::Error)
                .map(ToString::to_string)
                .collect(),
            Err(problem) => vec![problem.clone()],
        }
    }

    /// The hooks that a fixture may call, by name.
    ///
    /// # Errors
    /// It would call none, or speaks of one that is not there.
    pub(crate) fn hooks_of(&self, fixture: &LoadedFixture) -> Result<Vec<String>, String> {
        let project = self.loaded.as_ref().map_err(|problem| format!("the project cannot be loaded: {problem}"))?;
        let mut names = Vec::new();
        for step in &fixture.steps {
            let point = point_of(&step.call)?;
            let bound: Vec<&HookSource> = match &step.call.hook {
                Some(name) => vec![bound_hook(project, name, point)?],
                None => {
                    project.hooks.iter().filter(|hook| !hook.disabled && hook.manifest.points.contains(point)).collect()
                }
            };
            if bound.is_empty() {
                return Err(format!("no hook of {} is bound to {point}", self.folder.display()));
            }
            if step.call.stores.is_some() && !bound.iter().any(|hook| hook.manifest.has(Capability::StoreRead)) {
                let who = step.call.hook.as_ref().map_or("none of its hooks".to_owned(), |name| format!("`{name}`"));
                return Err(format!(
                    "it gives `stores`, and {who} has the capability `store:read`: without it there is no ctx.store"
                ));
            }
            for hook in bound {
                if !names.contains(&hook.name) {
                    names.push(hook.name.clone());
                }
            }
        }
        check_config(project, fixture)?;
        Ok(names)
    }
}

/// The point of a step. It is there: the loader sees to that.
pub(crate) fn point_of(call: &Fixture) -> Result<&Point, String> {
    let point = call.point.as_ref().ok_or("it has no `point`")?;
    match point.is_event() {
        true => Err(format!(
            "`{point}` is an event, and fixtures call at the points of a turn: {}",
            Point::NAMES.join(", ")
        )),
        false => Ok(point),
    }
}

/// The hook of that name.
fn find<'p>(project: &'p Project, name: &str) -> Result<&'p HookSource, String> {
    if let Some(hook) = project.hooks.iter().find(|hook| hook.name == name) {
        return Ok(hook);
    }
    // A folder that was skipped is there, and its problem is the answer.
    if let Some(problem) = project.report.diagnostics.iter().find(|problem| problem.hook.as_deref() == Some(name)) {
        return Err(format!("hook `{name}` is not loaded: {problem}"));
    }
    let names = project.hooks.iter().map(|hook| hook.name.as_str());
    Err(match suggest(name, names.clone()) {
        Some(meant) => format!("there is no hook `{name}`; did you mean `{meant}`?"),
        None if project.hooks.is_empty() => {
            format!("there is no hook `{name}`: {} has none", project.root.display())
        }
        None => {
            let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
            format!("there is no hook `{name}`: the hooks are {}", names.join(", "))
        }
    })
}

fn bound_hook<'p>(project: &'p Project, name: &str, point: &Point) -> Result<&'p HookSource, String> {
    let hook = find(project, name)?;
    if hook.disabled {
        return Err(format!("hook `{name}` is switched off: take it out of hooks.disabled in amodal.json"));
    }
    if !hook.manifest.points.contains(point) {
        let points: Vec<_> = hook.manifest.points.iter().map(Point::as_str).collect();
        return Err(format!("hook `{name}` is not called at {point}: its hook.json binds it to {}", points.join(", ")));
    }
    Ok(hook)
}

/// The config of a fixture of the whole chain goes by the names of hooks.
fn check_config(project: &Project, fixture: &LoadedFixture) -> Result<(), String> {
    let Some(config) = &fixture.fixture.config else { return Ok(()) };
    if fixture.fixture.hook.is_some() {
        return Ok(());
    }
    for (name, value) in config {
        find(project, name)
            .map_err(|error| format!("`config` of a fixture without `hook` goes by the names of hooks, and {error}"))?;
        if !value.is_object() {
            return Err(format!("`config.{name}` must be an object, which is laid over the hook's config"));
        }
    }
    Ok(())
}
