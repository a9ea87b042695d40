//! Closed lists of words: each is written once, and parsing, printing, serde, schema and "did you mean" follow from it.

/// A word that is not in its list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{given}`: {}", advice(.suggestion.as_deref(), .known))]
pub struct UnknownWord {
    /// What the list is of, for instance `capability`.
    pub what: &'static str,
    /// The word that was given.
    pub given: String,
    /// The known word that is close enough to be meant.
    pub suggestion: Option<String>,
    /// Every known word.
    pub known: &'static [&'static str],
}

fn advice(suggestion: Option<&str>, known: &[&str]) -> String {
    match suggestion {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("write one of {}", quoted(known)),
    }
}

pub(crate) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The known word closest to `given`, when it is close enough to be a slip of the pen: another case, a missing or
/// doubled letter, a swapped pair, a missing end.
pub fn suggest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word can come from a hostile file: beyond this length it is no slip of the pen, and comparing it costs time.
    if given.is_empty() || given.len() > 64 {
        return None;
    }
    let folded = given.to_lowercase();
    // One slip in a short word, two in a longer one.
    let slips = if folded.chars().count() < 6 { 1 } else { 2 };
    known
        .into_iter()
        .filter_map(|word| {
            let target = word.to_lowercase();
            // A cut-off word (`preTool`) is far from its target by distance, and still obvious.
            let cut_off = folded.len() >= 4 && target.starts_with(&folded);
            let distance = strsim::damerau_levenshtein(&folded, &target);
            (cut_off || distance <= slips).then_some((distance, word))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Declares an enum whose variants are the words of a list.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident as $what:literal {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        pub enum $name {
            $( $(#[$variant_meta])* #[serde(rename = $word)] $variant ),+
        }

        impl $name {
            /// Every value, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Every word, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that files and messages use.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownWord {
                        what: $what,
                        given: word.to_owned(),
                        suggestion: $crate::suggest(word, Self::WORDS.iter().copied()).map(str::to_owned),
                        known: Self::WORDS,
                    }),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
        let points = ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"];
        for (given, meant) in [
            ("preTool", "preToolUse"),
            ("pretooluse", "preToolUse"),
            ("PreToolUse", "preToolUse"),
            ("preToolUsee", "preToolUse"),
            ("postTrun", "postTurn"),
            ("preInptu", "preInput"),
        ] {
            assert_eq!(suggest(given, points), Some(meant), "{given}");
        }
    }

    #[test]
    fn a_stranger_is_not() {
        let points = ["preInput", "preToolUse"];
        assert_eq!(suggest("banana", points), None);
        assert_eq!(suggest("prefix", points), None);
        assert_eq!(suggest("", points), None);
        assert_eq!(suggest(&"preInput".repeat(1000), points), None);
    }
}
