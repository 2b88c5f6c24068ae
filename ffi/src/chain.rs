//! Chains: held in memory, or checked as they stream by.

use crate::args::{Out, json, required};
use crate::failure::{Failure, guard, release};
use crate::head::Head;
use crate::status::StatusValue;
use dualseal_core::krunica::{Checker, Krunica};
use dualseal_core::{Entry, Head as CoreHead};
use std::ffi::c_char;

/// A whole chain in memory, every entry of it checked. For one thread at a time while it grows.
#[derive(Debug)]
pub struct Chain(Krunica);

/// An empty chain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_new(chain: *mut *mut Chain, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        Out::new("chain", chain)?.handle(Chain(Krunica::new()));
        Ok(())
    })
}

/// Reads a JSON array of entries (without `seq`) and checks every one. The index of an error is the first bad entry's.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_from_json(
    chain_json: *const c_char,
    chain: *mut *mut Chain,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let chain = Out::new("chain", chain)?;
        chain.handle(Chain(Krunica::from_json(json("chain_json", chain_json)?)?));
        Ok(())
    })
}

/// Adds an entry (with its `seq`) that was made at this chain's head. On an error the chain is as it was.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_push(
    chain: Option<&mut Chain>,
    entry_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let chain = required("chain", chain)?;
        Ok(chain.0.push(Entry::from_json(json("entry_json", entry_json)?)?)?)
    })
}

/// The JSON array of the entries, without `seq`: the form in which a chain is shown to others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_to_json(
    chain: Option<&Chain>,
    chain_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let chain = required("chain", chain)?;
        Out::new("chain_json", chain_json)?.text(&chain.0.to_json());
        Ok(())
    })
}

/// A new handle on where the chain ends, from which one appends.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_head(
    chain: Option<&Chain>,
    head: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let chain = required("chain", chain)?;
        Out::new("head", head)?.handle(Head(*chain.0.head()));
        Ok(())
    })
}

/// Frees a chain. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_free(chain: Option<Box<Chain>>) {
    release(|| drop(chain));
}

/// Checks a chain entry by entry in constant memory. After a fault it stays where it was: what follows a bad entry
/// proves nothing. For one thread at a time.
#[derive(Debug)]
pub struct ChainChecker(Checker);

/// Begins after `from`, a head that was checked before and kept where nobody else writes; at the first entry when it
/// is NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_checker_new(
    from: Option<&Head>,
    checker: *mut *mut ChainChecker,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let from = from.map_or(CoreHead::EMPTY, |head| head.0);
        Out::new("checker", checker)?.handle(ChainChecker(Checker::resume(from)));
        Ok(())
    })
}

/// Checks the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_checker_push_line(
    checker: Option<&mut ChainChecker>,
    line: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        required("checker", checker)?.0.push_json(json("line", line)?)?;
        Ok(())
    })
}

/// Checks the next entry as it travels alone, with its `seq`: what the functions that append return.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_checker_push_entry(
    checker: Option<&mut ChainChecker>,
    entry_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checker = required("checker", checker)?;
        Ok(checker.0.push(&Entry::from_json(json("entry_json", entry_json)?)?)?)
    })
}

/// A new handle on where the entries checked so far end.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_checker_head(
    checker: Option<&ChainChecker>,
    head: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checker = required("checker", checker)?;
        Out::new("head", head)?.handle(Head(checker.0.head()));
        Ok(())
    })
}

/// Frees a checker. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_checker_free(checker: Option<Box<ChainChecker>>) {
    release(|| drop(checker));
}
