//! Which splitting of a vault counts.

use crate::args::{Out, json, required, text};
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::{Verified, checkpoint, shard};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

type Running<'a> = Option<shard::SplitCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Arc<Verified<checkpoint::Checkpoint>>,
        #[not_covariant]
        dependent: Running,
    }
}

/// Streams a chain past a checkpoint and finds the last splitting of a vault. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SplitCheck(Progress);

/// Begins at the first entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_check_new(
    domain: Option<&Domain>,
    vault_id: *const c_char,
    identity_id: *const c_char,
    checkpoint: Option<&Checkpoint>,
    check: *mut *mut SplitCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let checkpoint = Arc::clone(&required("checkpoint", checkpoint)?.0);
        let check = Out::new("check", check)?;
        check.handle(SplitCheck(Progress::new(checkpoint, |checkpoint| {
            Some(shard::SplitCheck::new(&domain.0, &vault_id, &identity_id, checkpoint))
        })));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_check_push_line(
    check: Option<&mut SplitCheck>,
    line: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, line) = (required("check", check)?, json("line", line)?);
        check.0.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    })
}

/// Ends the chain, and the check, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_check_finish(
    check: Option<&mut SplitCheck>,
    in_force: *mut *mut SplitInForce,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, out) = (required("check", check)?, Out::new("in_force", in_force)?);
        let found = check.0.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish()?))?;
        out.handle(SplitInForce(found));
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_check_free(check: Option<Box<SplitCheck>>) {
    release(|| drop(check));
}

/// The last splitting of a vault below a verified checkpoint. Never changes; threads may share it.
#[derive(Debug)]
pub struct SplitInForce(pub(crate) shard::SplitInForce);

/// The position of its chain entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_in_force_seq(
    in_force: Option<&SplitInForce>,
    seq: *mut u64,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        Out::new("seq", seq)?.set(in_force.0.seq());
        Ok(())
    })
}

/// Frees a splitting in force. NULL is ignored. Rebuildings that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_in_force_free(in_force: Option<Box<SplitInForce>>) {
    release(|| drop(in_force));
}
