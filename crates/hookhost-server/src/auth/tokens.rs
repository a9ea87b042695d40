//! Tokens that are known beforehand. Only their digests are kept.
//!
//! A plain SHA-256 is enough for a long random token: there is nothing to guess that a slow hash would protect. So short
//! ones are refused.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::role::{Identity, Role};

/// The shortest token, in characters: below that somebody could guess.
const SHORTEST: usize = 20;

/// A token that was just made.
///
/// ```
/// let made = hookhost_server::NewToken::make().unwrap();
/// assert!(made.token.starts_with("hh_"));
/// assert_eq!(made.sha256.len(), 64);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct NewToken {
    /// The token itself, `hh_` and 256 random bits: for whoever calls, and for nobody else.
    pub token: String,
    /// Its SHA-256 in hexadecimal digits, for the file of tokens.
    pub sha256: String,
}

/// The operating system has no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system has no random bytes")]
pub struct NoRandomness;

impl NewToken {
    /// Makes one.
    ///
    /// # Errors
    /// The operating system has no random bytes.
    pub fn make() -> Result<Self, NoRandomness> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|_| NoRandomness)?;
        let token = format!("hh_{}", hex::encode(random));
        let sha256 = hex::encode(digest(&token));
        Ok(Self { token, sha256 })
    }
}

/// The file of tokens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenFile {
    tokens: Vec<TokenEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    name: String,
    role: Role,
    sha256: String,
}

/// The tokens that are let in.
#[derive(Default)]
pub(crate) struct Tokens {
    all: Vec<Token>,
}

struct Token {
    identity: Identity,
    digest: [u8; 32],
}

impl Tokens {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds those of a file.
    pub(crate) fn add_file(&mut self, file: TokenFile) -> Result<(), String> {
        for TokenEntry { name, role, sha256 } in file.tokens {
            let mut digest = [0; 32];
            hex::decode_to_slice(&sha256, &mut digest).map_err(|_| {
                format!("the `sha256` of token `{name}` is not 64 hexadecimal digits: `hookhost token` writes an entry")
            })?;
            self.add(Token { identity: Identity { name, role }, digest })?;
        }
        Ok(())
    }

    /// Adds a token that is known as such, for instance from the environment.
    pub(crate) fn add_plain(&mut self, name: &str, role: Role, token: &str) -> Result<(), String> {
        if token.chars().count() < SHORTEST {
            return Err(format!(
                "the token of `{name}` is shorter than {SHORTEST} characters, so it could be guessed: `hookhost token` makes one"
            ));
        }
        if !token.chars().all(|c| c.is_ascii_graphic()) {
            return Err(format!("the token of `{name}` has a character that no HTTP header can carry"));
        }
        self.add(Token { identity: Identity { name: name.to_owned(), role }, digest: digest(token) })
    }

    /// One token with two roles would be let in as either.
    fn add(&mut self, token: Token) -> Result<(), String> {
        if let Some(same) = self.all.iter().find(|other| other.digest == token.digest) {
            let (one, other) = (&same.identity.name, &token.identity.name);
            return Err(format!("`{one}` and `{other}` have the same token: each needs its own"));
        }
        self.all.push(token);
        Ok(())
    }

    /// Whose token it is. Every token is compared, and in constant time: how long it takes says nothing.
    pub(crate) fn find(&self, presented: &str) -> Option<&Identity> {
        let digest = digest(presented);
        let mut found = None;
        for token in &self.all {
            if bool::from(token.digest.ct_eq(&digest)) {
                found = Some(&token.identity);
            }
        }
        found
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(json: serde_json::Value) -> Result<Tokens, String> {
        let mut tokens = Tokens::default();
        tokens.add_file(serde_json::from_value(json).map_err(|error| error.to_string())?)?;
        Ok(tokens)
    }

    #[test]
    fn a_new_token_is_found_by_its_digest() {
        let NewToken { token, sha256: digest } = NewToken::make().unwrap();
        let tokens =
            file(serde_json::json!({ "tokens": [{ "name": "ci", "role": "operator", "sha256": digest }] })).unwrap();
        assert_eq!(tokens.find(&token), Some(&Identity { name: "ci".to_owned(), role: Role::Operator }));
        assert_eq!(tokens.find(&digest), None, "the file is no token");
        assert_eq!(tokens.find(""), None);
    }

    #[test]
    fn what_no_token_can_be_is_refused() {
        let entry =
            |sha256: &str| serde_json::json!({ "tokens": [{ "name": "ci", "role": "operator", "sha256": sha256 }] });
        insta::assert_snapshot!(file(entry("abc")).err().unwrap(), @"the `sha256` of token `ci` is not 64 hexadecimal digits: `hookhost token` writes an entry");
        let mut tokens = Tokens::default();
        insta::assert_snapshot!(tokens.add_plain("HOOKHOST_API_KEY", Role::ApiKey, "secret").unwrap_err(), @"the token of `HOOKHOST_API_KEY` is shorter than 20 characters, so it could be guessed: `hookhost token` makes one");
        let token = "a token with blanks in it";
        insta::assert_snapshot!(tokens.add_plain("k", Role::ApiKey, token).unwrap_err(), @"the token of `k` has a character that no HTTP header can carry");
        tokens.add_plain("one", Role::ApiKey, "0123456789012345678901").unwrap();
        let same = tokens.add_plain("two", Role::Operator, "0123456789012345678901");
        insta::assert_snapshot!(same.unwrap_err(), @"`one` and `two` have the same token: each needs its own");
    }
}
