//! The ring of a home folder, held against the chain that vouches for it.

use super::{Home, RING};
use crate::chain_file::{entries, last_entries};
use crate::failure::{Failure, HOME};
use crate::input;
use crate::secrets::Passphrase;
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::error::Rejected;
use dualseal::key::RingFile;
use dualseal::krunica::TreeHead;
use dualseal::reader::{ChainReader, FoundRing, TrustedHead};
use dualseal::vault::claims_record;
use dualseal::{CheckedRing, Entry, Error, Head, IdentityId, KeyPairInfo, KeyRing, RingKey, SystemRng, Verified};

/// What the chain is held against, beside the ring.
#[derive(Clone, Copy)]
enum Under<'a> {
    /// The whole of it against a checkpoint.
    Checkpoint(&'a Verified<Checkpoint>),
    /// The whole of it against the end that this program noted, where there is no checkpoint to trust.
    Whole(&'a Head),
    /// What came since the ring was written, against the end that this program noted, and the last checkpoint where
    /// that is between them.
    Noted(&'a Head, Option<TreeHead>),
}

impl Home {
    /// The ring, decoys included, if the chain vouches for it: whoever edits ring.json, or puts an old copy in its
    /// place, makes no key valid that was called back, and no key of their own another's.
    pub(crate) fn ring(&self, passphrase: &Passphrase) -> Result<CheckedRing, Failure> {
        let (head, _) = self.head()?;
        // Without a checkpoint, or with one by no key of the ring as it is now, the chain alone is asked: what is wrong
        // with the ring is told before what is wrong with the checkpoint.
        let last = self.last_checkpoint(self.ring_file()?.unchecked());
        let under = if let Ok(Some(checkpoint)) = &last { Under::Checkpoint(checkpoint) } else { Under::Whole(&head) };
        let ring = self.vouched_for(under, passphrase)?;
        last.map(|_| ring)
    }

    /// The same for whoever goes on from the end that was noted with the last entry: held against the entries since it
    /// was written, so that a change of a long chain does not read it all.
    pub(crate) fn ring_to_go_on(&self, passphrase: &Passphrase) -> Result<CheckedRing, Failure> {
        let (head, _) = self.head()?;
        // What is behind the last checkpoint, or not by a key of this ring, is looked at as a whole, and named.
        let file = self.ring_file()?;
        let covered = match self.last_checkpoint(file.unchecked()) {
            Ok(checkpoint) => checkpoint.map(|checkpoint| *checkpoint.record().tree_head()),
            Err(_) => return self.ring(passphrase),
        };
        if covered.is_some_and(|covered| covered.size > head.size()) || head.size() < file.size() {
            return self.ring(passphrase);
        }
        // What the ring was written with is under its MAC; a later checkpoint must be passed.
        let covered = covered.filter(|covered| covered.size > file.size());
        self.vouched_for(Under::Noted(&head, covered), passphrase)
    }

    fn vouched_for(&self, under: Under<'_>, passphrase: &Passphrase) -> Result<CheckedRing, Failure> {
        let file = self.ring_file()?;
        if !self.has_ring_key() && file.revision() == 0 {
            // Nobody has a key here yet, and nobody had authority over what else may stand in the file.
            let authority = RingKey::generate(self.domain().domain(), &mut SystemRng)?;
            return Ok(CheckedRing::new(self.origin(), &authority)?);
        }
        let authority = self.authority(passphrase).map_err(|failure| {
            let hint = "restore it from a copy; whoever only verifies can say with --key or --ring whose keys to trust";
            if self.has_ring_key() { failure } else { failure.hint(hint) }
        })?;
        // The masters are only needed where somebody claims that a record came after the file.
        let mut masters = None;
        let is_record = |entry: &Entry| {
            claims_record(self.domain().domain(), entry)
                && match masters.get_or_insert_with(|| self.vault_masters(passphrase)) {
                    Ok(masters) => masters.iter().any(|master| master.vouches_for(entry)),
                    Err(_) => true,
                }
        };
        let (chain, written) = (self.present(CHAIN)?, file.size());
        let begin = |begun: TrustedHead| ChainReader::new(self.domain().domain(), &begun);
        let mut reader = match under {
            Under::Checkpoint(checkpoint) => begin(TrustedHead::beginning()).under(checkpoint).map_err(told)?,
            Under::Whole(head) => begin(TrustedHead::beginning()).up_to(head),
            Under::Noted(head, _) => begin(TrustedHead::ring_file(&file)).up_to(head),
        };
        let watched = reader.ring(file, authority, is_record).map_err(told)?;
        let mut passed = !matches!(under, Under::Noted(_, Some(_)));
        let push = |json: &[u8]| {
            let entry = reader.push_json(json)?;
            if let Under::Noted(_, Some(covered)) = under {
                passed |= entry.seq().checked_add(1) == Some(covered.size) && *entry.hash() == covered.top;
            }
            Ok(())
        };
        match under {
            Under::Checkpoint(_) | Under::Whole(_) => entries(&chain, push),
            Under::Noted(head, _) => last_entries(&chain, head.size().saturating_sub(written), push),
        }?;
        let head = reader.head().cloned();
        let ring = reader.finish().and_then(|mut proofs| proofs.take(watched)).map(FoundRing::into_ring);
        if let Some(Err(failure)) = masters {
            return Err(failure);
        }
        let ring = ring.map_err(told)?;
        if !passed {
            // Another chain than the checkpoint's: looked at as a whole, it is told as what it is.
            return self.ring(passphrase);
        }
        // One that was resumed ends where it was noted.
        head.map_or(Ok(()), |head| self.wrote(&head)).map(|()| ring)
    }

    /// The ring as the file has it: nobody vouches for it.
    pub(crate) fn ring_file(&self) -> Result<RingFile, Failure> {
        let path = self.present(RING)?;
        RingFile::from_json(&input::small(&path)?).map_err(|error| Failure::from(error).about(path.display()))
    }
}

/// The key of an identity in a ring.
pub(crate) fn key_info(ring: &KeyRing, identity_id: &IdentityId) -> Result<KeyPairInfo, Failure> {
    let none = || Failure::new(HOME, format!("{identity_id} has no key here"), "make one by `dualseal key new`");
    ring.info(identity_id).ok_or_else(none)
}

fn told(error: Error) -> Failure {
    let ring = matches!(&error, Error::Rejected(Rejected::Ring(_)));
    let failure = Failure::from(error).about(RING);
    if !ring {
        return failure;
    }
    failure.hint("restore ring.json from a copy as new as the chain; `dualseal chain check --with-ring` tells if it is")
}
