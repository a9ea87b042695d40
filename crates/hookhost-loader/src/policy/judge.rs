//! What the policy says about one tool.

use std::path::Path;

use globset::{Glob, GlobMatcher};
use hookhost_contract::{PolicyAction, PolicyFile};

use crate::Position;
use crate::text::path_text;

/// A policy that is ready to judge tools.
///
/// ```
/// use hookhost_contract::PolicyAction;
///
/// let text = r#"{
///   "rules": [
///     { "tools": ["read_*", "list_*"], "action": "allow" },
///     { "tools": ["shell"], "action": "ask", "reason": "Commands run on this machine." }
///   ],
///   "default": "deny"
/// }"#;
/// let policy = hookhost_loader::parse_policy(text)?.compiled;
///
/// let verdict = policy.judge("shell");
/// assert_eq!(verdict.action, PolicyAction::Ask);
/// assert_eq!(verdict.reason.as_deref(), Some("Commands run on this machine."));
/// assert_eq!(verdict.place, "policy.json:4");
///
/// assert_eq!(policy.judge("read_file").action, PolicyAction::Allow);
/// assert_eq!(policy.judge("format_disk").action, PolicyAction::Deny);
/// # Ok::<(), hookhost_loader::PolicyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CompiledPolicy {
    /// The globs of all rules, in their order.
    globs: Vec<ToolGlob>,
    /// What each rule says.
    rules: Vec<(PolicyAction, Option<String>)>,
    default: PolicyAction,
    place: Place,
}

/// A glob of a rule. Each is matched alone: a set of them has short cuts for file names, with which `?.` does not fit
/// `..`.
#[derive(Debug, Clone)]
struct ToolGlob {
    /// The index of its rule.
    rule: usize,
    matcher: GlobMatcher,
    /// It may count characters, which globset cannot do beyond ASCII: it counts bytes.
    counts: bool,
    /// It has nothing but stars, so it fits every name, even none.
    only_stars: bool,
}

impl ToolGlob {
    fn new(rule: usize, glob: &Glob) -> Self {
        let text = glob.glob();
        let only_stars = text.bytes().all(|byte| byte == b'*');
        Self { rule, matcher: glob.compile_matcher(), counts: text.contains(['?', '[']), only_stars }
    }

    fn fits(&self, tool_name: &str, action: PolicyAction) -> bool {
        if tool_name.is_empty() {
            self.only_stars
        } else if self.counts && !tool_name.is_ascii() {
            // Whether it fits is not known, and not knowing must not be what lets a tool run.
            action != PolicyAction::Allow
        } else {
            self.matcher.is_match(tool_name)
        }
    }
}

/// What the policy says about a tool, and where it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What holds for the tool.
    pub action: PolicyAction,
    /// The rule's reason, if it gives one.
    pub reason: Option<String>,
    /// The index of the rule that decided, from 0. None: no rule fits, and the policy's default decided.
    pub rule: Option<usize>,
    /// The file's name and the line of what decided, as in `policy.json:4`. Without a line where the file leaves its
    /// default out.
    pub place: String,
}

/// Where the parts of a policy are.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The file's name, without its folders.
    file: String,
    pub(super) rule_lines: Vec<usize>,
    default_line: Option<usize>,
}

impl Place {
    /// The places of some bytes of `text`, which is that of the file `path`.
    pub(super) fn new(path: &Path, rules: &[usize], default: Option<usize>, text: &str) -> Self {
        let line = |&offset: &usize| Position::of(text, offset).line;
        Self {
            file: path_text(path.file_name().map_or(path, Path::new)),
            rule_lines: rules.iter().map(line).collect(),
            default_line: default.as_ref().map(line),
        }
    }

    fn of(&self, rule: Option<usize>) -> String {
        let line = match rule {
            Some(rule) => self.rule_lines.get(rule).copied(),
            None => self.default_line,
        };
        match line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        }
    }
}

