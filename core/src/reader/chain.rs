//! The reader itself: the links of a chain, where it must end, and whoever watches.

use super::cursor::Cursor;
use super::proofs::{Proofs, Watched};
use super::trusted::{RingThere, TrustedHead};
use super::watcher::{AnyWatcher, Ended, Watcher};
use crate::checkpoint::{AgreedChain, Checkpoint, agree};
use crate::domain::Domain;
use crate::error::{ChainFault, ChainProblem, CheckpointFault, Error, Misuse, RingFault};
use crate::krunica::{Entry, Head, JsonLines, Portion};
use crate::verdict::Verified;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// Reads a chain once, entry by entry, in memory for what the watchers keep.
///
/// It begins at a [`TrustedHead`], and ends [under](Self::under) a verified checkpoint, [at](Self::up_to) the caller's
/// own head, at both, or wherever the entries end. The caller attaches the watchers before the first entry: each gives
/// its proof at the end, or its own fault, which stops no other. A fault of the chain itself stops all of them, and a
/// caller who goes on after one is given no proof.
///
/// ```
/// # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
/// # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
/// # let domain = Domain::default();
/// # let log = domain.identity_id(b"", "log", "")?;
/// # let key = SigningKey::from_seed(&[5; 32])?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
/// # let mut chain = Krunica::new();
/// # let entry = chain.append(&domain, &log, "received", Timestamp::MIN)?;
/// # let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
/// # let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
/// # let pins = Pins {
/// #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 1 };
/// # let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed);
/// # let checkpoint = verdict.valid().expect("valid");
/// use dualseal::reader::{ChainReader, TrustedHead};
///
/// let file: String = chain.entries().iter().map(|entry| entry.to_json_line()).collect();
/// let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).under(&checkpoint)?;
/// let wanted = reader.place(entry.krunica_hash())?;
/// reader.push_lines(file.as_bytes())?;
/// let mut proofs = reader.finish()?;
/// let located = proofs.take(wanted)?.expect("below the checkpoint");
/// assert_eq!(located.entry().seq(), 0);
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct ChainReader<'a> {
    domain: Domain,
    begun: TrustedHead,
    cursor: Cursor,
    checkpoint: Option<Checkpoint>,
    /// The head at the size of the checkpoint, which it agrees with.
    there: Option<Head>,
    own: Option<Head>,
    watchers: Vec<Box<dyn AnyWatcher + 'a>>,
    lines: JsonLines,
    /// Remembered, so that a caller who goes on after an error is given no proof.
    fault: Option<Error>,
    /// Tells its proofs from another reader's.
    id: Arc<()>,
}

impl<'a> ChainReader<'a> {
    /// Begins where the caller trusts the chain already, in the domain of the log.
    #[must_use]
    pub fn new(domain: &Domain, begun: &TrustedHead) -> Self {
        Self {
            domain: domain.clone(),
            begun: begun.clone(),
            cursor: begun.cursor.clone(),
            checkpoint: None,
            there: None,
            own: None,
            watchers: Vec::new(),
            lines: JsonLines::new(),
            fault: None,
            id: Arc::new(()),
        }
    }

    /// The chain must agree with a checkpoint, under which its entries are proven to others. It may go on beyond; there
    /// nothing is proven.
    ///
    /// # Errors
    /// [`Misuse::LateStart`] when the reader begins after the checkpoint's end, or where the tree is not known, and
    /// where it has a checkpoint, a watcher or an entry already; [`CheckpointFault`] when it begins at that end, in
    /// another chain.
    pub fn under(mut self, checkpoint: &Verified<Checkpoint>) -> Result<Self, Error> {
        self.goes_on()?;
        // A watcher goes by the checkpoint that is there when it is attached: another one would show what is not so.
        if self.checkpoint.is_some() || self.has_begun() {
            return Err(Misuse::LateStart.into());
        }
        let checkpoint = checkpoint.record();
        let head = self.cursor.head().filter(|head| head.size() <= checkpoint.tree_head().size);
        let head = head.ok_or(Misuse::LateStart)?;
        if head.size() == checkpoint.tree_head().size {
            agree(checkpoint.tree_head(), head)?;
            self.there = Some(head.clone());
        }
        self.checkpoint = Some(checkpoint.clone());
        Ok(self)
    }

