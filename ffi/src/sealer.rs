//! Sealers, and what a seal says of itself.

use crate::args::{Buffer, Out, bytes, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::progress::{ending, running};
use crate::seal_key::SealKey;
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use dualseal_core::seal::{self, DualSeal, Seal};
use dualseal_core::{IdentityId, SystemRng};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

/// What seals are made with.
#[derive(Clone, Debug)]
struct Made {
    domain: dualseal_core::Domain,
    identity_id: IdentityId,
    seal_key: Arc<seal::SealKey>,
    key: Arc<Key>,
}

impl Made {
    fn sealer(&self) -> seal::Sealer<'_> {
        seal::Sealer::new(&self.domain, &self.identity_id, &self.seal_key, self.key.statement_key())
    }
}

/// Seals for one identity in one domain. Never changes; threads may share it. It keeps what it needs of the domain and
/// the keys, which may be freed before it.
#[derive(Debug)]
pub struct Sealer(Made);

/// A sealer for `identity_id`, with its seal key (layer A) and its signing key (layer B).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealer_new(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    seal_key: Option<&SealKey>,
    key: Option<&SigningKey>,
    sealer: *mut *mut Sealer,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let seal_key = Arc::clone(&required("seal_key", seal_key)?.0);
        let key = Arc::clone(&required("key", key)?.0);
        Out::new("sealer", sealer)?.handle(Sealer(Made { domain, identity_id, seal_key, key }));
        Ok(())
    })
}

/// Makes a dual seal over a payload in memory. Its signature mixes in fresh randomness of the system.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealer_seal(
    sealer: Option<&Sealer>,
    payload: *const u8,
    payload_len: usize,
    seal: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let sealer = required("sealer", sealer)?;
        let payload = bytes("payload", payload, payload_len)?;
        let out = Out::new("seal", seal)?;
        out.text(&sealer.0.sealer().seal(payload, &mut SystemRng)?.to_string());
        Ok(())
    })
}

/// Makes a legacy seal, layer A alone, for those who read nothing else yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealer_seal_legacy(
    sealer: Option<&Sealer>,
    payload: *const u8,
    payload_len: usize,
    seal: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let sealer = required("sealer", sealer)?;
        let payload = bytes("payload", payload, payload_len)?;
        Out::new("seal", seal)?.text(&sealer.0.sealer().seal_legacy(payload)?.to_string());
        Ok(())
    })
}

/// Frees a sealer. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealer_free(sealer: Option<Box<Sealer>>) {
    release(|| drop(sealer));
}

type Running<'a> = Option<seal::SealStream<'a>>;

self_cell! {
    struct Progress {
        owner: Made,
        #[covariant]
        dependent: Running,
    }
}

/// A dual seal in the making, over a payload that comes in parts, of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SealStream(Progress);

/// Begins a dual seal.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_stream_new(
    sealer: Option<&Sealer>,
    stream: *mut *mut SealStream,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let sealer = required("sealer", sealer)?;
        let stream = Out::new("stream", stream)?;
        stream.handle(SealStream(Progress::try_new(sealer.0.clone(), |made| made.sealer().begin().map(Some))?));
        Ok(())
    })
}

/// Takes the next part of the payload.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_stream_update(
    stream: Option<&mut SealStream>,
    payload: *const u8,
    payload_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let stream = required("stream", stream)?;
        let payload = bytes("payload", payload, payload_len)?;
        stream.0.with_dependent_mut(|_, stream| {
            running(stream)?.update(payload);
            Ok(())
        })
    })
}

/// The dual seal over all parts. It ends the stream, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_stream_finish(
    stream: Option<&mut SealStream>,
    seal: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (stream, out) = (required("stream", stream)?, Out::new("seal", seal)?);
        let finish = |stream: &mut Running<'_>| Ok::<_, Failure>(ending(stream)?.finish(&mut SystemRng)?);
        out.text(&stream.0.with_dependent_mut(|_, stream| finish(stream))?.to_string());
        Ok(())
    })
}

/// Frees a stream. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_stream_free(stream: Option<Box<SealStream>>) {
    release(|| drop(stream));
}

/// What a seal of either format says of itself, as JSON: `format`, `hmac_hex`, `seal_id`, `signature_hex`. Nothing is
/// verified.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_info(
    seal: *const c_char,
    info_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let seal: Seal = text("seal", seal)?.parse()?;
        Out::new("info_json", info_json)?.text(&seal.info().to_json());
        Ok(())
    })
}

/// The identifier of a dual seal: `SEAL-DUAL::` and 64 hexadecimal characters.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_id(
    seal: *const c_char,
    seal_id: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let seal: DualSeal = text("seal", seal)?.parse()?;
        Out::new("seal_id", seal_id)?.text(&seal.seal_id().to_string());
        Ok(())
    })
}

/// The message that a chain entry about a dual seal has, for whoever wants the seal to outlive its key. `message_len`
/// is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_chain_message(
    seal: *const c_char,
    message: *mut c_char,
    message_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let seal: DualSeal = text("seal", seal)?.parse()?;
        Buffer::text("message", message, message_len, DUALSEAL_ID_TEXT_BYTES)?.fill_text(&seal.chain_message());
        Ok(())
    })
}
