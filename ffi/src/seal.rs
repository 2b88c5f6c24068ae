//! Dual seals: made, verified by their signature, authenticated by layer A alone.

use crate::args::{Out, Text, bytes, optional, required, sized_text, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::head::Head;
use crate::located::Located;
use crate::ring::{Ring, of_signer};
use crate::seal_key::SealKey;
use crate::seal_report::SealReport;
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use crate::verdict::Dates;
use dualseal_core::seal::{DualSeal, Legacy, Policy, Seal, SealVerifier, Sealer};
use dualseal_core::{Error, IdentityId, KeyRing, SystemRng, Timestamp};
use std::ffi::c_char;

/// Makes a dual seal over a payload for `identity_id`, with its seal key (layer A) and its signing key (layer B). The
/// signature mixes in fresh randomness of the system. `ring` and `no_ring` as for `dualseal_signature_sign`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_payload_seal(
    domain: *const Domain,
    identity_id: *const c_char,
    seal_key: *const SealKey,
    key: *const SigningKey,
    ring: *const Ring,
    no_ring: i32,
    payload: *const u8,
    payload_len: usize,
    seal: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    let by = Maker { domain, identity_id, seal_key, key, ring, no_ring };
    guard(error, || {
        by.make((payload, payload_len), seal, |sealer, bytes| Ok(sealer.seal(bytes, &mut SystemRng)?.to_string()))
    })
}

/// Whoever makes a seal.
pub(crate) struct Maker {
    pub(crate) domain: *const Domain,
    pub(crate) identity_id: *const c_char,
    pub(crate) seal_key: *const SealKey,
    pub(crate) key: *const SigningKey,
    pub(crate) ring: *const Ring,
    pub(crate) no_ring: i32,
}

