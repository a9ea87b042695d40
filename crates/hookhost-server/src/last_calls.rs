//! The moment at which the listener is closed.
//!
//! Clients that the operating system has greeted and the service has not accepted yet are cut off with the listener. So
//! nobody new is greeted for a moment before, those that are there are accepted, and then it is closed.

use std::time::Duration;

use tokio::net::TcpListener;

/// How long the last ones have to finish their handshake: some round trips.
pub(crate) const HANDSHAKES: Duration = Duration::from_millis(150);

/// Has the operating system ignore who begins to connect. Such a client tries again by itself after a second, and finds
/// the port closed, or a successor.
///
/// Only Linux can do this. Elsewhere, or where it is not allowed, a client may be cut off before it has sent anything.
#[cfg(target_os = "linux")]
pub(crate) fn greet_nobody_new(listener: &TcpListener) {
    use socket2::{SockFilter, SockRef};

    // Classic BPF (linux/bpf_common.h) over the TCP header: whatever has SYN set is dropped, and all else passes.
    const LOAD_BYTE: u16 = 0x30;
    const JUMP_IF_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    let filter = [
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(JUMP_IF_SET, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ];
    if let Err(error) = SockRef::from(listener).attach_filter(&filter) {
        tracing::debug!(target: "hookhost::serve", %error, "who connects at this moment may be cut off");
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn greet_nobody_new(_: &TcpListener) {}

/// Takes that back. The filter is the socket's, which somebody else may hold, too: a successor that goes on with it.
#[cfg(target_os = "linux")]
pub(crate) fn greet_again(listener: &std::net::TcpListener) {
    let _ = socket2::SockRef::from(listener).detach_filter();
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn greet_again(_: &std::net::TcpListener) {}
