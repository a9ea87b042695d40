//! The pages for hook authors: their files are written, and their commands run, in the order of the page.
//!
//! A file is a code block after a line that is its path in backticks and a colon. A command is the first line of a
//! `console` block; what follows is what it prints, up to times and the blanks at the end of lines.

use std::fs;

use hookhost_tests::workspace_root;
use regex::Regex;

use crate::support::Folder;

/// What a page does.
enum Part {
    File { path: String, text: String },
    Command { line: String, printed: String },
}

fn parts(page: &str) -> Vec<Part> {
    let path = Regex::new(r"^`([^`]+)`:$").unwrap();
    let mut parts = Vec::new();
    let mut named = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = path.captures(line) {
            named = Some(found[1].to_owned());
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            if language == "console" {
                let line = block[0].strip_prefix("$ hookhost ").unwrap_or_else(|| panic!("{}", block[0])).to_owned();
                parts.push(Part::Command { line, printed: block[1..].join("\n") });
            } else if let Some(path) = named.take() {
                parts.push(Part::File { path, text: block.join("\n") + "\n" });
            }
        } else if !line.is_empty() {
            named = None;
        }
    }
    parts
}

/// Without times, and without the blanks that a table ends in.
fn timeless(text: &str) -> String {
    let time = Regex::new(r"(\d+(\.\d+)? m?s\b|<ms>) *").unwrap();
    let lines = text.lines().map(|line| {
        let line = time.replace_all(line, "<time> ").into_owned();
        // The width of a column depends on what is in it.
        Regex::new(r" {2,}").unwrap().replace_all(line.trim_end(), "  ").into_owned()
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

fn follow(page: &str) {
    let text = fs::read_to_string(workspace_root().join(page)).unwrap();
    let mut folder = Folder::new();
    let (mut files, mut commands) = (0, 0);
    for part in parts(&text) {
        match part {
            Part::File { path, text } => {
                folder = folder.file(&path, text);
                files += 1;
            }
            Part::Command { line, printed } => {
                let ran = folder.hookhost(&line);
                assert_eq!(timeless(&ran.stdout), timeless(&printed), "{page}: {ran}");
                commands += 1;
            }
        }
    }
    assert!(files >= 4 && commands >= 4, "{page} has {files} files and {commands} commands");
}

#[test]
fn writing_hooks() {
    follow("docs/writing-hooks.md");
}

#[test]
fn testing_hooks() {
    follow("docs/testing-hooks.md");
}
