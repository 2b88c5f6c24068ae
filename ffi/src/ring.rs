//! Rings: the keys of many identities, each with its state.

use crate::args::{Out, optional, optional_number, optional_text, read, required, text, unless};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::public_key::public_key as read_public_key;
use crate::ring_key::RingKey;
use crate::status::StatusValue;
use dualseal_core::key::{AnyRing, SetState};
use dualseal_core::{CheckedRing, Entry, KeyRing, Timestamp};
use std::ffi::c_char;

/// The keys that verifiers go by: of an operator's own ring, which can be changed, of a public ring, or one that was
/// pinned. Threads may read it together; a change needs it alone. A changed ring, its entry and the head are stored
/// together, or none of them; on an error all are as they were.
#[derive(Debug)]
pub struct Ring(pub(crate) AnyRing);

fn unless_no_ring<'a>(ring: *const Ring, no_ring: i32) -> Result<Option<&'a Ring>, CallError> {
    unless("ring", optional("ring", ring)?, "no_ring", no_ring)
}

/// The ring that says whether a signer's key is current, unless the caller says that there is no ring.
pub(crate) fn of_signer<'a>(ring: *const Ring, no_ring: i32) -> Result<Option<&'a KeyRing>, CallError> {
    Ok(unless_no_ring(ring, no_ring)?.map(|ring| &*ring.0))
}

/// The log's own ring, unless the caller says that the log has none.
pub(crate) fn of_log<'a>(ring: *const Ring, no_ring: i32) -> Result<Option<&'a CheckedRing>, CallError> {
    Ok(unless_no_ring(ring, no_ring)?.map(|ring| ring.0.checked()).transpose()?)
}

/// The state of a key, as an argument: a member of [`KeyState`].
pub type KeyStateValue = i32;

/// The state of a key. 0 is none of them, so that memory of zeros is not a valid key.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// `istina`.
    Valid = 1,
    /// `laz`: verification always fails.
    Revoked = 2,
    /// `oboje`: a honeypot. To outsiders verification appears to pass.
    Decoy = 3,
    /// `nijedno`: verification neither confirms nor rejects.
    Suspended = 4,
}

fn key_state(value: KeyStateValue) -> Result<dualseal_core::KeyState, CallError> {
    const STATES: [(KeyState, dualseal_core::KeyState); 4] = [
        (KeyState::Valid, dualseal_core::KeyState::Valid),
        (KeyState::Revoked, dualseal_core::KeyState::Revoked),
        (KeyState::Decoy, dualseal_core::KeyState::Decoy),
        (KeyState::Suspended, dualseal_core::KeyState::Suspended),
    ];
    let found = STATES.into_iter().find(|(listed, _)| *listed as KeyStateValue == value);
    found.map(|(_, state)| state).ok_or_else(|| CallError::unknown_value("state"))
}

/// An empty ring whose changes are recorded in the chain named `origin`: 1 to 255 bytes without control characters and
/// `::`, not beginning with `:`. Every change of it is made with `ring_key`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_new(
    origin: *const c_char,
    ring_key: *const RingKey,
    ring: *mut *mut Ring,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring_key, ring) = (required("ring_key", ring_key)?, Out::new("ring", ring)?);
        ring.handle(Ring(AnyRing::Checked(CheckedRing::new(text("origin", origin)?, &ring_key.0)?)));
        Ok(())
    })
}

/// A ring of one key that a stranger got from its owner and trusts. It cannot be changed or exported.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_new_pinned(
    identity_id: *const c_char,
    public_key: *const u8,
    public_key_len: usize,
    ring: *mut *mut Ring,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let public_key = read_public_key(public_key, public_key_len)?;
        let pinned = KeyRing::pinned(&identity_id, public_key);
        Out::new("ring", ring)?.handle(Ring(AnyRing::Pinned(pinned)));
        Ok(())
    })
}

