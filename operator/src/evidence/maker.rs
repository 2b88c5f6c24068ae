//! Making evidence, by whoever has the log.

use super::error::EvidenceError;
use super::given::Given;
use crate::chain::{ChainError, agreed, portions, under};
use crate::tiles::LogFolder;
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::error::Misuse;
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidencePolicy};
use dualseal::key::{CheckedRing, KeyState, PublicRing};
use dualseal::note::Note;
use dualseal::{Domain, Error, IdentityId, PublicKey, Verified};
use std::io::{ErrorKind, Read};

/// How much of a document is read at once, in bytes.
const BLOCK: usize = 256 << 10;

/// What all evidence of a log under one checkpoint has in common.
#[derive(Debug)]
pub struct Maker<'a> {
    domain: &'a Domain,
    name: Option<&'a str>,
    ring: &'a CheckedRing,
    public: PublicRing,
    checkpoint: &'a Verified<Checkpoint>,
}

/// Where a record stands under a checkpoint, and the ring that the checkpoint states.
#[derive(Clone, Debug)]
pub struct Places {
    /// Those of the record's entries: of a seal there may be several.
    pub record: Vec<PlaceProof>,
    /// That of the ring's.
    pub ring: PlaceProof,
}

/// One file, and by whom the record is in it.
#[derive(Debug)]
pub struct Made {
    file: EvidenceFile,
    /// Why it is given to nobody, if it is not.
    withheld: Option<Error>,
    /// Whose record it is.
    pub identity_id: IdentityId,
    /// By which key.
    pub key: PublicKey,
    /// The state of the key, as the operator knows it.
    pub state: KeyState,
    /// The number of the record's entry.
    pub seq: u64,
}

impl Made {
    /// The file, if it may be given out.
    ///
    /// # Errors
    /// [`EvidenceError::Decoy`] where a decoy's key made the record: it passes to strangers, and would be unmasked;
    /// [`EvidenceError::Library`] for a key that the ring does not prove.
    pub fn file(&self) -> Result<&EvidenceFile, EvidenceError> {
        match self.withheld.clone() {
            None => Ok(&self.file),
            Some(error @ Error::Misuse(Misuse::DecoyKey)) => Err(EvidenceError::Decoy(error)),
            Some(error) => Err(error.into()),
        }
    }
}

impl<'a> Maker<'a> {
    /// For records in a log, under its last checkpoint, which states its ring. Where the name of the domain says
    /// everything of it, the file names it.
    ///
    /// # Errors
    /// [`EvidenceError::OtherRing`].
    pub fn new(
        domain: &'a Domain,
        name: Option<&'a str>,
        ring: &'a CheckedRing,
        checkpoint: &'a Verified<Checkpoint>,
    ) -> Result<Self, EvidenceError> {
        if checkpoint.record().ring() != ring.ring_head().as_ref() {
            return Err(EvidenceError::OtherRing);
        }
        Ok(Self { domain, name, ring, public: ring.public(), checkpoint })
    }

    /// The places of the record's entries, and that of the ring's, in one pass over the chain.
    ///
    /// # Errors
    /// [`EvidenceError::Chain`]; [`EvidenceError::NoEntry`] and [`EvidenceError::Uncovered`].
    pub fn places(&self, given: &Given, chain: impl Read) -> Result<Places, EvidenceError> {
        let size = self.size();
        let sought = given.sought(self.domain);
        let mut reader = under(self.domain, self.checkpoint).map_err(ChainError::Asked)?;
        let watched = reader.place_proofs(|entry| sought.is_at(entry)).map_err(ChainError::Asked)?;
        let of_ring = reader.ring_place().map_err(ChainError::Asked)?;
        let mut is_beyond = false;
        portions(chain, |texts| {
            reader.push_json_all(texts.iter().copied(), |_, entry| {
                is_beyond |= entry.seq() >= size && sought.is_at(entry);
                Ok(())
            })
        })?;
        let mut proofs = reader.finish().map_err(ChainError::Chain)?;
        agreed(&proofs)?;
        let record = proofs.take(watched).map_err(ChainError::Chain)?;
        let ring = proofs.take(of_ring).map_err(ChainError::Chain)?;
        match (record.is_empty(), is_beyond) {
            (true, true) => Err(EvidenceError::Uncovered { size }),
            (true, false) => Err(EvidenceError::NoEntry),
            (false, _) => Ok(Places { record, ring: ring.ok_or(EvidenceError::NoRing)? }),
        }
    }

