//! Which lines and functions of hooks have run: V8's own counts, in terms of the author's files.

mod collect;
mod map;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

pub(crate) use collect::Collector;
pub(crate) use map::SourceText;

/// Collects the coverage of the hooks that are given it, of as many instances and hosts as there are.
///
/// An instance adds what it has counted when its isolate ends: when it is dropped at the latest. So look after the host has
/// been dropped. A hook that cannot be loaded has counted how far it came; one whose memory was used up adds nothing.
#[derive(Debug, Default)]
pub struct CoverageSink {
    files: Mutex<BTreeMap<PathBuf, FileCoverage>>,
}

/// What has run of one file.
///
/// Lines are those of the file as its author wrote it, in TypeScript too. Only lines with code on them are here: no
/// comments, no blank lines, no lines of brackets alone, and no types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileCoverage {
    /// The file: absolute, symbolic links resolved.
    pub path: PathBuf,
    /// How often each line ran, by its number from 1: as often as the part of it that ran most.
    pub lines: BTreeMap<u32, u64>,
    /// Its functions, in the order of the file. The module itself is none.
    pub functions: Vec<FunctionCoverage>,
}

/// How often one function ran.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct FunctionCoverage {
    /// The line it begins at, from 1.
    pub line: u32,
    /// The column it begins at, from 1.
    pub column: u32,
    /// Its name; for one without, `(anonymous_` with its line and its column.
    pub name: String,
    /// How often it was called.
    pub count: u64,
}

impl CoverageSink {
    /// A sink without anything in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been collected so far, by path.
    pub fn files(&self) -> Vec<FileCoverage> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn add(&self, file: FileCoverage) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        match files.get_mut(&file.path) {
            Some(known) => known.add(&file),
            None => {
                files.insert(file.path.clone(), file);
            }
        }
    }
}

impl FileCoverage {
    /// How many of its lines have run, and how many there are.
    pub fn lines_run(&self) -> (usize, usize) {
        (self.lines.values().filter(|count| **count > 0).count(), self.lines.len())
    }

    /// How many of its functions have run, and how many there are.
    pub fn functions_run(&self) -> (usize, usize) {
        (self.functions.iter().filter(|function| function.count > 0).count(), self.functions.len())
    }

    /// Adds what another isolate has counted of the same file.
    fn add(&mut self, other: &Self) {
        for (line, count) in &other.lines {
            *self.lines.entry(*line).or_default() += count;
        }
        for function in &other.functions {
            let same = |known: &&mut FunctionCoverage| {
                (known.line, known.column, &known.name) == (function.line, function.column, &function.name)
            };
            match self.functions.iter_mut().find(same) {
                Some(known) => known.count += function.count,
                None => self.functions.push(function.clone()),
            }
        }
        self.functions.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_isolates_counted_adds_up() {
        let function = |name: &str, line, count| FunctionCoverage { name: name.to_owned(), line, column: 1, count };
        let file = |lines: &[(u32, u64)], functions| FileCoverage {
            path: PathBuf::from("/a.mjs"),
            lines: lines.iter().copied().collect(),
            functions,
        };
        let sink = CoverageSink::new();
        sink.add(file(&[(1, 1), (2, 0)], vec![function("f", 1, 1)]));
        sink.add(file(&[(1, 2), (2, 3), (4, 0)], vec![function("f", 1, 0), function("g", 4, 0)]));
        let files = sink.files();
        assert_eq!(files, [file(&[(1, 3), (2, 3), (4, 0)], vec![function("f", 1, 1), function("g", 4, 0)])]);
        assert_eq!((files[0].lines_run(), files[0].functions_run()), ((2, 3), (1, 2)));
    }
}
