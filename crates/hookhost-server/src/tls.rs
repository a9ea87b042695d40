//! The service's certificate.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TlsError(String);

/// Where the certificate is.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate and those that vouch for it, as PEM, the service's own first.
    pub certificate: PathBuf,
    /// Its private key, as PEM.
    pub key: PathBuf,
}

/// The certificate in use.
pub(crate) struct Tls {
    files: TlsFiles,
    present: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    pub(crate) fn open(files: TlsFiles) -> Result<Self, TlsError> {
        let present = RwLock::new(read(&files)?);
        Ok(Self { files, present })
    }

    /// What the files hold now.
    pub(crate) fn read(&self) -> Result<Arc<ServerConfig>, TlsError> {
        read(&self.files)
    }

    /// For connections from now on.
    pub(crate) fn replace(&self, config: Arc<ServerConfig>) {
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = config;
    }

    pub(crate) fn present(&self) -> Arc<ServerConfig> {
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read(files: &TlsFiles) -> Result<Arc<ServerConfig>, TlsError> {
    let problem = |what: &str, path: &Path, error: &dyn std::fmt::Display| {
        TlsError(format!("the {what} in `{}` cannot be used: {error}", path.display()))
    };
    let TlsFiles { certificate, key } = files;
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(|certificates| certificates.collect())
        .map_err(|error| problem("certificate", certificate, &error))?;
    if chain.is_empty() {
        return Err(problem("certificate", certificate, &"it has none"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| problem("private key", key, &error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| problem("certificate", certificate, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
