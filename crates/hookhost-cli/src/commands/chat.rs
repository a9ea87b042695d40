//! `hookhost chat`: the loop around the turns. It talks while it runs, so it prints by itself.

use std::path::Path;
use std::sync::Arc;

use hookhost::{FilePolicy, HookHost, POLICY_FILE, Session, exit};
use tempfile::TempDir;

use super::block_on;
use super::host::{caller, recording, report_problems, with_ctx};
use crate::args::{Chat, Global};
use crate::chat::{History, Lines, Model, OpenAi, Screen, Script, TerminalApprover, Tools, run_turn};
use crate::output::{Outcome, Problem};

pub(crate) fn chat(global: &Global, chat: &Chat) -> Result<Outcome, Problem> {
    let screen = Screen::new(global.format);
    let model = model(chat)?;
    let (work, _temporary) = work_folder(chat)?;
    let tools = Tools::open(&work).map_err(|error| Problem::failed(error.to_string()))?;
    let builder = with_ctx(HookHost::builder().project(global.project()), global, &chat.ctx)?;
    let builder = recording(builder, &chat.record)?;
    let policy = policy(global.project(), chat)?;
    let code = block_on(async {
        let host = Arc::new(builder.build().await.map_err(|error| Problem::failed(error.to_string()))?);
        report_problems(&host.report(), global.project());
        let lines = Lines::of_stdin();
        let mut session = host
            .session()
            .approver(TerminalApprover { lines: lines.clone(), screen })
            .stream_when_no_output_hook(chat.stream_when_no_output_hook);
        if let Some(policy) = policy {
            session = session.policy(policy);
        }
        if let Some(caller) = caller(&chat.ctx) {
            session = session.caller(caller);
        }
        if let Some(scope_id) = &chat.ctx.scope_id {
            session = session.scope_id(scope_id);
        }
        if !chat.ctx.context.is_empty() {
            session = session.context(chat.ctx.context.iter().cloned().collect());
        }
        screen.note(&format!("tools work in {}; end with ctrl-d", work.display()));
        let history = History::new(chat.system.as_deref());
        Ok::<_, Problem>(converse(session.build(), model, &tools, history, &lines, screen).await)
    })??;
    Ok(Outcome { text: String::new(), code })
}

/// Turn after turn, until there is nothing more to say. Returns the exit code.
async fn converse(
    session: Session,
    mut model: Model,
    tools: &Tools,
    mut history: History,
    lines: &Lines,
    screen: Screen,
) -> u8 {
    let mut events = session.subscribe();
    let mut code = exit::OK;
    while let Some(text) = next_message(&mut model, lines, screen).await {
        let kept = history.messages().len();
        let ended = {
            let turn = run_turn(session.turn(), &text, &mut model, tools, &mut history, screen);
            tokio::pin!(turn);
            loop {
                tokio::select! {
                    // What has happened is told before what comes of it.
                    biased;
                    Some(event) = events.next() => screen.event(&event),
                    ended = &mut turn => break Some(ended),
                    _ = tokio::signal::ctrl_c() => break None,
                }
            }
        };
        while let Some(event) = events.try_next() {
            screen.event(&event);
        }
        let given_up = match ended {
            Some(Ok(())) => None,
            Some(Err(error)) => {
                code = exit::FAILED;
                screen.error(&error.to_string());
                Some("the turn is given up")
            }
            None => {
                if !lines.are_typed() {
                    code = exit::FAILED;
                }
                Some("interrupted: the turn is given up")
            }
        };
        if let Some(why) = given_up {
            history.truncate(kept);
            screen.note(&format!("{why}, and the model does not remember it; what its tools have done is done"));
            if !lines.are_typed() {
                break;
            }
        }
    }
    screen.history(&history.messages());
    code
}

/// What the user says next: from the script if it says so, else from the terminal.
async fn next_message(model: &mut Model, lines: &Lines, screen: Screen) -> Option<String> {
    if let Some(played) = model.next_turn()? {
        screen.played(&played);
        return Some(played);
    }
    let mut conversation = lines.begin().await;
    loop {
        screen.prompt(lines.are_typed());
        let line = tokio::select! {
            line = conversation.next() => line?,
            _ = tokio::signal::ctrl_c() => return None,
        };
        if !line.trim().is_empty() {
            return Some(line);
        }
    }
}

fn model(chat: &Chat) -> Result<Model, Problem> {
    if let Some(path) = &chat.script {
        return Script::open(path).map(Model::Script).map_err(|error| Problem::usage(error.to_string()));
    }
    let Some(name) = &chat.model else {
        return Err(Problem::usage("which model? Give --model NAME, or --script FILE for a recorded one"));
    };
    let key = std::env::var(&chat.api_key_env).ok().filter(|key| !key.is_empty());
    OpenAi::new(&chat.base_url, name, key).map(Model::OpenAi).map_err(|error| Problem::usage(error.to_string()))
}

/// Where the tools work: what was given, or a folder that goes with the command.
fn work_folder(chat: &Chat) -> Result<(std::path::PathBuf, Option<TempDir>), Problem> {
    match &chat.work {
        Some(work) if work.is_dir() => Ok((work.clone(), None)),
        Some(work) => Err(Problem::usage(format!("--work: `{}` is not a folder: make it first", work.display()))),
        None => {
            let temporary = TempDir::new()
                .map_err(|error| Problem::failed(format!("cannot make a folder for the tools: {error}")))?;
            Ok((temporary.path().to_owned(), Some(temporary)))
        }
    }
}

/// What was given, or the project's policy.json if it has one.
fn policy(project: &Path, chat: &Chat) -> Result<Option<FilePolicy>, Problem> {
    let path = match &chat.policy {
        Some(path) => path.clone(),
        None => {
            let path = project.join(POLICY_FILE);
            // Anything but its absence is looked at: a policy that cannot be read must not count as none.
            if std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
                return Ok(None);
            }
            path
        }
    };
    FilePolicy::load(&path).map(Some).map_err(|error| Problem::failed(error.to_string()))
}
