//! From where pages of browsers may call: the service's own, and those that the operator lists. Whoever is no browser
//! says nothing of an origin.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use url::{Host, Url};

/// What a browser says of a request without an origin, and no page can change.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
const TAKEN: HeaderValue = HeaderValue::from_static("authorization, content-type, idempotency-key, if-match");
const SHOWN: HeaderValue = HeaderValue::from_static(
    "content-location, etag, idempotency-replayed, link, retry-after, split-id, www-authenticate, x-request-id",
);
/// For how long a browser need not ask again.
const SECONDS: HeaderValue = HeaderValue::from_static("600");

/// Whom pages are of.
#[derive(Debug)]
pub(crate) struct Origins {
    own: Vec<String>,
    listed: Vec<String>,
}

/// From where a request comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// A page of the service's own, or no browser.
    Own,
    /// A page of an origin that is listed.
    Listed(HeaderValue),
    /// Another page, also one that does not say whose it is.
    Foreign,
}

/// How an origin is written in a request; none where an address has more than an origin, or one that others can take:
/// https, or this machine.
pub(crate) fn origin(url: &Url) -> Option<String> {
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_open = url.username().is_empty() && url.password().is_none();
    let is_sure = url.scheme() == "https" || (url.scheme() == "http" && is_here(url));
    (is_bare && is_open && is_sure).then(|| url.origin().ascii_serialization())
}

fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl Origins {
    pub(crate) fn new(base_url: &Url, listed: &[Url]) -> Self {
        let mut own = vec![base_url.origin().ascii_serialization()];
        // On one's own machine one types any of these.
        if let Some(port) = base_url.port_or_known_default().filter(|_| is_here(base_url)) {
            let names =
                ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{}://{host}:{port}", base_url.scheme()));
            own.extend(names.iter().filter_map(|text| Some(Url::parse(text).ok()?.origin().ascii_serialization())));
        }
        Self { own, listed: listed.iter().filter_map(origin).collect() }
    }

    /// From where a request comes. `null` is what pages say that hide it: of a frame, or of a file.
    pub(crate) fn sender(&self, headers: &HeaderMap) -> Sender {
        let mut said = headers.get_all(header::ORIGIN).iter();
        match (said.next(), said.next()) {
            (None, _) => match headers.get(SITE).map(HeaderValue::as_bytes) {
                None | Some(b"same-origin" | b"none") => Sender::Own,
                Some(_) => Sender::Foreign,
            },
            (Some(origin), None) if self.own.iter().any(|own| own.as_bytes() == origin) => Sender::Own,
            (Some(origin), None) if self.listed.iter().any(|one| one.as_bytes() == origin) => {
                Sender::Listed(origin.clone())
            }
            _ => Sender::Foreign,
        }
    }

    /// What caches are told: an answer names the origin that may read it.
    pub(crate) fn varies(&self) -> bool {
        !self.listed.is_empty()
    }
}

/// Whether a browser asks what it may ask.
pub(crate) fn asks_first(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// What it may, from a listed origin: a token it brings itself, and no cookie counts.
pub(crate) fn may() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, TAKEN);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, SECONDS);
    response
}

/// Lets the page read an answer.
pub(crate) fn show(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, SHOWN);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn sender(origins: &Origins, said: &[(HeaderName, &'static str)]) -> Sender {
        let mut all = HeaderMap::new();
        for (name, text) in said {
            all.append(name, HeaderValue::from_static(text));
        }
        origins.sender(&all)
    }

    #[test]
    fn an_origin_is_named_whole() {
        for (text, expected) in [
            ("https://office.example", Some("https://office.example")),
            ("https://office.example:443/", Some("https://office.example")),
            ("https://OFFICE.example:8443", Some("https://office.example:8443")),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("http://[::1]:3000", Some("http://[::1]:3000")),
            ("http://office.example", None),
            ("https://office.example/page", None),
            ("https://office.example/?a", None),
            ("https://office.example/#a", None),
            ("https://me@office.example", None),
            ("file:///page.html", None),
            ("data:text/html,x", None),
        ] {
            assert_eq!(origin(&url(text)).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_page_is_of_the_service_or_listed_or_foreign() {
        let origins = Origins::new(&url("https://trust.example/"), &[url("https://office.example")]);
        let listed = Sender::Listed(HeaderValue::from_static("https://office.example"));
        for (said, expected) in [
            (vec![], Sender::Own),
            (vec![(SITE, "same-origin")], Sender::Own),
            (vec![(SITE, "none")], Sender::Own),
            (vec![(SITE, "same-site")], Sender::Foreign),
            (vec![(SITE, "cross-site")], Sender::Foreign),
            (vec![(SITE, "else")], Sender::Foreign),
            (vec![(header::ORIGIN, "https://trust.example")], Sender::Own),
            (vec![(header::ORIGIN, "https://office.example"), (SITE, "cross-site")], listed),
            (vec![(header::ORIGIN, "null")], Sender::Foreign),
            (vec![(header::ORIGIN, "null"), (SITE, "same-origin")], Sender::Foreign),
            (vec![(header::ORIGIN, "")], Sender::Foreign),
            (vec![(header::ORIGIN, "http://trust.example")], Sender::Foreign),
            (vec![(header::ORIGIN, "https://trust.example:8443")], Sender::Foreign),
            (vec![(header::ORIGIN, "https://trust.example.evil.example")], Sender::Foreign),
            (vec![(header::ORIGIN, "https://office.example/")], Sender::Foreign),
            (vec![(header::ORIGIN, "http://localhost:8470")], Sender::Foreign),
            (vec![(header::ORIGIN, "https://office.example"), (header::ORIGIN, "https://b.example")], Sender::Foreign),
        ] {
            assert_eq!(sender(&origins, &said), expected, "{said:?}");
        }
    }

    #[test]
    fn ones_own_machine_has_three_names() {
        let origins = Origins::new(&url("http://localhost:8470/"), &[]);
        for own in ["http://localhost:8470", "http://127.0.0.1:8470", "http://[::1]:8470"] {
            assert_eq!(sender(&origins, &[(header::ORIGIN, own)]), Sender::Own, "{own}");
        }
        for other in ["http://localhost:8471", "https://localhost:8470", "http://evil.example:8470"] {
            assert_eq!(sender(&origins, &[(header::ORIGIN, other)]), Sender::Foreign, "{other}");
        }
    }
}
