//! How many decisions a second `/v1/decide` makes over HTTP, and how long they take: with one hook, and with a hook beside it
//! that loops for ever, again and again.
//!
//! `cargo xtask bench service` runs this, optimised, with wrk (Debian: `apt-get install wrk`) as the client on the same
//! machine. The numbers are reported and never judged, except that no request may fail.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a development tool talks to the person who started it")]

use std::process::{Command, ExitCode, Output};
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use hookhost::{HookHost, Tier};
use hookhost_server::Server;
use hookhost_tests::{Fault, workspace_root};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Parser)]
#[command(name = "service")]
struct Arguments {
    /// How to print the numbers
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// How long each load lasts
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// How many connections the client has
    #[arg(long, default_value_t = 64)]
    connections: u32,
    /// The tier of the hooks
    #[arg(long, default_value_t = Tier::Web)]
    tier: Tier,
    /// Cargo passes this
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// What wrk counted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Load {
    requests: u64,
    failed: u64,
    seconds: f64,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match measure(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &Arguments) -> Result<(), Fault> {
    let project = workspace_root().join("tests/benches/service");
    let host = Arc::new(HookHost::builder().project(project).tier(arguments.tier).build().await?);
    let server = Server::builder(host).build()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/v1/decide", listener.local_addr()?);
    let serving = tokio::spawn(async move { server.serve(listener, std::future::pending()).await });

    let (seconds, connections) = (arguments.seconds, arguments.connections);
    // The first calls compile.
    load(&url, "shell", 1, connections).await?;
    let alone = load(&url, "shell", seconds, connections).await?;
    let (beside, _loops) =
        futures::future::try_join(load(&url, "shell", seconds, connections), load(&url, "loop", seconds, 4)).await?;
    serving.abort();

    match arguments.format {
        Format::Json => println!("{}", json!({ "oneHook": alone, "besideALoop": beside })),
        Format::Human => {
            println!("POST /v1/decide, {connections} connections, {} tier", arguments.tier);
            show("one hook", &alone);
            show("beside a hook that loops", &beside);
        }
    }
    match alone.failed + beside.failed {
        0 => Ok(()),
        failed => Err(format!("{failed} requests failed").into()),
    }
}

fn show(what: &str, load: &Load) {
    let Load { requests, failed, seconds, p50_ms, p99_ms, max_ms } = load;
    println!(
        "{what:<25} {:>6.0} decisions/s  p50 {p50_ms:.2} ms  p99 {p99_ms:.2} ms  max {max_ms:.1} ms  {failed} failed",
        *requests as f64 / seconds
    );
}

/// Lets wrk call a tool.
async fn load(url: &str, tool: &str, seconds: u32, connections: u32) -> Result<Load, Fault> {
    let script = workspace_root().join("tests/benches/service.lua");
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads", "1", "--timeout", "30s"]);
    wrk.args(["--connections", &connections.to_string(), "--duration", &format!("{seconds}s"), "--script"]);
    wrk.arg(script).args([url, "--", tool]);
    let output = tokio::task::spawn_blocking(move || wrk.output()).await?;
    let Output { status, stdout, stderr } = output.map_err(|error| {
        format!("cannot run `wrk`: {error}; install it (Debian: `apt-get install wrk`), it is the client here")
    })?;
    let told = String::from_utf8_lossy(&stdout);
    let last = told.lines().last().filter(|_| status.success());
    Ok(serde_json::from_str(last.ok_or_else(|| format!("wrk: {told}{}", String::from_utf8_lossy(&stderr)))?)?)
}
