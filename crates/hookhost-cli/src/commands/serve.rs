//! `hookhost serve`: the HTTP service, until a signal ends it.

use std::fmt::Write;
use std::sync::Arc;

use hookhost::{HookHost, HookState, HostReport, JsonlSink, exit};
use hookhost_server::{CredentialSources, JwtSettings, Role, Server, ServerBuilder, TlsFiles};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::host::{report_problems, with_ctx};
use super::no_hooks;
use crate::args::{Ctx, Format, Global, Serve};
use crate::output::{self, Outcome, Problem};
use crate::style::{self, paint};

pub(crate) fn serve(global: &Global, serve: &Serve) -> Result<Outcome, Problem> {
    let ctx = Ctx { store: serve.store.clone(), env: serve.env.clone(), ..Ctx::default() };
    let mut builder = with_ctx(HookHost::builder().project(global.project()), global, &ctx)?.strict(serve.strict);
    if let Some(path) = &serve.audit {
        let sink = JsonlSink::create(path)
            .map_err(|error| Problem::usage(format!("`{}` cannot be written: {error}", path.display())))?;
        builder = builder.audit(sink);
    }
    let credentials = credentials(serve)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::failed(format!("cannot start: {error}")))?;
    runtime.block_on(async {
        // Before the hooks are started, so that a signal meanwhile is not lost.
        let mut signals = Signals::listen()?;
        let built = tokio::select! {
            built = builder.build() => built,
            () = signals.end() => return Ok(Outcome { text: String::new(), code: exit::OK }),
        };
        let host = Arc::new(built.map_err(|error| Problem::failed(error.to_string()))?);
        let report = host.report();
        report_problems(&report, global.project());
        if report.hooks.is_empty() {
            // Most likely the wrong folder; and every call would be allowed.
            return Err(Problem::failed(format!("nothing to serve: {}", no_hooks(global.project()))));
        }
        let server = settings(Server::builder(host), serve)
            .credentials(credentials)
            .build()
            .map_err(|error| Problem::usage(error.to_string()))?;
        let listener = TcpListener::bind(serve.listen)
            .await
            .map_err(|error| Problem::failed(format!("cannot listen on {}: {error}", serve.listen)))?;
        greet(global, &server, &listener, &report)?;
        run(&server, listener, &mut signals).await
    })
}

/// Serves until a signal; a second one does not wait for the end.
async fn run(server: &Server, listener: TcpListener, signals: &mut Signals) -> Result<Outcome, Problem> {
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = server.serve(listener, async { drop(stopped.await) });
    let mut serving = std::pin::pin!(serving);
    let mut stop = Some(stop);
    loop {
        tokio::select! {
            served = &mut serving => {
                served.map_err(|error| Problem::usage(error.to_string()))?;
                return Ok(Outcome { text: String::new(), code: exit::OK });
            }
            signal = signals.next() => match signal {
                Signal::Reload => {
                    let server = server.clone();
                    // What came of it is in the log.
                    tokio::spawn(async move { drop(server.reload().await) });
                }
                Signal::End => match stop.take() {
                    Some(stop) => drop(stop.send(())),
                    None => return Err(Problem::failed("ended at once: what was under way is cut off")),
                },
            },
        }
    }
}

fn settings(builder: ServerBuilder, serve: &Serve) -> ServerBuilder {
    let builder = builder
        .trusted_proxies(serve.trusted_proxies)
        .public_metrics(serve.public_metrics)
        .max_decisions(serve.max_decisions)
        .drain(serve.drain)
        .grace(serve.grace);
    match (&serve.tls_cert, &serve.tls_key) {
        (Some(certificate), Some(key)) => builder.tls(TlsFiles { certificate: certificate.clone(), key: key.clone() }),
        _ => builder,
    }
}

