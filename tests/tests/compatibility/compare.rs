//! Compares what a hook has with what Node 20 has.

use std::collections::{BTreeMap, BTreeSet};

use crate::seen::{Builtin, Export, GLOBALS, Seen};

/// How much of something there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// As in Node.
    Yes,
    /// It is there, and not quite the same. What can be said of that without knowing why.
    Differs(String),
    /// It is not there, or fails.
    No,
}

/// Each thing of Node's: `fs` is a module, `fs.readFile` what it exports, `fs.open: streams` something that it does, and
/// `globalThis.URL` a global.
pub(crate) type Findings = BTreeMap<String, State>;

/// Compares all of it.
pub(crate) fn compare(node: &Seen, hook: &Seen) -> Findings {
    let mut findings = Findings::new();
    names(GLOBALS, &node.globals, &hook.globals, &mut findings);
    for (name, builtin) in node.modules.iter().filter(|(_, builtin)| builtin.loads()) {
        let Some(found) = hook.modules.get(name).filter(|found| found.loads()) else {
            findings.insert(name.clone(), State::No);
            continue;
        };
        findings.insert(name.clone(), of_module(builtin, found));
        names(name, &builtin.names, &found.names, &mut findings);
    }
    for (group, checks) in &node.checks {
        let there = group == GLOBALS || findings.get(group).is_some_and(|state| *state != State::No);
        if !there {
            continue;
        }
        for (name, expected) in checks.iter().filter(|(_, expected)| expected.get("value").is_some()) {
            let found = hook.checks.get(group).and_then(|checks| checks.get(name));
            let state = match found {
                Some(found) if found == expected => State::Yes,
                Some(found) if found.get("value").is_some() => State::Differs(String::new()),
                _ => State::No,
            };
            let earlier = findings.entry(format!("{group}.{name}")).or_insert(State::Yes);
            // What a name's type or members say counts unless calling it says more.
            if state == State::No || *earlier == State::Yes {
                *earlier = state;
            }
        }
    }
    findings
}

fn of_module(node: &Builtin, hook: &Builtin) -> State {
    let same = hook.import_without_prefix == node.import_without_prefix
        && hook.require_without_prefix == node.require_without_prefix;
    if same { State::Yes } else { State::Differs("only with `node:`".to_owned()) }
}

fn names(group: &str, node: &BTreeMap<String, Export>, hook: &BTreeMap<String, Export>, findings: &mut Findings) {
    for (name, expected) in node {
        let state = hook.get(name).map_or(State::No, |found| of_name(expected, found));
        findings.insert(format!("{group}.{name}"), state);
    }
}

fn of_name(node: &Export, hook: &Export) -> State {
    if node.kind != hook.kind {
        return State::Differs(format!("its type is {} and not {}", hook.kind, node.kind));
    }
    let there: BTreeSet<_> = hook.members.iter().collect();
    let missing: Vec<_> = node.members.iter().filter(|name| !there.contains(name)).collect();
    if !missing.is_empty() {
        return State::Differs(format!("without {}", list(&missing, 6)));
    }
    if node.named && !hook.named {
        return State::Differs("not by name".to_owned());
    }
    State::Yes
}

/// Names as code, the first `most` of them.
pub(crate) fn list<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let mut shown: Vec<_> = names.iter().take(most).map(|name| format!("`{}`", name.as_ref())).collect();
    if names.len() > most {
        shown.push(format!("{} more", names.len() - most));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn seen(value: Value) -> Seen {
        serde_json::from_value(value).unwrap()
    }

    fn node() -> Seen {
        seen(json!({
            "globals": { "URL": { "type": "function", "members": ["#href", "parse"] } },
            "modules": {
                "fs": {
                    "import": true, "require": true, "importWithoutPrefix": true, "requireWithoutPrefix": true,
                    "names": { "open": { "type": "function", "named": true }, "read": { "type": "function" } },
                },
                "gone": { "import": true, "require": true },
                "newer": { "import": "no", "require": "no" },
            },
            "checks": {
                "globalThis": { "URL": { "value": 1 }, "Temporal": { "error": "not there" } },
                "fs": { "open": { "value": 1 }, "open: a pipe": { "value": 2 }, "read": { "value": 3 } },
                "gone": { "it": { "value": 1 } },
            },
        }))
    }

    #[test]
    fn node_is_like_node_but_for_what_it_lacks_itself() {
        let findings = compare(&node(), &node());
        assert!(findings.values().all(|state| *state == State::Yes), "{findings:?}");
        let keys: Vec<_> = findings.keys().map(String::as_str).collect();
        assert_eq!(keys, ["fs", "fs.open", "fs.open: a pipe", "fs.read", "globalThis.URL", "gone", "gone.it"]);
    }

    #[test]
    fn what_is_missing_fails_or_is_otherwise_is_found() {
        let hook = seen(json!({
            "globals": { "URL": { "type": "function", "members": ["parse", "more"] } },
            "modules": {
                "fs": {
                    "import": true, "require": true, "importWithoutPrefix": true, "requireWithoutPrefix": "no",
                    "names": { "open": { "type": "function" } },
                },
                "gone": { "import": true, "require": "no" },
            },
            "checks": {
                "globalThis": { "URL": { "value": 1 } },
                "fs": { "open": { "value": 1 }, "open: a pipe": { "value": 5 }, "read": { "error": "no" } },
            },
        }));
        let differs = |how: &str| State::Differs(how.to_owned());
        let expected = [
            ("fs", differs("only with `node:`")),
            ("fs.open", differs("not by name")),
            ("fs.open: a pipe", differs("")),
            ("fs.read", State::No),
            ("globalThis.URL", differs("without `#href`")),
            ("gone", State::No),
        ];
        let expected: Findings = expected.map(|(name, state)| (name.to_owned(), state)).into();
        assert_eq!(compare(&node(), &hook), expected);
    }

    #[test]
    fn a_list_that_is_long_is_cut() {
        assert_eq!(list(&["a"], 2), "`a`");
        assert_eq!(list(&["a", "b"], 2), "`a` and `b`");
        assert_eq!(list(&["a", "b", "c", "d"], 2), "`a`, `b` and 2 more");
    }
}
