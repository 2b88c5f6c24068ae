//! Identifiers of content that comes in parts, and the check of stored inputs.

use crate::args::{Buffer, Out, bytes, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::id;
use self_cell::self_cell;
use std::ffi::c_char;

struct Begun {
    domain: dualseal_core::Domain,
    creator: String,
    context: String,
}

type Running<'a> = id::IdentityHasher<'a>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[covariant]
        dependent: Running,
    }
}

/// Computes the general identifier of content that comes in parts, of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct IdentityHasher(Progress);

/// Begins an identifier by `creator` in `context`, with the rules of `dualseal_identity_id`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_hasher_new(
    domain: Option<&Domain>,
    creator: *const c_char,
    context: *const c_char,
    hasher: *mut *mut IdentityHasher,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let (creator, context) = (text("creator", creator)?.to_owned(), text("context", context)?.to_owned());
        let hasher = Out::new("hasher", hasher)?;
        let progress = Progress::try_new(Begun { domain, creator, context }, |begun| {
            begun.domain.identity_hasher(&begun.creator, &begun.context)
        })?;
        hasher.handle(IdentityHasher(progress));
        Ok(())
    })
}

/// Takes the next part of the content.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_hasher_update(
    hasher: Option<&mut IdentityHasher>,
    content: *const u8,
    content_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hasher = required("hasher", hasher)?;
        let content = bytes("content", content, content_len)?;
        hasher.0.with_dependent_mut(|_, running| running.update(content));
        Ok(())
    })
}

/// The identifier of all parts so far; the hasher can go on. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_hasher_finish(
    hasher: Option<&IdentityHasher>,
    identity_id: *mut c_char,
    identity_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hasher = required("hasher", hasher)?;
        let out = Buffer::text("identity_id", identity_id, identity_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&hasher.0.borrow_dependent().clone().finish().to_hex());
        Ok(())
    })
}

/// Frees a hasher. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_hasher_free(hasher: Option<Box<IdentityHasher>>) {
    release(|| drop(hasher));
}

/// Says of a stored creator and context whether each breaks the rules of `dualseal_identity_id` (1) or not (0): another
/// input may share the identifier of one that does.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_lint(
    creator: *const c_char,
    context: *const c_char,
    creator_ambiguous: *mut i32,
    context_ambiguous: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let pair = (text("creator", creator)?, text("context", context)?);
        let creator_ambiguous = Out::new("creator_ambiguous", creator_ambiguous)?;
        let context_ambiguous = Out::new("context_ambiguous", context_ambiguous)?;
        let found = id::lint([pair]);
        let names = |field| i32::from(found.iter().any(|ambiguity| ambiguity.field == field));
        creator_ambiguous.set(names("creator"));
        context_ambiguous.set(names("context"));
        Ok(())
    })
}
