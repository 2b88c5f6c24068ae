//! What is answered when a request is not served (RFC 9457).
//!
//! | file | what it is |
//! |---|---|
//! | `catalogue` | every kind of problem: its code, status and title |
//! | `library` | the library's and the operator's errors as problems |

mod catalogue;
mod library;

pub use catalogue::{CATALOGUE, Kind, kinds};

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// Why a request was not served: one kind of the catalogue, with what is particular about this request. No text of it
/// has a path, a statement or a secret.
#[derive(Clone, Debug)]
pub struct Problem(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: &'static Kind,
    detail: Option<String>,
    fields: Vec<Field>,
    retry_after: Option<u64>,
    /// Whether a UNIQUE rule of the schema was met.
    is_unique: bool,
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Field {
    /// Where it stands: a JSON pointer into the body (RFC 6901), or `path/NAME`, `query/NAME`, `header/NAME`.
    #[schema(example = "/identity_id")]
    pub pointer: String,
    /// What is wrong, as a name that lasts.
    #[schema(example = "length")]
    pub code: String,
    /// What is wrong, in words.
    #[schema(example = "identity_id: has 63 characters instead of 64")]
    pub detail: String,
}

/// The body of a problem.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "Problem")]
pub struct Body {
    /// The page of this kind of problem.
    #[serde(rename = "type")]
    #[schema(example = "https://trust.example/problems/unknown-id")]
    pub kind: String,
    /// The kind, in words.
    pub title: &'static str,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The kind, as a name that lasts.
    #[schema(example = "unknown-id")]
    pub code: &'static str,
    /// What is particular about this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The request, as the service's log names it.
    pub instance: String,
    /// What is wrong, field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Field>,
}

impl Problem {
    /// Of a kind.
    #[must_use]
    pub fn new(kind: &'static Kind) -> Self {
        Self(Box::new(Inner { kind, detail: None, fields: Vec::new(), retry_after: None, is_unique: false }))
    }

    /// With a sentence about this request.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// With what is wrong with one more field.
    #[must_use]
    pub fn field(mut self, pointer: impl Into<String>, code: &str, detail: impl Into<String>) -> Self {
        self.0.fields.push(Field { pointer: pointer.into(), code: code.to_owned(), detail: detail.into() });
        self
    }

    /// With when to come back: at least after one second.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds.max(1));
        self
    }

    /// A field that breaks a rule: 422.
    #[must_use]
    pub fn invalid(pointer: impl Into<String>, code: &str, detail: impl Into<String>) -> Self {
        Self::new(&kinds::INVALID_FIELD).field(pointer, code, detail)
    }

    /// Something of the service's own that failed. What it says goes into the log, and nowhere else.
    #[must_use]
    pub fn internal(part: &'static str, error: &dyn fmt::Display) -> Self {
        tracing::error!(part, %error, "a request failed");
        Self::new(&kinds::INTERNAL)
    }

    /// Of a rule of the schema that was met: somebody else has the place.
    #[must_use]
    pub fn unique() -> Self {
        let mut problem = Self::new(&kinds::CONFLICT);
        problem.0.is_unique = true;
        problem
    }

    /// Whether a rule of the schema was met.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> &'static Kind {
        self.0.kind
    }

    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// What is wrong, field by field.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.0.fields
    }

    /// When to come back, in seconds.
    #[must_use]
    pub fn comes_back_after(&self) -> Option<u64> {
        self.0.retry_after
    }

    /// The body, for the service at this address and the request of this name.
    #[must_use]
    pub fn body(&self, base_url: &str, instance: &str) -> Body {
        let Inner { kind, detail, fields, .. } = &*self.0;
        Body {
            kind: format!("{}/problems/{}", base_url.trim_end_matches('/'), kind.code),
            title: kind.title,
            status: kind.status,
            code: kind.code,
            detail: detail.clone(),
            instance: instance.to_owned(),
            errors: fields.clone(),
        }
    }
}

/// The outermost layer ([`web::finish`](crate::web::finish)) writes its body, which names the request.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, detail, fields, .. } = &*self.0;
        write!(f, "{}: {}", kind.code, detail.as_deref().unwrap_or(kind.title))?;
        fields.iter().try_for_each(|field| write!(f, "; {}: {}", field.pointer, field.detail))
    }
}

impl std::error::Error for Problem {}
