//! The service as a program starts it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hookhost::{HookHost, Reload};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio_util::task::TaskTracker;

use crate::app::App;
use crate::auth::{CredentialError, CredentialSources, Guard};
use crate::feed::Feed;
use crate::metrics::Metrics;
use crate::reload::{ReloadError, Reloader};
use crate::routes;
use crate::serve::{Patience, serve};
use crate::tally::Tally;
use crate::tls::{Tls, TlsError, TlsFiles};

/// Why a service cannot be built or started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The tokens cannot be used.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Anybody could call.
    #[error(
        "no tokens are configured, so the service listens on loopback addresses only, and {0} is none: give it tokens, or \
         listen on 127.0.0.1"
    )]
    Open(std::net::SocketAddr),
    /// The listener has no address.
    #[error("the listener has no address: {0}")]
    Listener(#[source] io::Error),
    /// Proxies are trusted, and everybody behind them would be let in.
    #[error(
        "no tokens are configured, and proxies are trusted: everybody behind them would be let in, so give it tokens"
    )]
    OpenBehindProxies,
}

/// Builds a [`Server`]. Each setter gives its default.
#[must_use]
pub struct ServerBuilder {
    host: Arc<HookHost>,
    credentials: CredentialSources,
    tls: Option<TlsFiles>,
    proxies: usize,
    public_metrics: bool,
    decisions: usize,
    body_timeout: Duration,
    patience: Patience,
}

impl ServerBuilder {
    /// Whom the service lets in. Default: nobody has to show a token, and it is open to its own machine only.
    pub fn credentials(mut self, sources: CredentialSources) -> Self {
        self.credentials = sources;
        self
    }

    /// Serve over TLS, with HTTP/2 where the client wants it. Default: plain HTTP/1.1.
    pub fn tls(mut self, files: TlsFiles) -> Self {
        self.tls = Some(files);
        self
    }

    /// How many proxies of your own stand before the service: so many addresses at the end of `X-Forwarded-For` are believed.
    /// Default: 0, the header counts for nothing.
    pub fn trusted_proxies(mut self, proxies: usize) -> Self {
        self.proxies = proxies;
        self
    }

    /// Let anybody read `/metrics`. Default: like the other routes.
    pub fn public_metrics(mut self, public: bool) -> Self {
        self.public_metrics = public;
        self
    }

    /// How many decisions may be under way; more are answered with 503. Default: 1024.
    pub fn max_decisions(mut self, decisions: usize) -> Self {
        self.decisions = decisions;
        self
    }

    /// How long the head of a request may take to come, and how long a connection may wait for its next request.
    /// Default: 30 s.
    pub fn head_timeout(mut self, timeout: Duration) -> Self {
        self.patience.head = timeout;
        self
    }

    /// How long a body may take to come. Default: 10 s.
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// After the shutdown has begun: how long connections are still accepted while `/readyz` says no, so that a load balancer
    /// notices. Default: 0.
    pub fn drain(mut self, drain: Duration) -> Self {
        self.patience.drain = drain;
        self
    }

    /// How long requests under way may take at the end. Default: 30 s.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.patience.grace = grace;
        self
    }

    /// Reads tokens and certificate.
    ///
    /// # Errors
    /// They cannot be used.
    pub fn build(self) -> Result<Server, ServerError> {
        let credentials = self.credentials.read()?;
        if self.proxies > 0 && credentials.is_empty() {
            return Err(ServerError::OpenBehindProxies);
        }
        let tls = self.tls.map(Tls::open).transpose()?.map(Arc::new);
        let app = Arc::new(App {
            host: self.host,
            guard: Guard::new(credentials, self.proxies),
            metrics: Metrics::new(),
            tally: Tally::default(),
            feed: Feed::new(),
            reloader: Reloader::new(self.credentials, tls.clone()),
            public_metrics: self.public_metrics,
            body_timeout: self.body_timeout,
            room: Arc::new(Semaphore::new(self.decisions.min(Semaphore::MAX_PERMITS))),
            decisions: TaskTracker::new(),
            draining: watch::Sender::new(false),
        });
        Ok(Server { app, tls, patience: self.patience })
    }
}

/// The HTTP service over a host. Cheap to clone: all clones are one service.
#[derive(Clone)]
pub struct Server {
    app: Arc<App>,
    tls: Option<Arc<Tls>>,
    patience: Patience,
}

impl Server {
    /// Starts building a service.
    pub fn builder(host: Arc<HookHost>) -> ServerBuilder {
        ServerBuilder {
            host,
            credentials: CredentialSources::new(),
            tls: None,
            proxies: 0,
            public_metrics: false,
            decisions: 1024,
            body_timeout: Duration::from_secs(10),
            patience: Patience { head: Duration::from_secs(30), drain: Duration::ZERO, grace: Duration::from_secs(30) },
        }
    }

    /// True if nobody has to show a token: the service is open to its own machine, and to nobody else.
    pub fn is_open(&self) -> bool {
        self.app.guard.is_open()
    }

    /// True if it speaks TLS.
    pub fn has_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// The routes, for a program that has a server of its own. That has to note the client's address, with
    /// `into_make_service_with_connect_info::<SocketAddr>()`: without tokens, a request whose address is not known is refused.
    /// Before its own graceful shutdown it calls [`Server::begin_shutdown`], and after it awaits [`Server::finish_decisions`].
    pub fn router(&self) -> Router {
        routes::router(self.app.clone())
    }

    /// Serves until `shutdown` is ready. Then requests and decisions under way are finished, and the service is over for good, for
    /// all of its clones.
    ///
    /// # Errors
    /// No tokens are configured, and the listener is open to other machines.
    pub async fn serve(&self, listener: TcpListener, shutdown: impl Future<Output = ()>) -> Result<(), ServerError> {
        let address = listener.local_addr().map_err(ServerError::Listener)?;
        if self.is_open() && !address.ip().to_canonical().is_loopback() {
            return Err(ServerError::Open(address));
        }
        serve(&self.app, self.router(), listener, self.tls.clone(), self.patience.clone(), shutdown).await;
        Ok(())
    }

    /// Begins the end, for good: `/readyz` says no, streams of events end, and clients are asked to close their connections.
    /// [`Server::serve`] does this by itself.
    pub fn begin_shutdown(&self) {
        self.app.begin_shutdown();
    }

    /// Waits for decisions that are under way, also those whose clients have gone away. [`Server::serve`] does this by itself.
    pub async fn finish_decisions(&self) {
        self.app.finish_decisions().await;
    }

    /// Reads hooks, tokens and certificate again, while the service goes on. If one of them cannot be used, nothing changes;
    /// except that a single hook that cannot be loaded any more keeps its last good version.
    ///
    /// # Errors
    /// Something cannot be used.
    pub async fn reload(&self) -> Result<Reload, ReloadError> {
        self.app.reload().await
    }
}