impl CompiledPolicy {
    /// Compiles a policy; `globs` are those of its rules.
    pub(super) fn new(policy: &PolicyFile, globs: &[Vec<Glob>], place: Place) -> Self {
        let globs = globs.iter().enumerate();
        Self {
            globs: globs.flat_map(|(rule, globs)| globs.iter().map(move |glob| ToolGlob::new(rule, glob))).collect(),
            rules: policy.rules.iter().map(|rule| (rule.action, rule.reason.clone())).collect(),
            default: policy.default,
            place,
        }
    }

    /// What the policy says about the tool named `tool_name`: the first rule with a glob that fits the whole name, in
    /// its own case, or else the default.
    ///
    /// A glob with `?` or `[...]` is not compared with a name beyond ASCII. It fits every such name if its rule asks or
    /// denies, and none if its rule allows. An empty name fits globs of nothing but stars.
    pub fn judge(&self, tool_name: &str) -> Verdict {
        let decides = |glob: &&ToolGlob| glob.fits(tool_name, self.rules[glob.rule].0);
        let rule = self.globs.iter().find(decides).map(|glob| glob.rule);
        let (action, reason) = match rule {
            Some(rule) => self.rules[rule].clone(),
            None => (self.default, None),
        };
        // A reason without a word in it is none, so that whoever shows it has one case to think of.
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        Verdict { action, reason, rule, place: self.place.of(rule) }
    }
}

#[cfg(test)]
mod tests {
    use PolicyAction::{Allow, Ask, Deny};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::json;

    use super::*;
    use crate::parse_policy;

    /// A policy of rules with one glob each.
    fn policy(rules: &[(&str, PolicyAction)], default: PolicyAction) -> CompiledPolicy {
        let rules: Vec<_> = rules.iter().map(|(glob, action)| json!({ "tools": [glob], "action": action })).collect();
        parse_policy(&json!({ "rules": rules, "default": default }).to_string()).unwrap().compiled
    }

    /// Whether a rule with this glob and action decides over the tool.
    fn fits(glob: &str, action: PolicyAction, tool: &str) -> bool {
        let default = if action == Deny { Allow } else { Deny };
        let verdict = policy(&[(glob, action)], default).judge(tool);
        assert_eq!(verdict.action, if verdict.rule.is_some() { action } else { default });
        verdict.rule.is_some()
    }

