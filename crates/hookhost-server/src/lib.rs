//! The HTTP service of hookhost: inspect, test, decide.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use hookhost::HookHost;
//! use hookhost_server::{CredentialSources, Server};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let host = Arc::new(HookHost::builder().project(".").build().await?);
//! let server = Server::builder(host).credentials(CredentialSources::new().file("tokens.json")).build()?;
//! let listener = tokio::net::TcpListener::bind("0.0.0.0:8787").await?;
//! let interrupted = async { drop(tokio::signal::ctrl_c().await) };
//! server.serve(listener, interrupted).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A program that has an axum server of its own takes [`Server::router`]. What the routes answer is in
//! `docs/http.md` and, for programs, in `/openapi.json`.
//!
//! Whoever may not call gets no decision, and an answer that is not 200 is none: a loop must take it for a block.

#![forbid(unsafe_code)]

mod app;
mod auth;
mod body;
mod error;
mod feed;
mod last_calls;
mod metrics;
mod observe;
mod openapi;
#[cfg(feature = "otel")]
mod otel;
mod reload;
mod request;
mod routes;
mod serve;
mod server;
mod tally;
mod tls;
mod usage;

pub use auth::{CredentialError, CredentialSources, JwtSettings, NewToken, NoRandomness, Role, UnknownRole};
#[cfg(feature = "otel")]
pub use otel::{OtelError, Telemetry};
pub use reload::ReloadError;
pub use server::{Server, ServerBuilder, ServerError};
pub use tls::{TlsError, TlsFiles};
