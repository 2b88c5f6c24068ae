//! An audit from a checkpoint of the home folder's own log on: the chain is read from its end, and what has no place
//! after that is not checked.

use super::args::Args;
use super::judgement::{Judgement, Mark};
use crate::chain_file::of;
use crate::failure::{Failure, USAGE};
use crate::home::{Home, OwnLog, contradicted, false_ring, fork};
use crate::log_folder::{LogFolder, unproved};
use dualseal::checkpoint::Checkpoint;
use dualseal::error::Rejected;
use dualseal::krunica::KrunicaHash;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Entry, Error, Head, IdentityId, KeyRing, Verified};
use dualseal_operator::chain::ChainError;
use dualseal_operator::own::OwnError;
use dualseal_operator::paths::Show;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where the audit begins.
pub(super) struct Since {
    path: PathBuf,
    size: u64,
    begun: TrustedHead,
    /// Whether the checkpoint states the ring as the own ring was there.
    states_ring: bool,
}

/// What the chain has after the checkpoint, of what was asked for.
#[derive(Default)]
pub(super) struct After {
    pub(super) handles: BTreeSet<KrunicaHash>,
    pub(super) messages: BTreeSet<(IdentityId, String)>,
}

impl After {
    pub(super) fn add(&mut self, entry: &Entry) {
        self.handles.insert(entry.krunica_hash());
        self.messages.insert((*entry.identity_id(), entry.message().to_owned()));
    }
}

impl Since {
    /// The checkpoint at which an audit begins, where it is to begin at one: of the home folder's own log.
    pub(super) fn checkpoint(
        args: &Args,
        home: Option<&Home>,
        ring: Option<&KeyRing>,
    ) -> Result<Option<Verified<Checkpoint>>, Failure> {
        let Some(path) = &args.since else { return Ok(None) };
        let (Some(home), Some(ring)) = (home, ring) else {
            let hint = "leave --since out; a checkpoint that lies in the folder counts under --log-key";
            return Err(Failure::new(USAGE, "only the operator of a log, who has its home folder, audits since", hint));
        };
        home.own_of(path, ring).map(Some)
    }

    /// Where it ends: in the folder of tiles, or found by hashing the chain.
    pub(super) fn new(
        args: &Args,
        checkpoint: Option<&Verified<Checkpoint>>,
        own: Option<&OwnLog>,
        ring: Option<&KeyRing>,
    ) -> Result<Option<Self>, Failure> {
        let (Some(path), Some(checkpoint), Some(own), Some(ring)) = (&args.since, checkpoint, own, ring) else {
            return Ok(None);
        };
        let (record, size) = (checkpoint.record(), checkpoint.record().tree_head().size);
        if own.end().size() < size {
            let text = format!("it covers {size} entries, and the chain has {}", own.end().size());
            return Err(fork(&path.shown(), &text));
        }
        // The own ring knows where it was changed last by then, and the entry there says how.
        let changed = ring.last_change_below(size);
        let (head, entry) = match &args.tiles {
            Some(folder) => {
                let folder = LogFolder::new(folder);
                let head = folder.head(record.tree_head()).map_err(unproved)?;
                (head, changed.map(|seq| folder.entry_below(record, seq)).transpose().map_err(unproved)?)
            }
            None => there(own, size, changed)?,
        };
        let begun = TrustedHead::checkpoint(checkpoint, &head);
        let begun = begun.map_err(|error| fork(&path.shown(), &error))?;
        let states_ring = match entry {
            Some(entry) => record.is_ring_of(own.domain(), &entry),
            None => record.ring().is_none(),
        };
        Ok(Some(Self { path: path.clone(), size, begun, states_ring }))
    }

    /// How many entries are before it.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Where reading begins.
    pub(super) fn begun(&self) -> &TrustedHead {
        &self.begun
    }

    /// What is wrong with the checkpoint, once the chain after it was read.
    pub(super) fn told<T>(&self, read: Result<T, OwnError>, own: &OwnLog) -> Result<T, Failure> {
        let path = self.path.shown();
        match read {
            // Rewritten, or with other times.
            Err(OwnError::Chain(ChainError::Chain(why @ Error::Rejected(Rejected::Checkpoint(_))))) => {
                Err(fork(&path, &why))
            }
            Err(error) => Err(contradicted(error, own.path())),
            // Of no other chain's it is said: there the entry is another.
            Ok(_) if !self.states_ring => Err(false_ring(&path, &"it states another ring than the log had there")),
            Ok(read) => Ok(read),
        }
    }

    /// What is said of all that does not stand after it.
    pub(super) fn before(&self) -> Judgement {
        let text = format!("it does not stand after the {} entries of {}", self.size, self.path.shown());
        Judgement::new(Mark::Unchecked, text)
    }

    /// What is said of a seal by a key that was retired before its first entry here: anybody may append another entry
    /// of an old seal.
    pub(super) fn late(&self) -> Judgement {
        let (size, path) = (self.size, self.path.shown());
        let text =
            format!("it holds if an entry of it stands in the {size} entries of {path}: what follows is too late");
        Judgement::new(Mark::Unchecked, text)
    }

    /// What the whole audit says of that.
    pub(super) fn note(&self) -> String {
        format!(
            "What does not stand after the {} entries of {} was not checked: an audit without --since checks it.",
            self.size,
            self.path.shown()
        )
    }
}

/// The head at a size of the home folder's own chain, which is hashed for that, and an entry below it.
fn there(own: &OwnLog, size: u64, seq: Option<u64>) -> Result<(Head, Option<Entry>), Failure> {
    let mut reader = ChainReader::new(own.domain(), &TrustedHead::beginning());
    let mut found = None;
    own.entries(None, |texts| {
        let below = usize::try_from(size.saturating_sub(reader.size())).unwrap_or(usize::MAX);
        reader.push_json_all(texts.iter().copied().take(below), |_, entry| {
            if Some(entry.seq()) == seq {
                found = Some(entry.clone());
            }
            Ok(())
        })
    })
    .map_err(of(own.path()))?;
    Ok((reader.head().cloned().unwrap_or(Head::EMPTY), found))
}
