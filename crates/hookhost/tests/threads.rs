//! Hosts that go leave no thread behind. A program of its own: the threads of other tests would be counted too.

#![cfg(target_os = "linux")]

use std::fs;
use std::time::{Duration, Instant};

use hookhost::{Action, Call, HookHost};

fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
fn hosts_that_go_leave_no_thread_behind() {
    let folder = tempfile::tempdir().unwrap();
    let hook = folder.path().join("hooks/guard");
    fs::create_dir_all(&hook).unwrap();
    fs::write(hook.join("hook.json"), r#"{ "points": ["preInput"], "timeoutMs": 100 }"#).unwrap();
    fs::write(
        hook.join("index.mjs"),
        "export default { run(point, { text }) { while (text === 'loop'); return { action: 'allow' }; } };",
    )
    .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let one_life = || {
        runtime.block_on(async {
            let host = HookHost::builder().project(folder.path()).build().await.unwrap();
            assert_eq!(host.decide(Call::pre_input("loop")).await.action, Action::Block);
        });
    };
    one_life();
    let before = threads();
    for _ in 0..10 {
        one_life();
    }
    let begun = Instant::now();
    while threads() > before {
        assert!(begun.elapsed() < Duration::from_secs(20), "{before} threads before, {} after", threads());
        std::thread::sleep(Duration::from_millis(10));
    }
}
