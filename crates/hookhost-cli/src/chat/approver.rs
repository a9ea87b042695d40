//! Asks the person at the terminal.

use std::fmt::Write;

use hookhost::{ApprovalAnswer, ApprovalChoice, ApprovalFuture, ApprovalRequest, Approver};

use super::lines::Lines;
use super::screen::Screen;
use crate::plain::plain;
use crate::style::{self, paint};

/// Asks on the screen, and takes the next line as the answer. No line, no yes.
pub(crate) struct TerminalApprover {
    pub(crate) lines: Lines,
    pub(crate) screen: Screen,
}

impl Approver for TerminalApprover {
    fn ask(&self, request: ApprovalRequest) -> ApprovalFuture<'_> {
        Box::pin(async move {
            // One question at a time.
            let mut conversation = self.lines.begin().await;
            conversation.forget_typed_ahead();
            self.screen.ask(&question(&request));
            loop {
                let Some(line) = conversation.next().await else { return ApprovalAnswer::Deny { message: None } };
                match understood(&line, &request) {
                    Some(answer) => return answer,
                    None => self.screen.ask(&choices(&request)),
                }
            }
        })
    }
}

/// What is asked, about what, and what can be answered.
fn question(request: &ApprovalRequest) -> String {
    let mut text = paint(style::WARN.bold(), plain(&request.prompt, "  "));
    text.push('\n');
    for asked_by in &request.asked_by {
        let who = asked_by.hook.as_deref().unwrap_or("policy.json");
        let _ = writeln!(text, "  {} {}", paint(style::DIM, format!("{who}:")), plain(&asked_by.reason, "    "));
    }
    for (key, value) in &request.payload {
        let value = serde_json::to_string_pretty(value).unwrap_or_default();
        let _ = writeln!(text, "  {} {}", paint(style::DIM, format!("{key}:")), plain(&value, "  "));
    }
    text.push_str(&choices(request));
    text
}

fn choices(request: &ApprovalRequest) -> String {
    let mut text = String::new();
    for (number, option) in (1..).zip(&request.options) {
        let _ = writeln!(text, "  {number}) {}", plain(&option.label, "     "));
    }
    text + "Answer with a number; `no, because ...` tells the model why.\n"
}

/// The answer that a line gives: an option's number or its label, `yes`, `always`, or `no` with a reason.
fn understood(line: &str, request: &ApprovalRequest) -> Option<ApprovalAnswer> {
    let line = line.trim();
    let by_number = line.parse::<usize>().ok().and_then(|number| request.options.get(number.checked_sub(1)?));
    let by_label = || request.options.iter().find(|option| option.label.eq_ignore_ascii_case(line));
    if let Some(option) = by_number.or_else(by_label) {
        return Some(request.answer_of(option));
    }
    let (word, rest) = match line.find(|c: char| !c.is_alphabetic()) {
        Some(end) => line.split_at(end),
        None => (line, ""),
    };
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || c == ',' || c == ':');
    let offered = |choice| request.options.iter().any(|option| option.choice == choice);
    match word.to_lowercase().as_str() {
        "n" | "no" | "deny" => Some(ApprovalAnswer::Deny { message: (!rest.is_empty()).then(|| rest.to_owned()) }),
        // With anything after it, a yes is no plain yes.
        "y" | "yes" | "allow" if rest.is_empty() && offered(ApprovalChoice::AllowOnce) => {
            Some(ApprovalAnswer::AllowOnce)
        }
        "always" if rest.is_empty() && offered(ApprovalChoice::AllowAlways) => Some(ApprovalAnswer::AllowAlways),
        _ => None,
    }
}
