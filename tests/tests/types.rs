//! What editors know of hooks: TypeScript's compiler reads `hookhost.d.ts` as `hookhost types` writes it, new hooks in both
//! languages, and the samples in `tests/types`, which say by `@ts-expect-error` what it has to refuse.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

use hookhost::Point;
use hookhost_testkit::{Language, NewHook};
use hookhost_tests::{copy_folder, install_npm, workspace_root};

/// Where tests of this workspace may keep files.
const CACHE: &str = env!("CARGO_TARGET_TMPDIR");

#[test]
fn an_editor_knows_what_a_hook_is_given_and_may_answer() {
    let corpus = workspace_root().join("tests/types");
    let installed = install_npm(Path::new(CACHE), &corpus, &[]).unwrap_or_else(|fault| panic!("{fault}"));
    let project = tempfile::tempdir().unwrap();
    copy_folder(&corpus.join("hooks"), &project.path().join("hooks")).unwrap();
    fs::copy(corpus.join("tsconfig.json"), project.path().join("tsconfig.json")).unwrap();
    let points: Vec<Point> = Point::NAMES.iter().map(|name| name.parse().unwrap()).collect();
    let mut files = fs::read_dir(project.path().join("hooks/samples")).unwrap().count();
    for (language, name) in [(Language::JavaScript, "js"), (Language::TypeScript, "ts")] {
        for point in &points {
            NewHook::new(format!("{name}-{point}"), vec![point.clone()])
                .language(language)
                .write(project.path())
                .unwrap();
        }
        NewHook::new(format!("{name}-all"), points.clone()).language(language).write(project.path()).unwrap();
        files += points.len() + 1;
    }

    let output = Command::new("node")
        .arg(installed.join("node_modules/typescript/bin/tsc"))
        .args(["--project", ".", "--pretty", "false", "--listFiles"])
        .current_dir(project.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    // All of them were read: a compiler that finds nothing is content too.
    let read = told.lines().filter(|line| line.contains("/hooks/")).count();
    assert_eq!(read, files, "{told}");
}
