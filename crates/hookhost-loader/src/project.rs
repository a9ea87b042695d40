//! Puts a project together: local hooks, hooks from packages, and what `amodal.json` says about them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use hookhost_contract::{JsonObject, Manifest, ProjectConfig, suggest};
use serde::Serialize;

use crate::finding::{Finding, Site};
use crate::hook::{self, FoundHook, MANIFEST_FILE, UsableHook};
use crate::json::Placed;
use crate::settings::{self, PlacedPackage, SETTINGS_FILE, Settings};
use crate::text::{listed, path_text, shown};
use crate::{DiagnosticCode, LoadReport, ProjectError, Severity, discover, packages};

/// The folder that holds hook folders, in a project and in a package.
const HOOKS_FOLDER: &str = "hooks";

/// A project's hooks and what is wrong with the rest.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Project {
    /// The project's folder: absolute, symbolic links resolved.
    pub root: PathBuf,
    /// What `amodal.json` says. All defaults if there is no such file.
    pub settings: ProjectConfig,
    /// The hooks in load order: local folders by name, then packages as listed, each one's folders by name. Disabled
    /// ones are included. The order of calls is another one: first [`HookSource::rank`], then the priority.
    pub hooks: Vec<HookSource>,
    /// What is wrong.
    pub report: LoadReport,
}

/// A hook that can be started.
#[derive(Debug, Clone, PartialEq)]
pub struct HookSource {
    /// The name, unique in the project: the manifest's, or else the folder's.
    pub name: String,
    /// The hook's folder: absolute, symbolic links resolved.
    pub folder: PathBuf,
    /// The file to import: absolute, symbolic links resolved, so that its imports resolve as they do in Node.
    pub handler: PathBuf,
    /// The manifest, as it was written.
    pub manifest: Manifest,
    /// What the factory is given: the manifest's config, single keys replaced by those of `amodal.json`.
    pub config: JsonObject,
    /// Where the hook comes from.
    pub origin: Origin,
    /// `amodal.json` switched it off: list it, never call it.
    pub disabled: bool,
    /// Its place in `hooks.order`, from 0. Hooks without one run after all that have one.
    pub rank: Option<usize>,
    /// The folder that all of the hook's own files are in: the root of its package or of the project, symbolic links
    /// resolved. For a hook folder that is linked in from elsewhere, that folder itself.
    pub boundary: PathBuf,
}

/// Where a hook comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The project's own `hooks/`.
    Local,
    /// An installed package, by name.
    Package(String),
}

/// Loads the project in the folder `project`.
///
/// Everything that can be loaded is; what cannot is in [`Project::report`]. A project needs neither `hooks/` nor
/// `amodal.json`.
///
/// # Errors
/// The folder is missing or cannot be opened, or its `amodal.json` is unreadable, not JSON, or has a value of a wrong
/// type where hooks are concerned.
pub fn load(project: &Path) -> Result<Project, ProjectError> {
    let root = open(project)?;
    let settings = settings::read(&project.join(SETTINGS_FILE))?;
    let mut loading = Loading::new(&root, &settings);
    loading.local_hooks();
    for package in &settings.packages {
        loading.package_hooks(package);
    }
    let (hooks, report) = loading.finish();
    Ok(Project { hooks, report, settings: settings.config, root })
}

fn open(project: &Path) -> Result<PathBuf, ProjectError> {
    let path = project.to_path_buf();
    match fs::metadata(project) {
        Ok(metadata) if !metadata.is_dir() => Err(ProjectError::NotADirectory { path }),
        Ok(_) => dunce::canonicalize(project).map_err(|error| ProjectError::Unreadable { path, error }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ProjectError::NotFound { path }),
        Err(error) => Err(ProjectError::Unreadable { path, error }),
    }
}

/// A load in progress.
struct Loading<'p> {
    root: &'p Path,
    settings: &'p Settings,
    settings_file: PathBuf,
    hooks: Vec<HookSource>,
    report: LoadReport,
    /// Where each loaded hook was found, by name.
    taken: HashMap<String, PathBuf>,
    /// Hooks that are there and were not loaded, which the report already speaks of.
    skipped: Vec<String>,
}

impl<'p> Loading<'p> {
    fn new(root: &'p Path, settings: &'p Settings) -> Self {
        let mut loading = Self {
            root,
            settings,
            settings_file: root.join(SETTINGS_FILE),
            hooks: Vec::new(),
            report: LoadReport::default(),
            taken: HashMap::new(),
            skipped: Vec::new(),
        };
        loading.about_settings(settings.findings.clone());
        loading
    }

