//! TLS, and whom it trusts.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::OpenError;

/// Whose certificates are good. The path is a PEM file of authorities; `None` are the machine's.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Everybody's: nobody can listen, and nobody knows who answers.
    Anyone,
    /// Those that the authority has signed, for whatever name.
    AnyNameSignedBy(Option<PathBuf>),
    /// Those that the authority has signed for the name of the host.
    NameSignedBy(Option<PathBuf>),
}

pub(super) fn connector(trust: &Trust) -> Result<MakeRustlsConnect, OpenError> {
    let provider = Arc::new(ring::default_provider());
    let fault = |error: &dyn std::fmt::Display| OpenError::ConnectionString(format!("TLS: {error}"));
    let verifier: Arc<dyn ServerCertVerifier> = match trust {
        Trust::Anyone => Arc::new(Lenient { provider: provider.clone(), authority: None }),
        Trust::AnyNameSignedBy(path) | Trust::NameSignedBy(path) => {
            let roots = Arc::new(authorities(path.as_ref())?);
            let strict = WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build();
            let strict = strict.map_err(|error| fault(&error))?;
            match trust {
                Trust::NameSignedBy(_) => strict,
                _ => Arc::new(Lenient { provider: provider.clone(), authority: Some(strict) }),
            }
        }
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| fault(&error))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn authorities(path: Option<&PathBuf>) -> Result<RootCertStore, OpenError> {
    let mut roots = RootCertStore::empty();
    match path {
        // A machine's collection may contain what rustls cannot read. The others count.
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
        Some(path) => {
            let fault = |error: &dyn std::fmt::Display| {
                let message = format!("sslrootcert `{}`: {error}; give a PEM file of certificates", path.display());
                OpenError::ConnectionString(message)
            };
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| fault(&error))? {
                roots.add(certificate.map_err(|error| fault(&error))?).map_err(|error| fault(&error))?;
            }
        }
    }
    match roots.is_empty() {
        true => Err(OpenError::ConnectionString(
            "TLS: there is no certificate of any authority: name a PEM file with `sslrootcert`".to_owned(),
        )),
        false => Ok(roots),
    }
}

/// Looks at less than rustls would, because the connection string says so.
#[derive(Debug)]
struct Lenient {
    provider: Arc<CryptoProvider>,
    /// Who must have signed, if it matters.
    authority: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            // The name is looked at last, when everything else is good.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
