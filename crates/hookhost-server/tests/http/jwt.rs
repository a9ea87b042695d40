//! JSON Web Tokens.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hookhost_server::{CredentialSources, JwtSettings};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ALLOW, Project, Service};

const SECRET: &str = "a secret of thirty-two bytes or so";

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn claims(role: &str) -> Value {
    json!({ "sub": "ada", "role": role, "exp": now() + 600 })
}

fn hs256(claims: &Value) -> String {
    encode(&Header::default(), claims, &EncodingKey::from_secret(SECRET.as_bytes()).unwrap()).unwrap()
}

/// Each time from another address, so that none has to wait.
async fn inspect(service: &Service, token: &str) -> u16 {
    static ADDRESS: AtomicU8 = AtomicU8::new(1);
    let address = format!("203.0.113.{}", ADDRESS.fetch_add(1, Ordering::Relaxed));
    let request = service.request(Method::GET, "/inspect/hooks").header("x-forwarded-for", address);
    request.bearer_auth(token).send().await.unwrap().status().as_u16()
}

fn with(jwt: JwtSettings) -> CredentialSources {
    CredentialSources::new().jwt(jwt)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_secret_with_a_role_in_the_token() {
    let service = Project::of(ALLOW)
        .serve(|it| it.credentials(with(JwtSettings::default().secret(SECRET))).trusted_proxies(1))
        .await;
    for (role, status) in [("operator", 200), ("api-key", 200), ("end-user", 403), ("root", 401)] {
        assert_eq!(inspect(&service, &hs256(&claims(role))).await, status, "{role}");
    }
    let mut altered = hs256(&claims("end-user"));
    altered.insert(altered.len() / 2, 'A');
    let refused = [
        ("expired", hs256(&json!({ "role": "operator", "exp": now() - 3600 }))),
        ("never expires", hs256(&json!({ "role": "operator" }))),
        ("not yet", hs256(&json!({ "role": "operator", "exp": now() + 9000, "nbf": now() + 3600 }))),
        ("for somebody else", hs256(&json!({ "role": "operator", "exp": now() + 600, "aud": "others" }))),
        ("no role", hs256(&json!({ "exp": now() + 600 }))),
        ("a role that is no text", hs256(&json!({ "role": ["operator"], "exp": now() + 600 }))),
        ("altered", altered),
        ("another secret", {
            let key = EncodingKey::from_secret(b"another secret of thirty-two bytes").unwrap();
            encode(&Header::default(), &claims("operator"), &key).unwrap()
        }),
        ("another algorithm", {
            let key = EncodingKey::from_secret(SECRET.as_bytes()).unwrap();
            encode(&Header::new(Algorithm::HS512), &claims("operator"), &key).unwrap()
        }),
        // {"alg":"none"} and a payload, without a signature.
        ("unsigned", "eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3BlcmF0b3IiLCJleHAiOjk5OTk5OTk5OTl9.".to_owned()),
    ];
    for (what, token) in refused {
        assert_eq!(inspect(&service, &token).await, 401, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn audience_issuer_and_claim_can_be_required() {
    let settings = JwtSettings::default()
        .secret(SECRET)
        .audience("hookhost")
        .issuer("https://id.example")
        .role_claim("hookhost_role");
    let service = Project::of(ALLOW).serve(|it| it.credentials(with(settings)).trusted_proxies(1)).await;
    let token = |aud: Value, iss: Value| {
        let mut claims = json!({ "hookhost_role": "api-key", "exp": now() + 600 });
        for (claim, value) in [("aud", aud), ("iss", iss)] {
            if !value.is_null() {
                claims[claim] = value;
            }
        }
        hs256(&claims)
    };
    let issuer = json!("https://id.example");
    assert_eq!(inspect(&service, &token(json!(["x", "hookhost"]), issuer.clone())).await, 200);
    assert_eq!(inspect(&service, &token(json!("x"), issuer.clone())).await, 401);
    assert_eq!(inspect(&service, &token(json!(null), issuer)).await, 401);
    assert_eq!(inspect(&service, &token(json!("hookhost"), json!("https://evil.example"))).await, 401);
    assert_eq!(inspect(&service, &token(json!("hookhost"), json!(null))).await, 401);
}

/// A key pair of a kind that people use: the private key, the public one in a set, and as PEM.
fn key_pair(algorithm: Algorithm) -> (EncodingKey, Value, Vec<u8>) {
    let ec = algorithm == Algorithm::ES256;
    let pair = rcgen::KeyPair::generate_for(if ec { &rcgen::PKCS_ECDSA_P256_SHA256 } else { &rcgen::PKCS_ED25519 });
    let pair = pair.unwrap();
    let raw = pair.public_key_raw();
    let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let (private, public) = match ec {
        true => (
            EncodingKey::from_ec_der(&pair.serialize_der()),
            // A byte that says that both coordinates follow.
            json!({ "kty": "EC", "crv": "P-256", "x": text(&raw[1..33]), "y": text(&raw[33..]), "kid": "ES256" }),
        ),
        false => (
            EncodingKey::from_ed_der(&pair.serialize_der()),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": text(raw), "kid": "EdDSA", "use": "sig" }),
        ),
    };
    (private, public, pair.public_key_pem().into_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn public_keys_verify_what_their_private_ones_signed() {
    let (ec, ec_public, ec_pem) = key_pair(Algorithm::ES256);
    let (ed, ed_public, _) = key_pair(Algorithm::EdDSA);
    let (stranger, ..) = key_pair(Algorithm::ES256);
    let set = json!({ "keys": [ec_public, ed_public] }).to_string();
    let project = Project::of(ALLOW).file("jwks.json", &set);
    let settings = JwtSettings::default().jwks_file(project.path("jwks.json"));
    let service = project.serve(|it| it.credentials(with(settings)).trusted_proxies(1)).await;

    let sign = |algorithm, id: Option<&str>, key: &EncodingKey| {
        let header = Header { kid: id.map(str::to_owned), ..Header::new(algorithm) };
        encode(&header, &claims("api-key"), key).unwrap()
    };
    assert_eq!(inspect(&service, &sign(Algorithm::ES256, Some("ES256"), &ec)).await, 200);
    assert_eq!(inspect(&service, &sign(Algorithm::ES256, None, &ec)).await, 200);
    assert_eq!(inspect(&service, &sign(Algorithm::EdDSA, Some("EdDSA"), &ed)).await, 200);
    assert_eq!(inspect(&service, &sign(Algorithm::ES256, Some("ES256"), &stranger)).await, 401);
    assert_eq!(inspect(&service, &sign(Algorithm::ES256, Some("EdDSA"), &ec)).await, 401);
    // Everybody knows a public key: it is no secret.
    let forged = EncodingKey::from_secret(&ec_pem).unwrap();
    assert_eq!(inspect(&service, &sign(Algorithm::HS256, Some("ES256"), &forged)).await, 401);
    assert_eq!(inspect(&service, &sign(Algorithm::HS256, None, &forged)).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_cannot_be_used_stop_the_start() {
    let project = Project::of(ALLOW)
        .file("short", "secret\n")
        .file("none.json", r#"{"keys": []}"#)
        .file("bad.json", "[]")
        .file("shared.json", r#"{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}"#);
    let mut said = String::new();
    for settings in [
        JwtSettings::new().audience("hookhost"),
        JwtSettings::default().secret("secret"),
        JwtSettings::default().secret_file(project.path("short")),
        JwtSettings::default().secret_file(project.path("missing")),
        JwtSettings::default().jwks_file(project.path("none.json")),
        JwtSettings::default().jwks_file(project.path("bad.json")),
        JwtSettings::default().jwks_file(project.path("shared.json")),
    ] {
        let error = project.try_serve(|it| it.credentials(with(settings)).trusted_proxies(1)).await.err().unwrap();
        said.push_str(&format!("{error}\n"));
    }
    insta::assert_snapshot!(said.replace(&project.path("").display().to_string(), "<project>/"));
}
