//! Names, addresses, states: decided without input or output.

use platform::near::is_private;
use platform::problem::Problem;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

/// So many wait at once of all that register, and so many of those that one service lists.
pub(super) const MOST_PENDING: u64 = 200;
/// With so many natives are told.
pub(super) const MANY_PENDING: u64 = 160;
/// So many register in a day of one client: in the time that they wait he fills no more than natives are told of.
pub(super) const DAILY: u32 = 20;
/// What nobody approved goes after this time.
pub(super) const PENDING: i64 = 7 * 24 * 3_600_000;
/// What was removed is kept for so long after it was heard of last.
pub(super) const REMOVED: i64 = 30 * 24 * 3_600_000;
const LONGEST: usize = 255;

/// The state of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PeerState {
    /// It registered, and has the key that it names.
    Pending,
    /// Another service lists it.
    Heard,
    /// A native approved it.
    Listed,
}

impl PeerState {
    /// As rows have it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Heard => "heard",
            Self::Listed => "listed",
        }
    }

    /// Of a row; none of one that was removed.
    pub(super) fn of(text: &str) -> Option<Self> {
        [Self::Pending, Self::Heard, Self::Listed].into_iter().find(|state| state.as_str() == text)
    }
}

/// A name of letters, digits, dots and dashes.
pub(super) fn agent_id(text: &str) -> Result<&str, Problem> {
    let is_end = |one: Option<u8>| one.is_some_and(|one| one.is_ascii_lowercase() || one.is_ascii_digit());
    let bytes = text.as_bytes();
    let is_sign = |one: &u8| one.is_ascii_lowercase() || one.is_ascii_digit() || matches!(one, b'.' | b'-');
    let is_name = (1..=64).contains(&bytes.len()) && bytes.iter().all(is_sign);
    if is_name && is_end(bytes.first().copied()) && is_end(bytes.last().copied()) {
        return Ok(text);
    }
    Err(Problem::invalid("/agent_id", "name", "is no name of a-z, 0-9, dots and dashes, of 1 to 64 signs"))
}

/// An address under TLS, of which nothing is hidden.
pub(super) fn url(text: &str) -> Result<&str, Problem> {
    let found = Url::parse(text).ok().filter(|url| {
        let is_plain = url.username().is_empty() && url.password().is_none();
        is_private(url) && is_plain && url.query().is_none() && url.fragment().is_none()
    });
    if found.is_some_and(|url| url.as_str() == text) && text.len() <= LONGEST {
        return Ok(text);
    }
    Err(Problem::invalid("/url", "url", "is no https address as it is written, without credentials, query or fragment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_have_one_form() {
        for name in ["a", "split.example", "node-7"] {
            assert!(agent_id(name).is_ok(), "{name}");
        }
        let long = "a".repeat(65);
        for name in ["", "-a", "a-", "A", "a b", "a::b", "č", &long] {
            assert!(agent_id(name).is_err(), "{name}");
        }
        for address in ["https://a.example/", "https://a.example/trust/", "http://127.0.0.1:8470/"] {
            assert!(url(address).is_ok(), "{address}");
        }
        let long = format!("https://a.example/{}", "a".repeat(255));
        for address in [
            "http://a.example/",
            "https://a.example",
            "https://A.example/",
            "https://u@a.example/",
            "https://a.example/?q",
            "https://a.example/#f",
            "file:///etc/passwd",
            &long,
        ] {
            assert!(url(address).is_err(), "{address}");
        }
    }
}
