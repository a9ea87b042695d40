//! Words of closed lists, from files that somebody else wrote.

use std::fmt::Display;
use std::str::FromStr;

use crate::text::shown;

/// One word of a closed list, or the list's own message about it.
pub(crate) fn parse_word<T: FromStr<Err: Display>>(word: &str) -> Result<T, String> {
    word.parse().map_err(|error: T::Err| {
        // The message quotes the word: a long one is cut, unless that makes it a word of the list.
        match shown(word).parse::<T>() {
            Err(short) => short.to_string(),
            Ok(_) => error.to_string(),
        }
    })
}
