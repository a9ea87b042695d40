//! `GET /metrics`.

use crate::support::{ALLOW, INPUT, Project};

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_counted_that_one_would_ask_for() {
    let throws = "export default { run() { throw new Error('broken') } };";
    let project = Project::new().hook("calm", INPUT, ALLOW).hook("guard", INPUT, throws).hook("late", INPUT, ALLOW);
    let service = project.open().await;
    for _ in 0..3 {
        service.ask("hi").await;
    }
    let test = serde_json::json!({ "point": "preInput", "payload": {} });
    service.post("/inspect/hooks/test", test).await;
    service.get("/nowhere").await;
    let answer = service.get("/metrics").await;
    assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    for line in [
        r#"hookhost_decisions_total{point="preInput",action="block",hook="guard",via="decide"} 3"#,
        r#"hookhost_decisions_total{point="preInput",action="block",hook="guard",via="test"} 1"#,
        r#"hookhost_decision_duration_seconds_count{point="preInput"} 3"#,
        r#"hookhost_hook_runs_total{hook="calm",point="preInput",action="allow",cause=""} 3"#,
        r#"hookhost_hook_runs_total{hook="guard",point="preInput",action="block",cause="threw"} 3"#,
        r#"hookhost_hook_duration_seconds_count{hook="guard"} 3"#,
        r#"hookhost_hooks{state="ready"} 3"#,
        "hookhost_isolates 3",
        r#"hookhost_hook_rebuilds_total{hook="guard"} 0"#,
        r#"hookhost_http_requests_total{route="/v1/decide",method="POST",status="200"} 3"#,
        r#"hookhost_http_requests_total{route="other",method="GET",status="404"} 1"#,
        "hookhost_http_requests_in_flight 1",
    ] {
        assert!(answer.text.lines().any(|it| it == line), "{line}\n{}", answer.text);
    }
    let heap = answer.text.lines().find_map(|line| line.strip_prefix(r#"hookhost_hook_heap_bytes{hook="calm"} "#));
    assert!(heap.unwrap().parse::<u64>().unwrap() > 100_000, "{heap:?}");
    // Every line is a comment or a sample.
    let is_sample = |line: &str| line.rsplit_once(' ').is_some_and(|(_, value)| value.parse::<f64>().is_ok());
    assert!(answer.text.lines().all(|line| line.starts_with("# ") || is_sample(line)));
}

/// A hook that computes is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_loops_holds_up_no_metrics() {
    let project = Project::new().hook("calm", INPUT, ALLOW).hook(
        "loop",
        r#"{"points": ["preInput"], "timeoutMs": 20000}"#,
        "export default { run() { while (true); } };",
    );
    let service = project.open().await;
    let asking = service.ask("hi");
    let reading = async {
        loop {
            let answer = service.get("/metrics").await;
            if answer.text.contains("hookhost_http_requests_in_flight 2") {
                return answer;
            }
        }
    };
    tokio::select! {
        _ = asking => panic!("the metrics came after the hook's time limit"),
        answer = reading => assert!(answer.text.contains(r#"hookhost_hook_heap_bytes{hook="calm"}"#)),
    }
}
