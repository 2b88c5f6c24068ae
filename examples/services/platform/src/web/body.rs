//! Bodies of JSON: strict when they are read, and the same form when they are written.

use crate::problem::{Problem, kinds};
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// A body of JSON. Unknown members, repeated ones and anything behind the text are refused, each by its place.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(&kinds::MEDIA_TYPE).detail("the body is to be application/json"));
        }
        let body = Bytes::from_request(request, state).await.map_err(|rejected| {
            let kind = if rejected.status() == 413 { &kinds::TOO_LARGE } else { &kinds::BAD_REQUEST };
            Problem::new(kind)
        })?;
        read(&body).map(Self)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
            Err(error) => Problem::internal("answer", &error).into_response(),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads one JSON text: 400 where it is none, 422 by its place where a member is not what it should be.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let pointer = pointer(error.path());
        let inner = error.inner();
        match inner.classify() {
            Category::Data => Problem::invalid(pointer, "value", plain(inner)),
            _ => Problem::new(&kinds::NOT_JSON).detail(plain(inner)),
        }
    })?;
    reader.end().map_err(|error| Problem::new(&kinds::NOT_JSON).detail(plain(&error)))?;
    Ok(value)
}

/// RFC 6901.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .map(|segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
            Segment::Enum { variant } => format!("/{variant}"),
            Segment::Unknown => String::new(),
        })
        .collect()
}

/// What is wrong, without a place in lines and columns, which nobody has.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Ask {
        #[allow(dead_code, reason = "read alone")]
        shares: Vec<u8>,
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        let told = |text: &str| {
            let problem = read::<Ask>(text.as_bytes()).expect_err("refused");
            (problem.kind().code, problem.fields().first().map(|field| field.pointer.clone()))
        };
        assert_eq!(told(r#"{"shares":[1,300]}"#), ("invalid-field", Some("/shares/1".to_owned())));
        assert_eq!(told(r#"{"shares":[],"more":1}"#), ("invalid-field", Some("/more".to_owned())));
        assert_eq!(told(r#"{"shares":[],"shares":[]}"#).0, "invalid-field");
        assert_eq!(told("{}").0, "invalid-field");
        assert_eq!(told(r#"{"shares":[]} x"#), ("not-json", None));
        assert_eq!(told(r#"{"shares":["#), ("not-json", None));
    }
}
