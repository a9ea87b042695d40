//! Where a request comes from.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

/// The address of the other end of the connection, if the server noted it.
pub(crate) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip().to_canonical())
}

/// The address of the client behind so many proxies of our own.
///
/// Each proxy adds the address that it was called from at the end of `X-Forwarded-For`. What stands before those is the
/// client's own word, so it counts for nothing.
pub(crate) fn client(peer: IpAddr, headers: &HeaderMap, proxies: usize) -> IpAddr {
    let Some(before) = proxies.checked_sub(1) else { return peer };
    let lines: Vec<_> = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
    lines
        .join(",")
        .rsplit(',')
        .nth(before)
        .and_then(|address| address.trim().parse::<IpAddr>().ok())
        .map_or(peer, |address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_our_own_proxies_say_counts() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "198.51.100.66, 203.0.113.7".parse().unwrap());
        headers.append("x-forwarded-for", "10.0.0.2".parse().unwrap());
        let peer = "10.0.0.1".parse().unwrap();
        let client = |proxies| client(peer, &headers, proxies).to_string();
        assert_eq!(client(0), "10.0.0.1");
        assert_eq!(client(1), "10.0.0.2");
        assert_eq!(client(2), "203.0.113.7");
        assert_eq!(client(9), "10.0.0.1", "fewer proxies than said");
    }
}
