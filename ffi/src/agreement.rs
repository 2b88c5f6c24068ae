//! Chains streamed past a checkpoint, and what that proves.

use crate::args::{Out, json, required, text, texts};
use crate::checkpoint::Checkpoint;
use crate::failure::{Failure, guard, release};
use crate::head::Head;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::krunica::KrunicaHash;
use dualseal_core::{Verified, checkpoint};
use self_cell::self_cell;
use std::collections::BTreeSet;
use std::ffi::c_char;
use std::sync::Arc;

type Running<'a> = Option<checkpoint::ChainCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Arc<Verified<checkpoint::Checkpoint>>,
        #[not_covariant]
        dependent: Running,
    }
}

/// Checks a chain entry by entry against a verified checkpoint, in memory for the entries that it is asked to locate.
/// For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct ChainCheck(Progress);

/// Begins at the first entry. The entries with these `krunica_hashes`, as many as `count`, are to be located.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_check_new(
    checkpoint: Option<&Checkpoint>,
    krunica_hashes: *const *const c_char,
    count: usize,
    check: *mut *mut ChainCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let wanted = texts("krunica_hashes", krunica_hashes, count)?;
        let wanted: BTreeSet<KrunicaHash> = wanted.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let check = Out::new("check", check)?;
        check.handle(ChainCheck(Progress::new(Arc::clone(&checkpoint.0), |checkpoint| {
            Some(checkpoint::ChainCheck::new(checkpoint).keeping(move |entry| wanted.contains(&entry.krunica_hash())))
        })));
        Ok(())
    })
}

/// Begins where the checkpoint ends: the entries since then are shown to go on from it. That is what the log's own
/// signer needs; nothing is located this way.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_check_resume(
    checkpoint: Option<&Checkpoint>,
    check: *mut *mut ChainCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let check = Out::new("check", check)?;
        check.handle(ChainCheck(Progress::new(Arc::clone(&checkpoint.0), |checkpoint| {
            Some(checkpoint::ChainCheck::resume(checkpoint))
        })));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_check_push_line(
    check: Option<&mut ChainCheck>,
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
pub extern "C" fn dualseal_chain_check_finish(
    check: Option<&mut ChainCheck>,
    agreed: *mut *mut AgreedChain,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, agreed) = (required("check", check)?, Out::new("agreed", agreed)?);
        let chain = check.0.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish()?))?;
        agreed.handle(AgreedChain(chain));
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_check_free(check: Option<Box<ChainCheck>>) {
    release(|| drop(check));
}

/// A chain that was shown to agree with a verified checkpoint of its log. Never changes; threads may share it.
#[derive(Debug)]
pub struct AgreedChain(pub(crate) checkpoint::AgreedChain);

/// The name of the log.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_origin(
    agreed: Option<&AgreedChain>,
    origin: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        Out::new("origin", origin)?.text(agreed.0.origin());
        Ok(())
    })
}

/// The number of entries that the checkpoint covers.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_covered(
    agreed: Option<&AgreedChain>,
    covered: *mut u64,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        Out::new("covered", covered)?.set(agreed.0.covered());
        Ok(())
    })
}

/// A new handle on the head of the whole chain, entries beyond the checkpoint included.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_head(
    agreed: Option<&AgreedChain>,
    head: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        Out::new("head", head)?.handle(Head(*agreed.0.head()));
        Ok(())
    })
}

/// The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint.
/// `DUALSEAL_STATUS_NOT_LOCATED` for an entry that does not, or that the check was not asked for.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_located(
    agreed: Option<&AgreedChain>,
    krunica_hash: *const c_char,
    located: *mut *mut Located,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        let wanted: KrunicaHash = text("krunica_hash", krunica_hash)?.parse()?;
        let out = Out::new("located", located)?;
        let found = agreed.0.located().iter().find(|located| located.entry().krunica_hash() == wanted);
        out.handle(Located(found.ok_or_else(Failure::not_located)?.clone()));
        Ok(())
    })
}

/// Frees an agreed chain. NULL is ignored. What it located stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_free(agreed: Option<Box<AgreedChain>>) {
    release(|| drop(agreed));
}

/// Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Located(pub(crate) dualseal_core::Located);

/// The entry as JSON, with its `seq`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_entry(
    located: Option<&Located>,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let located = required("located", located)?;
        Out::new("entry_json", entry_json)?.text(&located.0.entry().to_json());
        Ok(())
    })
}

/// Frees a proof. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_free(located: Option<Box<Located>>) {
    release(|| drop(located));
}
