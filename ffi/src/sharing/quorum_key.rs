//! The key of a quorum, lent for one call.

use crate::args::{Out, function, required};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::handle::Tagged;
use crate::list::faults;
use crate::sharing::session::shares;
use crate::sharing::session_check::SessionInForce;
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Works with the key of a quorum, which is freed when it returns. Everything that it made with the key, such as a
/// vault sealer, is to be freed before. It must return without jumping out or throwing.
pub type Work = Option<extern "C" fn(key: *const SigningKey, user: *mut c_void)>;

/// Rebuilds the key of an ML-DSA session from k shares and lends it to `work`, so that a quorum makes ordinary
/// signature records, seals and checkpoints. `user` is for `work` alone, and may be NULL. `faults_json` as
/// for `dualseal_dealing_reconstruct`; of a refusal, `dualseal_error_faults` names the culprits.
/// `DUALSEAL_STATUS_KEY_KEPT` when something that was made with the key is still there after the call: it holds the key
/// of the quorum, and is to be freed at once.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_lend_key(
    in_force: *const SessionInForce,
    shares_json: *const c_char,
    shares_json_len: usize,
    work: Work,
    user: *mut c_void,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        let (shares, work) = (shares(shares_json, shares_json_len)?, function("work", work)?);
        let wrong = Out::new("faults_json", faults_json)?;
        let lent = in_force.found.with_quorum_key(&shares, |key| lend(key, work, user))?;
        lent.given?;
        wrong.text(&faults(&lent.culprits, &lent.misdealt));
        Ok(())
    })
}

fn lend(
    key: &dualseal_core::SigningKey,
    work: extern "C" fn(*const SigningKey, *mut c_void),
    user: *mut c_void,
) -> Result<(), CallError> {
    let lent = Arc::new(Key::Seed(dualseal_core::SigningKey::from_seed(key.seed().expose())?));
    let tagged = Tagged::new(SigningKey(Arc::clone(&lent)));
    work(tagged.handle(), user);
    drop(tagged);
    if Arc::strong_count(&lent) == 1 { Ok(()) } else { Err(CallError::key_kept()) }
}
