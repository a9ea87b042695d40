//! JSON Web Tokens: who issued them is known by a shared secret or by public keys.

use std::fs;
use std::path::PathBuf;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::Value;

use super::role::{Identity, Role};

/// The shortest secret for HS256, in bytes: as long as its hash (RFC 7518, section 3.2).
const SHORTEST_SECRET: usize = 32;
/// The claim with the role, unless somebody says otherwise.
const ROLE_CLAIM: &str = "role";

/// How JSON Web Tokens are verified. A token has to say when it expires (`exp`), and in the role claim what it stands for.
///
/// A token with an `aud` is let in only if that names one of the audiences.
#[derive(Clone)]
#[must_use]
pub struct JwtSettings {
    secret: Option<Secret>,
    jwks: Option<PathBuf>,
    audiences: Vec<String>,
    issuers: Vec<String>,
    role_claim: String,
}

#[derive(Clone)]
enum Secret {
    Text(String),
    File(PathBuf),
}

impl Default for JwtSettings {
    fn default() -> Self {
        Self { secret: None, jwks: None, audiences: Vec::new(), issuers: Vec::new(), role_claim: ROLE_CLAIM.to_owned() }
    }
}

impl JwtSettings {
    /// The secret of HS256, at least 32 bytes. Default: no HS256.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(Secret::Text(secret.into()));
        self
    }

    /// The same, from a file, without the line end at its end.
    pub fn secret_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.secret = Some(Secret::File(path.into()));
        self
    }

    /// A file with public keys, a JSON Web Key Set. Default: none.
    pub fn jwks_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.jwks = Some(path.into());
        self
    }

    /// An audience that tokens may be for; once there is one, they must be. Adds to earlier ones.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Who may have issued a token; once there is one, tokens must name it. Adds to earlier ones.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuers.push(issuer.into());
        self
    }

    /// The claim with the role's name. Default: `role`.
    pub fn role_claim(mut self, claim: impl Into<String>) -> Self {
        self.role_claim = claim.into();
        self
    }

    /// No keys, so no tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// True if tokens can be verified.
    pub(crate) fn has_keys(&self) -> bool {
        self.secret.is_some() || self.jwks.is_some()
    }

    /// True if somebody said how tokens are to be, and so expects that some are wanted.
    pub(crate) fn has_wishes(&self) -> bool {
        !self.audiences.is_empty() || !self.issuers.is_empty() || self.role_claim != ROLE_CLAIM
    }

    pub(crate) fn verifier(&self) -> Result<JwtVerifier, String> {
        let mut keys = Vec::new();
        if let Some(secret) = &self.secret {
            let text = match secret {
                Secret::Text(text) => text.clone(),
                Secret::File(path) => fs::read_to_string(path)
                    .map_err(|error| format!("the JWT secret in `{}` cannot be read: {error}", path.display()))?,
            };
            keys.push(shared_key(text.trim_end_matches(['\r', '\n']))?);
        }
        if let Some(path) = &self.jwks {
            let shown = path.display();
            let text = fs::read_to_string(path).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
            keys.extend(public_keys(&text).map_err(|problem| format!("`{shown}`: {problem}"))?);
        }
        Ok(JwtVerifier {
            keys,
            audiences: self.audiences.clone(),
            issuers: self.issuers.clone(),
            role_claim: self.role_claim.clone(),
        })
    }
}

/// Verifies tokens.
pub(crate) struct JwtVerifier {
    keys: Vec<Key>,
    audiences: Vec<String>,
    issuers: Vec<String>,
    role_claim: String,
}

/// A key is for its own algorithms only. Else a public key, which everybody knows, could be taken for a shared secret.
struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

impl JwtVerifier {
    /// Who a token stands for, or why it is no token of ours.
    pub(crate) fn verify(&self, token: &str) -> Result<Identity, String> {
        let header = decode_header(token).map_err(|_| "not a JSON Web Token".to_owned())?;
        let mut why = format!("there is no key for its algorithm and its `kid`, {:?}", header.alg);
        for key in &self.keys {
            let other_id = key.id.is_some() && header.kid.is_some() && key.id != header.kid;
            if other_id || !key.algorithms.contains(&header.alg) {
                continue;
            }
            match decode::<Value>(token, &key.key, &self.validation(header.alg)) {
                Ok(data) => return self.identity(&data.claims),
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.validate_nbf = true;
        let mut required = vec!["exp"];
        if !self.audiences.is_empty() {
            validation.set_audience(&self.audiences);
            required.push("aud");
        }
        if !self.issuers.is_empty() {
            validation.set_issuer(&self.issuers);
            required.push("iss");
        }
        validation.set_required_spec_claims(&required);
        validation
    }

    fn identity(&self, claims: &Value) -> Result<Identity, String> {
        let claim = &self.role_claim;
        let role = claims[claim].as_str().ok_or_else(|| format!("it has no claim `{claim}` with a role's name"))?;
        let role: Role = role.parse().map_err(|_| format!("its claim `{claim}` is no role"))?;
        let name = claims["sub"].as_str().unwrap_or("jwt").to_owned();
        Ok(Identity { name, role })
    }
}

fn shared_key(secret: &str) -> Result<Key, String> {
    if secret.len() < SHORTEST_SECRET {
        return Err(format!("the JWT secret has {} bytes: HS256 needs {SHORTEST_SECRET} or more", secret.len()));
    }
    let key = DecodingKey::from_secret(secret.as_bytes()).map_err(|error| error.to_string())?;
    Ok(Key { id: None, algorithms: vec![Algorithm::HS256], key })
}

fn public_keys(text: &str) -> Result<Vec<Key>, String> {
    let set: JwkSet = serde_json::from_str(text).map_err(|error| format!("no JSON Web Key Set: {error}"))?;
    let mut keys = Vec::new();
    for jwk in &set.keys {
        if jwk.common.public_key_use.as_ref().is_some_and(|usage| *usage != PublicKeyUse::Signature) {
            continue;
        }
        keys.extend(public_key(jwk)?);
    }
    if keys.is_empty() {
        return Err("it has no key that can verify a signature".to_owned());
    }
    Ok(keys)
}

/// `None` for a kind of key that is not known here: a set may have keys for others.
fn public_key(jwk: &Jwk) -> Result<Option<Key>, String> {
    let id = jwk.common.key_id.clone();
    let fitting = match &jwk.algorithm {
        AlgorithmParameters::OctetKey(_) => {
            return Err(
                "it has a shared secret (`oct`), which belongs elsewhere: give it with --jwt-secret-file".to_owned()
            );
        }
        AlgorithmParameters::RSA(_) => vec![
            Algorithm::RS256,
            Algorithm::RS384,
            Algorithm::RS512,
            Algorithm::PS256,
            Algorithm::PS384,
            Algorithm::PS512,
        ],
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => vec![Algorithm::ES256],
            EllipticCurve::P384 => vec![Algorithm::ES384],
            _ => return Ok(None),
        },
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => vec![Algorithm::EdDSA],
        _ => return Ok(None),
    };
    let algorithms = match jwk.common.key_algorithm {
        None => fitting,
        Some(named) => match Algorithm::try_from(named).ok().filter(|named| fitting.contains(named)) {
            Some(named) => vec![named],
            None => return Ok(None),
        },
    };
    let shown = id.as_deref().unwrap_or("without `kid`");
    let key = DecodingKey::from_jwk(jwk).map_err(|error| format!("key {shown} cannot be used: {error}"))?;
    Ok(Some(Key { id, algorithms, key }))
}
