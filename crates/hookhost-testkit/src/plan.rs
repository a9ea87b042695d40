//! Which fixtures are run together.
//!
//! Fixtures of one file share the instances of their hooks, in the order of the file, as long as `env`, `config` and
//! whether there is a store are the same. One that has steps, or wants to begin fresh, shares with nobody. So what one
//! file does to a hook's state never reaches another file.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use hookhost::JsonObject;
use hookhost_loader::{LoadedFixture, LoadedFixtures, load_fixtures, load_recorded};
use serde_json::Value;

use crate::find::{FoundFile, is_recorded};
use crate::project::KnownProject;
use crate::report::{self, FileProblem, FixtureReport};
use crate::run::TestOptions;

/// Fixture files with the projects they belong to, read and sorted into what is run together.
pub(crate) struct Plan {
    pub(crate) files: Vec<PlannedFile>,
    pub(crate) projects: Vec<KnownProject>,
    pub(crate) groups: Vec<Group>,
    /// Fixtures that the filter leaves out.
    pub(crate) left_out: usize,
}

pub(crate) struct PlannedFile {
    pub(crate) found: FoundFile,
    pub(crate) loaded: Result<LoadedFixtures, FileProblem>,
    /// What is known of fixtures without running them, by their place in the file.
    pub(crate) reports: BTreeMap<usize, FixtureReport>,
    /// What was read to run it.
    pub(crate) uses: Vec<PathBuf>,
}

/// Fixtures of one file that share the instances of their hooks.
pub(crate) struct Group {
    /// Its place among the files of the plan.
    pub(crate) file: usize,
    /// Its place among the projects of the plan.
    pub(crate) project: usize,
    /// Every hook that one of the fixtures may call.
    pub(crate) hooks: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    /// By the hook's name.
    pub(crate) config: JsonObject,
    pub(crate) has_store: bool,
    /// Others may not join.
    is_fresh: bool,
    /// Places in the file.
    pub(crate) fixtures: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(found: Vec<FoundFile>, options: &TestOptions) -> Self {
        let mut plan = Self { files: Vec::new(), projects: Vec::new(), groups: Vec::new(), left_out: 0 };
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        for found in found {
            let project = *known.entry(found.project.clone()).or_insert_with(|| {
                plan.projects.push(KnownProject::load(&found.project));
                plan.projects.len() - 1
            });
            let load = if is_recorded(&found.file) { load_recorded } else { load_fixtures };
            let loaded = load(&found.file)
                .map_err(|error| FileProblem { line: error.position.map(|at| at.line), message: error.message });
            plan.add(PlannedFile { found, loaded, reports: BTreeMap::new(), uses: Vec::new() }, project, options);
        }
        plan
    }

    fn add(&mut self, mut file: PlannedFile, project: usize, options: &TestOptions) {
        let fixtures = file.loaded.as_ref().map(|loaded| loaded.fixtures.as_slice()).unwrap_or_default();
        let first = self.groups.len();
        for (place, fixture) in fixtures.iter().enumerate() {
            let (name, hook) = match fixture {
                Ok(fixture) => (&fixture.name, fixture.fixture.hook.as_deref()),
                Err(fault) => (&fault.name, None),
            };
            if options.filter.as_ref().is_some_and(|filter| !filter.fits(&report::shown(&file.found.file), name, hook))
            {
                self.left_out += 1;
                continue;
            }
            let planned = match fixture {
                Ok(fixture) => self.projects[project].hooks_of(fixture).map(|hooks| (fixture, hooks)),
                Err(fault) => Err(fault.message.clone()),
            };
            match planned {
                Ok((fixture, hooks)) => self.sort_in(first, project, place, fixture, hooks, options),
                Err(error) => {
                    let line = match fixture {
                        Ok(fixture) => fixture.position.line,
                        Err(fault) => fault.position.line,
                    };
                    let report = FixtureReport::error(name.clone(), line, hook.map(str::to_owned), error);
                    file.reports.insert(place, report);
                }
            }
        }
        self.files.push(file);
    }

    /// Puts a fixture to those of its file that share its hooks' settings, or into a group of its own.
    fn sort_in(
        &mut self,
        first: usize,
        project: usize,
        place: usize,
        fixture: &LoadedFixture,
        hooks: Vec<String>,
        options: &TestOptions,
    ) {
        let mut env = options.env.clone();
        env.extend(fixture.fixture.env.clone());
        let config = config_of(fixture);
        let has_store = options.store.is_some() || fixture.steps.iter().any(|step| step.call.stores.is_some());
        let is_fresh = fixture.fixture.fresh.unwrap_or(false) || fixture.steps.iter().any(|step| step.name.is_some());
        let shared = self.groups[first..].iter_mut().find(|group| {
            let same = group.env == env && group.config == config && group.has_store == has_store;
            same && !is_fresh && !group.is_fresh
        });
        match shared {
            Some(group) => {
                group.fixtures.push(place);
                for hook in hooks {
                    if !group.hooks.contains(&hook) {
                        group.hooks.push(hook);
                    }
                }
            }
            None => {
                let file = self.files.len();
                let fixtures = vec![place];
                self.groups.push(Group { file, project, hooks, env, config, has_store, is_fresh, fixtures });
            }
        }
    }
}

/// What is laid over the configs of hooks, by their names.
pub(crate) fn config_of(fixture: &LoadedFixture) -> JsonObject {
    match (&fixture.fixture.config, &fixture.fixture.hook) {
        (None, _) => JsonObject::new(),
        (Some(config), None) => config.clone(),
        (Some(config), Some(hook)) => JsonObject::from_iter([(hook.clone(), Value::Object(config.clone()))]),
    }
}
