//! What `serve` and `token` take.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hookhost_server::Role;

pub(super) const SERVE_HELP: &str = r#"Routes:
  POST /v1/decide           one decision: {"point": "...", "payload": {}}
  GET  /inspect/hooks       the hooks, their state and counters
  POST /inspect/hooks/test  the same as /v1/decide, for trying
  GET  /v1/decisions        the latest decisions, as a stream of events
  POST /v1/reload           read hooks, tokens and certificate again (operator)
  GET  /healthz /readyz /metrics /openapi.json, and a page for people at /

Without tokens the service is open to its own machine, and listens nowhere else. Tokens come from a file (`hookhost token`
writes its entries), from HOOKHOST_API_KEY and HOOKHOST_OPERATOR_TOKEN, or are JSON Web Tokens with the role in a claim.

Signals: SIGTERM and ctrl-c end it when what is under way is finished, a second one at once; SIGHUP is as /v1/reload.

Logs go to stderr, from `info` on; as JSON with --format json.

Examples:
  hookhost serve
  hookhost serve --listen 0.0.0.0:8787 --tokens tokens.json --tls-cert cert.pem --tls-key key.pem
  curl -s localhost:8787/v1/decide -H 'content-type: application/json' -d '{"point":"preInput","payload":{"text":"hello"}}'

Exit codes: 0 ended; 1 the project is broken, the address is taken, or the end was not waited for; 2 the input was not
understood."#;

/// What `serve` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", env = "HOOKHOST_LISTEN", default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,
    /// The tokens that are let in: {"tokens": [{"name": "...", "role": "api-key", "sha256": "..."}]}
    #[arg(long, value_name = "FILE", env = "HOOKHOST_TOKENS")]
    pub(crate) tokens: Option<PathBuf>,
    /// The secret of JSON Web Tokens (HS256), at least 32 bytes; or HOOKHOST_JWT_SECRET
    #[arg(long, value_name = "FILE")]
    pub(crate) jwt_secret_file: Option<PathBuf>,
    /// Public keys of JSON Web Tokens: a JSON Web Key Set
    #[arg(long, value_name = "FILE")]
    pub(crate) jwks: Option<PathBuf>,
    /// Whom JSON Web Tokens must be for; repeatable
    #[arg(long, value_name = "AUDIENCE")]
    pub(crate) jwt_audience: Vec<String>,
    /// Who must have issued JSON Web Tokens; repeatable
    #[arg(long, value_name = "ISSUER")]
    pub(crate) jwt_issuer: Vec<String>,
    /// The claim that holds the role: api-key, operator or end-user
    #[arg(long, value_name = "CLAIM", default_value = "role")]
    pub(crate) jwt_role_claim: String,
    /// Serve over TLS: the certificate and those that vouch for it, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The certificate's private key, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// What ctx.store reads: as for `run`, or a PostgreSQL database postgres://...
    #[arg(long, value_name = "PATH|URL", env = "HOOKHOST_STORE", hide_env_values = true)]
    pub(crate) store: Option<PathBuf>,
    /// Expose a variable of the environment in ctx.env, or a value of its own; repeatable
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<String>,
    /// Do not start, and do not reload, while a local hook cannot be loaded from disk
    #[arg(long)]
    pub(crate) strict: bool,
    /// Append a line of JSON for each answer that is not an allow, and for each failure
    #[arg(long, value_name = "FILE")]
    pub(crate) audit: Option<PathBuf>,
    /// How many proxies of yours stand before the service: so many addresses of X-Forwarded-For are believed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) trusted_proxies: usize,
    /// Let anybody read /metrics
    #[arg(long)]
    pub(crate) public_metrics: bool,
    /// How many decisions may be under way; more are answered with 503
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = super::at_least_one)]
    pub(crate) max_decisions: usize,
    /// At the end: how long to accept connections while /readyz says no, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = wait)]
    pub(crate) drain: Duration,
    /// At the end: how long requests under way may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = wait)]
    pub(crate) grace: Duration,
}

pub(super) const TOKEN_HELP: &str = r#"The token itself is printed once and is for whoever calls. The entry, which has its SHA-256 only, is for the file that
`serve --tokens` reads: {"tokens": [<entry>, ...]}.

Roles: api-key looks, tests and decides; operator does that, and reloads; end-user may do nothing, and is told so.

Examples:
  hookhost token chat-loop
  hookhost token ops --role operator --format json

Exit codes: 0 made; 1 the operating system has no random bytes; 2 the input was not understood."#;

/// What `token` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Token {
    /// Whose it is; the log shows it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What it stands for
    #[arg(long, value_name = "ROLE", default_value = "api-key", value_parser = roles())]
    pub(crate) role: Role,
}

fn roles() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::NAMES).try_map(|name| name.parse::<Role>())
}

fn wait(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "write a number from 0 to 86400".to_owned())
}
