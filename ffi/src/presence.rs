//! Proofs of presence, and the gate that asks for them.

use crate::args::{Buffer, Out, required, text, texts};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::ed25519::Ed25519Key;
use crate::failure::{Failure, guard, release};
use crate::rebuild::RebuildRequest;
use crate::status::StatusValue;
use dualseal_core::presence::{self, Nonce, PresenceProof};
use dualseal_core::shard::Gate;
use dualseal_core::{Error, SystemRng, Timestamp};
use std::ffi::{CString, c_char, c_int, c_void};

/// Marks the nonce as used, in one step that nobody can come between, and returns 1 if it was unused until then. Every
/// other number keeps the gate shut. It is called last, once, and only when all else is good; `nonce_hex` lives until
/// it returns, which it must do without jumping out or throwing.
pub type Consume = Option<extern "C" fn(nonce_hex: *const c_char, user: *mut c_void) -> c_int>;

/// Draws the nonce of a challenge, in hexadecimal. `nonce_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_nonce(
    nonce: *mut c_char,
    nonce_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let out = Buffer::text("nonce", nonce, nonce_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&Nonce::draw(&mut SystemRng)?.to_hex());
        Ok(())
    })
}

/// The Ed25519 keys that may prove presence, for each identity: none at first, so that everything is denied. For one
/// thread at a time while it changes.
#[derive(Debug)]
pub struct EnrolledKeys(presence::EnrolledKeys);

/// No keys.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_enrolled_keys_new(
    enrolled: *mut *mut EnrolledKeys,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        Out::new("enrolled", enrolled)?.handle(EnrolledKeys(presence::EnrolledKeys::new()));
        Ok(())
    })
}

/// Enrols a public key, in hexadecimal, for an identity. One that no strict verifier accepts is refused.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_enrolled_keys_enrol(
    enrolled: Option<&mut EnrolledKeys>,
    identity_id: *const c_char,
    public_key: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let enrolled = required("enrolled", enrolled)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        enrolled.0.enrol(&identity_id, &text("public_key", public_key)?.parse()?)?;
        Ok(())
    })
}

/// Takes a key away. One that was not enrolled is no error.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_enrolled_keys_remove(
    enrolled: Option<&mut EnrolledKeys>,
    identity_id: *const c_char,
    public_key: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let enrolled = required("enrolled", enrolled)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        enrolled.0.remove(&identity_id, &text("public_key", public_key)?.parse()?);
        Ok(())
    })
}

/// Frees a set of keys. NULL is ignored. Gates that were made with it stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_enrolled_keys_free(enrolled: Option<Box<EnrolledKeys>>) {
    release(|| drop(enrolled));
}

/// Answers the challenge of a request with an Ed25519 key. The proof is JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_proof_sign(
    domain: Option<&Domain>,
    request: Option<&RebuildRequest>,
    nonce: *const c_char,
    expiry_ms: i64,
    key: Option<&Ed25519Key>,
    proof_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, request) = (required("domain", domain)?, required("request", request)?);
        let nonce = text("nonce", nonce)?.parse()?;
        let (key, out) = (required("key", key)?, Out::new("proof_json", proof_json)?);
        let expiry = Timestamp::from_millis(expiry_ms)?;
        out.text(&PresenceProof::sign(&domain.0, &request.0, &nonce, expiry, &key.0).to_json());
        Ok(())
    })
}

/// The gate that asks for proofs of presence, with the proofs that were brought. Never changes; threads may share it.
#[derive(Debug)]
pub struct Presence {
    enrolled: presence::EnrolledKeys,
    proofs: Vec<PresenceProof>,
    nonce: Nonce,
    expiry: Timestamp,
    required: u8,
    now: Timestamp,
}

impl Presence {
    /// Hands the gate to an operation.
    pub(crate) fn open<T>(
        &self,
        consume: Consume,
        user: *mut c_void,
        act: impl FnOnce(&mut dyn Gate) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        let consume = required("consume", consume)?;
        let mut consume = |nonce: &Nonce| {
            let nonce = CString::new(nonce.to_hex()).unwrap_or_default();
            consume(nonce.as_ptr(), user) == 1
        };
        Ok(act(&mut presence::Presence {
            verifier: &self.enrolled,
            proofs: &self.proofs,
            nonce: self.nonce,
            expiry: self.expiry,
            required: self.required,
            now: self.now,
            consume: &mut consume,
        })?)
    }
}

/// A gate for `needed` good proofs, at least 1, by different keys that are enrolled now. `proofs_json` are `count`
/// proofs, all for the challenge of this nonce and expiry, which is at most 300 seconds after `now_ms`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_new(
    enrolled: Option<&EnrolledKeys>,
    proofs_json: *const *const c_char,
    count: usize,
    nonce: *const c_char,
    expiry_ms: i64,
    needed: u8,
    now_ms: i64,
    presence: *mut *mut Presence,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let enrolled = required("enrolled", enrolled)?.0.clone();
        let read = |text: &str| PresenceProof::from_json(text.as_bytes());
        let proofs = texts("proofs_json", proofs_json, count)?.into_iter().map(read).collect::<Result<_, _>>()?;
        let nonce = text("nonce", nonce)?.parse()?;
        let (expiry, now) = (Timestamp::from_millis(expiry_ms)?, Timestamp::from_millis(now_ms)?);
        let out = Out::new("presence", presence)?;
        out.handle(Presence { enrolled, proofs, nonce, expiry, required: needed, now });
        Ok(())
    })
}

/// Asks the gate outside of a rebuilding, as a node does before it lets a shard go. It spends the nonce. `user` is for
/// `consume` alone, and may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_pass(
    presence: Option<&Presence>,
    domain: Option<&Domain>,
    request: Option<&RebuildRequest>,
    consume: Consume,
    user: *mut c_void,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (presence, domain) = (required("presence", presence)?, required("domain", domain)?);
        let request = required("request", request)?;
        presence.open(consume, user, |gate| gate.pass(&domain.0, &request.0))
    })
}

/// Frees a gate. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_free(presence: Option<Box<Presence>>) {
    release(|| drop(presence));
}
