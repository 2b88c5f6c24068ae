//! How the service's own pages are served: files of text, style and script, and nothing from elsewhere.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use platform::problem::{Problem, kinds};

/// HTML.
pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// A script.
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
/// A style.
pub(crate) const STYLE: &str = "text/css; charset=utf-8";

/// Nothing is loaded but from here, nothing is sent elsewhere, and nobody frames it.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                                 img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                                 trusted-types 'none'; require-trusted-types-for 'script'";

/// What a browser lets a page do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Served {
    /// The content security policy.
    pub(crate) policy: &'static str,
    /// Of the machine's devices.
    pub(crate) permissions: &'static str,
}

impl Served {
    /// A file of a page, of a type.
    pub(crate) fn file(self, kind: &'static str, content: impl IntoResponse) -> Response {
        let mut response = content.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(self.policy));
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        headers.insert("permissions-policy", HeaderValue::from_static(self.permissions));
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
        headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
        response
    }

    /// One of a page's parts: each its name, its type and its text.
    pub(crate) fn part(self, parts: &[(&str, &'static str, &'static str)], name: &str) -> Result<Response, Problem> {
        let found = parts.iter().find(|part| part.0 == name).ok_or_else(|| Problem::new(&kinds::UNKNOWN_PATH))?;
        Ok(self.file(found.1, found.2))
    }
}
