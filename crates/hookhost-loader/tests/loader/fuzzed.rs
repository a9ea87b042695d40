//! What the fuzz targets check, over their seeds and over random texts: so that they hold, and compile, without a fuzzer.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

#[path = "../../../../fuzz/src/targets.rs"]
mod targets;

/// A target, and the folder of its seeds.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 4] = [
    ("manifest", targets::manifest),
    ("settings", targets::settings),
    ("fixtures", targets::fixtures),
    ("reply", targets::reply),
];

/// Pieces that mean something in at least one of the texts.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "\\u202e",
    "null",
    "true",
    "0",
    "-",
    "1e999",
    "1e-400",
    "18446744073709551616",
    "\"action\"",
    "\"block\"",
    "\"allow\"",
    "\"payload\"",
    "\"points\"",
    "\"preToolUse\"",
    "\"tool:pre\"",
    "\"hooks\"",
    "\"packages\"",
    "\"use\"",
    "\"fixtures\"",
    "\"defaults\"",
    "\"steps\"",
    "\"expect\"",
    "\u{feff}",
    "\u{2028}",
    "\n",
    "\r",
    "\0",
    "//",
    "é",
    "😀",
];

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A seed with changes: bytes cut out, pieces put in, bytes replaced.
fn mutated(target: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let change = (
        any::<Index>(),
        0_usize..6,
        prop_oneof![select(PIECES).prop_map(str::as_bytes).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 0..3)],
    );
    (select(seeds(target)), vec(change, 0..5)).prop_map(|(mut bytes, changes)| {
        for (at, cut, piece) in changes {
            let start = at.index(bytes.len() + 1);
            let end = (start + cut).min(bytes.len());
            bytes.splice(start..end, piece);
        }
        bytes
    })
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat().into_bytes())
}

#[test]
fn every_seed_holds() {
    for (target, holds) in TARGETS {
        let seeds = seeds(target);
        assert!(seeds.len() >= 5, "{target} has {} seeds", seeds.len());
        seeds.iter().for_each(|seed| holds(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_holds_as_a_manifest(bytes in prop_oneof![8 => mutated("manifest"), 1 => pieces()]) {
        targets::manifest(&bytes);
    }

    #[test]
    fn any_text_holds_as_settings(bytes in prop_oneof![8 => mutated("settings"), 1 => pieces()]) {
        targets::settings(&bytes);
    }

    #[test]
    fn any_text_holds_as_fixtures(bytes in prop_oneof![8 => mutated("fixtures"), 1 => pieces()]) {
        targets::fixtures(&bytes);
    }

    #[test]
    fn any_text_holds_as_a_reply(bytes in prop_oneof![8 => mutated("reply"), 1 => pieces()]) {
        targets::reply(&bytes);
    }
}
