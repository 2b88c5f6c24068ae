//! The row of the table that a request meets.

use crate::access::Endpoint;
use http::Method;
use std::collections::HashMap;

/// The row of the endpoint that serves this request, in its extensions; none where the table has none.
#[derive(Clone, Copy, Debug)]
pub struct Matched(pub &'static Endpoint);

/// The table, by address.
#[derive(Debug)]
pub(crate) struct Rows(HashMap<&'static str, Vec<&'static Endpoint>>);

impl Rows {
    pub(crate) fn new(table: &'static [Endpoint]) -> Self {
        let mut rows = HashMap::<_, Vec<_>>::new();
        for row in table {
            rows.entry(row.path).or_default().push(row);
        }
        Self(rows)
    }

    /// The row of a method and of the address as the router has it. `HEAD` is a `GET` without a body.
    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<Matched> {
        let method = if method == Method::HEAD { "GET" } else { method.as_str() };
        let row = self.0.get(path)?.iter().find(|row| row.method == method)?;
        Some(Matched(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Level, Owner, Repeat};

    #[test]
    fn a_row_is_of_one_method_and_path() {
        static TABLE: [Endpoint; 2] = [
            Endpoint::new("GET", "/a/{id}", Level::Public, Owner::None, Repeat::Plain),
            Endpoint::new("POST", "/a/{id}", Level::Public, Owner::None, Repeat::Refused).taking(7),
        ];
        let rows = Rows::new(&TABLE);
        assert_eq!(rows.find(&Method::POST, "/a/{id}").map(|row| row.0.most), Some(7));
        assert_eq!(rows.find(&Method::HEAD, "/a/{id}").map(|row| row.0.method), Some("GET"));
        assert!(rows.find(&Method::PUT, "/a/{id}").is_none());
        assert!(rows.find(&Method::GET, "/a/b").is_none());
    }

    #[test]
    fn what_reads_does_not_write() {
        let row = |method, repeat| Endpoint::new(method, "/", Level::Public, Owner::None, repeat);
        assert!(!row("GET", Repeat::Plain).writes);
        assert!(row("GET", Repeat::Refused).writes, "a first pull is an entry");
        assert!(row("POST", Repeat::Refused).writes);
        assert!(!row("POST", Repeat::Refused).reading().writes);
    }
}