impl Maker {
    /// Makes a seal of either format over a payload.
    pub(crate) fn make(
        &self,
        (payload, payload_len): (*const u8, usize),
        seal: *mut *mut c_char,
        make: impl FnOnce(&Sealer<'_>, &[u8]) -> Result<String, Error>,
    ) -> Result<(), CallError> {
        let domain = required("domain", self.domain)?;
        let identity_id = text("identity_id", self.identity_id)?.parse()?;
        let (seal_key, key) = (required("seal_key", self.seal_key)?, required("key", self.key)?);
        let ring = of_signer(self.ring, self.no_ring)?;
        let (payload, out) = (bytes("payload", payload, payload_len)?, Out::new("seal", seal)?);
        let (seal_key, key) = (&seal_key.0, key.0.statement_key());
        let sealer = match ring {
            Some(ring) => Sealer::current(&domain.0, ring, &identity_id, seal_key, key)?,
            None => Sealer::new(&domain.0, &identity_id, seal_key, key),
        };
        out.text(&make(&sealer, payload)?);
        Ok(())
    }
}

/// What a verification of a seal asks for, as an argument: a member of [`SealPolicy`].
pub type SealPolicyValue = i32;

/// What a verification of a seal asks for. 0 is none of them. Layer A alone is no verification
/// (`dualseal_seal_authenticate`).
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealPolicy {
    /// Both layers, with the identity's seal key: the whole dual seal.
    Both = 1,
    /// The signature alone, for those who do not have the seal key, which is then NULL.
    LayerB = 2,
}

/// The policy for these arguments.
fn policy<'a>(policy: SealPolicyValue, seal_key: *const SealKey) -> Result<Policy<'a>, CallError> {
    if policy == SealPolicy::Both as SealPolicyValue {
        Ok(Policy::Both(&required("seal_key", seal_key)?.0))
    } else if policy == SealPolicy::LayerB as SealPolicyValue {
        Ok(Policy::LayerB)
    } else {
        Err(CallError::unknown_value("policy"))
    }
}

/// A seal and whose it should be.
pub(crate) fn claim((seal, seal_len): Text, identity_id: *const c_char) -> Result<(Seal, IdentityId), CallError> {
    Ok((sized_text("seal", seal, seal_len)?.parse()?, text("identity_id", identity_id)?.parse()?))
}

/// Layer A of a seal alone, which consults no ring.
pub(crate) fn authenticate(
    domain: *const Domain,
    seal: Text,
    identity_id: *const c_char,
    (payload, payload_len): (*const u8, usize),
    seal_key: *const SealKey,
    legacy: Legacy,
    report: *mut *mut SealReport,
) -> Result<StatusValue, CallError> {
    let domain = required("domain", domain)?;
    let (seal, identity_id) = claim(seal, identity_id)?;
    let payload = bytes("payload", payload, payload_len)?;
    let policy = Policy::LayerA(&required("seal_key", seal_key)?.0);
    let ring = KeyRing::nobody();
    let verifier = SealVerifier::new(&domain.0, &ring, keys(None));
    let found = verifier.verify(&seal, payload, &identity_id, policy, legacy, None);
    Ok(SealReport::new(found, None).hand_over(report))
}

/// Verifies a seal over a payload in memory. The status is the verdict, and only 0 is Valid. `seal_key` may be NULL
/// with `DUALSEAL_SEAL_POLICY_LAYER_B`. `cache` may be NULL, and so may `place`: a seal by a key that was retired
/// since is Valid only at a proven place before the retirement, of the seal's own entry (`dualseal_seal_append`). A
/// legacy seal is never Valid. `report` may be NULL; else it is set with each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_verify(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    seal: *const c_char,
    seal_len: usize,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    policy: SealPolicyValue,
    seal_key: *const SealKey,
    place: *const Located,
    report: *mut *mut SealReport,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let (seal, identity_id) = claim((seal, seal_len), identity_id)?;
        let payload = bytes("payload", payload, payload_len)?;
        let (policy, at) = (self::policy(policy, seal_key)?, optional("place", place)?.map(|place| &place.0));
        let verifier = SealVerifier::new(&domain.0, &ring.0, keys(optional("cache", cache)?));
        let mut check = verifier.begin(&seal, &identity_id, policy, Legacy::Refused, at);
        check.update(payload);
        let (found, as_of) = check.finish_with_dates();
        Ok(SealReport::new(found, Dates::of(&as_of, at)).hand_over(report))
    })
}

/// Checks layer A of a dual seal alone. `DUALSEAL_STATUS_AUTHENTICATED`, and never 0, says that somebody who has the
/// seal key made it, who may be the caller. **That is not Valid**: no signature was checked and no key state consulted,
/// and whoever must rely on who sealed calls `dualseal_seal_verify`. `DUALSEAL_STATUS_INVALID` says that layer A does
/// not hold, or that the seal has nothing else. `report` may be NULL; else it is set with both of them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authenticate(
    domain: *const Domain,
    seal: *const c_char,
    seal_len: usize,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    seal_key: *const SealKey,
    report: *mut *mut SealReport,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        authenticate(domain, (seal, seal_len), identity_id, (payload, payload_len), seal_key, Legacy::Refused, report)
    })
}

/// Appends the entry of a dual seal of `identity_id`, for whoever wants the seal to outlive its key, and moves the head
/// on. A plain message, whatever it says, is no seal's entry. `time_ms` counts from 1970-01-01T00:00:00Z. The entry is
/// JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_append(
    seal: *const c_char,
    seal_len: usize,
    head: *mut Head,
    domain: *const Domain,
    identity_id: *const c_char,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let seal: DualSeal = sized_text("seal", seal, seal_len)?.parse()?;
        let (head, domain) = (required("head", head)?, required("domain", domain)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let entry_json = Out::new("entry_json", entry_json)?;
        head.advance(seal.append_to(&head.0, &domain.0, &identity_id, Timestamp::from_millis(time_ms)?)?, entry_json);
        Ok(())
    })
}
