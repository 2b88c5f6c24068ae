//! Checks of seals: verified by their signature, or authenticated by layer A alone.

use crate::agreement::Located;
use crate::args::{Out, bytes, required, text};
use crate::cache::{KeyCache, keys};
use crate::domain::Domain;
use crate::failure::{Failure, guard, guard_verdict, release};
use crate::progress::{ending, running};
use crate::ring::Ring;
use crate::seal_key::SealKey;
use crate::seal_report::SealReport;
use crate::status::StatusValue;
use dualseal_core::seal::{self, Legacy, Policy, Seal, SealVerifier};
use dualseal_core::{IdentityId, KeyRing};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

/// What a verification of a seal asks for, as an argument: a member of [`SealPolicy`].
pub type SealPolicyValue = i32;

/// What a verification of a seal asks for. 0 is none of them. Layer A alone is no verification
/// (`dualseal_authenticate_seal`).
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealPolicy {
    /// Both layers, with the identity's seal key: the whole dual seal.
    Both = 1,
    /// The signature alone, for those who do not have the seal key, which is then NULL.
    LayerB = 2,
}

/// The policy for these arguments.
pub(crate) fn policy(policy: SealPolicyValue, seal_key: Option<&SealKey>) -> Result<Policy<'_>, Failure> {
    if policy == SealPolicy::Both as SealPolicyValue {
        Ok(Policy::Both(&required("seal_key", seal_key)?.0))
    } else if policy == SealPolicy::LayerB as SealPolicyValue {
        Ok(Policy::LayerB)
    } else {
        Err(Failure::unknown_value("policy"))
    }
}

/// Whether legacy seals count, as 0 or 1.
pub(crate) fn legacy(permitted: i32) -> Result<Legacy, Failure> {
    match permitted {
        0 => Ok(Legacy::Refused),
        1 => Ok(Legacy::Permitted),
        _ => Err(Failure::unknown_value("legacy_permitted")),
    }
}

/// A seal and whose it should be.
pub(crate) fn claim(seal: *const c_char, identity_id: *const c_char) -> Result<(Seal, IdentityId), Failure> {
    Ok((text("seal", seal)?.parse()?, text("identity_id", identity_id)?.parse()?))
}

/// Layer A consults no ring.
fn no_ring() -> Result<KeyRing, Failure> {
    Ok(KeyRing::new("none")?)
}

fn conclude(report: seal::SealReport, out: *mut *mut SealReport) -> StatusValue {
    let report = SealReport(report);
    let status = report.status();
    if let Some(out) = Out::optional(out) {
        out.handle(report);
    }
    status
}

/// Verifies a seal over a payload in memory. The status is the verdict, and only 0 is Valid. `seal_key` may be NULL
/// with `DUALSEAL_SEAL_POLICY_LAYER_B`. `cache` may be NULL, and so may `located`: a seal by a key that was retired
/// since is Valid only at a proven place before the retirement, of an entry whose message is the seal's
/// (`dualseal_seal_chain_message`). A legacy seal is never Valid. `report` may be NULL; else it is set with each of the
/// five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_seal(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    seal: *const c_char,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    policy: SealPolicyValue,
    seal_key: Option<&SealKey>,
    located: Option<&Located>,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let (seal, identity_id) = claim(seal, identity_id)?;
        let payload = bytes("payload", payload, payload_len)?;
        let (policy, at) = (self::policy(policy, seal_key)?, located.map(|located| &located.0));
        let verifier = SealVerifier::new(&domain.0, &ring.0, keys(cache));
        Ok(conclude(verifier.verify(&seal, payload, &identity_id, policy, Legacy::Refused, at), report))
    })
}

/// Checks layer A of a seal alone. 0 says that somebody who has the seal key made it, who may be the caller. **That is
/// not Valid**: no signature was checked and no key state consulted, and whoever must rely on who sealed calls
/// `dualseal_verify_seal`. `DUALSEAL_STATUS_INVALID` says that layer A does not hold. A legacy seal is refused with
/// `legacy_permitted` 0, and counts with 1. `report` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_authenticate_seal(
    domain: Option<&Domain>,
    seal: *const c_char,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    seal_key: Option<&SealKey>,
    legacy_permitted: i32,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let domain = required("domain", domain)?;
        let (seal, identity_id) = claim(seal, identity_id)?;
        let payload = bytes("payload", payload, payload_len)?;
        let policy = Policy::LayerA(&required("seal_key", seal_key)?.0);
        let (legacy, ring) = (legacy(legacy_permitted)?, no_ring()?);
        let verifier = SealVerifier::new(&domain.0, &ring, keys(None));
        Ok(conclude(verifier.verify(&seal, payload, &identity_id, policy, legacy, None), report))
    })
}

