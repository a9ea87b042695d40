//! What a new hook looks like, by point: `points/<point>.js` has the handler, `points/<point>.json` the rest.
//!
//! The handler's file has three parts, with `---` between them: the type of the config, a sentence, and the body.

use hookhost::{Call, Capability, FailPolicy, Point};
use serde_json::{Map, Value, json};

use super::Language;

/// What a new hook looks like.
pub(super) struct Template {
    handler: &'static str,
    /// Manifest, defaults and fixtures. Empty for several points, whose rest follows from the points.
    rest: Map<String, Value>,
}

impl Template {
    /// The one for these points. `None` for no points.
    pub(super) fn of(points: &[Point]) -> Option<Self> {
        let (handler, rest) = match points {
            [] => return None,
            [Point::PreInput] => (include_str!("points/preInput.js"), include_str!("points/preInput.json")),
            [Point::PreToolUse] => (include_str!("points/preToolUse.js"), include_str!("points/preToolUse.json")),
            [Point::PostToolUse] => (include_str!("points/postToolUse.js"), include_str!("points/postToolUse.json")),
            [Point::PreOutput] => (include_str!("points/preOutput.js"), include_str!("points/preOutput.json")),
            [Point::PostTurn] => (include_str!("points/postTurn.js"), include_str!("points/postTurn.json")),
            _ => (include_str!("points/several.js"), "{}"),
        };
        // A file of ours that is no JSON would be found by the tests.
        Some(Self { handler, rest: serde_json::from_str(rest).unwrap_or_default() })
    }

    pub(super) fn manifest(&self, points: &[Point]) -> String {
        let mut manifest = Map::new();
        manifest.insert("$schema".to_owned(), json!("../../schemas/hook.schema.json"));
        let own = match self.rest.get("manifest") {
            Some(Value::Object(own)) => own.clone(),
            _ => several(points),
        };
        for (key, value) in own {
            // The description comes first, as people write it.
            let is_first = key == "description";
            manifest.insert(key, value);
            if is_first {
                manifest.insert("points".to_owned(), json!(points));
            }
        }
        pretty(&Value::Object(manifest))
    }

    pub(super) fn fixtures(&self, name: &str, points: &[Point]) -> String {
        let mut defaults = Map::from_iter([("hook".to_owned(), json!(name))]);
        let fixtures = match (points, self.rest.get("fixtures")) {
            ([point], Some(fixtures)) => {
                defaults.insert("point".to_owned(), json!(point));
                if let Some(Value::Object(own)) = self.rest.get("defaults") {
                    defaults.extend(own.clone());
                }
                fixtures.clone()
            }
            _ => points.iter().flat_map(fixtures_at).collect(),
        };
        pretty(&json!({
            "$schema": "../../schemas/fixture.schema.json",
            "defaults": defaults,
            "fixtures": fixtures,
        }))
    }

    pub(super) fn handler(&self, points: &[Point], language: Language) -> String {
        let mut parts = self.handler.splitn(3, "\n---\n");
        let config = parts.next().unwrap_or_default().trim_start_matches("config: ");
        let sentence = parts.next().unwrap_or_default();
        let body = parts.next().unwrap_or_default();
        let points: Vec<_> = points.iter().map(|point| format!("'{point}'")).collect();
        let points = points.join(" | ");
        let body: String =
            body.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect();
        match language {
            Language::JavaScript => format!(
                "/** @typedef {{{config}}} Config */\n\n/**\n * {sentence}\n *\n * @type {{import('../../hookhost.d.ts').\
                 CreateHook<Config, {points}>}}\n */\nexport const createHook = (config) => {{\n{body}}};\n"
            ),
            Language::TypeScript => format!(
                "import type {{ CreateHook }} from '../../hookhost.d.ts';\n\ntype Config = {config};\n\n/** {sentence} */\n\
                 export const createHook: CreateHook<Config, {points}> = (config) => {{\n{body}}};\n"
            ),
        }
    }
}

/// The manifest of a hook with several points.
fn several(points: &[Point]) -> Map<String, Value> {
    let reads = points.iter().filter_map(|point| match point {
        Point::PreInput => Some(Capability::ReadsInput),
        Point::PreOutput => Some(Capability::ReadsOutput),
        Point::PreToolUse | Point::PostToolUse => Some(Capability::ReadsToolIo),
        _ => None,
    });
    let mut capabilities: Vec<_> = reads.collect();
    capabilities.sort();
    capabilities.dedup();
    let manifest = json!({
        "description": "Says what passes by.",
        "capabilities": capabilities,
        "failPolicy": FailPolicy::Closed,
        "config": { "note": "seen at" },
    });
    match manifest {
        Value::Object(manifest) => manifest,
        _ => Map::new(),
    }
}

/// What a hook with several points can do at one of them.
fn fixtures_at(point: &Point) -> Vec<Value> {
    let call = match point {
        Point::PreInput => Call::pre_input("Hello!"),
        Point::PreToolUse => Call::pre_tool_use("shell", json!({ "command": "ls" })),
        Point::PostToolUse => Call::post_tool_use("shell", json!({ "command": "ls" }), json!("a.txt"), false),
        Point::PreOutput => Call::pre_output("Done."),
        _ => Call::post_turn("Done.", json!([]), json!({})),
    };
    // After the turn nothing can be stopped: what is recorded is the failure.
    let action = if *point == Point::PostTurn { "allow" } else { "block" };
    vec![
        json!({
            "name": format!("{point} passes, and is logged"),
            "point": point,
            "payload": call.payload,
            "expect": { "action": "allow", "logs": [format!("seen at {point}")] },
        }),
        json!({
            "name": format!("an empty payload at {point} is a failure"),
            "point": point,
            "payload": {},
            "expect": { "action": action, "failure": "threw" },
        }),
        json!({
            "name": format!("a config that cannot be read is a failure at {point}"),
            "point": point,
            "config": { "note": 7 },
            "payload": call.payload,
            "expect": { "action": action, "failure": "load_failed" },
        }),
    ]
}

fn pretty(value: &Value) -> String {
    // A value without text does not exist.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
