//! Chains that are read once, past one watcher.

use dualseal::checkpoint::Checkpoint;
use dualseal::key::{CheckedRing, RingFile};
use dualseal::reader::{ChainReader, FoundRing, TrustedHead, Watched};
use dualseal::{Domain, Entry, Error, Head, RingKey, Verified};

/// A reader of the whole chain under a checkpoint, in the default domain.
pub fn under<'a>(checkpoint: &Verified<Checkpoint>) -> ChainReader<'a> {
    under_in(&Domain::default(), checkpoint)
}

/// The same in any domain.
pub fn under_in<'a>(domain: &Domain, checkpoint: &Verified<Checkpoint>) -> ChainReader<'a> {
    ChainReader::new(domain, &TrustedHead::beginning()).under(checkpoint).expect("from the beginning")
}

/// A reader of the whole chain up to the caller's own head.
pub fn up_to<'a>(domain: &Domain, head: &Head) -> ChainReader<'a> {
    ChainReader::new(domain, &TrustedHead::beginning()).up_to(head)
}

/// Reads the entries, and takes the one proof.
pub fn read<'a, T: 'static>(
    mut reader: ChainReader<'a>,
    entries: &[Entry],
    watch: impl FnOnce(&mut ChainReader<'a>) -> Result<Watched<T>, Error>,
) -> Result<T, Error> {
    let watched = watch(&mut reader)?;
    entries.iter().try_for_each(|entry| reader.push(entry))?;
    reader.finish()?.take(watched)
}

/// Holds a ring file against what follows it in the chain, which ends at the caller's own head: the entries from the
/// file's size on.
pub fn resumed(
    file: RingFile,
    authority: &RingKey,
    head: &Head,
    entries: &[Entry],
    is_record: impl FnMut(&Entry) -> bool + Send,
) -> Result<CheckedRing, Error> {
    let reader = ChainReader::new(&Domain::default(), &TrustedHead::ring_file(&file)).up_to(head);
    read(reader, entries, |reader| reader.ring(file, authority, is_record)).map(FoundRing::into_ring)
}
