//! TypeScript declarations for hook authors: what their editors know of points, payloads, `ctx` and decisions.
//!
//! What has a Rust type is derived from it. The rest, functions above all, is in `hookhost.d.ts.in`; tests hold it to the
//! lists of words and fields that the host goes by.

use ts_rs::{Config, TS};

use crate::payload::{PostToolUsePayload, PostTurnPayload, PreInputPayload, PreOutputPayload, PreToolUsePayload};
use crate::{ApprovalDefault, Caller, Capability, InjectionRole, MessageLevel, Point};

/// The part that is written by hand.
const TEMPLATE: &str = include_str!("hookhost.d.ts.in");

/// The text of `hookhost.d.ts`.
pub fn declarations() -> String {
    let names: Vec<_> = Point::NAMES.iter().map(|name| format!("'{name}'")).collect();
    let derived = [
        derived::<PreInputPayload>(),
        derived::<PreToolUsePayload>(),
        derived::<PostToolUsePayload>(),
        derived::<PreOutputPayload>(),
        derived::<PostTurnPayload>(),
        derived::<Caller>(),
        derived::<Capability>(),
        derived::<InjectionRole>(),
        derived::<MessageLevel>(),
        derived::<ApprovalDefault>(),
    ];
    let text = TEMPLATE
        .replace("{{points}}", &names.join(" | "))
        .replace("{{payloads}}", &by_point(|name, _| format!("{}Payload", capitalised(name))))
        .replace("{{changes}}", &by_point(change))
        .replace("{{derived}}", derived.join("\n").trim_end());
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A line for each point of a turn.
fn by_point(of: impl Fn(&str, &Point) -> String) -> String {
    let points = Point::NAMES.iter().filter_map(|name| Some((name, name.parse::<Point>().ok()?)));
    points.map(|(name, point)| format!("  {name}: {};\n", of(name, &point))).collect::<String>().trim_end().to_owned()
}

/// What a modify may say.
fn change(name: &str, point: &Point) -> String {
    match point.mutable_field() {
        Some(field) => format!("Pick<{}Payload, '{field}'>", capitalised(name)),
        None => "Record<string, never>".to_owned(),
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A type with its comment, as `ts-rs` derives both.
fn derived<T: TS>() -> String {
    let config = Config::new();
    let docs = T::docs().unwrap_or_default();
    format!("{docs}export {}\n", T::decl(&config))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{REPLY_FIELDS, ReplyAction};

    #[test]
    fn every_word_and_field_that_the_host_reads_is_declared() {
        let text = declarations();
        for word in ReplyAction::WORDS {
            assert!(text.contains(&format!("action: '{word}'")) || text.contains(&format!("| '{word}'")), "{word}");
        }
        for field in REPLY_FIELDS {
            assert!(text.contains(&format!("  {field}")), "{field}");
        }
        for word in Capability::WORDS {
            assert!(text.contains(&format!("\"{word}\"")), "{word}");
        }
        for name in Point::NAMES {
            assert!(text.contains(&format!("'{name}'")) && text.contains(&format!("  {name}: ")), "{name}");
        }
        assert!(!text.contains("{{"), "a placeholder is left");
    }

    /// `CallContext` is what the host hands over; the other members of `ctx` are made in JavaScript.
    #[test]
    fn every_member_of_ctx_is_declared() {
        let context = crate::CallContext {
            caller: Some(Caller::default()),
            env: Default::default(),
            scope_id: Some(String::new()),
            context: Some(Default::default()),
            session_id: Some(String::new()),
            turn_id: Some(String::new()),
        };
        let text = declarations();
        let serde_json::Value::Object(members) = serde_json::json!(context) else { panic!("an object") };
        for member in members.keys().map(String::as_str).chain(["log", "store", "signal", "hookName"]) {
            let is_there = [": ", "?: ", "("].iter().any(|end| text.contains(&format!("  readonly {member}{end}")))
                || text.contains(&format!("  {member}("));
            assert!(is_there, "{member}");
        }
    }
}
