//! By which names the service is asked for. A page of somebody's is of the service too, as a browser sees it, once its
//! name leads to the service's address: the browser says that name, and no page can change it.

use http::uri::Authority;
use http::{HeaderMap, Uri, header};
use url::{Host, Url};

/// The names. No port is compared, since no name is another's by its port, and proxies leave it out.
#[derive(Debug)]
pub(crate) struct Hosts(Vec<String>);

/// A host as it is compared: in small letters, without a dot at its end.
fn host(text: &str) -> Option<Host> {
    Host::parse(text.strip_suffix('.').unwrap_or(text)).ok()
}

/// A name as it is compared; none where a text is not a name alone.
pub(crate) fn name(text: &str) -> Option<String> {
    match host(text)? {
        Host::Domain(name) if !name.contains('*') => Some(name),
        _ => None,
    }
}

impl Hosts {
    pub(crate) fn new(base_url: &Url, listed: &[String]) -> Self {
        Self(base_url.host_str().into_iter().chain(listed.iter().map(String::as_str)).filter_map(name).collect())
    }

    /// Whether a request is for this service. Whoever says no name is no browser.
    pub(crate) fn have(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut said = headers.get_all(header::HOST).iter();
        match (uri.authority(), said.next(), said.next()) {
            (_, _, Some(_)) => false,
            // It counts before the header (RFC 9112, section 3.2.2).
            (Some(authority), ..) => self.has(authority),
            (None, Some(said), None) => Authority::try_from(said.as_bytes()).is_ok_and(|said| self.has(&said)),
            (None, None, None) => true,
        }
    }

    /// A number leads where it says, and browsers take `localhost` for this machine without asking anybody.
    fn has(&self, authority: &Authority) -> bool {
        let is_bare = !authority.as_str().contains('@');
        is_bare
            && host(authority.host()).is_some_and(|host| match host {
                Host::Domain(name) => name == "localhost" || self.0.contains(&name),
                Host::Ipv4(_) | Host::Ipv6(_) => true,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn hosts() -> Hosts {
        Hosts::new(&Url::parse("https://Trust.example:8443/").unwrap(), &["inner.example.".to_owned()])
    }

    fn said(all: &[&'static str]) -> HeaderMap {
        all.iter().map(|text| (header::HOST, HeaderValue::from_static(text))).collect()
    }

    #[test]
    fn a_service_has_its_names_and_numbers() {
        for (text, expected) in [
            ("trust.example:8443", true),
            ("trust.example", true),
            ("TRUST.example.:443", true),
            ("inner.example", true),
            ("localhost:8470", true),
            ("127.0.0.1:8470", true),
            ("192.0.2.7", true),
            ("[::1]:8470", true),
            ("evil.example", false),
            ("evil.example:8443", false),
            ("127.0.0.1.evil.example", false),
            ("trust.example.evil.example", false),
            ("more.trust.example", false),
            ("evil.localhost", false),
            ("me@trust.example", false),
            ("trust.example@evil.example", false),
            ("trust.example, evil.example", false),
            ("http://trust.example", false),
            ("trust.example/", false),
            ("", false),
        ] {
            assert_eq!(hosts().have(&Uri::from_static("/"), &said(&[text])), expected, "{text}");
        }
        assert!(hosts().have(&Uri::from_static("/"), &HeaderMap::new()), "a program");
        assert!(!hosts().have(&Uri::from_static("/"), &said(&["trust.example", "trust.example"])));
    }

    #[test]
    fn the_address_that_is_asked_counts_before_the_header() {
        for (uri, header, expected) in [
            ("http://trust.example/a", "evil.example", true),
            ("http://evil.example/a", "trust.example", false),
            ("http://evil.example:8443/a", "trust.example", false),
        ] {
            assert_eq!(hosts().have(&Uri::from_static(uri), &said(&[header])), expected, "{uri}");
        }
        assert!(!hosts().have(&Uri::from_static("http://evil.example/a"), &HeaderMap::new()));
    }

    #[test]
    fn a_name_stands_alone() {
        assert_eq!(name("Inner.Example.").as_deref(), Some("inner.example"));
        for text in ["", "inner.example:80", "https://inner.example", "*.example", "a b", "192.0.2.7", "[::1]", "a/b"] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
