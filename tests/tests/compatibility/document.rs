//! Writes `docs/compatibility.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

use crate::compare::{Findings, State, list};
use crate::reasons::Reasons;
use crate::seen::{Export, Facts, GLOBALS, Reference, Seen};

/// The groups of facts that are about Node, and what stands above their tables.
pub(crate) const FACTS: &[(&str, &str)] = &[
    (
        "modules",
        "## Loading modules

How a hook imports is in [hook-format.md](hook-format.md#what-is-there). A hook is never the program: its module is
imported by the host.",
    ),
    (
        "process",
        "## The process

A hook has no process of its own. What would end the process, or change it, ends the hook or is refused:
`process.exit` and its like make the call a failure (`exited`), and `failPolicy` decides. `process.env` is a copy that
child processes get and the host never sees. `process.execPath` is the `node` of the hook's `PATH`, and never the host.
What is written to stdout, to stderr and to `console` becomes lines of the hook's log.",
    ),
    ("globals", "## Globals in use"),
];

/// What stands above the table of what the sandbox changes.
pub(crate) const SANDBOX: &str = "## Under the sandbox

What `Sandbox::Enforced` (`--sandbox enforced`) changes in the Node tier, for a hook with no capability and for one with
`network` and `secrets`. *yes* means that it got through. See [design/sandbox.md](design/sandbox.md).";

/// All that the first part of the document is made of.
pub(crate) struct Document<'a> {
    pub(crate) node: &'a Reference,
    pub(crate) node_tier: Seen,
    pub(crate) node_findings: Findings,
    pub(crate) node_reasons: Reasons,
    pub(crate) web_tier: Seen,
    pub(crate) web_findings: Findings,
    pub(crate) web_reasons: Reasons,
}

impl Document<'_> {
    /// The document, up to the facts.
    pub(crate) fn text(&self, versions: BTreeMap<String, String>) -> String {
        let mut text = self.introduction(&versions);
        self.globals(&mut text);
        self.modules(&mut text);
        self.details(&mut text);
        text
    }

    fn introduction(&self, versions: &BTreeMap<String, String>) -> String {
        let version = |name: &str| versions.get(name).map_or("none", String::as_str);
        format!(
            "# Compatibility with Node

For people whose hooks were written for Node, or need what Node has. Written by a test
([tests/compatibility](../tests/compatibility)) that asks a hook in each tier for everything that Node {node} has on
Linux, calls what can be called, and compares what comes back with what Node said.

The *Node tier* is the command line's default; a program gets it with `tier(Tier::Node)` and the cargo feature `node`. It
is built from Deno's crates, which follow a newer Node: `process.version` is {version}, and `process.versions.v8` is
{v8}. So some of what follows is no lack but what Node itself has changed since. The *web tier* is the library's default;
it has no modules of Node's.

| word | means |
|---|---|
| yes | it is there, and where it was called, the result was Node's |
| differs | it is there, and something about it is otherwise |
| no | it is not there, or it fails |

",
            node = self.node.version,
            version = version("version"),
            v8 = version("v8"),
        )
    }

    fn globals(&self, text: &mut String) {
        *text += "## Globals\n\n| globals | Node tier | web tier |\n|---|---|---|\n";
        let mut rows: Vec<((String, String), Vec<&str>)> = Vec::new();
        for item in self.node_findings.keys() {
            let Some(name) = item.strip_prefix(GLOBALS).and_then(|rest| rest.strip_prefix('.')) else { continue };
            let cells = (
                cell(item, &self.node_findings, &self.node_reasons),
                cell(item, &self.web_findings, &self.web_reasons),
            );
            match rows.iter_mut().find(|(known, _)| *known == cells) {
                Some((_, names)) => names.push(name),
                None => rows.push((cells, vec![name])),
            }
        }
        // What simply works comes first.
        rows.sort_by_key(|((node, web), _)| (node != "yes", web != "yes"));
        for ((node, web), names) in rows {
            let _ = writeln!(text, "| {} | {node} | {web} |", codes(&names));
        }
        let newer = |seen: &Seen| -> BTreeSet<String> {
            seen.globals.keys().filter(|name| !self.node.seen.globals.contains_key(*name)).cloned().collect()
        };
        let (node, web) = (newer(&self.node_tier), newer(&self.web_tier));
        let both: Vec<_> = node.intersection(&web).collect();
        let _ = write!(text, "\nNot in Node 20, and there in both tiers: {}.", codes(&both));
        let only: Vec<_> = node.difference(&web).collect();
        let _ = writeln!(text, " In the Node tier only: {}.", codes(&only));
        *text +=
            "\n`Deno` is listed, since Deno's scripts for Node read it. A hook that reads it gets `undefined`.\n\n";
    }

    fn modules(&self, text: &mut String) {
        *text += "## Modules\n\nEach can be had by `import` and by `require`, with and without `node:` where Node has both. The numbers\n\
                  count what a module exports, and what was tried besides.\n\n\
                  | module | Node tier | web tier | does not work | differs | beyond Node 20 |\n|---|---|---|---|---|---|\n";
        for (name, builtin) in &self.node.seen.modules {
            let Some(found) = self.node_tier.modules.get(name) else { continue };
            let web = if self.web_tier.modules.get(name).is_some_and(|found| found.loads()) { "yes" } else { "no" };
            let newer = newer(&builtin.names, &found.names);
            let state = match self.node_findings.get(name) {
                None if found.loads() => "yes, and not in Node 20".to_owned(),
                None => continue,
                Some(State::No) => "no".to_owned(),
                Some(_) => self.score(name),
            };
            let of = |wanted: fn(&State) -> bool| {
                let names: Vec<_> = self.items(name).filter(|(_, state)| wanted(state)).map(|(item, _)| item).collect();
                codes(&names)
            };
            let no = of(|state| *state == State::No);
            let differs = of(|state| matches!(state, State::Differs(_)));
            let _ = writeln!(text, "| `{name}` | {state} | {web} | {no} | {differs} | {} |", list(&newer, 8));
        }
        text.push('\n');
    }

    /// What a module exports and does, without the module's own name.
    fn items<'a>(&'a self, module: &'a str) -> impl Iterator<Item = (&'a str, &'a State)> {
        self.node_findings
            .iter()
            .filter_map(move |(item, state)| Some((item.strip_prefix(module)?.strip_prefix('.')?, state)))
    }

    fn score(&self, module: &str) -> String {
        let all = self.items(module).count();
        let good = self.items(module).filter(|(_, state)| **state == State::Yes).count();
        if good == all { "yes".to_owned() } else { format!("{good} of {all}") }
    }

    fn details(&self, text: &mut String) {
        *text += "### What does not work, or differs, and why\n";
        for module in self.node.seen.modules.keys() {
            let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
            let own = self.node_findings.get(module).filter(|state| **state != State::Yes);
            for (name, _) in own.map(|state| ("the module", state)).into_iter().chain(self.items(module)) {
                let item = if name == "the module" { module.clone() } else { format!("{module}.{name}") };
                let why = cell(&item, &self.node_findings, &self.node_reasons);
                match lines.iter_mut().find(|(known, _)| *known == why) {
                    _ if why == "yes" => {}
                    Some((_, names)) => names.push(name),
                    None => lines.push((why, vec![name])),
                }
            }
            if lines.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n`{module}`\n");
            for (why, names) in lines {
                let _ = writeln!(text, "- {}: {why}", codes(&names));
            }
        }
        text.push('\n');
    }
}

