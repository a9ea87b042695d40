//! Bringing the running service up to date: hooks, tokens and certificate.

use std::sync::Arc;

use hookhost::{HookHostError, Reload};
use tracing::Instrument;

use crate::app::App;
use crate::auth::{CredentialError, CredentialSources};
use crate::tls::{Tls, TlsError};

/// Why a reload changed nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReloadError {
    /// The tokens cannot be used.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The project as a whole cannot be read.
    #[error(transparent)]
    Hooks(#[from] HookHostError),
    /// The task that did it has ended: the process is about to, or met a bug.
    #[error("the reload did not come to its end: see the log")]
    Lost,
}

/// What a reload reads again.
pub(crate) struct Reloader {
    credentials: CredentialSources,
    tls: Option<Arc<Tls>>,
    /// One at a time, from the first read to the last replacement: else what was read earlier could replace what was read later.
    one_at_a_time: tokio::sync::Mutex<()>,
}

impl Reloader {
    pub(crate) fn new(credentials: CredentialSources, tls: Option<Arc<Tls>>) -> Self {
        Self { credentials, tls, one_at_a_time: tokio::sync::Mutex::default() }
    }
}

impl App {
    /// Everything is read before anything is replaced: if one thing cannot be used, all stays as it was. It goes on in a task of
    /// its own, also if nobody waits for it any longer.
    pub(crate) async fn reload(self: &Arc<Self>) -> Result<Reload, ReloadError> {
        let app = self.clone();
        let reloading = async move { app.reload_now().await }.in_current_span();
        self.decisions.spawn(reloading).await.map_err(|_| ReloadError::Lost)?
    }

    async fn reload_now(&self) -> Result<Reload, ReloadError> {
        let _one_at_a_time = self.reloader.one_at_a_time.lock().await;
        let result = self.try_reload().await;
        self.metrics.reloaded(result.is_ok());
        match &result {
            Ok(_) => self.feed.reloaded(),
            Err(error) => {
                tracing::error!(target: "hookhost::reload", %error, "nothing was reloaded: everything stays as it was");
            }
        }
        result
    }

    async fn try_reload(&self) -> Result<Reload, ReloadError> {
        let Reloader { credentials, tls, .. } = &self.reloader;
        let credentials = credentials.read()?;
        if credentials.is_empty() && !self.guard.is_open() {
            return Err(CredentialError("there are no tokens any more, which would open the service".to_owned()).into());
        }
        let certificate = tls.as_ref().map(|tls| tls.read()).transpose()?;
        let reload = self.host.reload().await?;
        self.guard.replace(credentials);
        if let (Some(tls), Some(certificate)) = (tls, certificate) {
            tls.replace(certificate);
        }
        Ok(reload)
    }
}
