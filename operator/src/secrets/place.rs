//! Where a secret stands in a store: table, row and purpose.

use dualseal::encoding::check_label;
use dualseal::error::{Malformed, Problem};
use dualseal::hash::Sha3_256;
use dualseal::stream::Purpose;
use dualseal::{Domain, Error};
use std::fmt;

/// The type of every stream that is a secret at rest.
const TYPE: &str = "SECRET";

/// Where a secret stands: the table, the row in it, and what the secret is for, such as the column. A secret opens at
/// the place that it was made for, and at no other.
///
/// ```
/// use dualseal_operator::secrets::Place;
///
/// let place = Place::new("identities", b"ana", "signing-seed")?;
/// assert_eq!(place.to_string(), "identities/ana/signing-seed");
/// assert!(Place::new("identities", b"", "signing-seed").is_err());
/// assert!(Place::new("a::b", b"ana", "signing-seed").is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    table: String,
    row: Vec<u8>,
    purpose: String,
}

impl Place {
    /// Table and purpose are labels: 1 to 255 bytes of text that contains no `::`, does not begin with `:` and has no
    /// control character. The row is any bytes, but not none: a row that was forgotten would be every row.
    ///
    /// # Errors
    /// [`Problem::Range`], [`Problem::Ambiguous`] or [`Problem::Control`] for `table` or `purpose`; [`Problem::Range`]
    /// for `row`.
    pub fn new(table: &str, row: &[u8], purpose: &str) -> Result<Self, Error> {
        check_label("table", table)?;
        check_label("purpose", purpose)?;
        if row.is_empty() {
            return Err(Malformed::new("row", None, Problem::Range).into());
        }
        Ok(Self { table: table.to_owned(), row: row.to_owned(), purpose: purpose.to_owned() })
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The row's identifier.
    #[must_use]
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// What the secret is for.
    #[must_use]
    pub fn purpose(&self) -> &str {
        &self.purpose
    }

    /// SHA3-256 over table, row and purpose, each after its length in 8 bytes: what it has in the list of secrets, and
    /// its file in a folder.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        let mut named = Vec::new();
        for part in [self.table.as_bytes(), &self.row, self.purpose.as_bytes()] {
            named.extend_from_slice(&(part.len() as u64).to_be_bytes());
            named.extend_from_slice(part);
        }
        Sha3_256::digest(&named)
    }

    /// What its stream is bound to: the general identifier of (content row, creator table, context purpose), and the
    /// type `SECRET`.
    pub(super) fn stream(&self, domain: &Domain) -> Result<Purpose, Error> {
        let identity_id = domain.identity_id(&self.row, &self.table, &self.purpose)?;
        Purpose::new(domain, identity_id.as_bytes(), TYPE)
    }
}

impl fmt::Display for Place {
    /// A row that is no printable ASCII is escaped, so that it writes no lines of its own into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.table, self.row.escape_ascii(), self.purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(place: Result<Place, Error>) -> (&'static str, Problem) {
        match place.unwrap_err() {
            Error::Malformed(malformed) => (malformed.field, malformed.problem),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn labels_are_checked() {
        let long = "x".repeat(256);
        for (bad, expected) in [
            ("", Problem::Range),
            (long.as_str(), Problem::Range),
            ("a::b", Problem::Ambiguous),
            (":a", Problem::Ambiguous),
            ("a\nb", Problem::Control),
        ] {
            assert_eq!(problem(Place::new(bad, b"1", "p")), ("table", expected.clone()), "{bad:?}");
            assert_eq!(problem(Place::new("t", b"1", bad)), ("purpose", expected), "{bad:?}");
        }
        assert_eq!(problem(Place::new("t", b"", "p")), ("row", Problem::Range));
        assert!(Place::new("t", b"a::b\n\0\xff", "p").is_ok(), "a row is any bytes");
    }

    /// No two places share a stream's purpose, also where their parts joined are the same text.
    #[test]
    fn every_part_counts() {
        let domain = Domain::default();
        let purpose = |table, row: &[u8], purpose| Place::new(table, row, purpose).unwrap().stream(&domain).unwrap();
        let places = [
            purpose("t", b"1", "p"),
            purpose("t", b"2", "p"),
            purpose("u", b"1", "p"),
            purpose("t", b"1", "q"),
            purpose("p", b"1", "t"),
            purpose("t", b"1::t", "p"),
            purpose("t", b"1:", "p"),
            purpose("t:", b"1", "p"),
            purpose("t", b"1", "p:"),
        ];
        for (index, place) in places.iter().enumerate() {
            assert!(!places[..index].contains(place), "{index}");
        }
    }

    #[test]
    fn what_is_shown_has_one_line() {
        assert_eq!(Place::new("t", b"a\n\xff", "p").unwrap().to_string(), r"t/a\n\xff/p");
    }
}
