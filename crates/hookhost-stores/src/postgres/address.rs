//! Connection strings.

use std::ops::Range;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls::{self, Trust};
use crate::OpenError;

/// Where the server is, and how to talk to it.
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
}

impl Address {
    /// Reads a connection string. `connect_timeout` is for one that says none.
    pub(super) fn read(text: &str, connect_timeout: Duration) -> Result<Self, OpenError> {
        // The driver knows neither the modes that look at certificates nor where to find some.
        let (rest, ssl) = without_ssl(text)?;
        let mut config: Config = rest.parse().map_err(|error| wrong(super::read::described(&error)))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(wrong("it names no host: write `postgres://user@host/database`".to_owned()));
        }
        let (mode, trust) = ssl.meaning()?;
        // Sockets of the machine itself have no TLS, whatever the mode.
        let local =
            config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_))) && config.get_hostaddrs().is_empty();
        config.ssl_mode(if local { SslMode::Disable } else { mode });
        if config.get_application_name().is_none() {
            config.application_name("hookhost");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(connect_timeout);
        }
        Ok(Self { config, tls: tls::connector(&trust)? })
    }
}

fn wrong(what: String) -> OpenError {
    OpenError::ConnectionString(what)
}

/// The parameters about TLS, as they are written.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ssl {
    mode: Option<String>,
    root: Option<String>,
}

impl Ssl {
    fn put(&mut self, key: &str, value: String) -> bool {
        match key {
            "sslmode" => self.mode = Some(value),
            "sslrootcert" => self.root = Some(value),
            _ => return false,
        }
        true
    }

    /// As in "SSL Support" of libpq's documentation.
    fn meaning(&self) -> Result<(SslMode, Trust), OpenError> {
        let root = self.root.as_deref();
        let authority = || match root {
            Some("system") | None => None,
            Some(file) => Some(file.into()),
        };
        match self.mode.as_deref() {
            Some("disable") => Ok((SslMode::Disable, Trust::Anyone)),
            // `allow` would try without TLS first; with it is as good.
            Some("allow" | "prefer") | None => Ok((SslMode::Prefer, Trust::Anyone)),
            Some("require") if root.is_none() => Ok((SslMode::Require, Trust::Anyone)),
            // The machine's authorities sign for everybody, so the name has to be looked at.
            Some("require" | "verify-ca") if root != Some("system") && root.is_some() => {
                Ok((SslMode::Require, Trust::AnyNameSignedBy(authority())))
            }
            Some("require" | "verify-ca" | "verify-full") => Ok((SslMode::Require, Trust::NameSignedBy(authority()))),
            Some(other) => Err(wrong(format!(
                "unknown sslmode `{other}`: write one of `disable`, `prefer`, `require`, `verify-ca`, `verify-full`"
            ))),
        }
    }
}

/// Takes the parameters about TLS out of a connection string.
fn without_ssl(text: &str) -> Result<(String, Ssl), OpenError> {
    let mut ssl = Ssl::default();
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        let mut rest = text.to_owned();
        // From the end, so that the places of those before stay what they are.
        for (key, value, place) in pairs(text)?.into_iter().rev() {
            if ssl.put(&key, value) {
                rest.replace_range(place, "");
            }
        }
        return Ok((rest, ssl));
    }
    // A password may contain a question mark.
    let host = text.find('@').unwrap_or(0);
    let Some(question) = text[host..].find('?').map(|at| host + at) else { return Ok((text.to_owned(), ssl)) };
    let mut kept = Vec::new();
    for pair in text[question + 1..].split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode_str(value).decode_utf8().map_err(|_| wrong(format!("`{key}` is not UTF-8")))?;
        if !ssl.put(key, value.into_owned()) {
            kept.push(pair);
        }
    }
    let rest = match &*kept {
        [] => text[..question].to_owned(),
        kept => format!("{}?{}", &text[..question], kept.join("&")),
    };
    Ok((rest, ssl))
}