    fn about_settings(&mut self, findings: Vec<Finding>) {
        let site = Site::of_project(self.root, &self.settings_file);
        let diagnostics = site.diagnose_all(findings, &self.settings.text);
        self.report.diagnostics.extend(diagnostics);
    }

    fn local_hooks(&mut self) {
        let (found, _) = self.scan(&self.root.join(HOOKS_FOLDER), None);
        for hook in found {
            self.add(hook, &Origin::Local, self.root);
        }
    }

    fn package_hooks(&mut self, package: &PlacedPackage) {
        let name = &package.name.text;
        if let Some(fault) = packages::name_fault(name) {
            let message = format!("`{}` is not a package's name: {fault}", shown(name));
            let finding = Finding::new(Severity::Warning, DiagnosticCode::InvalidPackageName, message);
            return self.about_settings(vec![finding.at_byte(package.name.offset)]);
        }
        // Nothing is asked of it, so it need not even be there for our sake.
        if !package.all && package.named.is_empty() {
            return;
        }
        let Some(entry) = packages::find(self.root, name) else {
            let message = format!("the package `{}` is not installed, so its hooks are missing", shown(name));
            let help = format!(
                "install it, as with `npm install`; `node_modules/{}` was looked for in {} and every folder above it",
                shown(name),
                path_text(self.root)
            );
            let finding = Finding::new(Severity::Warning, DiagnosticCode::PackageNotInstalled, message);
            return self.about_settings(vec![finding.help(help).at_byte(package.name.offset)]);
        };
        // It was a folder a moment ago; if it cannot be resolved now, the way it was reached is as good.
        let boundary = dunce::canonicalize(&entry).unwrap_or_else(|_| entry.clone());
        let (found, exists) = self.scan(&entry.join(HOOKS_FOLDER), Some(name));
        let all_there = self.look_for_named(package, &found, exists);
        let origin = Origin::Package(name.clone());
        for hook in found {
            let is_named = package.named.iter().any(|named| named.text == hook.name);
            // A manifest that cannot be read hides its hook's name: it may be the one that is missing.
            let may_be_named = !all_there && hook.usable.is_none() && hook.name_position.is_none();
            // What the project did not ask for is not even reported on.
            if package.all || is_named || may_be_named {
                self.add(hook, &origin, &boundary);
            }
        }
    }

    /// Every hook in a `hooks` directory, usable or not, and whether there is such a directory.
    fn scan(&mut self, hooks: &Path, package: Option<&str>) -> (Vec<FoundHook>, bool) {
        let listing = discover::hook_folders(hooks);
        let site = Site { package, ..Site::of_project(self.root, hooks) };
        self.report.diagnostics.extend(site.diagnose_all(listing.findings, ""));
        let broken =
            listing.broken.into_iter().map(|(entry, finding)| hook::broken(self.root, package, entry, finding));
        let read = listing.folders.into_iter().map(|entry| hook::read(self.root, package, entry));
        let mut found: Vec<_> = broken.chain(read).collect();
        found.sort_by(|a, b| a.entry.cmp(&b.entry));
        (found, listing.exists)
    }

    /// Warns of what `use` names and the package does not have. True if it has them all.
    fn look_for_named(&mut self, package: &PlacedPackage, found: &[FoundHook], exists: bool) -> bool {
        let names = || found.iter().map(|hook| hook.name.as_str());
        let folders = || found.iter().map(|hook| (hook.entry.as_path(), hook.name.as_str()));
        let mut findings = Vec::new();
        for named in &package.named {
            if names().any(|name| name == named.text) {
                continue;
            }
            let message = format!(
                "`use` names `hooks.{}`, which the package `{}` does not have",
                shown(&named.text),
                shown(&package.name.text)
            );
            let help = match suggest(&named.text, names()) {
                Some(name) => format!("did you mean `hooks.{}`?", shown(name)),
                None if !exists => "it has no `hooks` folder".to_owned(),
                None if found.is_empty() => "its `hooks` folder has no hook in it".to_owned(),
                None => {
                    by_folder(&named.text, folders()).unwrap_or_else(|| format!("its hooks are {}", listed(names())))
                }
            };
            findings.push(
                Finding::new(Severity::Warning, DiagnosticCode::UnknownHookInUse, message)
                    .help(help)
                    .at_byte(named.offset),
            );
        }
        let all_there = findings.is_empty();
        self.about_settings(findings);
        all_there
    }