    /// The chain must end exactly at a head that the caller stored, and will append to. That proves nothing to others.
    /// It is named once, and before the first watcher and entry: else the reader takes nothing
    /// ([`Misuse::LateStart`]).
    #[must_use]
    pub fn up_to(mut self, head: &Head) -> Self {
        if self.own.is_some() || self.has_begun() {
            self.fault = Some(Misuse::LateStart.into());
        }
        self.own = Some(head.clone());
        self
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// [`ChainFault`] for a broken chain, [`CheckpointFault`] where it is found to be another one than the
    /// checkpoint's, [`RingFault::Forged`] where it does not go on from the [ring file](TrustedHead::ring_file) at
    /// which it began; after that the same again.
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.goes_on()?;
        let pushed = self.cursor.push(entry);
        let taken = pushed.map_err(|fault| self.broken(fault)).and_then(|()| self.take(entry));
        self.remember(taken)
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        self.goes_on()?;
        let taken = self.next(text);
        self.remember(taken)
    }

    /// Takes the next entries as JSON texts, as [`push_json`](Self::push_json) does each, and tells `each` of every one
    /// when it stands there. With the feature `simd` several are hashed in the time of one, where the processor can; so
    /// some are read before the first of them is taken.
    ///
    /// # Errors
    /// As [`push`](Self::push), of the first text that has a fault, or what `each` says first; those before it are
    /// taken.
    pub fn push_json_all<'t>(
        &mut self,
        texts: impl IntoIterator<Item = &'t [u8]>,
        mut each: impl FnMut(&Self, &Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.goes_on()?;
        let mut portion = Portion::default();
        let gathered = texts.into_iter().try_for_each(|text| self.gather(&mut portion, text, &mut each));
        let taken = gathered.and_then(|()| self.take_portion(&mut portion, &mut each));
        self.remember(taken)
    }

    /// Takes the next bytes of a file of JSON lines, cut anywhere, in the time of
    /// [`push_json_all`](Self::push_json_all).
    ///
    /// # Errors
    /// As [`push`](Self::push), and as [`JsonLines::push`].
    pub fn push_lines(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.goes_on()?;
        let mut portion = Portion::default();
        let each = &mut |_: &Self, _: &Entry| Ok(());
        let mut lines = core::mem::take(&mut self.lines);
        let gathered = lines.push(bytes, |line| self.gather(&mut portion, line, each));
        self.lines = lines;
        // What is wrong with a line comes before what is wrong with the text behind it.
        let taken = self.take_portion(&mut portion, each).and(gathered);
        self.remember(taken)
    }

