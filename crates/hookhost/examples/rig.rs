//! The host inside an agent of the crate `rig`, which most agents in Rust are built with today: it has the most downloads of
//! its kind, is released every few weeks, and runs tools in a loop of its own.
//!
//! rig has hooks too, and they could stop a tool. The guard goes around the tool all the same: there it rewrites arguments
//! and results, asks a person, and cannot be left out by an agent that is configured anew. `turn.input` and `turn.output`
//! go around the prompt.
//!
//! OPENAI_BASE_URL, OPENAI_API_KEY and MODEL say which model: `cargo run --workspace --example rig`

#![allow(clippy::print_stdout, reason = "an example talks on the terminal")]

use std::error::Error;
use std::io::{BufRead, stdin};
use std::sync::Arc;

use hookhost::{HookHost, InputOutcome, ToolCall, Turn};
use rig::completion::Message;
use rig::message::ToolName;
use rig::prelude::*;
use rig::providers::openai::OpenAI;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::{Value, json};

/// What the tool itself does.
async fn read_file(call: ToolCall) -> std::io::Result<String> {
    tokio::fs::read_to_string(call.args["path"].as_str().unwrap_or_default()).await
}

/// The tool as rig's agent knows it: each call passes the turn.
fn guarded(turn: Arc<Turn>) -> Result<DynamicTool, Box<dyn Error>> {
    let parameters = json!({
        "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"]
    });
    let run = move |args: Value| {
        let turn = turn.clone();
        Box::pin(async move {
            let outcome = turn.tool(ToolCall::new("read_file", args), read_file).await;
            let text = outcome.for_model().into_string();
            if outcome.is_error() { Err(ToolExecutionError::refused(text)) } else { Ok(ToolOutput::text(text)) }
        }) as rig::wasm_compat::WasmBoxedFuture<'static, _>
    };
    Ok(DynamicTool::new(ToolName::new("read_file")?, "Reads a text file.", parameters, run))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let host = Arc::new(HookHost::builder().project(".").build().await?);
    let session = host.session().build();
    let model = OpenAI::from_env()?.completion(std::env::var("MODEL")?);
    let mut history = Vec::new();
    for line in stdin().lock().lines() {
        let turn = Arc::new(session.turn());
        let input = match turn.input(line?).await {
            InputOutcome::Accepted(input) => input,
            InputOutcome::Refused(refusal) => {
                println!("{}", refusal.for_user());
                continue;
            }
        };
        let agent = AgentBuilder::new(model.clone()).dynamic_tool(guarded(turn.clone())?).build();
        // What hooks tell the model has no place in rig's history: it goes with the user's words.
        let told = input.injections.iter().map(|injection| injection.content.as_str());
        let prompt: Vec<_> = [input.text.as_str()].into_iter().chain(told).collect();
        let response = agent.prompt(prompt.join("\n\n")).history(history.clone()).max_turns(8).await?;

        let output = turn.output(response.output(), |text| println!("{text}")).await;
        // rig's last message is what the model wrote; kept is what the user saw.
        history.extend(response.messages.iter().take(response.messages.len().saturating_sub(1)).cloned());
        history.push(Message::assistant(output.for_history().into_string()));

        // The agent holds the turn, in its tool.
        drop(agent);
        if let Some(turn) = Arc::into_inner(turn) {
            let usage = response.usage();
            turn.finish(json!({ "inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens })).await;
        }
    }
    Ok(())
}