    #[test]
    fn a_glob_fits_the_whole_name_in_its_own_case() {
        for (glob, tool, expected) in [
            ("store__*", "store__set", true),
            ("*__set", "store__set", true),
            ("{shell,exec}", "exec", true),
            ("tool?", "tool1", true),
            ("[st]ool", "tool", true),
            ("[!s]ool", "sool", false),
            ("*", "mcp/server/tool", true),
            ("mcp/*", "mcp/server/tool", true),
            ("*.sh", "..sh", true),
            ("?.", "..", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("shell", "my_shell", false),
            ("shell", "shell_2", false),
            ("Shell", "shell", false),
            ("shell", "SHELL", false),
            ("tool?", "tool", false),
            ("sh*", "sh\n", true),
        ] {
            for action in [Allow, Ask, Deny] {
                assert_eq!(fits(glob, action, tool), expected, "{glob} {tool:?} {action}");
            }
        }
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let policy = policy(&[("read_*", Allow), ("*_key", Deny), ("read_key", Ask), ("*", Ask)], Deny);
        for (tool, action, rule) in
            [("read_file", Allow, 0), ("read_key", Allow, 0), ("write_key", Deny, 1), ("shell", Ask, 3)]
        {
            let verdict = policy.judge(tool);
            assert_eq!((verdict.action, verdict.rule), (action, Some(rule)), "{tool}");
        }
    }

    #[test]
    fn beyond_ascii_a_glob_that_counts_is_never_in_favour() {
        for (glob, tool) in
            [("l\u{e9}?", "l\u{e9}s"), ("l??s", "l\u{e9}s"), ("[\u{e9}]*", "x\u{e9}"), ("a[b]", "\u{e9}")]
        {
            assert!(!fits(glob, Allow, tool), "{glob} {tool}");
            assert!(fits(glob, Ask, tool), "{glob} {tool}");
            assert!(fits(glob, Deny, tool), "{glob} {tool}");
        }
        // Without `?` and `[` nothing is counted, and every action is treated alike.
        for (glob, tool, expected) in [
            ("*", "\u{e9}", true),
            ("l\u{e9}*", "l\u{e9}s", true),
            ("{\u{65e5},l}*", "\u{65e5}\u{672c}", true),
            ("l\u{e9}s", "l\u{e9}s", true),
            ("l\u{e8}s", "l\u{e9}s", false),
            ("l*", "\u{e9}l", false),
        ] {
            for action in [Allow, Ask, Deny] {
                assert_eq!(fits(glob, action, tool), expected, "{glob} {tool} {action}");
            }
        }
    }

    #[test]
    fn beyond_ascii_the_order_of_rules_stays() {
        let text = json!({ "rules": [
            { "tools": ["a?", "lire_*"], "action": "allow" },
            { "tools": ["b?"], "action": "ask" },
            { "tools": ["*"], "action": "deny" },
        ] });
        let policy = parse_policy(&text.to_string()).unwrap().compiled;
        assert_eq!(policy.judge("lire_\u{e9}t\u{e9}").rule, Some(0), "by the glob that counts nothing");
        assert_eq!(policy.judge("a\u{e9}").rule, Some(1));
        assert_eq!(policy.judge("zz").rule, Some(2));
    }

    #[test]
    fn a_tool_without_a_name_fits_only_stars() {
        for (glob, expected) in
            [("*", true), ("**", true), ("{,a}", false), ("{*,a}", false), ("?", false), ("a", false)]
        {
            for action in [Allow, Ask, Deny] {
                assert_eq!(fits(glob, action, ""), expected, "{glob} {action}");
            }
        }
    }

    #[test]
    fn a_verdict_says_where_it_comes_from() {
        let text = r#"{
  "rules": [
    {
      "tools": ["a"],
      "action": "deny", "reason": "No."
    },
    { "tools": ["b"], "action": "ask", "reason": " " }
  ],
  "default": "allow"
}"#;
        let policy = parse_policy(text).unwrap();
        assert_eq!(policy.rule_lines, [3, 7]);
        let verdict = |tool| {
            let Verdict { action, reason, rule, place } = policy.compiled.judge(tool);
            (action, reason, rule, place)
        };
        assert_eq!(verdict("a"), (Deny, Some("No.".into()), Some(0), "policy.json:3".into()));
        assert_eq!(verdict("b"), (Ask, None, Some(1), "policy.json:7".into()), "a blank reason is none");
        assert_eq!(verdict("c"), (Allow, None, None, "policy.json:9".into()));

        let silent = parse_policy("{}").unwrap().compiled.judge("c");
        assert_eq!((silent.action, silent.place.as_str()), (Ask, "policy.json"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn stars_and_question_marks_fit_as_the_page_says(
            glob in vec(select(vec!["a", "b", ".", "/", "*", "?"]), 1..6),
            tool in "[ab./]{1,6}",
        ) {
            // Between slashes `**` may also fit nothing: not what this compares with.
            let glob = glob.concat();
            prop_assume!(!glob.contains("**"));
            prop_assert_eq!(fits(&glob, Deny, &tool), plainly(glob.as_bytes(), tool.as_bytes()));
        }
    }

    fn plainly(glob: &[u8], tool: &[u8]) -> bool {
        match (glob, tool) {
            ([], _) => tool.is_empty(),
            ([b'*', rest @ ..], _) => (0..=tool.len()).any(|from| plainly(rest, &tool[from..])),
            ([b'?', rest @ ..], [_, tail @ ..]) => plainly(rest, tail),
            ([byte, rest @ ..], [first, tail @ ..]) => byte == first && plainly(rest, tail),
            (_, []) => false,
        }
    }
}
