//! Bodies with a document: JSON, or a form whose last part, the document, is read as it arrives.

use axum::body::Body as HttpBody;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use http::header::CONTENT_TYPE;
use platform::access::{FORM_BYTES, JSON_BYTES, PAYLOAD_BYTES};
use platform::problem::{Problem, kinds};
use platform::web::Json;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// A body.
#[derive(Debug)]
pub(crate) enum Body<T> {
    /// Of JSON.
    Json(T),
    /// In parts, in the order that the documentation gives: what is known first decides what becomes of the document.
    Form(Form),
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
            let most = PAYLOAD_BYTES.saturating_add(FORM_BYTES);
            DefaultBodyLimit::max(usize::try_from(most).unwrap_or(usize::MAX)).apply(&mut request);
            let request = request.map(paced);
            let form = Multipart::from_request(request, state).await;
            let form = form.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the form has no boundary"))?;
            return Ok(Self::Form(Form(form)));
        }
        DefaultBodyLimit::max(usize::try_from(JSON_BYTES).unwrap_or(usize::MAX)).apply(&mut request);
        Json::from_request(request, state).await.map(|Json(body)| Self::Json(body))
    }
}

/// A body that is not ready just behind a piece: the reader of forms keeps in memory all that is. It must be ready
/// before the first one, since that reader takes a beginning that comes late together with its end for no form.
fn paced(body: HttpBody) -> HttpBody {
    let pieces = (body.into_data_stream(), false);
    HttpBody::from_stream(stream::unfold(pieces, |(mut pieces, has_begun)| async move {
        if has_begun {
            tokio::task::yield_now().await;
        }
        let piece = pieces.next().await?;
        Some((piece, (pieces, true)))
    }))
}

/// A form whose last part is streamed.
#[derive(Debug)]
pub(crate) struct Form(Multipart);

impl Form {
    /// The next part, which is text of at most so many bytes.
    pub(crate) async fn text(&mut self, name: &'static str, most: usize) -> Result<String, Problem> {
        let mut field = self.field(name).await?;
        let mut text = Vec::new();
        while let Some(piece) = field.chunk().await.map_err(|error| of_form(&error))? {
            text.extend_from_slice(&piece);
            if text.len() > most {
                return Err(Problem::invalid(format!("/{name}"), "length", format!("has more than {most} bytes")));
            }
        }
        String::from_utf8(text).map_err(|_| Problem::invalid(format!("/{name}"), "utf-8", "is not UTF-8"))
    }

    /// The same, of a name of the library's.
    pub(crate) async fn name<T: FromStr<Err: std::fmt::Display>>(&mut self, name: &'static str) -> Result<T, Problem> {
        let text = self.text(name, 256).await?;
        text.parse().map_err(|error: T::Err| Problem::invalid(format!("/{name}"), "value", error.to_string()))
    }

    /// The last part, in pieces.
    pub(crate) async fn pieces(
        &mut self,
        name: &'static str,
    ) -> Result<impl Stream<Item = Result<Bytes, Problem>> + Unpin, Problem> {
        Ok(self.field(name).await?.map(|piece| piece.map_err(|error| of_form(&error))))
    }

    /// Nothing follows.
    pub(crate) async fn end(&mut self) -> Result<(), Problem> {
        match self.0.next_field().await.map_err(|error| of_form(&error))? {
            None => Ok(()),
            Some(field) => Err(unexpected(field.name().unwrap_or_default(), "nothing")),
        }
    }

    async fn field(&mut self, name: &'static str) -> Result<Field<'_>, Problem> {
        match self.0.next_field().await.map_err(|error| of_form(&error))? {
            Some(field) if field.name() == Some(name) => Ok(field),
            Some(field) => Err(unexpected(field.name().unwrap_or_default(), name)),
            None => Err(Problem::invalid(format!("/{name}"), "missing", "the form has no such part")),
        }
    }
}

/// A part that is not in its place. What a sender calls it is shown as far as it is a name.
fn unexpected(found: &str, expected: &str) -> Problem {
    let found: String = found.chars().filter(|one| one.is_ascii_alphanumeric() || *one == '_').take(64).collect();
    Problem::invalid(format!("/{found}"), "order", format!("{expected} is expected in this place of the form"))
}

fn of_form(error: &MultipartError) -> Problem {
    match error.status().as_u16() {
        413 => Problem::new(&kinds::TOO_LARGE),
        _ => Problem::new(&kinds::BAD_REQUEST).detail("the form is broken, or ended early"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(body: HttpBody) -> Request {
        let request = Request::post("/").header(CONTENT_TYPE, "multipart/form-data; boundary=x");
        request.body(body).unwrap()
    }

    /// As small forms come from the network: all of it at once, at once or later.
    #[tokio::test]
    async fn a_form_in_one_piece_is_read() {
        let text = "--x\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nCONTRACT\r\n--x--\r\n";
        let late = stream::once(async move {
            tokio::task::yield_now().await;
            Ok::<_, std::convert::Infallible>(text)
        });
        for body in [HttpBody::from(text), HttpBody::from_stream(late)] {
            let Ok(Body::Form(mut form)) = Body::<()>::from_request(request(body), &()).await else {
                panic!("it is no form");
            };
            assert_eq!(form.text("type", 255).await.unwrap(), "CONTRACT");
            form.end().await.unwrap();
        }
    }
}
