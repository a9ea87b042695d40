//! Bringing the running service up to date: hooks, tokens and certificate.

use std::sync::Arc;

use hookhost::{HookHostError, Reload};

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
}

/// What a reload reads again.
pub(crate) struct Reloader {
    credentials: CredentialSources,
    tls: Option<Arc<Tls>>,
}

impl Reloader {
    pub(crate) fn new(credentials: CredentialSources, tls: Option<Arc<Tls>>) -> Self {
        Self { credentials, tls }
    }
}

impl App {
    /// Everything is read before anything is replaced: if one thing cannot be used, all stays as it was.
    pub(crate) async fn reload(&self) -> Result<Reload, ReloadError> {
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
        let Reloader { credentials, tls } = &self.reloader;
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