    /// The number of entries up to where it stands: the position of the next one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.cursor.size()
    }

    /// Where the entries so far end; `None` as for [`Proofs::head`].
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        self.cursor.head()
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// [`CheckpointFault::Truncated`] when it has fewer entries than the checkpoint covers, or than the caller's own
    /// head has; [`CheckpointFault`] too when it ends at another head; [`RingFault::Forged`] for that where it began at
    /// a ring file's end; [`JsonLines::finish`]; and again what was found before.
    pub fn finish(mut self) -> Result<Proofs, Error> {
        self.goes_on()?;
        core::mem::take(&mut self.lines).finish()?;
        let (end, head) = (self.cursor.links(), self.cursor.head().cloned());
        if let Some(own) = &self.own {
            self.is_at(own).map_err(|fault| self.elsewhere(fault.into()))?;
        }
        let agreed = match (&self.checkpoint, &head) {
            (Some(checkpoint), Some(head)) => Some(AgreedChain::new(checkpoint, self.there.as_ref(), head)?),
            _ => None,
        };
        let ended = Ended { agreed: agreed.as_ref(), end, head: head.as_ref() };
        let found = self.watchers.into_iter().map(|watcher| Some(watcher.finish(&ended))).collect();
        Ok(Proofs { agreed, head, found, reader: self.id })
    }

    /// Has a watcher look at every entry.
    pub(crate) fn watch<W: Watcher + Send + 'a>(&mut self, watcher: W) -> Result<Watched<W::Proof>, Error> {
        if self.has_read() || self.fault.is_some() {
            return Err(Misuse::LateStart.into());
        }
        self.watchers.push(Box::new(watcher));
        Ok(Watched::new(self.watchers.len().saturating_sub(1), &self.id))
    }

    /// The domain of the log.
    pub(crate) fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Where it began.
    pub(crate) fn begun(&self) -> &Cursor {
        &self.begun.cursor
    }

    /// What is trusted of the ring there.
    pub(super) fn ring_there(&self) -> RingThere {
        self.begun.ring
    }

    /// The checkpoint under which it reads.
    pub(crate) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_ref()
    }

    /// The name of the log, where a checkpoint gives it.
    pub(crate) fn origin(&self) -> Option<&str> {
        self.checkpoint.as_ref().map(Checkpoint::origin)
    }

    /// The entries that the checkpoint covers, for whoever proves nothing without one.
    pub(crate) fn covered(&self) -> Result<u64, Misuse> {
        self.checkpoint.as_ref().map(|checkpoint| checkpoint.tree_head().size).ok_or(Misuse::NoEnd)
    }

    /// The caller's own head, for whoever shows what is appended to there.
    pub(crate) fn own_head(&self) -> Result<&Head, Misuse> {
        self.own.as_ref().ok_or(Misuse::NoEnd)
    }

    /// Whether it is said anywhere how far the chain goes at least.
    pub(crate) fn has_end(&self) -> bool {
        self.checkpoint.is_some() || self.own.is_some()
    }

    fn has_begun(&self) -> bool {
        self.has_read() || !self.watchers.is_empty()
    }

    fn has_read(&self) -> bool {
        self.cursor.size() != self.begun().size()
    }

    /// Reads the next text. What cannot be read is told after all before it were taken.
    fn gather(
        &mut self,
        portion: &mut Portion,
        text: &[u8],
        each: &mut impl FnMut(&Self, &Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_read = portion.read(self.cursor.size(), text);
        if !is_read || portion.is_full() {
            self.take_portion(portion, each)?;
        }
        if is_read {
            return Ok(());
        }
        let entry = self.next(text)?;
        each(self, &entry)
    }

    fn take_portion(
        &mut self,
        portion: &mut Portion,
        each: &mut impl FnMut(&Self, &Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (entry, hash_holds) in portion.take() {
            self.cursor.push_hashed(&entry, hash_holds).map_err(|fault| self.broken(fault))?;
            self.take(&entry)?;
            each(self, &entry)?;
        }
        Ok(())
    }

    fn next(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.cursor.push_json(text).map_err(|fault| self.broken(fault))?;
        self.take(&entry)?;
        Ok(entry)
    }

    fn take(&mut self, entry: &Entry) -> Result<(), Error> {
        if let Some(checkpoint) = &self.checkpoint
            && self.cursor.size() == checkpoint.tree_head().size
            && let Some(head) = self.cursor.head()
        {
            agree(checkpoint.tree_head(), head)?;
            self.there = Some(head.clone());
        }
        self.watchers.iter_mut().for_each(|watcher| watcher.take(entry, &self.cursor));
        Ok(())
    }

    /// Whether the chain ends at the caller's own head.
    fn is_at(&self, own: &Head) -> Result<(), CheckpointFault> {
        let (size, found) = (own.size(), self.cursor.size());
        if found < size {
            Err(CheckpointFault::Truncated { size, found })
        } else if !self.cursor.is_at(own) {
            Err(CheckpointFault::Rewritten { size })
        } else if self.cursor.head().is_some_and(|head| head != own) {
            Err(CheckpointFault::TreeDisagrees { size })
        } else {
            Ok(())
        }
    }

    /// The first entry after a ring file that does not go on from its top: the chain is another one than the file's.
    fn broken(&self, fault: ChainFault) -> Error {
        let size = self.begun().size();
        if fault.problem == ChainProblem::Prev && self.cursor.size() == size && size != 0 {
            self.elsewhere(fault.into())
        } else {
            fault.into()
        }
    }

    fn elsewhere(&self, fault: Error) -> Error {
        if self.begun.is_of_ring { RingFault::Forged { identity_id: None }.into() } else { fault }
    }

    fn goes_on(&self) -> Result<(), Error> {
        self.fault.clone().map_or(Ok(()), Err)
    }

    fn remember<T>(&mut self, taken: Result<T, Error>) -> Result<T, Error> {
        taken.inspect_err(|fault| self.fault = Some(fault.clone()))
    }
}

impl fmt::Debug for ChainReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainReader")
            .field("head", &self.head())
            .field("watchers", &self.watchers.len())
            .finish_non_exhaustive()
    }
}
