//! A thousand fixtures over ten hooks, however they lie in files. How long they take: `cargo xtask bench fixtures`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use hookhost::Tier;
use hookhost_tests::{Layout, many_fixtures};

async fn all_pass(layout: Layout) {
    let report = many_fixtures(layout, Tier::Web).await.unwrap();
    assert!(report.ok, "{report:?}");
    assert_eq!((report.passed, report.hooks.len()), (1000, 10));
}

#[tokio::test]
async fn in_a_file_for_each_hook() {
    all_pass(Layout::FileForEachHook).await;
}

#[tokio::test]
async fn in_a_file_for_each_fixture() {
    all_pass(Layout::FileForEachFixture).await;
}

#[tokio::test]
async fn in_one_file_and_of_the_whole_chain() {
    all_pass(Layout::WholeChain).await;
}
