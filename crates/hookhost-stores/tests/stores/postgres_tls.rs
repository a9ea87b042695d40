//! PostgreSQL over TLS: what each `sslmode` takes and refuses.

use std::net::TcpListener;

use hookhost_contract::Store;
use hookhost_stores::PostgresStore;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;

use crate::server::Server;
use crate::support::{get, wait};

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap()
}

#[test]
fn a_certificate_is_looked_at_as_the_mode_says() {
    let Some(mut server) = Server::prepare() else { return };
    let (ours, other) = (authority(), authority());
    let key = KeyPair::generate().unwrap();
    // Good for this name, and the address is none of its names.
    let certificate = CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &ours).unwrap();
    let certificate = server.write("server.crt", &certificate.pem());
    let key = server.write("server.key", &key.serialize_pem());
    let ours = server.write("ours.crt", &ours.pem());
    let other = server.write("other.crt", &other.pem());
    // Taken and given back: nobody else is likely to be given it meanwhile.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let files = [
        "ssl=on".to_owned(),
        format!("ssl_cert_file={}", certificate.display()),
        format!("ssl_key_file={}", key.display()),
    ];
    server.listen(port, &files);
    server.run();
    let admin = server.admin();
    admin.run(
        "CREATE VIEW session AS SELECT 'ssl' AS key, jsonb_build_object('on', ssl) AS value \
        FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );

    for (host, mode, root, encrypted) in [
        ("127.0.0.1", "", None, Some(true)),
        ("127.0.0.1", "disable", None, Some(false)),
        ("127.0.0.1", "prefer", None, Some(true)),
        ("127.0.0.1", "require", None, Some(true)),
        ("127.0.0.1", "require", Some(&ours), Some(true)),
        ("127.0.0.1", "require", Some(&other), None),
        ("127.0.0.1", "verify-ca", Some(&ours), Some(true)),
        ("127.0.0.1", "verify-ca", Some(&other), None),
        ("127.0.0.1", "verify-full", Some(&ours), None),
        ("localhost", "verify-full", Some(&ours), Some(true)),
        ("localhost", "verify-full", Some(&other), None),
    ] {
        let mut address = format!("postgres://hookhost@{host}:{port}/postgres?application_name=tls");
        if !mode.is_empty() {
            address.push_str(&format!("&sslmode={mode}"));
        }
        if let Some(root) = root {
            address.push_str(&format!("&sslrootcert={}", root.display()));
        }
        let store = PostgresStore::open(address).unwrap();
        match (get(&store, "session", "ssl"), encrypted) {
            (Ok(row), Some(encrypted)) => assert_eq!(row.unwrap()["on"], json!(encrypted), "{host} {mode} {root:?}"),
            (Err(error), None) => {
                let error = error.to_string();
                assert!(error.contains("TLS") && error.contains("certificate"), "{host} {mode} {root:?}: {error}");
            }
            (answer, _) => panic!("{host} {mode} {root:?}: {answer:?}"),
        }
    }

    // Ending a read takes another connection, over TLS as well.
    admin.run("CREATE VIEW slow AS SELECT 'k'::text AS key, '{}'::jsonb AS value FROM pg_sleep(3600)");
    let address =
        format!("postgres://hookhost@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={}", ours.display());
    let store = PostgresStore::builder(address).read_timeout(std::time::Duration::from_secs(3600)).open().unwrap();
    let read = store.get("slow", "k");
    let busy = "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'hookhost' AND state = 'active')";
    admin.wait_until(busy);
    drop(read);
    admin.wait_until(&format!("NOT {busy}"));
    wait(store.check()).unwrap();
}

#[test]
fn certificates_that_cannot_be_read_are_refused_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    let open = || {
        let address = format!("postgres://u@h/d?sslmode=verify-full&sslrootcert={}", path.display());
        PostgresStore::open(address).err().expect("an error").to_string()
    };
    assert!(open().contains("give a PEM file of certificates"));
    std::fs::write(&path, "no certificate").unwrap();
    assert!(open().contains("there is no certificate of any authority"));
}