/// The pairs of `key=value key='value'`, and where each is.
fn pairs(text: &str) -> Result<Vec<(String, String, Range<usize>)>, OpenError> {
    let mut pairs = Vec::new();
    let mut letters = text.char_indices().peekable();
    loop {
        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let Some(&(start, _)) = letters.peek() else { return Ok(pairs) };
        let mut key = String::new();
        while let Some((_, letter)) = letters.next_if(|(_, letter)| *letter != '=') {
            key.push(letter);
        }
        if letters.next().is_none() {
            return Err(wrong("a `=` is missing: write `host=... user=... dbname=...`, or a URL".to_owned()));
        }
        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let quoted = letters.next_if(|(_, letter)| *letter == '\'').is_some();
        let mut value = String::new();
        let mut closed = !quoted;
        while let Some((_, letter)) = letters.next_if(|(_, letter)| quoted || !letter.is_whitespace()) {
            match letter {
                '\'' if quoted => {
                    closed = true;
                    break;
                }
                '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
                _ => value.push(letter),
            }
        }
        if !closed {
            return Err(wrong(format!("the value of `{}` has no closing quote", key.trim())));
        }
        let end = letters.peek().map_or(text.len(), |(at, _)| *at);
        pairs.push((key.trim().to_owned(), value, start..end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_about_tls_are_found() {
        for (text, rest, mode, root) in [
            ("postgres://u@h/d", "postgres://u@h/d", None, None),
            ("postgres://u@h/d?sslmode=require", "postgres://u@h/d", Some("require"), None),
            (
                "postgresql://u:a?sslmode=x@h/d?connect_timeout=3&sslrootcert=%2Fa%20b&sslmode=verify-ca",
                "postgresql://u:a?sslmode=x@h/d?connect_timeout=3",
                Some("verify-ca"),
                Some("/a b"),
            ),
            ("host=h sslmode=disable user=u", "host=h  user=u", Some("disable"), None),
            (r"host = h sslrootcert = '/a\' b' user='sslmode=x'", "host = h  user='sslmode=x'", None, Some("/a' b")),
        ] {
            let ssl = Ssl { mode: mode.map(str::to_owned), root: root.map(str::to_owned) };
            assert_eq!(without_ssl(text).unwrap(), (rest.to_owned(), ssl), "{text}");
        }
    }

    #[test]
    fn each_mode_means_what_it_means_to_libpq() {
        let meaning = |text: &str| without_ssl(text).unwrap().1.meaning();
        let file = || Some("/ca.pem".into());
        for (text, mode, trust) in [
            ("", SslMode::Prefer, Trust::Anyone),
            ("sslmode=disable", SslMode::Disable, Trust::Anyone),
            ("sslmode=prefer", SslMode::Prefer, Trust::Anyone),
            ("sslmode=require", SslMode::Require, Trust::Anyone),
            ("sslmode=require sslrootcert=/ca.pem", SslMode::Require, Trust::AnyNameSignedBy(file())),
            ("sslmode=require sslrootcert=system", SslMode::Require, Trust::NameSignedBy(None)),
            ("sslmode=verify-ca sslrootcert=/ca.pem", SslMode::Require, Trust::AnyNameSignedBy(file())),
            ("sslmode=verify-ca", SslMode::Require, Trust::NameSignedBy(None)),
            ("sslmode=verify-full sslrootcert=/ca.pem", SslMode::Require, Trust::NameSignedBy(file())),
            ("sslmode=verify-full", SslMode::Require, Trust::NameSignedBy(None)),
        ] {
            assert_eq!(meaning(text).unwrap(), (mode, trust), "{text}");
        }
        let error = meaning("sslmode=verify").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the connection string: unknown sslmode `verify`: \
             write one of `disable`, `prefer`, `require`, `verify-ca`, `verify-full`"
        );
    }

    #[test]
    fn what_is_no_connection_string_says_why() {
        let error = |text: &str| Address::read(text, Duration::from_secs(1)).err().map(|error| error.to_string());
        for (text, message) in [
            ("", "the connection string: it names no host: write `postgres://user@host/database`"),
            ("members.db", "the connection string: a `=` is missing: write `host=... user=... dbname=...`, or a URL"),
            ("host='h", "the connection string: the value of `host` has no closing quote"),
            (
                "postgres://u:secret@h/d?sslmode=require&colour=blue",
                "the connection string: invalid connection string: unknown option `colour`",
            ),
        ] {
            assert_eq!(error(text).as_deref(), Some(message), "{text}");
        }
    }
}
