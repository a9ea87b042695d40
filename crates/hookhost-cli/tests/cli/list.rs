//! `hookhost list`.

use crate::support::{Folder, hookhost};

#[test]
fn of_the_examples() {
    insta::assert_snapshot!(hookhost("list"));
}

#[test]
fn of_the_demo_project() {
    insta::assert_snapshot!(hookhost("list --project fixtures/project"));
}

#[test]
fn for_programs() {
    insta::assert_snapshot!(hookhost("list --format json --project fixtures/project"));
}

#[test]
fn starts_nothing() {
    let folder = Folder::new().hook("loop", r#"{"points": ["preInput", "postTurn"]}"#, "while (true) {}\n");
    insta::assert_snapshot!(folder.hookhost("list --project agent"));
}

#[test]
fn the_sandbox_is_in_the_answer_for_programs() {
    let sandbox = |flags: &str| hookhost(&format!("list --format json {flags}")).json()["sandbox"].clone();
    assert_eq!(sandbox(""), "advisory");
    assert_eq!(sandbox("--sandbox enforced"), "enforced");
}
