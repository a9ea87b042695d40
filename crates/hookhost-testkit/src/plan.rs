//! Which fixtures are run together.
//!
//! Fixtures of one file share the instances of their hooks, in the order of the file, as long as `env`, `config` and
//! whether there is a store are the same. Fixtures that are alone in their file are taken together with those of their
//! folder, as if they were one file: starting hooks for each would take most of the time. One that has steps, or wants to
//! begin fresh, shares with nobody.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use hookhost_loader::{LoadedFixture, LoadedFixtures, load_fixtures, load_recorded};

use crate::find::{FoundFile, is_recorded};
use crate::host::HostSettings;
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

/// Fixtures that share the instances of their hooks.
pub(crate) struct Group {
    /// Whose fixtures may join. `None`: nobody's.
    unit: Option<Unit>,
    /// Its place among the projects of the plan.
    pub(crate) project: usize,
    /// Every hook that one of the fixtures may call.
    pub(crate) hooks: Vec<String>,
    pub(crate) settings: HostSettings,
    pub(crate) fixtures: Vec<Member>,
}

/// A fixture of a group.
pub(crate) struct Member {
    /// The place of its file in the plan.
    pub(crate) file: usize,
    /// Its place in the file.
    pub(crate) place: usize,
    /// Every hook that it may call.
    pub(crate) hooks: Vec<String>,
}

/// What fixtures share.
#[derive(Debug, Clone, PartialEq)]
enum Unit {
    /// A file, by its place in the plan.
    File(usize),
    /// A folder of a project, for fixtures that are alone in their file.
    Folder(PathBuf),
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
        let index = self.files.len();
        let unit = match fixtures {
            [_] => Unit::Folder(file.found.file.parent().map(Path::to_owned).unwrap_or_default()),
            _ => Unit::File(index),
        };
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
                Ok((fixture, hooks)) => {
                    self.sort_in(&unit, project, Member { file: index, place, hooks }, fixture, options);
                }
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

    /// Puts a fixture to those of its unit that share its hooks' settings, or into a group of its own.
    fn sort_in(&mut self, unit: &Unit, project: usize, member: Member, fixture: &LoadedFixture, options: &TestOptions) {
        let settings = HostSettings::of(fixture, options);
        let is_fresh = fixture.fixture.fresh.unwrap_or(false) || fixture.steps.iter().any(|step| step.name.is_some());
        let unit = (!is_fresh).then(|| unit.clone());
        // The latest first: those of a file come one after the other.
        let shared = self.groups.iter_mut().rev().find(|group| {
            unit.is_some() && group.unit == unit && group.project == project && group.settings == settings
        });
        match shared {
            Some(group) => {
                for hook in &member.hooks {
                    if !group.hooks.contains(hook) {
                        group.hooks.push(hook.clone());
                    }
                }
                group.fixtures.push(member);
            }
            None => {
                let hooks = member.hooks.clone();
                self.groups.push(Group { unit, project, hooks, settings, fixtures: vec![member] });
            }
        }
    }
}
