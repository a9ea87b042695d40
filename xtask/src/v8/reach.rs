//! Whether the host that serves the archive can be reached from here.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Tries to connect to the host of `url`, through a proxy if the environment names one. The error says why it failed.
pub(crate) fn reach(url: &str) -> Result<(), String> {
    let host = address(url).ok_or_else(|| format!("no host in {url}"))?;
    let proxy = proxy(url, |name| env::var(name).ok());
    // In a thread of its own, since looking up a name has no time limit.
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(connect(&host, proxy.as_deref())));
    receiver.recv_timeout(TIME_LIMIT).unwrap_or_else(|_| Err(format!("no answer within {} s", TIME_LIMIT.as_secs())))
}

fn connect(host: &str, proxy: Option<&str>) -> Result<(), String> {
    match proxy {
        None => open(host).map(drop),
        Some(proxy) => {
            let proxy = address(proxy).ok_or_else(|| format!("no host in the proxy's address {proxy}"))?;
            ask_proxy(open(&proxy)?, host).map_err(|why| format!("the proxy {proxy} does not connect to {host}: {why}"))
        }
    }
}

fn open(host: &str) -> Result<TcpStream, String> {
    let mut addresses = host.to_socket_addrs().map_err(|error| format!("{host}: {error}"))?;
    let first = addresses.next().ok_or_else(|| format!("{host}: no address for this name"))?;
    // One address is enough to tell: the downloader tries the others.
    TcpStream::connect_timeout(&first, TIME_LIMIT).map_err(|error| format!("{host}: {error}"))
}

/// Whether the proxy opens a tunnel to `host`. A proxy that first wants a password knows the way: the downloader has it.
fn ask_proxy(mut stream: TcpStream, host: &str) -> Result<(), String> {
    let mut status = String::new();
    write!(stream, "CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n")
        .and_then(|()| BufReader::new(stream).read_line(&mut status))
        .map_err(|error| error.to_string())?;
    match status.split_whitespace().nth(1) {
        Some("200" | "407") => Ok(()),
        _ => Err(format!("it answers `{}`", status.trim_end())),
    }
}

/// The proxy for `url`, as the programs that download read it from the environment.
fn proxy(url: &str, var: impl Fn(&str) -> Option<String>) -> Option<String> {
    let scheme = url.split_once("://")?.0;
    let names = [format!("{scheme}_proxy"), "all_proxy".to_owned()];
    names
        .iter()
        .flat_map(|name| [name.clone(), name.to_uppercase()])
        .find_map(|name| var(&name).filter(|value| !value.is_empty()))
}

/// `host:port` of an address.
fn address(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.is_empty() {
        return None;
    }
    // In `[::1]` the colons are part of the host.
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    let port = if scheme == "https" { 443 } else { 80 };
    Some(if has_port { host.to_owned() } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_host_in_an_address() {
        for (url, host) in [
            ("https://github.com/denoland/rusty_v8", "github.com:443"),
            ("http://mirror.example/v8?x=1", "mirror.example:80"),
            ("http://me:secret@mirror.example:8081/v8", "mirror.example:8081"),
            ("https://[::1]/v8", "[::1]:443"),
            ("https://[::1]:8/v8", "[::1]:8"),
            ("proxy.example:3128", "proxy.example:3128"),
        ] {
            assert_eq!(address(url).as_deref(), Some(host), "{url}");
        }
        assert_eq!(address("https:///v8"), None);
    }

    #[test]
    fn the_proxy_that_fits_the_scheme() {
        let vars = |name: &str| match name {
            "HTTPS_PROXY" => Some("http://secure.example:1".to_owned()),
            "all_proxy" => Some("http://any.example:2".to_owned()),
            "http_proxy" => Some(String::new()),
            _ => None,
        };
        assert_eq!(proxy("https://github.com/", vars).as_deref(), Some("http://secure.example:1"));
        assert_eq!(proxy("http://mirror.example/", vars).as_deref(), Some("http://any.example:2"));
        assert_eq!(proxy("https://github.com/", |_| None), None);
    }

    #[test]
    fn a_port_that_listens_is_reached_and_a_closed_one_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        assert_eq!(connect(&host, None), Ok(()));
        drop(listener);
        assert!(connect(&host, None).unwrap_err().starts_with(&host));
    }

    #[test]
    fn a_proxy_is_asked_for_a_tunnel() {
        for (answer, reached) in [
            ("HTTP/1.1 200 Connection established\r\n\r\n", true),
            ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", true),
            ("HTTP/1.1 403 Forbidden\r\n\r\n", false),
            ("", false),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let proxy = format!("http://{}", listener.local_addr().unwrap());
            let server = thread::spawn(move || {
                let mut stream = listener.accept().unwrap().0;
                // To its end: closing a connection with something unread in it would take the answer back.
                let lines = BufReader::new(&stream).lines().map(Result::unwrap);
                let request: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
                stream.write_all(answer.as_bytes()).unwrap();
                request
            });
            assert_eq!(connect("github.com:443", Some(&proxy)).is_ok(), reached, "{answer}");
            assert_eq!(server.join().unwrap()[0], "CONNECT github.com:443 HTTP/1.1");
        }
    }
}
