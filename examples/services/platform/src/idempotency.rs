//! Requests that are sent twice are served once (`Idempotency-Key`).
//!
//! | file | what it is |
//! |---|---|
//! | `key` | the header, and what names a request |
//! | `claim` | the rows: claimed, answered, let go |
//! | `layer` | what stands around the handlers |

mod claim;
mod key;
mod layer;

pub use claim::sweep;
pub(crate) use layer::layer;

use crate::access::Tier;
use crate::clock::Clock;
use crate::db::{Statement, Tx, Under};
use crate::problem::{Problem, kinds};
use crate::values;
use crate::web::keys::Keys;
use axum::extract::FromRequestParts;
use dualseal_operator::secrets::Place;
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) const STATEMENTS: &[Statement] = claim::ALL;
/// How long an answer is repeated: a day.
const KEPT_MILLIS: i64 = 86_400_000;

/// The key of this request, claimed before the handler began; nothing where none was sent. A handler stores its answer
/// with it, in the transaction that writes; one that answers without lets the key go, as one that refuses does.
#[derive(Clone, Debug, Default)]
pub struct Idempotency(Option<Arc<Claim>>);

/// A key that was claimed.
#[derive(Debug)]
pub(crate) struct Claim {
    scope: [u8; 32],
    /// Which claim of the scope: one that ran out meanwhile is another's.
    number: [u8; 16],
    tier: Tier,
    keys: Arc<Keys>,
    clock: Clock,
    stored: AtomicBool,
}

/// What an answer has beside its body.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    status: u16,
    /// Of whoever was answered: with a lower one nobody gets it.
    tier: Tier,
    headers: Vec<(String, String)>,
    /// Of what is told only under a checkpoint: of a revocation, a rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    under: Option<Under>,
}

impl Idempotency {
    /// Stores the answer, sealed, with what the request writes: the same request is answered with it for a day.
    ///
    /// # Errors
    /// The database; [`kinds::CONFLICT`] where the claim ran out meanwhile and another request has it.
    pub async fn store<T: Serialize + Sync>(&self, tx: &mut Tx, status: StatusCode, answer: &T) -> Result<(), Problem> {
        self.store_with(tx, status, &HeaderMap::new(), answer).await
    }

    /// The same, with headers that the answer has, such as `Link`.
    ///
    /// # Errors
    /// As [`store`](Self::store).
    pub async fn store_with<T: Serialize + Sync>(
        &self,
        tx: &mut Tx,
        status: StatusCode,
        headers: &HeaderMap,
        answer: &T,
    ) -> Result<(), Problem> {
        let Some(claim) = &self.0 else { return Ok(()) };
        let text = |value: &http::HeaderValue| value.to_str().map(str::to_owned).unwrap_or_default();
        let headers = headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let head = Head { status: status.as_u16(), tier: claim.tier, headers, under: tx.told_under() };
        let mut whole = serde_json::to_vec(&head).map_err(|error| Problem::internal("answer", &error))?;
        // JSON in one line has no line feed in it.
        whole.push(b'\n');
        serde_json::to_writer(&mut whole, answer).map_err(|error| Problem::internal("answer", &error))?;
        let sealed = claim.keys.answers.seal(place(&claim.scope)?, &whole)?;
        let expires = claim.clock.millis().saturating_add(KEPT_MILLIS);
        let values = values![&claim.scope[..], &claim.number[..], sealed.into_stored(), expires];
        if tx.execute(claim::STORE, values).await? == 0 {
            return Err(Problem::new(&kinds::CONFLICT).detail("another request with this key is being served"));
        }
        claim.stored.store(true, Ordering::Release);
        Ok(())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Idempotency {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

/// Where the answer of a scope stands: in another row it does not open.
fn place(scope: &[u8; 32]) -> Result<Place, dualseal::Error> {
    Place::new("idempotency", scope, "answer")
}
