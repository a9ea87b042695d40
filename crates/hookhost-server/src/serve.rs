//! Connections: accepting them, serving them, and coming to an end without losing a request.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use futures::future::{BoxFuture, select};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::app::App;
use crate::last_calls::{HANDSHAKES, greet_again, greet_nobody_new};
use crate::tls::Tls;
use crate::usage::{Endless, Usage};

/// So many connections at once; more wait until one is closed.
const CONNECTIONS: usize = 4096;
/// How long a client may take for the handshake of TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long connections that are open when the service ends may go without a request before they are closed: long enough for
/// one that is on its way.
const LINGER: Duration = Duration::from_secs(1);

/// How long things may take.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    /// For the head of a request, and so also between two requests.
    pub(crate) head: Duration,
    /// Accepting goes on for so long while `/readyz` says no.
    pub(crate) drain: Duration,
    /// For requests under way at the end.
    pub(crate) grace: Duration,
}

/// Serves until `shutdown` is ready, and then comes to an end:
///
/// 1. `/readyz` says no, and answers tell clients to close. For [`Patience::drain`] connections are still accepted.
/// 2. What has been accepted by the operating system is taken, and the listener is closed.
/// 3. Requests that were on their way have a second to arrive.
/// 4. Connections on which something was asked have [`Patience::grace`] to end by themselves, which they do when the last answer is
///    sent. The others are closed: whoever only begins to ask holds up nobody.
pub(crate) async fn serve(
    app: &Arc<App>,
    router: Router,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    patience: Patience,
    shutdown: impl Future<Output = ()>,
) {
    let connections = Connections {
        app: app.clone(),
        router,
        tls,
        head: patience.head,
        room: Arc::new(Semaphore::new(CONNECTIONS)),
        tasks: TaskTracker::new(),
        asked: TaskTracker::new(),
        cut_off: CancellationToken::new(),
    };
    // Also if this future is dropped.
    let _cut_off = connections.cut_off.clone().drop_guard();
    let graceful = GracefulShutdown::new();
    {
        let stop = async {
            shutdown.await;
            tracing::info!(target: "hookhost::serve", "the service comes to an end");
            app.begin_shutdown();
            sleep(patience.drain).await;
            greet_nobody_new(&listener);
            sleep(HANDSHAKES).await;
        };
        let accepting = connections.accept_all(&listener, &graceful);
        select(pin!(stop), pin!(accepting)).await;
    }
    connections.accept_waiting(listener, &graceful);

    connections.tasks.close();
    let _ = timeout(LINGER, connections.tasks.wait()).await;
    connections.asked.close();
    let end = async {
        // The signal goes out with the first poll; what it returns waits for connections that hold up nobody, too.
        let told = pin!(graceful.shutdown());
        select(told, pin!(connections.asked.wait())).await;
        app.finish_decisions().await;
    };
    if timeout(patience.grace, end).await.is_err() {
        let cut_off = connections.asked.len();
        tracing::warn!(target: "hookhost::serve", cut_off, "connections were cut off: their requests took too long");
    }
}

/// What a connection is served with.
struct Connections {
    app: Arc<App>,
    router: Router,
    tls: Option<Arc<Tls>>,
    head: Duration,
    room: Arc<Semaphore>,
    /// The connections.
    tasks: TaskTracker,
    /// Has a token for each connection on which something was asked.
    asked: TaskTracker,
    /// Ends what still goes on when nobody waits any longer.
    cut_off: CancellationToken,
}

impl Connections {
    /// Accepts connections for good.
    async fn accept_all(&self, listener: &TcpListener, graceful: &GracefulShutdown) {
        loop {
            // Never closed, so never an error.
            let Ok(room) = self.room.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, peer)) => self.begin(stream, peer, graceful.watcher(), room),
                Err(error) if is_about_one_connection(&error) => {}
                Err(error) => {
                    // Out of file descriptors, perhaps: some will be free again.
                    tracing::error!(target: "hookhost::serve", %error, "a connection could not be accepted");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// Accepts those that wait already, and closes the listener. They would be lost with it.
    fn accept_waiting(&self, listener: TcpListener, graceful: &GracefulShutdown) {
        // Not `listener.accept()`: a task may not do so many things at once there.
        let Ok(listener) = listener.into_std() else { return };
        while let Ok(room) = self.room.clone().try_acquire_owned() {
            match listener.accept() {
                Ok((stream, peer)) => {
                    let stream = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
                    if let Ok(stream) = stream {
                        self.begin(stream, peer, graceful.watcher(), room);
                    }
                }
                Err(error) if is_about_one_connection(&error) => {}
                // Nobody waits any more.
                Err(_) => break,
            }
        }
        greet_again(&listener);
    }

    fn begin(&self, stream: TcpStream, peer: SocketAddr, watcher: Watcher, room: OwnedSemaphorePermit) {
        let open = Open::new(self.app.clone(), room);
        let head = self.head;
        let service = Service { router: self.router.clone(), peer, usage: Arc::new(Usage::new(&self.asked)) };
        let tls = self.tls.as_ref().map(|tls| TlsAcceptor::from(tls.present()));
        let serving = async move {
            let _open = open;
            let _ = stream.set_nodelay(true);
            let Some(tls) = tls else { return serve_http1(stream, service, head, watcher).await };
            // Whoever speaks no TLS here is no client of ours: nothing to tell anybody.
            let Ok(Ok(stream)) = timeout(HANDSHAKE, tls.accept(stream)).await else { return };
            match stream.get_ref().1.alpn_protocol() {
                Some(b"h2") => serve_http2(stream, service, head, watcher).await,
                _ => serve_http1(stream, service, head, watcher).await,
            }
        };
        self.tasks.spawn(self.cut_off.clone().run_until_cancelled_owned(serving));
    }
}

/// An error of `accept` that says nothing about the next connection.
fn is_about_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn serve_http1<S>(stream: S, service: Service, head: Duration, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        // Who has sent everything and closes that side waits for the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    ended(watcher.watch(connection).await);
}

async fn serve_http2<S>(stream: S, service: Service, idle: Duration, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let usage = service.usage.clone();
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        // A client that does not even answer pings has gone.
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(20))
        .serve_connection(TokioIo::new(stream), service);
    // HTTP/1.1 has this of its own.
    tokio::select! {
        result = watcher.watch(connection) => ended(result),
        () = usage.idle_for(idle) => {}
    }
}

/// The router, told who is at the other end.
#[derive(Clone)]
struct Service {
    router: Router,
    peer: SocketAddr,
    usage: Arc<Usage>,
}

impl hyper::service::Service<hyper::Request<Incoming>> for Service {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let Self { router, peer, usage } = self.clone();
        let under_way = usage.begin();
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        Box::pin(async move {
            let response = router.oneshot(request).await?;
            if response.extensions().get::<Endless>().is_some() {
                usage.only_watches();
            }
            // The body is dropped when it has been handed over.
            Ok(response.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    let _until_then = &under_way;
                    frame
                }))
            }))
        })
    }
}

/// Clients break off all the time: that is no problem of the service.
fn ended(result: Result<(), hyper::Error>) {
    if let Err(error) = result {
        tracing::debug!(target: "hookhost::serve", %error, "a connection broke off");
    }
}

/// Counts an open connection.
struct Open {
    app: Arc<App>,
    _room: OwnedSemaphorePermit,
}

impl Open {
    fn new(app: Arc<App>, room: OwnedSemaphorePermit) -> Self {
        app.metrics.connections.inc();
        Self { app, _room: room }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.app.metrics.connections.dec();
    }
}
