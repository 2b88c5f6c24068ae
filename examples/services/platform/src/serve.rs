//! Connections: accepted up to a cap, held to a pace, ended in order. TLS is the proxy's.
//!
//! | file | what it is |
//! |---|---|
//! | `connections` | who is connected, and who goes when no more have room |
//! | `stream` | a connection that gives up on whoever does not read, and ends without cutting its answer |

mod connections;
mod stream;

use crate::config::Config;
use crate::rate::{Client, Peer};
use axum::Router;
use axum::body::Body;
use connections::{Connections, Slot};
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use stream::Patient;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// The most bytes of a request's line and headers.
const HEADER_BYTES: usize = 16 << 10;
/// Whoever manages services kills what has not ended after 90 seconds.
const LAST_REQUESTS: Duration = Duration::from_secs(30);
/// After an error of the machine, before the next connection is accepted: one that made room has ended by then.
const PAUSE: Duration = Duration::from_millis(10);

/// How connections are served.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// How many at once.
    pub connections: usize,
    /// How long one may do nothing: between requests, within headers, while its answer is not read.
    pub patience: Duration,
    /// Proxies, whose connections are many clients'.
    pub proxies: Vec<IpNet>,
    /// How long requests have to end when the service does.
    pub last_requests: Duration,
}

impl From<&Config> for ServeSettings {
    fn from(config: &Config) -> Self {
        Self {
            connections: config.limits.connections.max(1),
            patience: config.limits.progress.duration(),
            proxies: config.trusted_proxies.clone(),
            last_requests: LAST_REQUESTS,
        }
    }
}

/// Accepts connections until `shutdown`, then lets the requests under way end, those that do in time, and returns.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    settings: ServeSettings,
    shutdown: impl Future<Output = ()> + Send,
) {
    let connections = Arc::new(Connections::new(settings.connections));
    let (tasks, closing) = (TaskTracker::new(), CancellationToken::new());
    let is_here = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // One connection's own end is nobody else's matter. Anything else is the machine's, such as too many
                // open files, and would be met again at once.
                if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
                    let is_made = connections.make_room();
                    tracing::warn!(%error, is_made, "no connection is accepted");
                    tokio::time::sleep(PAUSE).await;
                }
                continue;
            }
        };
        let address = peer.ip().to_canonical();
        let is_proxy = settings.proxies.iter().any(|net| net.contains(&address));
        if !is_served(is_here, address, is_proxy) {
            refuse(&stream);
            continue;
        }
        match connections.admit(Client::new(address), is_proxy) {
            Some(slot) => {
                let one = connection(stream, peer, router.clone(), slot, settings.patience, closing.clone());
                tasks.spawn(one);
            }
            None => refuse(&stream),
        }
    }
    drop(listener);
    closing.cancel();
    tasks.close();
    if tokio::time::timeout(settings.last_requests, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "requests did not end in time, and are cut off");
        connections.end_all();
        tasks.wait().await;
    }
}

/// Where others reach it, it answers the proxy that ends their TLS, and this machine: nobody sends tokens in the clear.
fn is_served(is_here: bool, peer: IpAddr, is_proxy: bool) -> bool {
    is_here || is_proxy || peer.is_loopback()
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    slot: Slot,
    patience: Duration,
    closing: CancellationToken,
) {
    // Without it small answers wait for an acknowledgement; a socket that refuses has gone.
    drop(stream.set_nodelay(true));
    let (activity, evicted) = (slot.activity(), slot.evicted());
    let service = service_fn(|request: Request<Incoming>| {
        let busy = slot.busy();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer));
        let answer = router.clone().oneshot(request);
        async move {
            let answer = answer.await;
            drop(busy);
            answer
        }
    });
    let stream = TokioIo::new(Patient::new(stream, patience, activity));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_header_size(HEADER_BYTES)
        .serve_connection(stream, service);
    tokio::pin!(connection);
    tokio::select! {
        // What goes wrong with a connection is its client's doing; requests are logged each on its own.
        _ = connection.as_mut() => return,
        () = evicted.cancelled() => return,
        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = connection => {}
        () = evicted.cancelled() => {}
    }
}

/// What fits into the socket's buffer at once; whoever does not get it sees the connection end.
fn refuse(stream: &TcpStream) {
    let answer =
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    drop(stream.try_write(answer));
}

/// When the service is asked to end: SIGTERM or SIGINT.
///
/// # Errors
/// The machine takes no handler.
pub fn asked_to_end() -> io::Result<impl Future<Output = ()> + Send> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn others_are_served_through_a_proxy_alone() {
        let other = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
        assert!(!is_served(false, other, false));
        assert!(is_served(false, other, true));
        assert!(is_served(false, Ipv4Addr::LOCALHOST.into(), false));
        assert!(is_served(true, other, false), "nobody else reaches a loopback address");
    }
}
