//! TLS, and a certificate that is renewed.

use std::time::Duration;

use hookhost_server::{ServerError, TlsFiles};
use reqwest::{Certificate, Client, Version};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use crate::support::{ALLOW, Project};

/// A certificate for this machine, that vouches for itself, and its key.
fn certificate() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// Trusts this one certificate.
fn client(certificate: &str) -> Client {
    let trusted = Certificate::from_pem(certificate.as_bytes()).unwrap();
    Client::builder().tls_certs_only([trusted]).timeout(Duration::from_secs(30)).build().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_speaks_tls_and_takes_a_new_certificate() {
    let ((old, old_key), (new, new_key)) = (certificate(), certificate());
    let project = Project::of(ALLOW).file("cert.pem", &old).file("key.pem", &old_key);
    let files = TlsFiles { certificate: project.path("cert.pem"), key: project.path("key.pem") };
    let service = project.serve(|it| it.tls(files)).await;
    assert!(service.server.has_tls());
    let url = format!("https://{}/v1/decide", service.address);
    let ask =
        async |client: Client| client.post(&url).json(&json!({ "point": "preInput", "payload": {} })).send().await;

    let answered = ask(client(&old)).await.unwrap();
    assert_eq!((answered.status().as_u16(), answered.version()), (200, Version::HTTP_2));
    project.write("cert.pem", &new);
    let mismatch = service.server.reload().await;
    assert!(mismatch.is_err(), "a certificate and a key of another");
    assert_eq!(ask(client(&old)).await.unwrap().status(), 200);
    project.write("key.pem", &new_key);
    service.server.reload().await.unwrap();
    assert_eq!(ask(client(&new)).await.unwrap().status(), 200);
    assert!(ask(client(&old)).await.is_err());

    // Who speaks no TLS gets no answer, and holds up nobody.
    let plain = service.raw("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", false);
    let mut silent = TcpStream::connect(service.address).await.unwrap();
    drop(plain.await);
    assert_eq!(silent.read(&mut [0; 8]).await.unwrap_or(0), 0, "a handshake that does not begin is given up");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http2_too_what_is_under_way_is_finished() {
    let (cert, key) = certificate();
    let slow = "export default { run: () => new Promise((done) => setTimeout(done, 1400, { action: 'block', reason: 'late' })) };";
    let project = Project::of(slow).file("cert.pem", &cert).file("key.pem", &key);
    let files = TlsFiles { certificate: project.path("cert.pem"), key: project.path("key.pem") };
    let service = project.serve(|it| it.tls(files)).await;
    let (client, url) = (client(&cert), format!("https://{}", service.address));
    let ask = || client.post(format!("{url}/v1/decide")).json(&json!({ "point": "preInput", "payload": {} })).send();
    let asking: Vec<_> = (0..20).map(|_| tokio::spawn(ask())).collect();
    let in_flight = async || client.get(format!("{url}/metrics")).send().await.unwrap().text().await.unwrap();
    let mut tries = 0;
    while !in_flight().await.contains("hookhost_http_requests_in_flight 21") {
        tries += 1;
        assert!(tries < 5000, "they never come");
    }
    service.stop().await.unwrap();
    for asked in asking {
        let response = asked.await.unwrap().unwrap();
        assert_eq!(response.version(), Version::HTTP_2);
        let decision: serde_json::Value = response.json().await.unwrap();
        assert_eq!(decision["reason"], "late");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_certificate_stop_the_start() {
    let (cert, key) = certificate();
    let project = Project::of(ALLOW).file("cert.pem", &cert).file("key.pem", &key).file("empty.pem", "");
    let mut said = String::new();
    for (certificate, key) in
        [("missing.pem", "key.pem"), ("empty.pem", "key.pem"), ("cert.pem", "empty.pem"), ("cert.pem", "cert.pem")]
    {
        let files = TlsFiles { certificate: project.path(certificate), key: project.path(key) };
        let error = project.try_serve(|it| it.tls(files)).await.err().unwrap();
        assert!(matches!(error, ServerError::Tls(_)));
        said.push_str(&format!("{error}\n"));
    }
    insta::assert_snapshot!(said.replace(&project.path("").display().to_string(), "<project>/"));
}