    /// The same from a log's folder, in a few reads, where the number of the record's entry is known.
    ///
    /// # Errors
    /// [`EvidenceError::Tiles`]; [`EvidenceError::Uncovered`] and [`EvidenceError::OtherEntry`].
    pub fn places_from(&self, folder: &LogFolder, given: &Given, seq: u64) -> Result<Places, EvidenceError> {
        let size = self.size();
        if seq >= size {
            return Err(EvidenceError::Uncovered { size });
        }
        let seqs = [seq, self.ring.last_change().ok_or(EvidenceError::NoRing)?];
        let mut record = folder.places(self.checkpoint.record(), &seqs)?;
        let ring = record.pop().ok_or(EvidenceError::NoRing)?;
        let sought = given.sought(self.domain);
        if record.iter().any(|place| !sought.is_at(place.entry())) {
            return Err(EvidenceError::OtherEntry { seq });
        }
        Ok(Places { record, ring })
    }

    /// For everybody who could have made the record, or only for `maker`, a file. A note over the same head brings
    /// what witnesses said.
    ///
    /// # Errors
    /// [`EvidenceError::Decoy`], [`EvidenceError::OtherMaker`] and [`EvidenceError::UnknownKey`];
    /// [`EvidenceError::Library`] for parts that do not belong together.
    pub fn make(
        &self,
        given: &Given,
        places: &Places,
        maker: Option<&IdentityId>,
        note: Option<&Note>,
    ) -> Result<Vec<Made>, EvidenceError> {
        let (mut all, mut unknown) = (Vec::new(), false);
        for place in &places.record {
            for (identity_id, key) in given.makers(self.ring, place.entry()) {
                if maker.is_some_and(|maker| *maker != identity_id) {
                    continue;
                }
                match self.ring.keys(&identity_id).find(|(held, _)| **held == key) {
                    // Of a trap's key a ring knows the hash alone, so that there is nothing to make a file with.
                    None if given.is_by_decoy(self.domain, self.ring, key.hash()) => {
                        return Err(EvidenceError::Decoy(Misuse::DecoyKey.into()));
                    }
                    None => unknown = true,
                    Some((_, state)) => {
                        let file = self.file(given, place, &places.ring, (identity_id, &key), note)?;
                        let withheld = self.ring.prove(key.hash()).err();
                        all.push(Made { file, withheld, identity_id, key, state, seq: place.entry().seq() });
                    }
                }
            }
        }
        match (all.is_empty(), maker, unknown) {
            (false, ..) => Ok(all),
            (true, Some(_), false) => Err(EvidenceError::OtherMaker),
            (true, ..) => Err(EvidenceError::UnknownKey),
        }
    }

    fn file(
        &self,
        given: &Given,
        place: &PlaceProof,
        ring: &PlaceProof,
        (identity_id, key): (IdentityId, &PublicKey),
        note: Option<&Note>,
    ) -> Result<EvidenceFile, EvidenceError> {
        Ok(EvidenceFile::new(EvidenceParts {
            domain: self.domain,
            name: self.name,
            record: given.record(identity_id, key.clone()),
            public_key: key.clone(),
            place: place.clone(),
            ring: ring.clone(),
            key: self.public.prove(key.hash()).ok_or(EvidenceError::NoRing)?,
            note: note.cloned(),
        })?)
    }

    /// Which of the files holds over the document, as a stranger finds it. The document may come slowly: whoever reads
    /// the log under a lock gives it up before.
    ///
    /// # Errors
    /// [`EvidenceError::OtherDocument`] where none does; [`EvidenceError::Read`].
    pub fn choose(&self, made: Vec<Made>, mut document: impl Read) -> Result<Made, EvidenceError> {
        let log = self.checkpoint.record().fingerprint(self.domain);
        let policy = EvidencePolicy { domain: Some(self.domain), ..EvidencePolicy::of_log(log) };
        let mut opened = Vec::new();
        for made in &made {
            opened.push(EvidenceFile::from_json(made.file.to_json().as_bytes())?.open(&policy)?);
        }
        let mut checks: Vec<_> = opened.iter().map(|open| open.begin()).collect();
        let mut part = vec![0; BLOCK];
        loop {
            match document.read(&mut part) {
                Ok(0) => break,
                Ok(read) => checks.iter_mut().for_each(|check| check.update(&part[..read])),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(EvidenceError::Read(error)),
            }
        }
        let mut refused = EvidenceError::UnknownKey;
        for (made, check) in made.into_iter().zip(checks) {
            match check.finish() {
                Ok(_) => return Ok(made),
                Err(error) => refused = EvidenceError::OtherDocument(error),
            }
        }
        Err(refused)
    }

    fn size(&self) -> u64 {
        self.checkpoint.record().tree_head().size
    }
}

/// The only file, where there is one and no document tells.
///
/// # Errors
/// [`EvidenceError::Several`].
pub fn only(mut made: Vec<Made>) -> Result<Made, EvidenceError> {
    let several = made.len() > 1;
    made.pop().filter(|_| !several).ok_or(EvidenceError::Several)
}
