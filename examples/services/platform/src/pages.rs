//! Lists, a page at a time, newest first.
//!
//! A cursor is what the next page begins behind, sealed and bound to whoever asks, the address, the filters and the
//! world: it shows nothing, and elsewhere it does not open. A handler reads [`Page::ask`] rows, one more than it gives,
//! and [`Page::list`] makes the answer.

use crate::access::Caller;
use crate::problem::Problem;
use crate::web::keys::Keys;
use crate::web::{Json, Web};
use axum::extract::{FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::hash::Sha3_256;
use dualseal_operator::secrets::Place;
use http::request::Parts;
use http::{HeaderValue, Uri, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use url::form_urlencoded;
use utoipa::{IntoParams, ToSchema};
use zeroize::Zeroizing;

const DEFAULT: u32 = 50;
const MOST: u32 = 200;
/// A cursor is some hundreds of characters.
const LONGEST: usize = 2048;

/// What a list is asked with: the two for the documentation of every list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many items, at most.
    #[param(minimum = 1, maximum = 200, default = 50, example = 50)]
    pub limit: Option<u32>,
    /// The `next` of the page before, as it was given.
    #[param(max_length = 2048)]
    pub after: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Listed<T> {
    /// The items, newest first.
    pub items: Vec<T>,
    /// What the next page is asked with as `after`; none on the last.
    pub next: Option<String>,
    /// The address of the next page, for the header `Link`.
    #[serde(skip)]
    #[schema(ignore)]
    link: Option<HeaderValue>,
}

/// Which page is asked for.
#[derive(Debug)]
pub struct Page {
    limit: u32,
    after: Option<Zeroizing<Vec<u8>>>,
    place: Place,
    path: String,
    filters: Vec<(String, String)>,
    keys: Arc<Keys>,
}

/// The keys, for [`Page`].
#[derive(Clone, Debug)]
struct Sealing(Arc<Keys>);

/// Gives a request what its cursors are sealed with.
pub(crate) fn prepare(web: &Web, request: &mut Request) {
    request.extensions_mut().insert(Sealing(Arc::clone(&web.keys)));
}

impl Page {
    /// How many items it has, at most.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// How many rows a handler reads: one more tells whether there is a next page.
    #[must_use]
    pub fn ask(&self) -> u32 {
        self.limit.saturating_add(1)
    }

    /// Behind what it begins; none for the first.
    ///
    /// # Errors
    /// The cursor holds something else: 422.
    pub fn after<C: DeserializeOwned>(&self) -> Result<Option<C>, Problem> {
        self.after.as_ref().map(|after| serde_json::from_slice(after).map_err(|_| foreign())).transpose()
    }

    /// The answer, of [`ask`](Self::ask) rows, each with the cursor of what begins behind it.
    ///
    /// # Errors
    /// The generator failed.
    pub fn list<T, C: Serialize>(&self, mut items: Vec<T>, cursor: impl Fn(&T) -> C) -> Result<Listed<T>, Problem> {
        let limit = self.limit as usize;
        let is_last = items.len() <= limit;
        items.truncate(limit);
        let (Some(last), false) = (items.last(), is_last) else { return Ok(Listed { items, next: None, link: None }) };
        let behind = serde_json::to_vec(&cursor(last)).map_err(|error| Problem::internal("cursor", &error))?;
        let next = URL_SAFE_NO_PAD.encode(self.keys.cursors.seal(self.place.clone(), &behind)?.stored());
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.filters)
            .append_pair("limit", &self.limit.to_string())
            .append_pair("after", &next)
            .finish();
        let link = HeaderValue::try_from(format!("<{}?{query}>; rel=\"next\"", self.path)).ok();
        Ok(Listed { items, next: Some(next), link })
    }

    fn read(uri: &Uri, caller: Option<&Caller>, keys: Arc<Keys>) -> Result<Self, Problem> {
        let (mut limits, mut cursors, mut filters) = (Vec::new(), Vec::new(), Vec::new());
        for (name, value) in crate::web::pairs(uri.query().unwrap_or_default()) {
            match &*name {
                "limit" => limits.push(value),
                "after" => cursors.push(value),
                _ => filters.push((name.into_owned(), value.into_owned())),
            }
        }
        let limit = match limits.as_slice() {
            [] => Some(DEFAULT),
            [limit] if limit.starts_with('+') => None,
            [limit] => limit.parse().ok().filter(|limit| (1..=MOST).contains(limit)),
            _ => None,
        };
        let limit = limit.ok_or_else(|| Problem::invalid("query/limit", "range", "is no number from 1 to 200"))?;
        filters.sort();
        let place = bound(uri.path(), caller, &filters)?;
        let after = match cursors.as_slice() {
            [] => None,
            [cursor] => Some(opened(&keys, &place, cursor)?),
            _ => return Err(foreign()),
        };
        Ok(Self { limit, after, place, path: uri.path().to_owned(), filters, keys })
    }
}

impl<T> Listed<T> {
    /// The same page, of what its items show.
    pub fn map<U>(self, shown: impl FnMut(T) -> U) -> Listed<U> {
        Listed { items: self.items.into_iter().map(shown).collect(), next: self.next, link: self.link }
    }

    /// The same page, of which each item is shown by this one.
    #[must_use]
    pub fn shown<U>(self, items: Vec<U>) -> Listed<U> {
        Listed { items, next: self.next, link: self.link }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Page {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(Sealing(keys)) = parts.extensions.get::<Sealing>().cloned() else {
            return Err(Problem::internal("pages", &"the layer of pages is not there"));
        };
        Self::read(&parts.uri, parts.extensions.get::<Caller>(), keys)
    }
}

impl<T: Serialize> IntoResponse for Listed<T> {
    fn into_response(mut self) -> Response {
        let link = self.link.take();
        let mut response = Json(self).into_response();
        if let Some(link) = link {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}

/// Where a cursor opens: for this caller, address, world and these filters.
fn bound(path: &str, caller: Option<&Caller>, filters: &[(String, String)]) -> Result<Place, Problem> {
    let mut named = Vec::new();
    let mut name = |part: &[u8]| {
        named.extend_from_slice(&(part.len() as u64).to_be_bytes());
        named.extend_from_slice(part);
    };
    name(caller.map_or(&[][..], |caller| caller.subject.as_bytes()));
    name(&caller.map_or(0, |caller| caller.world.number()).to_be_bytes());
    name(path.as_bytes());
    for (filter, value) in filters {
        name(filter.as_bytes());
        name(value.as_bytes());
    }
    Ok(Place::new("cursors", &Sha3_256::digest(&named), "after")?)
}

fn opened(keys: &Keys, place: &Place, cursor: &str) -> Result<Zeroizing<Vec<u8>>, Problem> {
    if cursor.len() > LONGEST {
        return Err(foreign());
    }
    let stored = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| foreign())?;
    keys.cursors.open(place, stored).map_err(|_| foreign())
}

fn foreign() -> Problem {
    Problem::invalid("query/after", "cursor", "is no `next` of this list, with these filters, for this caller")
}
