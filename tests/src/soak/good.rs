//! Calls of the hooks that behave, and the one right decision about each.

use std::fmt::Write as _;

use hookhost::{Action, Call, Decision, Mode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The hooks that behave, in the order of their chain.
const CHAIN: &[Good] =
    &[Good::Allow, Good::Count, Good::Guard, Good::Shout, Good::Spend, Good::Tell, Good::Web, Good::Watch];

/// What the texts are made of. Some of it changes its length when it is written in capitals, and some of it must be
/// escaped on its way through a URL or JSON.
const WORDS: &[&str] =
    &["hello", "grün", "straße", "ŉ", "😀", "a+b&c=d%20", "\"quoted\"", "\\", "\u{7f}", "\u{2028}", "İstanbul", "{}"];

/// What the guard does not let pass.
const FORBIDDEN: &str = "forbidden";

/// A hook that behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Good {
    Allow,
    Count,
    Guard,
    Shout,
    Spend,
    Tell,
    Web,
    Watch,
}

impl Good {
    fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Count => "count",
            Self::Guard => "guard",
            Self::Shout => "shout",
            Self::Spend => "spend",
            Self::Tell => "tell",
            Self::Web => "web",
            Self::Watch => "watch",
        }
    }
}

/// One call of hooks that behave.
pub(super) struct GoodCall {
    only: Option<Good>,
    id: u64,
    text: String,
    amount: u32,
    topic: Option<&'static str>,
}

impl GoodCall {
    /// A call of the whole chain, or now and then of one hook alone. `id` tells it from all others.
    pub(super) fn random(random: &mut fastrand::Rng, id: u64) -> Self {
        let mut words: Vec<_> = (0..random.usize(1..6)).filter_map(|_| random.choice(WORDS).copied()).collect();
        if random.u8(..) < 40 {
            words.push(FORBIDDEN);
        }
        Self {
            only: (random.u8(..) < 80).then(|| random.choice(CHAIN).copied()).flatten(),
            id,
            text: words.join(" "),
            amount: random.u32(0..130),
            topic: (random.u8(..) < 80).then(|| random.choice(WORDS).copied()).flatten(),
        }
    }

    /// The call itself.
    pub(super) fn call(&self) -> Call {
        let call = Call::pre_tool_use("speak", self.args(&self.text));
        match self.only {
            Some(hook) => call.only_hook(hook.name()),
            None => call,
        }
    }

    fn args(&self, text: &str) -> Value {
        json!({ "id": self.id, "text": text, "amount": self.amount, "topic": self.topic })
    }

    /// The decision's essence, as it has to be.
    fn expected(&self) -> Essence {
        let only = self.only.map(|hook| [hook]);
        let mut right = Essence { action: Action::Allow, hook: None, reason: None, ..Essence::default() };
        let mut text = self.text.clone();
        for &hook in only.as_ref().map_or(CHAIN, |only| only) {
            let mut ran = (hook.name(), Action::Allow);
            let mut reason = None;
            match hook {
                Good::Guard if text.contains(FORBIDDEN) => {
                    ran.1 = Action::Block;
                    reason = Some(format!("{}: not with {FORBIDDEN}", self.id));
                }
                Good::Shout => {
                    ran.1 = Action::Modify;
                    text = text.to_uppercase();
                }
                Good::Spend if self.amount > 100 => {
                    ran.1 = Action::Ask;
                    reason = Some(format!("{}: spend {}?", self.id, self.amount));
                }
                Good::Tell => {
                    if let Some(topic) = self.topic {
                        ran.1 = Action::Inject;
                        right.injections.push(format!("{}: about {topic}", self.id));
                    }
                }
                Good::Web => right.messages.push(format!("{text} {}", hex(&Sha256::digest(&text)))),
                Good::Watch => ran.1 = Action::Block,
                Good::Allow | Good::Count | Good::Guard | Good::Spend => {}
            }
            right.ran.push((ran.0.to_owned(), ran.1));
            let counts = hook != Good::Watch && (ran.1 != Action::Modify || text != self.text);
            if counts && ran.1 > right.action {
                right.action = ran.1;
                right.hook = Some(hook.name().to_owned());
                right.reason = reason;
            }
            if right.action == Action::Block {
                break;
            }
        }
        right.args = self.args(&text);
        right
    }

    /// What is wrong with `decision`, if anything.
    pub(super) fn fault(&self, decision: &Decision) -> Option<String> {
        let failed = decision.runs.iter().find_map(|run| Some((&run.hook, run.failure.as_ref()?)));
        if let Some((hook, failure)) = failed {
            return Some(format!("`{hook}` behaves, and it failed: {failure}"));
        }
        let (right, seen) = (self.expected(), Essence::of(decision));
        (right != seen).then(|| format!("call {}: expected {right:?}, and there was {seen:?}", self.id))
    }
}

/// What of a decision can be foretold.
#[derive(Debug, PartialEq)]
struct Essence {
    action: Action,
    hook: Option<String>,
    reason: Option<String>,
    args: Value,
    ran: Vec<(String, Action)>,
    messages: Vec<String>,
    injections: Vec<String>,
}

impl Default for Essence {
    fn default() -> Self {
        Self {
            action: Action::Block,
            hook: None,
            reason: None,
            args: Value::Null,
            ran: Vec::new(),
            messages: Vec::new(),
            injections: Vec::new(),
        }
    }
}

impl Essence {
    fn of(decision: &Decision) -> Self {
        // An observing hook's answer is its own; one that enforces has it only if it gave it itself.
        let ran = decision.runs.iter().map(|run| (run.hook.clone(), run.action)).collect();
        let watched = decision.runs.iter().all(|run| (run.mode == Mode::Observe) == (run.hook == Good::Watch.name()));
        Self {
            action: decision.action,
            hook: decision.hook.clone(),
            reason: decision.reason.clone(),
            args: decision.output.get("args").filter(|_| watched).cloned().unwrap_or_default(),
            ran,
            messages: decision.messages.iter().map(|message| message.text.clone()).collect(),
            injections: decision.injections.iter().map(|injection| injection.content.clone()).collect(),
        }
    }
}

/// The number that the counting hook gave this call, if it was asked.
pub(super) fn number(decision: &Decision) -> Option<u64> {
    let log = decision.logs.iter().find(|log| log.hook == Good::Count.name())?;
    // Text that is no number is no number that comes once, either.
    Some(log.message.parse().unwrap_or(0))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