    fn add(&mut self, found: FoundHook, origin: &Origin, boundary: &Path) {
        self.report.diagnostics.extend(found.diagnostics);
        let Some(usable) = found.usable else {
            self.skipped.push(found.name);
            return;
        };
        if let Some(first) = self.taken.get(&found.name) {
            // A folder that is reached twice is one hook.
            if self.hooks.iter().any(|hook| hook.name == found.name && hook.folder == usable.folder) {
                return;
            }
            let first = first.strip_prefix(self.root).unwrap_or(first);
            let here = found.entry.strip_prefix(self.root).unwrap_or(&found.entry);
            let message = format!(
                "the name `{}` is taken by {}, so the hook in {} is not loaded",
                shown(&found.name),
                path_text(first),
                path_text(here)
            );
            let help = match origin {
                Origin::Local => "give one of them another `name`",
                Origin::Package(_) => "rename yours, or leave this one out with `use`",
            };
            let finding = Finding::new(Severity::Warning, DiagnosticCode::HookNameConflict, message);
            let site = Site {
                root: self.root,
                package: origin.package(),
                hook: Some(&found.name),
                folder: Some(&found.entry),
                file: &found.entry.join(MANIFEST_FILE),
            };
            let diagnostic = site.diagnose(finding.help(help).at(found.name_position), "");
            self.report.diagnostics.push(diagnostic);
            return;
        }
        let source = self.source(&found.name, usable, origin, boundary);
        self.hooks.push(source);
        self.taken.insert(found.name, found.entry);
    }

    fn source(&self, name: &str, usable: UsableHook, origin: &Origin, boundary: &Path) -> HookSource {
        let settings = &self.settings.config.hooks;
        let mut config = usable.manifest.config.clone();
        if let Some(overrides) = settings.config.get(name) {
            config.extend(overrides.clone());
        }
        let boundary = match usable.folder.starts_with(boundary) {
            true => boundary.to_path_buf(),
            false => usable.folder.clone(),
        };
        HookSource {
            name: name.to_owned(),
            folder: usable.folder,
            handler: usable.handler,
            manifest: usable.manifest,
            config,
            origin: origin.clone(),
            disabled: settings.disabled.iter().any(|disabled| disabled == name),
            rank: settings.order.iter().position(|ordered| ordered == name),
            boundary,
        }
    }

    fn finish(mut self) -> (Vec<HookSource>, LoadReport) {
        let lists = [
            (DiagnosticCode::UnknownHookInOrder, "`hooks.order`", &self.settings.order),
            (DiagnosticCode::UnknownHookInDisabled, "`hooks.disabled`", &self.settings.disabled),
            (DiagnosticCode::UnknownHookInConfig, "`hooks.config`", &self.settings.configured),
        ];
        let mut findings = Vec::new();
        for (code, list, names) in lists {
            for name in names {
                findings.extend(self.unknown(code, list, name));
            }
        }
        self.about_settings(findings);
        (self.hooks, self.report)
    }

    fn unknown(&self, code: DiagnosticCode, list: &str, name: &Placed) -> Option<Finding> {
        if self.taken.contains_key(&name.text) || self.skipped.contains(&name.text) {
            return None;
        }
        let names = || self.hooks.iter().map(|hook| hook.name.as_str());
        let folders = self.taken.iter().map(|(name, entry)| (entry.as_path(), name.as_str()));
        let help = match suggest(&name.text, names()) {
            Some(known) => format!("did you mean `{}`?", shown(known)),
            None if self.hooks.is_empty() => "no hook is loaded".to_owned(),
            None => by_folder(&name.text, folders).unwrap_or_else(|| format!("the hooks are {}", listed(names()))),
        };
        let message = format!("{list} names `{}`, which no hook is called", shown(&name.text));
        Some(Finding::new(Severity::Warning, code, message).help(help).at_byte(name.offset))
    }
}

/// The advice for someone who wrote a folder's name where a hook's name belongs.
fn by_folder<'h>(given: &str, hooks: impl Iterator<Item = (&'h Path, &'h str)>) -> Option<String> {
    // In a project and a package with equal folder names it could be either; which one comes up must not be chance.
    let name = hooks
        .filter(|(entry, _)| entry.file_name().is_some_and(|folder| folder == given))
        .map(|(_, name)| name)
        .min()?;
    Some(format!("the hook in the folder of that name is called `{}`", shown(name)))
}

impl Origin {
    /// The package's name, for a hook from a package.
    pub fn package(&self) -> Option<&str> {
        match self {
            Self::Local => None,
            Self::Package(name) => Some(name),
        }
    }
}
