//! Many identifiers with one call.

use crate::args::{Buffer, Out, bytes, required, text};
use crate::batch::{Told, on, telling};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::batch::{self, ContentItem};
use dualseal_core::{Error, IdentityId};
use std::ffi::{c_char, c_void};

/// A content that waits for its identifier.
struct Waiting {
    content: Vec<u8>,
    creator: String,
    context: String,
}

/// Contents to be identified. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct IdentityBatch {
    domain: dualseal_core::Domain,
    waiting: Vec<Waiting>,
    ids: Vec<Result<IdentityId, Error>>,
}

/// An empty batch.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_batch_new(
    domain: Option<&Domain>,
    batch: *mut *mut IdentityBatch,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        Out::new("batch", batch)?.handle(IdentityBatch { domain, waiting: Vec::new(), ids: Vec::new() });
        Ok(())
    })
}

/// Adds a content, of which the batch keeps a copy until it has its identifier. Whether `creator` and `context` keep
/// the rules of `dualseal_identity_id` is said by `dualseal_identity_batch_id`, and stops no other item.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_batch_push(
    batch: Option<&mut IdentityBatch>,
    content: *const u8,
    content_len: usize,
    creator: *const c_char,
    context: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (batch, content) = (required("batch", batch)?, bytes("content", content, content_len)?.to_vec());
        let (creator, context) = (text("creator", creator)?.to_owned(), text("context", context)?.to_owned());
        batch.waiting.push(Waiting { content, creator, context });
        Ok(())
    })
}

/// Identifies the items that were added since the last run, on as many threads as `dualseal_signature_batch_run`.
/// `told` and `user` may be NULL. 0 says that all have an identifier or an error of their own, and nothing of which.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_batch_run(
    batch: Option<&mut IdentityBatch>,
    threads: usize,
    told: Told,
    user: *mut c_void,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let IdentityBatch { domain, waiting, ids } = required("batch", batch)?;
        let threads = on(threads)?;
        let waiting = std::mem::take(waiting);
        let items =
            waiting.iter().map(|Waiting { content, creator, context }| ContentItem { content, creator, context });
        ids.extend(batch::identify(domain, items.collect(), threads, &mut telling(told, user)));
        Ok(())
    })
}

/// The identifier of the item that was added at this position, from 0, or what `dualseal_identity_id` would refuse it
/// with. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`. `DUALSEAL_STATUS_RANGE` with the field `position` for an item
/// that has none yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_batch_id(
    batch: Option<&IdentityBatch>,
    position: usize,
    identity_id: *mut c_char,
    identity_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let batch = required("batch", batch)?;
        let out = Buffer::text("identity_id", identity_id, identity_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        let found = batch.ids.get(position).ok_or_else(|| Failure::out_of_range("position"))?;
        out.fill_text(&found.clone()?.to_hex());
        Ok(())
    })
}

/// Frees a batch. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_batch_free(batch: Option<Box<IdentityBatch>>) {
    release(|| drop(batch));
}
