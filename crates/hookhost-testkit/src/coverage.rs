//! What fixtures cover, for reports and for the tools that read lcov.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hookhost::FileCoverage;
use lcov::Record;
use serde::Serialize;

use crate::report::shown;

/// What fixtures cover. As JSON it is the key `coverage` of `hookhost test --coverage --format json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CoverageReport {
    /// Each file that was loaded, in the order of their paths.
    pub files: Vec<CoveredFile>,
    /// All of their lines.
    pub lines: Share,
    /// All of their functions.
    pub functions: Share,
}

/// What is covered of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CoveredFile {
    /// The file: below the folder that the report is for, or absolute.
    pub file: String,
    /// Its lines with code.
    pub lines: Share,
    /// Its functions.
    pub functions: Share,
    /// The lines that never ran, as they are written: `12`, `15-17`.
    pub missed: Vec<String>,
}

/// How many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Share {
    /// That ran.
    pub run: usize,
    /// That are there.
    pub of: usize,
    /// The same in percent; 100 where there is nothing.
    pub percent: f64,
}

impl Share {
    fn new((run, of): (usize, usize)) -> Self {
        let percent = if of == 0 { 100.0 } else { run as f64 * 100.0 / of as f64 };
        Self { run, of, percent }
    }
}

impl CoverageReport {
    /// The report of what was collected. Files below `root` are shown as seen from there.
    pub fn new(files: &[FileCoverage], root: &Path) -> Self {
        let add = |shares: Vec<(usize, usize)>| {
            Share::new(shares.into_iter().fold((0, 0), |(run, of), (more_run, more)| (run + more_run, of + more)))
        };
        Self {
            lines: add(files.iter().map(FileCoverage::lines_run).collect()),
            functions: add(files.iter().map(FileCoverage::functions_run).collect()),
            files: files
                .iter()
                .map(|file| CoveredFile {
                    file: shown(below(&file.path, root)),
                    lines: Share::new(file.lines_run()),
                    functions: Share::new(file.functions_run()),
                    missed: missed(file),
                })
                .collect(),
        }
    }
}

fn below<'p>(path: &'p Path, root: &Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}

/// Lines that never ran. What is between two of them without code on it belongs to them.
fn missed(file: &FileCoverage) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let mut goes_on = false;
    for (line, count) in &file.lines {
        match runs.last_mut() {
            Some((_, last)) if *count == 0 && goes_on => *last = *line,
            _ if *count == 0 => runs.push((*line, *line)),
            _ => {}
        }
        goes_on = *count == 0;
    }
    runs.into_iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") }).collect()
}

/// The same for tools that read lcov: genhtml, editors, services. Files below `root` are named as seen from there.
pub fn lcov(files: &[FileCoverage], root: &Path) -> String {
    let mut records = Vec::new();
    for file in files {
        records.push(Record::TestName { name: String::new() });
        records.push(Record::SourceFile { path: PathBuf::from(shown(below(&file.path, root))) });
        // Counts are told by name: two functions of one name would be one.
        let mut names = HashSet::new();
        let mut unique = |name: &str, line: u32| match names.insert(name.to_owned()) {
            true => name.to_owned(),
            false => format!("{name}:{line}"),
        };
        let named: Vec<_> =
            file.functions.iter().map(|function| (unique(&function.name, function.line), function)).collect();
        for (name, function) in &named {
            records.push(Record::FunctionName { name: name.clone(), start_line: function.line });
        }
        for (name, function) in &named {
            records.push(Record::FunctionData { name: name.clone(), count: function.count });
        }
        let (hit, found) = file.functions_run();
        records.extend([Record::FunctionsFound { found: count(found) }, Record::FunctionsHit { hit: count(hit) }]);
        let lines = file.lines.iter();
        records.extend(lines.map(|(line, count)| Record::LineData { line: *line, count: *count, checksum: None }));
        let (hit, found) = file.lines_run();
        records.extend([Record::LinesFound { found: count(found) }, Record::LinesHit { hit: count(hit) }]);
        records.push(Record::EndOfRecord);
    }
    records.into_iter().map(|record| format!("{record}\n")).collect()
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
