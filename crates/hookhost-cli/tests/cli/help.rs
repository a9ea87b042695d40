//! What the command says of itself.

use crate::support::hookhost;

#[test]
fn of_the_command() {
    insta::assert_snapshot!(hookhost("--help"));
}

#[test]
fn of_run() {
    insta::assert_snapshot!(hookhost("run --help"));
}

#[test]
fn of_check_and_list() {
    insta::assert_snapshot!([hookhost("check --help"), hookhost("list --help")].map(|ran| ran.to_string()).join("\n"));
}

#[test]
fn of_the_commands_for_authors() {
    insta::assert_snapshot!(
        ["test", "bench", "dev", "new", "types"].map(|it| hookhost(&format!("{it} --help")).to_string()).join("\n")
    );
}

#[test]
fn of_the_service() {
    insta::assert_snapshot!(["serve", "token"].map(|it| hookhost(&format!("{it} --help")).to_string()).join("\n"));
}

#[test]
fn nothing_to_do_is_an_error() {
    let ran = hookhost("");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.is_empty() && ran.stderr.contains("Usage: hookhost"), "{ran}");
}

#[test]
fn a_misspelt_command_or_flag_is_corrected() {
    insta::assert_snapshot!([hookhost("lst"), hookhost("list --formt json")].map(|ran| ran.to_string()).join("\n"));
}

#[test]
fn a_sandbox_that_there_is_not_is_refused_with_those_there_are() {
    insta::assert_snapshot!(hookhost("check --sandbox enforce"));
}

#[test]
fn the_version_is_the_crates() {
    assert_eq!(hookhost("--version").stdout.trim(), format!("hookhost {}", env!("CARGO_PKG_VERSION")));
}
