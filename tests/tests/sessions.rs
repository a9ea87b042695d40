//! A thousand sessions at once on one host. `cargo xtask bench sessions` measures what this only tells.

#![forbid(unsafe_code)]

use hookhost::Tier;
use hookhost_tests::crowd;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_sessions_at_once_get_their_own_answers() {
    let crowd = crowd(1000, Tier::Web).await.unwrap();
    println!("{crowd:#?}");
    assert_eq!(crowd.wrong, [""; 0]);
    // A wide margin: what a session holds is some texts.
    assert!(crowd.session_kib < 512.0, "{} KiB for each session", crowd.session_kib);
}
