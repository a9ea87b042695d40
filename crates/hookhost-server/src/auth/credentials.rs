//! Where tokens come from, and what of them is kept.

use std::fs;
use std::path::PathBuf;

use super::jwt::{JwtSettings, JwtVerifier};
use super::role::{Identity, Role};
use super::tokens::{TokenFile, Tokens};

/// Where the tokens come from that the service lets in. A reload reads the files again.
///
/// With none, the service is open to the machine that it runs on, and to nobody else.
#[derive(Clone, Default)]
#[must_use]
pub struct CredentialSources {
    files: Vec<PathBuf>,
    plain: Vec<(String, Role, String)>,
    jwt: JwtSettings,
}

/// Tokens that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CredentialError(pub(crate) String);

impl CredentialSources {
    /// No tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tokens of a file: `{ "tokens": [{ "name": "ci", "role": "api-key", "sha256": "..." }] }`, with the SHA-256 of each
    /// token in hexadecimal digits. Adds to earlier ones.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// A token as it is, under a name for the log. At least 20 characters. Adds to earlier ones.
    pub fn token(mut self, name: impl Into<String>, role: Role, token: impl Into<String>) -> Self {
        self.plain.push((name.into(), role, token.into()));
        self
    }

    /// JSON Web Tokens. Default: none.
    pub fn jwt(mut self, settings: JwtSettings) -> Self {
        self.jwt = settings;
        self
    }

    /// Reads everything.
    pub(crate) fn read(&self) -> Result<Credentials, CredentialError> {
        let mut tokens = Tokens::default();
        for path in &self.files {
            let shown = path.display();
            let text = fs::read_to_string(path)
                .map_err(|error| CredentialError(format!("the tokens in `{shown}` cannot be read: {error}")))?;
            let file: TokenFile = serde_json::from_str(text.trim_start_matches('\u{feff}'))
                .map_err(|error| CredentialError(format!("`{shown}` is no file of tokens: {error}")))?;
            tokens.add_file(file).map_err(|problem| CredentialError(format!("`{shown}`: {problem}")))?;
        }
        for (name, role, token) in &self.plain {
            tokens.add_plain(name, *role, token).map_err(CredentialError)?;
        }
        if self.jwt.has_wishes() && !self.jwt.has_keys() {
            return Err(CredentialError(
                "JSON Web Tokens are expected, and there is no key to verify them with".to_owned(),
            ));
        }
        let jwt = if self.jwt.has_keys() { Some(self.jwt.verifier().map_err(CredentialError)?) } else { None };
        let credentials = Credentials { tokens, jwt };
        if credentials.is_empty() && !self.files.is_empty() {
            // An empty file must not open the service to everybody.
            return Err(CredentialError(format!("`{}` has no tokens", self.files[0].display())));
        }
        Ok(credentials)
    }
}

/// What is let in.
pub(crate) struct Credentials {
    tokens: Tokens,
    jwt: Option<JwtVerifier>,
}

impl Credentials {
    /// True if nobody has to show a token.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty() && self.jwt.is_none()
    }

    /// Whose token it is, or why it is nobody's. The reason is for the log, and never has the token in it.
    pub(crate) fn identify(&self, token: &str) -> Result<Identity, String> {
        if let Some(identity) = self.tokens.find(token) {
            return Ok(identity.clone());
        }
        match &self.jwt {
            Some(jwt) => jwt.verify(token),
            None => Err("nobody's token".to_owned()),
        }
    }
}
