//! What stands behind the question mark.

use crate::problem::Problem;
use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;
use url::form_urlencoded;

/// What a page is asked with ([`Page`](crate::pages::Page)): never a filter.
pub(crate) const OF_PAGES: [&str; 2] = ["limit", "after"];

/// The filters of a request. Give `T` `deny_unknown_fields`: then unknown and repeated ones are refused, each by its
/// name. `limit` and `after` are the page's, and not among them.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        read(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

fn read<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let filters: Vec<_> = pairs(query).filter(|(name, _)| !OF_PAGES.contains(&&**name)).collect();
    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(filters).finish();
    let reader = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let name = error.path().to_string();
        let pointer = if name == "." { "query".to_owned() } else { format!("query/{name}") };
        Problem::invalid(pointer, "value", error.inner().to_string())
    })
}

pub(crate) fn pairs(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Filters {
        from: Option<u32>,
        kind: Option<String>,
    }

    #[test]
    fn a_filter_that_is_wrong_is_named() {
        let whole = read::<Filters>("kind=a%20b&limit=3&from=7&after=x").unwrap();
        assert_eq!(whole, Filters { from: Some(7), kind: Some("a b".to_owned()) });
        let told = |query| read::<Filters>(query).unwrap_err().fields()[0].pointer.clone();
        assert_eq!(told("from=x"), "query/from");
        assert_eq!(told("more=1"), "query/more");
        assert!(read::<Filters>("from=1&from=2").is_err());
    }
}