/// What one tier has of one thing, and why.
fn cell(item: &str, findings: &Findings, reasons: &Reasons) -> String {
    let why = reasons.of(item);
    match findings.get(item) {
        None | Some(State::Yes) => "yes".to_owned(),
        Some(State::No) => format!("no: {why}"),
        Some(State::Differs(how)) if how.is_empty() => format!("differs: {why}"),
        Some(State::Differs(how)) => format!("differs: {how}; {why}"),
    }
}

fn newer(node: &BTreeMap<String, Export>, hook: &BTreeMap<String, Export>) -> Vec<String> {
    hook.keys().filter(|name| !node.contains_key(*name)).cloned().collect()
}

/// Names as code. What is no name is left as it is.
fn codes<T: AsRef<str>>(names: &[T]) -> String {
    let code = |name: &T| match name.as_ref() {
        name if name == "the module" || name.starts_with("the ") => name.to_owned(),
        name => match name.split_once(": ") {
            Some((name, what)) => format!("`{name}` ({what})"),
            None => format!("`{name}`"),
        },
    };
    names.iter().map(code).collect::<Vec<_>>().join(", ")
}

/// A table of facts, in columns that each come from another place.
pub(crate) fn facts(about: &str, titles: &[&str; 3], columns: &[Facts; 3]) -> String {
    let mut text = format!("{about}\n\n|  | {} |\n|---|---|---|---|\n", titles.join(" | "));
    let names = columns.iter().find(|column| !column.is_empty()).into_iter().flat_map(|column| column.keys());
    for name in names {
        let cells: Vec<_> = columns.iter().map(|column| column.get(name).map_or_else(String::new, fact)).collect();
        let _ = writeln!(text, "| {} | {} |", name.replace('|', "\\|"), cells.join(" | "));
    }
    text.push('\n');
    text
}

/// What came of a fact.
fn fact(seen: &Value) -> String {
    if let Some(value) = seen.get("value") {
        return match value {
            Value::String(text) if text == "yes" => text.clone(),
            Value::String(text) if text.is_empty() => "nothing".to_owned(),
            Value::String(text) => code(text),
            value => code(&value.to_string()),
        };
    }
    let text = |key: &str| seen.get(key).and_then(Value::as_str).map(code);
    match (text("error"), text("ended")) {
        (Some(error), _) => format!("no: {error}"),
        (_, Some(ended)) => format!("ends: {ended}"),
        _ => String::new(),
    }
}

/// Text as code in a table, whatever is in it.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|").replace('\n', " ");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fact_says_what_came_of_it() {
        assert_eq!(fact(&json!({ "value": "yes" })), "yes");
        assert_eq!(fact(&json!({ "value": "" })), "nothing");
        assert_eq!(fact(&json!({ "value": [1, "a|b"] })), r#"`[1,"a\|b"]`"#);
        assert_eq!(fact(&json!({ "error": "no `x`" })), "no: `` no `x` ``");
        assert_eq!(fact(&json!({ "ended": "code 3" })), "ends: `code 3`");
    }

    #[test]
    fn names_are_code_and_what_was_tried_with_them_is_not() {
        assert_eq!(codes(&["a", "b: with a stream", "the module"]), "`a`, `b` (with a stream), the module");
    }
}
