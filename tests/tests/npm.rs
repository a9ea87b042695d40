//! Hooks that use zod, minimatch, js-yaml, ajv, semver and picomatch, as ES modules and as CommonJS, in the layouts that
//! package managers make: the host decides in both sandboxes as Node does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::Path;

use hookhost::Sandbox;
use hookhost_tests::{NpmPackages, NpmPlace};

/// Where tests of this workspace may keep files.
const CACHE: &str = env!("CARGO_TARGET_TMPDIR");

async fn as_in_node(place: NpmPlace, linked: bool) {
    let packages = NpmPackages::install(Path::new(CACHE), &[]).unwrap_or_else(|fault| panic!("{fault}"));
    let project = packages.project(place, linked).unwrap();
    assert!(project.calls() >= 60, "{}", project.calls());
    let mut wrong = project.differences_in_node().unwrap_or_else(|fault| panic!("{fault}"));
    for sandbox in [Sandbox::Advisory, Sandbox::Enforced] {
        let in_the_host = project.differences_in_the_host(sandbox).await.unwrap();
        wrong.extend(in_the_host.into_iter().map(|text| format!("{sandbox}: {text}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

macro_rules! layouts {
    ($($(#[$attribute:meta])* $name:ident: $place:ident, $linked:literal;)*) => {$(
        $(#[$attribute])*
        #[tokio::test]
        async fn $name() {
            as_in_node(NpmPlace::$place, $linked).await;
        }
    )*};
}

layouts! {
    in_the_project: Project, false;
    in_a_folder_two_above: Above, false;
    beside_the_package_that_the_hooks_are_in: Package, false;
    #[cfg(unix)]
    in_the_project_behind_links: Project, true;
    #[cfg(unix)]
    in_a_folder_two_above_behind_links: Above, true;
    #[cfg(unix)]
    beside_the_package_that_the_hooks_are_in_behind_links: Package, true;
}

#[test]
fn without_the_registry_the_message_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache").display().to_string();
    // Nobody listens at this port: it is not one of TCP's.
    let nowhere = [
        ("npm_config_registry", "http://127.0.0.1:0/"),
        ("npm_config_cache", &*cache),
        ("npm_config_fetch_retries", "0"),
    ];
    let fault = NpmPackages::install(folder.path(), &nowhere).unwrap_err().to_string();
    for words in ["`npm ci` in ", "npm error", "connect this machine to it", "npm config set registry <url>"] {
        assert!(fault.contains(words), "{fault}");
    }
    // What is half installed is not taken for whole the next time.
    assert!(NpmPackages::install(folder.path(), &nowhere).is_err());
}
