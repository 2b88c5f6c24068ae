//! Proofs of presence, and the gate that asks for them.

use crate::args::{Buffer, Out, bytes, function, optional_text, read, required, small, text, texts, unless_no_chain};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::list::list;
use crate::status::StatusValue;
use crate::vault::ed25519::Ed25519Key;
use dualseal_core::presence::{self, Challenge, Nonce, PresenceProof};
use dualseal_core::shard::{Gate, KnownSplit, Recipient, Request, Shard};
use dualseal_core::{Error, Timestamp};
use std::ffi::{CString, c_char, c_int, c_void};

/// Marks the nonce as used, in one step that nobody can come between, and returns 1 if it was unused until then. Every
/// other number keeps the gate shut. It is called last, once, and only when all else is good; `nonce_hex` lives until
/// it returns, which it must do without jumping out or throwing. It must use the head and every other handle of the
/// running call for nothing.
pub type Consume = Option<extern "C" fn(nonce_hex: *const c_char, user: *mut c_void) -> c_int>;

/// The argument `request_json`.
pub(crate) fn request(request_json: *const c_char, request_json_len: usize) -> Result<Request, CallError> {
    read("request_json", request_json, request_json_len, Request::from_json)
}

/// The arguments `recipient_key` and its length: who receives shards.
pub(crate) fn recipient(recipient_key: *const u8, recipient_key_len: usize) -> Result<Recipient, CallError> {
    Ok(Recipient::of_key(bytes("recipient_key", recipient_key, recipient_key_len)?))
}

/// What an authenticator answers of a request (`dualseal_rebuilding_request`), in hexadecimal. `challenge_len` is
/// `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_challenge(
    domain: *const Domain,
    request_json: *const c_char,
    request_json_len: usize,
    nonce: *const c_char,
    expiry_ms: i64,
    challenge: *mut c_char,
    challenge_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, request) = (required("domain", domain)?, request(request_json, request_json_len)?);
        let nonce = text("nonce", nonce)?.parse()?;
        let out = Buffer::text("challenge", challenge, challenge_len, DUALSEAL_ID_TEXT_BYTES)?;
        let expiry = Timestamp::from_millis(expiry_ms)?;
        out.fill_text(&Challenge::new(&domain.0, &request, &nonce, expiry).to_hex());
        Ok(())
    })
}

/// Answers the challenge of a request with an Ed25519 key. The proof is JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_proof_sign(
    domain: *const Domain,
    request_json: *const c_char,
    request_json_len: usize,
    nonce: *const c_char,
    expiry_ms: i64,
    key: *const Ed25519Key,
    proof_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, request) = (required("domain", domain)?, request(request_json, request_json_len)?);
        let nonce = text("nonce", nonce)?.parse()?;
        let (key, out) = (required("key", key)?, Out::new("proof_json", proof_json)?);
        let expiry = Timestamp::from_millis(expiry_ms)?;
        out.text(&PresenceProof::sign(&domain.0, &request, &nonce, expiry, &key.0).to_json());
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
}

impl Presence {
    /// Hands the gate to an operation.
    pub(crate) fn open<T>(
        &self,
        consume: Consume,
        user: *mut c_void,
        act: impl FnOnce(&mut dyn Gate) -> Result<T, Error>,
    ) -> Result<T, CallError> {
        let consume = function("consume", consume)?;
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
            consume: &mut consume,
        })?)
    }
}

/// A gate for `needed` good proofs, at least 1, by different keys of those that are enrolled for the identity:
/// `public_keys`, in hexadecimal, as many as `count`. One that no strict verifier accepts is refused. `proofs_json` is
/// a list of proofs, all for the challenge of this nonce and expiry, which is at most 300 seconds after the operation.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_new(
    identity_id: *const c_char,
    public_keys: *const *const c_char,
    count: usize,
    proofs_json: *const c_char,
    proofs_json_len: usize,
    nonce: *const c_char,
    expiry_ms: i64,
    needed: u32,
    presence: *mut *mut Presence,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let mut enrolled = presence::EnrolledKeys::new();
        for public_key in texts("public_keys", public_keys, count)? {
            enrolled.enrol(&identity_id, &public_key.parse()?)?;
        }
        let proofs = list(("proofs_json", proofs_json, proofs_json_len), PresenceProof::from_json)?;
        let nonce = text("nonce", nonce)?.parse()?;
        let expiry = Timestamp::from_millis(expiry_ms)?;
        let (required, out) = (small("needed", needed)?, Out::new("presence", presence)?);
        out.handle(Presence { enrolled, proofs, nonce, expiry, required });
        Ok(())
    })
}

/// Whether a node lets its shard go: the one call that it makes before it answers a request. 0 is yes.
///
/// `recipient_key` is the public key of who asks, as the node pinned it and the channel authenticated it: of TLS the
/// SubjectPublicKeyInfo in DER, on the same machine the service's ML-DSA-65 key; never what the request says of itself.
/// `in_force` is the split_id that the operator told the node; only where there is no chain it is NULL and `no_chain`
/// is 1. Vault, splitting, identity, recipient and shards of the request are compared before the gate is asked, so that
/// a request which does not fit spends no nonce. `user` is for `consume` alone, and may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_release(
    domain: *const Domain,
    shard_json: *const c_char,
    shard_json_len: usize,
    request_json: *const c_char,
    request_json_len: usize,
    recipient_key: *const u8,
    recipient_key_len: usize,
    in_force: *const c_char,
    no_chain: i32,
    presence: *const Presence,
    consume: Consume,
    user: *mut c_void,
    now_ms: i64,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let shard = read("shard_json", shard_json, shard_json_len, Shard::from_json)?;
        let request = request(request_json, request_json_len)?;
        let recipient = recipient(recipient_key, recipient_key_len)?;
        let split = match unless_no_chain("in_force", optional_text("in_force", in_force)?, no_chain)? {
            Some(split_id) => KnownSplit::InForce(split_id.parse()?),
            None => KnownSplit::NoChain,
        };
        let (presence, now) = (required("presence", presence)?, Timestamp::from_millis(now_ms)?);
        presence.open(consume, user, |gate| shard.release(&domain.0, &request, &recipient, split, gate, now))
    })
}

/// Frees a gate. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_presence_free(presence: *mut Presence) {
    release(|| give_back(presence));
}
