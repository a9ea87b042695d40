//! One turn: from what the user typed to what the user gets to see.

use futures::StreamExt;
use hookhost::{Injection, InputOutcome, ToolCall, Turn};
use serde_json::json;

use super::history::History;
use super::model::{self, Message, Model, ModelError, Piece, Usage};
use super::screen::Screen;
use super::tools::Tools;

/// A model that calls tools again and again is stopped after so many replies.
const REPLIES: usize = 25;

/// Why a turn did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TurnError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the model called tools in {REPLIES} replies running; the turn ends here")]
    Endless,
}

/// Carries one turn out. What the turn refuses never gets into the history.
pub(crate) async fn run(
    turn: Turn,
    text: &str,
    model: &mut Model,
    tools: &Tools,
    history: &mut History,
    screen: Screen,
) -> Result<(), TurnError> {
    match turn.input(text).await {
        InputOutcome::Accepted(input) => {
            history.push(Message::User(input.text.into_string()));
            history.inject(&input.injections);
        }
        InputOutcome::Refused(refusal) => {
            events_first().await;
            screen.show(refusal.for_user().as_str());
            screen.end_of_text();
            turn.finish(json!({})).await;
            return Ok(());
        }
    }
    let mut used = Usage::default();
    for _ in 0..REPLIES {
        let calls = reply(&turn, model, tools, history, screen, &mut used).await?;
        if calls.is_empty() {
            turn.finish(json!({ "inputTokens": used.input_tokens, "outputTokens": used.output_tokens })).await;
            return Ok(());
        }
        let mut told = Vec::new();
        for call in calls {
            let call_id = call.id.clone();
            let (content, mut injections) = run_tool(&turn, call, tools).await;
            history.push(Message::Tool { call_id, content });
            told.append(&mut injections);
        }
        // The results of one reply stand together: services refuse anything between them.
        history.inject(&told);
    }
    Err(TurnError::Endless)
}

/// One reply of the model: its text is shown, its tool calls come back.
async fn reply(
    turn: &Turn,
    model: &mut Model,
    tools: &Tools,
    history: &mut History,
    screen: Screen,
    used: &mut Usage,
) -> Result<Vec<model::ToolCall>, ModelError> {
    let mut calls = Vec::new();
    let pieces = model.reply(&history.request(), &tools.specs()).await?;
    let text = pieces.filter_map(|piece| {
        let text = match piece {
            Ok(Piece::Text(text)) => Some(Ok(text)),
            Ok(Piece::ToolCall(call)) => {
                calls.push(call);
                None
            }
            Ok(Piece::Usage(more)) => {
                used.input_tokens += more.input_tokens;
                used.output_tokens += more.output_tokens;
                None
            }
            Err(error) => Some(Err(error)),
        };
        std::future::ready(text)
    });
    events_first().await;
    let output = turn.output_stream(text, |piece| screen.show(piece)).await?;
    let text = output.for_history().into_string();
    if !text.is_empty() {
        screen.end_of_text();
    }
    if !text.is_empty() || !calls.is_empty() {
        history.push(Message::Assistant { text, tool_calls: calls.clone() });
    }
    history.inject(output.injections());
    Ok(calls)
}

/// Lets whoever follows the session's events tell of those that have happened, before there is more text.
async fn events_first() {
    tokio::task::yield_now().await;
}

/// The content of the tool's message, and what hooks tell the model beside it.
async fn run_tool(turn: &Turn, call: model::ToolCall, tools: &Tools) -> (String, Vec<Injection>) {
    let parsed = match ToolCall::parse(call.name, &call.arguments) {
        Ok(parsed) => parsed.id(call.id),
        Err(bad) => return (bad.for_model().into_string(), Vec::new()),
    };
    let outcome = turn.tool(parsed, |call| async move { tools.run(&call.name, &call.args).await }).await;
    (outcome.for_model().into_string(), outcome.injections().cloned().collect())
}
