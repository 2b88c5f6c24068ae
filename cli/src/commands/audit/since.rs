//! An audit from a checkpoint of the home folder's own log on: the chain is read from its end, and what has no place
//! after that is not checked.

use super::args::Args;
use super::judgement::{Judgement, Mark};
use crate::chain_file::{entries, last_entries};
use crate::failure::{Failure, USAGE, status_of};
use crate::home::Home;
use crate::log_folder::LogFolder;
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::error::{ChainFault, ChainProblem, Rejected};
use dualseal::krunica::{KrunicaHash, TreeHead};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Entry, Error, Head, IdentityId, KeyRing, Located, VerdictKind, Verified};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the audit begins.
pub(super) struct Since {
    path: PathBuf,
    size: u64,
    begun: TrustedHead,
    /// Where the home folder's own chain ends.
    end: Head,
}

/// What the chain has after the checkpoint.
pub(super) struct After {
    /// The places under the home folder's last checkpoint of the entries that were asked for.
    pub(super) places: Vec<Located>,
    /// Those entries, and those that stand beyond that checkpoint.
    pub(super) handles: BTreeSet<KrunicaHash>,
    pub(super) messages: BTreeSet<(IdentityId, String)>,
    /// Those of the checkpoints that the chain agrees with.
    pub(super) agreed: Vec<bool>,
}

impl Since {
    /// Where a checkpoint of the home folder's own log ends: in the folder of tiles, or found by hashing the chain.
    pub(super) fn new(args: &Args, home: Option<&Home>, ring: Option<&KeyRing>) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.since else { return Ok(None) };
        let (Some(home), Some(ring)) = (home, ring) else {
            let hint = "leave --since out; a checkpoint that lies in the folder counts under --log-key";
            return Err(Failure::new(USAGE, "only the operator of a log, who has its home folder, audits since", hint));
        };
        let checkpoint = home.own_of(path, ring)?;
        let signed = checkpoint.record().tree_head();
        let (end, _) = home.head()?;
        if end.size() < signed.size {
            let text = format!("it covers {} entries, and the chain has {}", signed.size, end.size());
            return Err(another(path, &text));
        }
        let domain = home.domain().domain();
        let head = match &args.tiles {
            Some(folder) => LogFolder::new(folder).head(signed)?,
            None => head_at(domain, &home.present(CHAIN)?, signed)?,
        };
        let begun = TrustedHead::checkpoint(&checkpoint, &head);
        let begun = begun.map_err(|error| another(path, Failure::from(error).message()))?;
        Ok(Some(Self { path: path.clone(), size: signed.size, begun, end }))
    }

    /// How many entries are before it.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Where reading begins.
    pub(super) fn begun(&self) -> &TrustedHead {
        &self.begun
    }

    /// Hands over the entries of the home folder's own chain after it.
    pub(super) fn entries(
        &self,
        chain: &Path,
        each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        last_entries(chain, self.end.size().saturating_sub(self.size), each)
    }

    /// Reads them, past the last checkpoint of the home folder and some others, none of which is smaller.
    pub(super) fn read(
        &self,
        home: &Home,
        own: Option<&Verified<Checkpoint>>,
        checkpoints: &[(usize, Verified<Checkpoint>)],
        keep: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<After, Failure> {
        let mut after =
            After { places: Vec::new(), handles: BTreeSet::new(), messages: BTreeSet::new(), agreed: Vec::new() };
        let chain = home.present(CHAIN)?;
        let mut is_another = false;
        let mut read = || {
            let mut reader = ChainReader::new(home.domain().domain(), &self.begun).up_to(&self.end);
            let mut places = None;
            // Before it nothing is shown.
            if let Some(own) = own.filter(|own| own.record().tree_head().size >= self.size) {
                reader = reader.under(own)?;
                places = Some(reader.places(keep)?);
            }
            let agreements = checkpoints.iter().map(|(_, checkpoint)| reader.consistency(checkpoint, checkpoint));
            let agreements = agreements.collect::<Result<Vec<_>, _>>()?;
            let changes = home.known_authority().map(|authority| reader.ring_changes(authority)).transpose()?;
            self.entries(&chain, &mut |json| {
                let entry = reader.push_json(json).inspect_err(|error| is_another |= self.is_of_another(error))?;
                if keep(&entry) {
                    after.handles.insert(entry.krunica_hash());
                    after.messages.insert((*entry.identity_id(), entry.message().to_owned()));
                }
                Ok(())
            })?;
            let mut proofs = reader.finish()?;
            after.places = places.map_or(Ok(Vec::new()), |places| proofs.take(places))?;
            let changes = changes.map(|changes| proofs.take(changes)).transpose()?;
            let states = |checkpoint| changes.as_ref().is_none_or(|changes| changes.check(checkpoint).is_ok());
            let held = agreements.into_iter().zip(checkpoints);
            let held = held.map(|(agreement, (_, checkpoint))| proofs.take(agreement).is_ok() && states(checkpoint));
            after.agreed = held.collect();
            Ok::<_, Failure>(())
        };
        match read() {
            // Rewritten, or with other times.
            Err(failure) if is_another || matches!(failure.code(), Some(204..=206)) => {
                Err(another(&self.path, failure.message()))
            }
            read => read.map(|()| after),
        }
    }

    /// The first entry after it does not go on from its top.
    fn is_of_another(&self, error: &Error) -> bool {
        let fault = ChainFault { seq: self.size, problem: ChainProblem::Prev };
        matches!(error, Error::Rejected(Rejected::Chain(found)) if *found == fault)
    }

    /// What is said of all that does not stand after it.
    pub(super) fn before(&self) -> Judgement {
        let text = format!("it does not stand after the {} entries of {}", self.size, self.path.display());
        Judgement::new(Mark::Unchecked, text)
    }

    /// What the whole audit says of that.
    pub(super) fn note(&self) -> String {
        format!(
            "What does not stand after the {} entries of {} was not checked: an audit without --since checks it.",
            self.size,
            self.path.display()
        )
    }
}

/// The head at a checkpoint's size of the home folder's own chain, which is hashed for that.
fn head_at(domain: &Domain, chain: &Path, signed: &TreeHead) -> Result<Head, Failure> {
    let mut reader = ChainReader::new(domain, &TrustedHead::beginning());
    let mut there = Head::EMPTY;
    entries(chain, |json| {
        if reader.size() < signed.size {
            reader.push_json(json)?;
            there = reader.head().cloned().unwrap_or(Head::EMPTY);
        }
        Ok(())
    })?;
    Ok(there)
}

/// The chain is not the one that the checkpoint is of.
fn another(path: &Path, why: &str) -> Failure {
    let message = format!(
        "FORK: {} and the home folder's own chain contradict each other, it is of another chain: {why}",
        path.display()
    );
    let hint = "keep both; if this folder is no old copy, somebody else signs with the log's key";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint)
}