struct Begun {
    domain: dualseal_core::Domain,
    ring: KeyRing,
    cache: Option<KeyCache>,
}

impl Begun {
    fn verifier(&self) -> SealVerifier<'_> {
        SealVerifier::new(&self.domain, &self.ring, keys(self.cache.as_ref()))
    }
}

type Running<'a> = Option<seal::SealCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[covariant]
        dependent: Running,
    }
}

fn update(progress: &mut Progress, payload: &[u8]) -> Result<(), Failure> {
    progress.with_dependent_mut(|_, check| {
        running(check)?.update(payload);
        Ok(())
    })
}

fn finish(progress: &mut Progress, report: *mut *mut SealReport) -> Result<StatusValue, Failure> {
    let finished = progress.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish()))?;
    Ok(conclude(finished, report))
}

/// A verification of a seal over a payload that comes in parts, of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SealCheck(Progress);

/// As `dualseal_verify_seal`, for a payload that comes in parts. It keeps the ring as it is now.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_check_new(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    seal: *const c_char,
    identity_id: *const c_char,
    policy: SealPolicyValue,
    seal_key: Option<&SealKey>,
    located: Option<&Located>,
    check: *mut *mut SealCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let ring = required("ring", ring)?.0.clone();
        let cache = cache.map(|cache| KeyCache(Arc::clone(&cache.0)));
        let (seal, identity_id) = claim(seal, identity_id)?;
        let (policy, at) = (self::policy(policy, seal_key)?, located.map(|located| &located.0));
        let check = Out::new("check", check)?;
        check.handle(SealCheck(Progress::new(Begun { domain, ring, cache }, |begun| {
            Some(begun.verifier().begin(&seal, &identity_id, policy, Legacy::Refused, at))
        })));
        Ok(())
    })
}

/// Takes the next part of the payload.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_check_update(
    check: Option<&mut SealCheck>,
    payload: *const u8,
    payload_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let check = required("check", check)?;
        update(&mut check.0, bytes("payload", payload, payload_len)?)
    })
}

/// The verdict on all parts, as the status of `dualseal_verify_seal`. It ends the check. `report` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_check_finish(
    check: Option<&mut SealCheck>,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || finish(&mut required("check", check)?.0, report))
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_check_free(check: Option<Box<SealCheck>>) {
    release(|| drop(check));
}

/// A check of layer A alone, over a payload that comes in parts, of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SealAuthentication(Progress);

/// As `dualseal_authenticate_seal`, for a payload that comes in parts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authentication_new(
    domain: Option<&Domain>,
    seal: *const c_char,
    identity_id: *const c_char,
    seal_key: Option<&SealKey>,
    legacy_permitted: i32,
    authentication: *mut *mut SealAuthentication,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let (seal, identity_id) = claim(seal, identity_id)?;
        let policy = Policy::LayerA(&required("seal_key", seal_key)?.0);
        let (legacy, ring) = (legacy(legacy_permitted)?, no_ring()?);
        let out = Out::new("authentication", authentication)?;
        out.handle(SealAuthentication(Progress::new(Begun { domain, ring, cache: None }, |begun| {
            Some(begun.verifier().begin(&seal, &identity_id, policy, legacy, None))
        })));
        Ok(())
    })
}

/// Takes the next part of the payload.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authentication_update(
    authentication: Option<&mut SealAuthentication>,
    payload: *const u8,
    payload_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let authentication = required("authentication", authentication)?;
        update(&mut authentication.0, bytes("payload", payload, payload_len)?)
    })
}

/// The outcome on all parts, as the status of `dualseal_authenticate_seal`: 0 is **not Valid**. It ends the check.
/// `report` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authentication_finish(
    authentication: Option<&mut SealAuthentication>,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || finish(&mut required("authentication", authentication)?.0, report))
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authentication_free(authentication: Option<Box<SealAuthentication>>) {
    release(|| drop(authentication));
}
