//! What a person is asked, and what they may answer.

use std::time::Duration;

use hookhost_contract::{Approval, ApprovalDefault, JsonObject, Point};
use serde::{Serialize, Serializer};

use super::PayloadHash;

/// A question to a person about one payload, as it would go on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// Names the question; the events about it carry the same id.
    pub id: String,
    /// The session that asks.
    pub session_id: String,
    /// The turn that asks.
    pub turn_id: String,
    /// Where in the turn the question arose.
    pub point: Point,
    /// The tool, at the two tool points.
    pub tool_name: Option<String>,
    /// The question.
    pub prompt: String,
    /// Everybody who wants this asked, and why. The first one's terms hold.
    pub asked_by: Vec<AskedBy>,
    /// What may be answered.
    pub options: Vec<ApprovalOption>,
    /// How long an answer is waited for. In JSON: seconds.
    #[serde(rename = "timeoutSeconds", serialize_with = "as_seconds")]
    pub timeout: Duration,
    /// What it means if there is none in time.
    pub default: ApprovalDefault,
    /// The exact payload that is asked about: what is approved is this, and nothing else.
    pub payload: JsonObject,
    /// Names the payload: an approval holds for payloads of the same hash.
    pub payload_hash: PayloadHash,
}

/// Who wants a person asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedBy {
    /// The hook. `None`: the tool policy.
    pub hook: Option<String>,
    /// Why.
    pub reason: String,
}

/// One of the answers that a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalOption {
    /// What it says.
    pub label: String,
    /// What it means.
    pub choice: ApprovalChoice,
}

/// What an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalChoice {
    /// This goes on, this time.
    AllowOnce,
    /// This payload goes on, now and whenever it comes again in this session.
    AllowAlways,
    /// This does not go on.
    Deny,
}

/// What a person answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalAnswer {
    /// This goes on, this time.
    AllowOnce,
    /// This payload goes on, now and whenever it comes again in this session.
    AllowAlways,
    /// This does not go on.
    Deny {
        /// What the model is told about it.
        message: Option<String>,
    },
}

impl ApprovalAnswer {
    /// What the answer means.
    pub fn choice(&self) -> ApprovalChoice {
        match self {
            Self::AllowOnce => ApprovalChoice::AllowOnce,
            Self::AllowAlways => ApprovalChoice::AllowAlways,
            Self::Deny { .. } => ApprovalChoice::Deny,
        }
    }
}

impl ApprovalRequest {
    /// The answer that choosing `option` gives. An option of the hook's own that is a way to say no reaches the model in
    /// its words.
    pub fn answer_of(&self, option: &ApprovalOption) -> ApprovalAnswer {
        match option.choice {
            ApprovalChoice::AllowOnce => ApprovalAnswer::AllowOnce,
            ApprovalChoice::AllowAlways => ApprovalAnswer::AllowAlways,
            ApprovalChoice::Deny => {
                ApprovalAnswer::Deny { message: (!is_plain_no(&option.label)).then(|| option.label.clone()) }
            }
        }
    }

    /// The answer as far as it was on offer: nobody gets more than the options say.
    pub(crate) fn limited(&self, answer: ApprovalAnswer) -> ApprovalAnswer {
        let offered = |choice| self.options.iter().any(|option| option.choice == choice);
        match answer {
            ApprovalAnswer::AllowAlways if offered(ApprovalChoice::AllowAlways) => ApprovalAnswer::AllowAlways,
            ApprovalAnswer::AllowOnce if offered(ApprovalChoice::AllowAlways) => ApprovalAnswer::AllowOnce,
            ApprovalAnswer::AllowOnce | ApprovalAnswer::AllowAlways if offered(ApprovalChoice::AllowOnce) => {
                ApprovalAnswer::AllowOnce
            }
            ApprovalAnswer::AllowOnce | ApprovalAnswer::AllowAlways => {
                ApprovalAnswer::Deny { message: Some("the answer was not one of those on offer".to_owned()) }
            }
            deny @ ApprovalAnswer::Deny { .. } => deny,
        }
    }
}

/// The options of an approval: those that the hook wrote, or the usual three. One can always say no.
pub(crate) fn options_of(approval: &Approval) -> Vec<ApprovalOption> {
    let option = |label: &str, choice| ApprovalOption { label: label.to_owned(), choice };
    let deny = option("Deny", ApprovalChoice::Deny);
    let Some(labels) = &approval.options else {
        return vec![
            option("Allow once", ApprovalChoice::AllowOnce),
            option("Allow always", ApprovalChoice::AllowAlways),
            deny,
        ];
    };
    let mut options: Vec<_> = labels.iter().map(|label| option(label, meaning(label))).collect();
    if options.iter().all(|option| option.choice != ApprovalChoice::Deny) {
        options.push(deny);
    }
    options
}

/// What a hook's option means. A word that nobody here knows is a no: it must not open anything.
fn meaning(label: &str) -> ApprovalChoice {
    match folded(label).as_str() {
        "allow" | "allow once" | "allow it" | "approve" | "approve once" | "yes" | "ok" | "once" => {
            ApprovalChoice::AllowOnce
        }
        "allow always"
        | "always allow"
        | "approve always"
        | "always"
        | "allow for this session"
        | "allow always for this session" => ApprovalChoice::AllowAlways,
        _ => ApprovalChoice::Deny,
    }
}

fn is_plain_no(label: &str) -> bool {
    matches!(folded(label).as_str(), "deny" | "no" | "cancel" | "reject" | "block")
}

fn folded(label: &str) -> String {
    label.trim().to_lowercase().replace(['-', '_'], " ")
}

fn as_seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(labels: &[&str]) -> Vec<ApprovalChoice> {
        let options = Some(labels.iter().map(|&label| label.to_owned()).collect());
        options_of(&Approval { options, ..Approval::default() }).iter().map(|option| option.choice).collect()
    }

    #[test]
    fn the_usual_words_mean_what_they_say() {
        use ApprovalChoice::{AllowAlways, AllowOnce, Deny};
        assert_eq!(choices(&["Allow once", "Allow always", "Deny"]), [AllowOnce, AllowAlways, Deny]);
        assert_eq!(choices(&["allow", "deny"]), [AllowOnce, Deny]);
    }

    #[test]
    fn what_nobody_knows_is_a_no_and_one_can_always_say_no() {
        use ApprovalChoice::{AllowOnce, Deny};
        assert_eq!(choices(&["Allow once", "Allowed by finance"]), [AllowOnce, Deny]);
        assert_eq!(choices(&["Yes"]), [AllowOnce, Deny]);
    }
}
