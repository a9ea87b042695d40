//! A chat loop that obeys its hooks: a terminal, one tool, a model behind any OpenAI-compatible endpoint.
//! OPENAI_BASE_URL, OPENAI_API_KEY and MODEL say which: `cargo run --workspace --example chat_loop`

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;

use async_openai::{Client, error::OpenAIError, types::stream::StreamResponse};
use futures::StreamExt;
use hookhost::{ApprovalAnswer, ApprovalFuture, ApprovalRequest, Approver, HookHost, InputOutcome, ToolCall, Turn};
use serde_json::{Value, json};

/// Asks at the terminal: anything but `y` is a no, and reaches the model.
struct Terminal;

impl Approver for Terminal {
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_> {
        Box::pin(async move {
            let question = format!("{}\n{}\n[y/why not] ", request.prompt, Value::Object(request.payload));
            let answer = tokio::task::spawn_blocking(move || typed(&question)).await.ok().flatten();
            match answer.as_deref() {
                Some("y") => ApprovalAnswer::AllowOnce,
                message => ApprovalAnswer::Deny { message: message.map(str::to_owned) },
            }
        })
    }
}

fn typed(prompt: &str) -> Option<String> {
    show(prompt);
    stdin().lock().lines().next()?.ok()
}

fn show(text: &str) {
    let _ = stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush());
}

/// The agent's only tool. Hooks have seen the arguments, and will see the result.
async fn shell(call: ToolCall) -> std::io::Result<String> {
    let command = call.args["command"].as_str().unwrap_or_default();
    let ran = tokio::process::Command::new("sh").args(["-c", command]).kill_on_drop(true).output().await?;
    Ok(String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let host = Arc::new(HookHost::builder().project(".").build().await?);
    let session = host.session().approver(Terminal).build();
    let mut history = Vec::new();
    while let Some(line) = typed("> ") {
        let turn = session.turn();
        match turn.input(line).await {
            InputOutcome::Accepted(input) => {
                history.push(json!({ "role": "user", "content": input.text }));
                history.extend(input.injections.iter().map(told));
            }
            InputOutcome::Refused(refusal) => {
                show(&format!("{}\n", refusal.for_user()));
                continue;
            }
        }
        while answer(&turn, &mut history).await? {}
        turn.finish(json!({})).await;
    }
    Ok(())
}

/// What a hook tells the model.
fn told(injection: &hookhost::Injection) -> Value {
    json!({ "role": injection.role, "content": injection.content })
}

/// One reply of the model and its tool calls. True if it called any, so that it wants to go on.
async fn answer(turn: &Turn, history: &mut Vec<Value>) -> Result<bool, Box<dyn Error>> {
    let model = std::env::var("MODEL")?;
    let parameters = json!({ "type": "object", "properties": { "command": { "type": "string" } } });
    let tools = json!([{ "type": "function", "function": { "name": "shell", "parameters": parameters } }]);
    let request = json!({ "model": model, "messages": history, "tools": tools, "stream": true });
    let pieces: StreamResponse<Value> = Client::new().chat().create_stream_byot(request).await?;
    // A stream of text for the turn; what the model calls is put together on the way.
    let mut calls: Vec<Value> = Vec::new();
    let text = pieces.map(|piece| {
        let piece = piece?;
        let delta = &piece["choices"][0]["delta"];
        for part in delta["tool_calls"].as_array().into_iter().flatten() {
            let function = &part["function"];
            if part["id"].is_string() {
                let function = json!({ "name": function["name"], "arguments": "" });
                calls.push(json!({ "id": part["id"], "type": "function", "function": function }));
            }
            if let Some(Value::String(arguments)) = calls.last_mut().map(|call| &mut call["function"]["arguments"]) {
                arguments.push_str(function["arguments"].as_str().unwrap_or_default());
            }
        }
        Ok::<_, OpenAIError>(delta["content"].as_str().unwrap_or_default().to_owned())
    });
    let output = turn.output_stream(text, show).await?;
    show("\n");
    let mut after: Vec<_> = output.injections().iter().map(told).collect();
    let mut message = json!({ "role": "assistant", "content": output.for_history() });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    history.push(message);
    for call in &calls {
        let [name, arguments] = ["name", "arguments"].map(|key| call["function"][key].as_str().unwrap_or_default());
        let content = match ToolCall::parse(name, arguments) {
            Ok(parsed) => {
                let outcome = turn.tool(parsed, shell).await;
                after.extend(outcome.injections().map(told));
                outcome.for_model()
            }
            Err(bad) => bad.for_model(),
        };
        history.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": content }));
    }
    history.extend(after);
    Ok(!calls.is_empty())
}
