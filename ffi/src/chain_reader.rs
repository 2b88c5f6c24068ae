//! One reader of a chain: a single pass over its entries, past everything that is watched for.

use crate::args::{Out, json, optional, read, required, unless};
use crate::call_error::CallError;
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::places::Places;
use crate::progress::{ending, running};
use crate::proofs::{Found, Proofs, Watched, Watching};
use crate::status::StatusValue;
use dualseal_core::error::Misuse;
use dualseal_core::key::RingFile;
use dualseal_core::reader::{self, TrustedHead};
use dualseal_core::{Entry, Error, Verified, checkpoint};
use std::any::Any;
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

/// Reads a chain once, entry by entry, past everything that is watched for, in memory for what the watchers keep. What
/// is watched for is said before the first entry. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct ChainReader(Option<Reading>);

struct Reading {
    reader: reader::ChainReader<'static>,
    checkpoint: Option<Arc<Verified<checkpoint::Checkpoint>>>,
    watching: Watching,
    takers: Vec<Taker>,
}

/// Takes what was watched for from among the proofs, when the chain has ended.
type Taker = Box<dyn FnOnce(&mut reader::Proofs) -> Found + Send>;

impl ChainReader {
    fn new(reader: reader::ChainReader<'static>, checkpoint: Option<Arc<Verified<checkpoint::Checkpoint>>>) -> Self {
        Self(Some(Reading { reader, checkpoint, watching: Watching::new(), takers: Vec::new() }))
    }

    /// Watches for something, of which `kept` is handed out later.
    pub(crate) fn watch<T: 'static, U: Any + Send + Sync>(
        &mut self,
        out: Out<Watched>,
        kept: fn(T) -> U,
        watch: impl FnOnce(&mut reader::ChainReader<'static>) -> Result<reader::Watched<T>, Error>,
    ) -> Result<(), CallError> {
        let Reading { reader, watching, takers, .. } = running(&mut self.0)?;
        let number = watching.number(takers.len())?;
        let watched = watch(reader)?;
        takers.push(Box::new(move |proofs| Ok(Box::new(kept(proofs.take(watched)?)))));
        out.set(number);
        Ok(())
    }

    /// Watches for the places of entries, and of the one by which the ring became what the checkpoint states.
    pub(crate) fn watch_places(
        &mut self,
        out: Out<Watched>,
        wanted: impl Fn(&Entry) -> bool + Send + 'static,
    ) -> Result<(), CallError> {
        let Reading { reader, checkpoint, watching, takers } = running(&mut self.0)?;
        let number = watching.number(takers.len())?;
        let under = checkpoint.clone().ok_or(Error::Misuse(Misuse::NoEnd))?;
        let (places, ring) = (reader.place_proofs(wanted)?, reader.ring_place()?);
        takers.push(Box::new(move |proofs| {
            let (places, ring) = (proofs.take(places)?, proofs.take(ring)?);
            Ok(Box::new(Places::new(places, ring, &under)?))
        }));
        out.set(number);
        Ok(())
    }
}

/// Begins at the first entry, or at `begin`, a head that the caller stored where nobody else writes, such as a
/// `signed_head` (`dualseal_chain_reader_finish`). The chain must agree with `checkpoint`, beyond which nothing is
/// proven to others; for whoever appends, and proves nothing by what is read, it is NULL, and `no_checkpoint` 1. It
/// must end exactly at `own`, the head that the caller keeps with it and will append to. `begin` and `own` may be NULL;
/// without an end the chain is checked for itself.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new(
    domain: *const Domain,
    begin: *const Head,
    checkpoint: *const Checkpoint,
    no_checkpoint: i32,
    own: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let begin = optional("begin", begin)?.map_or_else(TrustedHead::beginning, |head| TrustedHead::stored(&head.0));
        let checkpoint = unless("checkpoint", optional("checkpoint", checkpoint)?, "no_checkpoint", no_checkpoint)?;
        let (own, out) = (optional("own", own)?, Out::new("reader", reader)?);
        let mut reading = reader::ChainReader::new(&domain.0, &begin);
        if let Some(checkpoint) = checkpoint {
            reading = reading.under(&checkpoint.0)?;
        }
        if let Some(own) = own {
            reading = reading.up_to(&own.0);
        }
        out.handle(ChainReader::new(reading, checkpoint.map(|checkpoint| Arc::clone(&checkpoint.0))));
        Ok(())
    })
}

/// Begins where the chain ended when a ring file was written, which is what a change of the ring needs: the entries
/// from that size on are pushed, and end at `own`, which the caller keeps with the chain. Before that place nothing is
/// known, so that nothing can be watched for that is shown to others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_from_ring_file(
    domain: *const Domain,
    ring_json: *const c_char,
    ring_json_len: usize,
    own: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let file = read("ring_json", ring_json, ring_json_len, RingFile::from_json)?;
        let (own, out) = (required("own", own)?, Out::new("reader", reader)?);
        let reading = reader::ChainReader::new(&domain.0, &TrustedHead::ring_file(&file)).up_to(&own.0);
        out.handle(ChainReader::new(reading, None));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines
/// (`dualseal_entry_parts`). Of a broken chain the error's index is the first bad entry; after that the same again, for
/// what follows a bad entry proves nothing.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_push(
    reader: *mut ChainReader,
    line: *const c_char,
    line_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, line) = (required("reader", reader)?, json("line", line, line_len)?);
        Ok(running(&mut reader.0)?.reader.push_json(line).map(drop)?)
    })
}

/// Ends the chain, and the reader whatever comes of it. A fault of the chain is told here, and stops every proof; the
/// fault of one watcher is told where its proof is asked for, and stops no other. `signed_head` is where the checkpoint
/// ended, which a later reader begins with, and `head` where all that was read did. Both may be NULL; they are set to
/// NULL where there was no checkpoint, and where the reader began at a ring file.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish(
    reader: *mut ChainReader,
    proofs: *mut *mut Proofs,
    signed_head: *mut *mut Head,
    head: *mut *mut Head,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("proofs", proofs)?);
        let Reading { reader, watching, takers, .. } = ending(&mut reader.0)?;
        let mut found = reader.finish()?;
        let signed = found.agreed().map(|agreed| agreed.signed_head().clone());
        for (place, known) in [(signed_head, signed), (head, found.head().cloned())] {
            match (Out::optional(place), known) {
                (Some(place), Some(known)) => place.handle(Head(known)),
                (Some(place), None) => place.set(ptr::null_mut()),
                (None, _) => {}
            }
        }
        let taken = takers.into_iter().map(|taker| Some(taker(&mut found))).collect();
        out.handle(Proofs::new(watching, found.agreed().cloned(), taken));
        Ok(())
    })
}

/// Frees a reader. NULL is ignored. What it proved stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_free(reader: *mut ChainReader) {
    release(|| give_back(reader));
}