/// The ring file, for its operator's store alone: it tells decoys from keys. Its MAC binds all of it to `head`, where
/// the chain ends now; write it with each change and each decoy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_to_stored_json(
    ring: *const Ring,
    head: *const Head,
    ring_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring, head) = (required("ring", ring)?, required("head", head)?);
        Out::new("ring_json", ring_json)?.text(&ring.0.checked()?.to_stored_json(&head.0)?);
        Ok(())
    })
}

/// The only form in which a ring leaves its operator: no decoys, and `oboje` reads `istina`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_to_public_json(
    ring: *const Ring,
    ring_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let ring = required("ring", ring)?;
        Out::new("ring_json", ring_json)?.text(&ring.0.to_public_json()?);
        Ok(())
    })
}

/// Gives an identity its first key, in state `istina`, and moves the head over the entry that records it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_add(
    ring: *mut Ring,
    identity_id: *const c_char,
    public_key: *const u8,
    public_key_len: usize,
    head: *mut Head,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring, head) = (required("ring", ring)?, required("head", head)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let public_key = read_public_key(public_key, public_key_len)?;
        let time = Timestamp::from_millis(time_ms)?;
        let entry_json = Out::new("entry_json", entry_json)?;
        head.advance(ring.0.checked_mut()?.add(&identity_id, public_key, &head.0, time)?, entry_json);
        Ok(())
    })
}

/// Puts a new key in place of an identity's current one, which is retired and keeps its state. The new key takes the
/// old one's state over, but starts as `istina` where that is `laz`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_rotate(
    ring: *mut Ring,
    identity_id: *const c_char,
    public_key: *const u8,
    public_key_len: usize,
    head: *mut Head,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring, head) = (required("ring", ring)?, required("head", head)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let public_key = read_public_key(public_key, public_key_len)?;
        let time = Timestamp::from_millis(time_ms)?;
        let entry_json = Out::new("entry_json", entry_json)?;
        head.advance(ring.0.checked_mut()?.rotate(&identity_id, public_key, &head.0, time)?, entry_json);
        Ok(())
    })
}

/// Sets the state of an identity's current key, or of the one of its keys that has the hash `key_hash`
/// (`dualseal_public_key_hash`; NULL for the current key). The specification calls this `bela`. `compromised_from` may
/// be NULL; with `DUALSEAL_KEY_STATE_REVOKED` it is the position in the chain from which the key counts as compromised,
/// at most that of the change itself and of what was said before.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_set_state(
    ring: *mut Ring,
    identity_id: *const c_char,
    key_hash: *const c_char,
    state: KeyStateValue,
    compromised_from: *const u64,
    head: *mut Head,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring, head) = (required("ring", ring)?, required("head", head)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let key_hash = optional_text("key_hash", key_hash)?.map(str::parse).transpose()?;
        let state = key_state(state)?;
        let time = Timestamp::from_millis(time_ms)?;
        let entry_json = Out::new("entry_json", entry_json)?;
        let set = match (state, optional_number(compromised_from)) {
            (_, None) => SetState::from(state),
            (dualseal_core::KeyState::Revoked, Some(seq)) => SetState::compromised_from(seq),
            (_, Some(_)) => return Err(CallError::unknown_value("compromised_from")),
        };
        let appended = ring.0.checked_mut()?.set_state(&identity_id, key_hash.as_ref(), set, &head.0, time)?;
        head.advance(appended, entry_json);
        Ok(())
    })
}

/// Adds the decoy key of a vault record, by the record's own chain entry: whoever signs with its leaked private half
/// gets `DUALSEAL_STATUS_DECOY`. No entry records it; the ring file does. The entry is the chain's next one, which this
/// takes the ring past, or one that the ring is past.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_add_decoy(
    ring: *mut Ring,
    public_key: *const u8,
    public_key_len: usize,
    entry_json: *const c_char,
    entry_json_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let ring = required("ring", ring)?;
        let public_key = read_public_key(public_key, public_key_len)?;
        let entry = read("entry_json", entry_json, entry_json_len, Entry::from_json)?;
        Ok(ring.0.checked_mut()?.add_decoy(&public_key, &entry)?)
    })
}

/// Frees a ring. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_free(ring: *mut Ring) {
    release(|| give_back(ring));
}
