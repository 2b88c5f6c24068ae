//! Addresses of this machine.

use url::{Host, Url};

/// Whether an address is on this machine, whatever its names resolve to elsewhere.
#[must_use]
pub fn is_here(address: &Url) -> bool {
    match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// Whether nobody in between reads or changes what is sent there: by TLS, or since it does not leave this machine.
#[must_use]
pub fn is_private(address: &Url) -> bool {
    match address.scheme() {
        "https" => true,
        "http" => is_here(address),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_this_machine_is_under_tls() {
        for (address, holds) in [
            ("https://a.example/", true),
            ("http://a.example/", false),
            ("http://localhost:8080/", true),
            ("http://127.0.0.2/", true),
            ("http://[::1]:80/", true),
            ("http://localhost.a.example/", false),
            ("http://10.0.0.1/", false),
            ("ftp://localhost/", false),
        ] {
            assert_eq!(is_private(&address.parse().unwrap()), holds, "{address}");
        }
    }
}
