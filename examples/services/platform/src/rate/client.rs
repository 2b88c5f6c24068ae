//! Who asks: the peer, or whom a trusted proxy names.

use http::HeaderMap;
use ipnet::IpNet;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The other end of the connection, in a request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// A client, as it is counted: an address of IPv4, or 64 bits of one of IPv6, of which everybody has as many as he
/// likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// The peer, unless it is a trusted proxy: then the last hop that is none. Only what trusted proxies appended
    /// counts; the rest of the header is the client's own invention.
    #[must_use]
    pub fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
        let peer = peer.to_canonical();
        if !is_trusted(&peer) {
            return Self::new(peer);
        }
        // A proxy appends to one of the two headers and passes the other on as the client sent it. Where both are
        // there and disagree, nobody is believed, and whoever sends that shares the proxy's bucket.
        let named = [hops(headers, "x-forwarded-for"), hops(headers, "forwarded")];
        let mut found = named.iter().filter(|hops| !hops.is_empty()).map(|hops| nearest(peer, hops, is_trusted));
        match (found.next(), found.next()) {
            (Some(one), Some(other)) if one != other => Self::new(peer),
            (Some(one), _) => Self::new(one),
            (None, _) => Self::new(peer),
        }
    }

    /// Of an address.
    #[must_use]
    pub fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                Self(Ipv6Addr::from_bits(network).into())
            }
            IpAddr::V4(address) => Self(address.into()),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// From the right, over trusted hops, to the first that is none. What cannot be read ends the walk at the proxy that
/// passed it on.
fn nearest(peer: IpAddr, hops: &[Option<IpAddr>], is_trusted: impl Fn(&IpAddr) -> bool) -> IpAddr {
    let mut at = peer;
    for hop in hops.iter().rev() {
        let Some(hop) = hop else { break };
        at = *hop;
        if !is_trusted(hop) {
            break;
        }
    }
    at
}

/// The hops that all headers of a name list, in their order.
fn hops(headers: &HeaderMap, name: &str) -> Vec<Option<IpAddr>> {
    let lines = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or("?"));
    let parts = lines.flat_map(|line| line.split(',')).map(str::trim);
    if name == "forwarded" { parts.map(forwarded).collect() } else { parts.map(address).collect() }
}

/// RFC 7239: `for=192.0.2.60;proto=http`, `For="[2001:db8::17]:4711"`.
fn forwarded(element: &str) -> Option<IpAddr> {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, node) = pairs.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address(node.trim_matches('"'))
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let found = bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()));
    found.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(peer: &str, headers: &[(&'static str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        Client::of(peer.parse().unwrap(), &map, &trusted).0.to_string()
    }

    #[test]
    fn a_client_is_who_the_last_trusted_proxy_saw() {
        let xff = "x-forwarded-for";
        for (peer, headers, expected) in [
            ("192.0.2.1", vec![], "192.0.2.1"),
            ("192.0.2.1", vec![(xff, "198.51.100.7")], "192.0.2.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
            ("10.0.0.1", vec![(xff, "198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![(xff, "6.6.6.6, 198.51.100.7, 10.9.9.9")], "198.51.100.7"),
            ("10.0.0.1", vec![(xff, "6.6.6.6"), (xff, "198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![(xff, "198.51.100.7:4711")], "198.51.100.7"),
            ("10.0.0.1", vec![(xff, "198.51.100.7, unknown")], "10.0.0.1"),
            ("10.0.0.1", vec![(xff, "")], "10.0.0.1"),
            ("10.0.0.1", vec![(xff, "10.0.0.3, 10.0.0.2")], "10.0.0.3"),
            ("::ffff:10.0.0.1", vec![(xff, "::ffff:198.51.100.7")], "198.51.100.7"),
            ("::1", vec![(xff, "2001:db8:1:2:3:4:5:6")], "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::1", vec![], "2001:db8:1:2::"),
            ("10.0.0.1", vec![("forwarded", "for=198.51.100.7;proto=https;by=10.0.0.1")], "198.51.100.7"),
            ("10.0.0.1", vec![("forwarded", "for=6.6.6.6, For=\"[2001:db8:1:2::17]:4711\"")], "2001:db8:1:2::"),
            ("10.0.0.1", vec![("forwarded", "for=6.6.6.6, proto=http")], "10.0.0.1"),
            ("10.0.0.1", vec![(xff, "198.51.100.7"), ("forwarded", "for=198.51.100.7")], "198.51.100.7"),
            ("10.0.0.1", vec![(xff, "198.51.100.7"), ("forwarded", "for=6.6.6.6")], "10.0.0.1"),
        ] {
            assert_eq!(of(peer, &headers), expected, "{peer} {headers:?}");
        }
    }
}