/// Tokens as such are in the environment only: everybody on a machine can read the arguments of its processes.
fn credentials(serve: &Serve) -> Result<CredentialSources, Problem> {
    let mut sources = CredentialSources::new();
    if let Some(file) = &serve.tokens {
        sources = sources.file(file);
    }
    for (variable, role) in [
        ("HOOKHOST_API_KEY", Role::ApiKey),
        ("HOOKHOST_OPERATOR_TOKEN", Role::Operator),
        ("HOOKHOST_END_USER_TOKEN", Role::EndUser),
    ] {
        if let Some(token) = variable_of(variable)? {
            sources = sources.token(variable, role, token);
        }
    }
    let mut jwt = JwtSettings::default().role_claim(&serve.jwt_role_claim);
    match (&serve.jwt_secret_file, variable_of("HOOKHOST_JWT_SECRET")?) {
        (Some(_), Some(_)) => {
            return Err(Problem::usage(
                "--jwt-secret-file and HOOKHOST_JWT_SECRET are both given: one of them is enough",
            ));
        }
        (Some(file), None) => jwt = jwt.secret_file(file),
        (None, Some(secret)) => jwt = jwt.secret(secret),
        (None, None) => {}
    }
    if let Some(file) = &serve.jwks {
        jwt = jwt.jwks_file(file);
    }
    jwt = serve.jwt_audience.iter().fold(jwt, JwtSettings::audience);
    jwt = serve.jwt_issuer.iter().fold(jwt, JwtSettings::issuer);
    Ok(sources.jwt(jwt))
}

/// An empty variable is one that somebody forgot to fill: it must not mean that no token is needed.
fn variable_of(name: &str) -> Result<Option<String>, Problem> {
    match std::env::var(name) {
        Ok(value) if value.is_empty() => {
            Err(Problem::usage(format!("{name} is set and empty: give it a value, or unset it")))
        }
        Ok(value) => Ok(Some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(Problem::usage(format!("{name} is not Unicode"))),
    }
}

fn greet(global: &Global, server: &Server, listener: &TcpListener, report: &HostReport) -> Result<(), Problem> {
    let address = listener.local_addr().map_err(|error| Problem::failed(error.to_string()))?;
    let scheme = if server.has_tls() { "https" } else { "http" };
    let url = format!("{scheme}://{address}");
    let hooks = report.hooks.iter().filter(|hook| hook.state != HookState::Disabled).count();
    let text = match global.format {
        Format::Json => {
            let greeting = json!({ "listening": url, "hooks": hooks, "needsToken": !server.is_open() });
            format!("{greeting}\n")
        }
        Format::Human => {
            let mut text = format!(
                "{} {} with {hooks} hook{}\n",
                paint(style::GOOD, "listening"),
                paint(style::STRONG, &url),
                if hooks == 1 { "" } else { "s" }
            );
            if server.is_open() {
                let _ = writeln!(text, "no tokens are configured: it is open to this machine, and to nobody else");
            }
            text
        }
    };
    output::print(&text, global.format).map_err(|error| Problem::failed(error.to_string()))
}

/// What somebody wants of the process.
enum Signal {
    End,
    Reload,
}

/// The signals that the service obeys.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
    #[cfg(windows)]
    stop: tokio::signal::windows::CtrlBreak,
    #[cfg(windows)]
    close: tokio::signal::windows::CtrlClose,
    #[cfg(windows)]
    shutdown: tokio::signal::windows::CtrlShutdown,
}

impl Signals {
    /// Waits until somebody wants the end.
    async fn end(&mut self) {
        while let Signal::Reload = self.next().await {}
    }

    #[cfg(unix)]
    fn listen() -> Result<Self, Problem> {
        use tokio::signal::unix::{SignalKind, signal};
        let signal = |kind| signal(kind).map_err(|error| Problem::failed(format!("cannot listen to signals: {error}")));
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    #[cfg(unix)]
    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::End,
            _ = self.interrupt.recv() => Signal::End,
            _ = self.hang_up.recv() => Signal::Reload,
        }
    }

    #[cfg(windows)]
    fn listen() -> Result<Self, Problem> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};
        let failed = |error| Problem::failed(format!("cannot listen to signals: {error}"));
        Ok(Self {
            interrupt: ctrl_c().map_err(failed)?,
            stop: ctrl_break().map_err(failed)?,
            close: ctrl_close().map_err(failed)?,
            shutdown: ctrl_shutdown().map_err(failed)?,
        })
    }

    #[cfg(windows)]
    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::End,
            _ = self.stop.recv() => Signal::End,
            _ = self.close.recv() => Signal::End,
            _ = self.shutdown.recv() => Signal::End,
        }
    }
}
