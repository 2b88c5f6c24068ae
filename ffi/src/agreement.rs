//! A chain read past a checkpoint that it is to agree with.

use crate::agreed_chain::AgreedChain;
use crate::args::{Out, optional, required, texts};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Reading};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::head::Head;
use crate::status::StatusValue;
use dualseal_core::error::Misuse;
use dualseal_core::krunica::KrunicaHash;
use dualseal_core::reader::{self, TrustedHead};
use dualseal_core::{Domain, Entry, Error, Located};
use std::collections::BTreeSet;
use std::ffi::c_char;

/// Begins at the first entry, in memory for the entries that are to be located: those with these `krunica_hashes`, as
/// many as `count`. With `from`, the head that was stored for the checkpoint, it begins there instead: the entries
/// since then are shown to go on from it. That is what the log's own signer needs; nothing is located this way, and
/// `count` is 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_agreement(
    checkpoint: *const Checkpoint,
    krunica_hashes: *const *const c_char,
    count: usize,
    from: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let wanted = texts("krunica_hashes", krunica_hashes, count)?;
        let wanted: BTreeSet<KrunicaHash> = wanted.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let from = optional("from", from)?.map(|head| head.0.clone());
        if from.is_some() && !wanted.is_empty() {
            return Err(CallError::unknown_value("from"));
        }
        let out = Out::new("reader", reader)?;
        let begun = from.map_or(Ok(TrustedHead::beginning()), |from| TrustedHead::checkpoint(&checkpoint.0, &from))?;
        let reading = reader::ChainReader::new(&Domain::default(), &begun).under(&checkpoint.0)?;
        // Spares a chain in which nothing is sought one hash for each entry.
        let keep = move |entry: &Entry| !wanted.is_empty() && wanted.contains(&entry.krunica_hash());
        out.handle(ChainReader::new(Reading::begin(reading, |reader| reader.places(keep))?));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_agreement` began, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_agreement(
    reader: *mut ChainReader,
    agreed: *mut *mut AgreedChain,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("agreed", agreed)?);
        let (places, proofs) = reader.walk::<Reading<Vec<Located>>>()?.end()?;
        let chain = proofs.agreed().ok_or(Misuse::NoEnd).map_err(Error::from)?.clone();
        out.handle(AgreedChain { chain, places });
        Ok(())
    })
}
