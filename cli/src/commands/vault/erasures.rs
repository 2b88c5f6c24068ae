//! What a ledger says was erased, and what became of the secrets: the two need not agree.

use super::keys::{Kept, kept};
use super::ledger::{Ledger, stored};
use crate::chain_file::entries;
use crate::failure::Failure;
use crate::input;
use crate::store::CHAIN;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::shard::{FoundSplit, OwnSplits};
use dualseal::vault::{
    Encryption, Erasure, LocatedLedger, Public, Standing, TierPolicy, VaultMaster, VaultRecord, VaultVerifier,
};
use dualseal::{KeyState, VaultId, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// An erasure that counts: a checkpoint covers its record.
pub(super) struct Said {
    pub(super) erasure: Erasure,
    /// The place of its record in the ledger.
    pub(super) record: u64,
}

/// One that no checkpoint covers yet: it can still be taken back, and counts for nothing.
struct Waiting {
    record: u64,
    says: String,
}

/// All of them.
#[derive(Default)]
pub(super) struct Erasures {
    said: Vec<Said>,
    waiting: Vec<Waiting>,
}

/// What became of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Plain,
    Encrypted,
    /// Nobody can read it, and the ledger does not say that it was meant so.
    Lost,
    Erased,
    /// The ledger says that the secret is destroyed, and no checkpoint covers that yet.
    Waiting,
    /// The ledger says that the secret is destroyed, and it is here.
    Back,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Encrypted => "encrypted",
            Self::Lost => "secret lost",
            Self::Erased => "erased",
            Self::Waiting => "erased, not covered",
            Self::Back => "erased, but its secret is back",
        }
    }
}

impl Erasures {
    /// Only records that are the sealer's count, where a checkpoint covers them: an empty file in the place of a secret
    /// says nothing.
    pub(super) fn read(ledger: &Ledger<'_>, ring: &KeyRing, located: Option<&LocatedLedger>) -> Result<Self, Failure> {
        let verifier = VaultVerifier::new(ledger.domain(), ring, &Unprepared);
        let policy = Public { tiers: TierPolicy::any() };
        let mut found = Self::default();
        each_erasure(ledger, |record| {
            let seq = record.header().seq;
            let at = located.and_then(|located| located.locate(&record));
            let after = ledger.head_before(seq)?;
            let standing = Standing { place: at.as_ref(), after: after.as_ref() };
            let report = verifier.verify(record, &ledger.stored_hash(seq)?, &ledger.identity_id, &policy, standing);
            if let Verdict::Valid(verified) = report.into_verdict() {
                let stored = input::small(&ledger.path(&stored(seq)))?;
                if let Some(at) = at {
                    found.said.push(Said { erasure: Erasure::read(&verified, &at, &stored)?, record: seq });
                } else {
                    let says = String::from_utf8_lossy(&stored).into_owned();
                    found.waiting.push(Waiting { record: seq, says });
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// As [`read`](Self::read), by the rows of the ring as they are and without any secret, for a list that nobody
    /// relies on.
    pub(super) fn listed(ledger: &Ledger<'_>) -> Result<Self, Failure> {
        let mut any = false;
        each_erasure(ledger, |_| {
            any = true;
            Ok(())
        })?;
        if !any {
            return Ok(Self::default());
        }
        let file = ledger.home.ring_file()?;
        let ring = file.unchecked();
        // What was said before its key was called back was said.
        let called_back = |info: &dualseal::KeyPairInfo| info.state != KeyState::Valid;
        let ring = match ring.info(&ledger.identity_id).filter(called_back) {
            Some(info) => KeyRing::pinned(&ledger.identity_id, info.public_key),
            None => KeyRing::clone(ring),
        };
        Self::read(ledger, &ring, ledger.located(&ring).unwrap_or_default().as_ref())
    }

    /// The erasure of a record.
    pub(super) fn of(&self, record: &VaultRecord) -> Option<&Said> {
        self.said.iter().find(|said| said.erasure.covers(record))
    }

    /// The place of a record that says that this one was erased, and that no checkpoint covers yet.
    pub(super) fn waiting_for(&self, record: &VaultRecord) -> Option<u64> {
        let vault_id = record.header().vault_id.to_hex();
        self.waiting.iter().find(|waiting| waiting.says.contains(&vault_id)).map(|waiting| waiting.record)
    }

    /// The splits of an erased vault that no erasure names: made later, or kept from it. Their shards were not
    /// destroyed with the others.
    pub(super) fn spared(
        &self,
        ledger: &Ledger<'_>,
        master: &VaultMaster,
        vault_id: &VaultId,
    ) -> Result<Vec<FoundSplit>, Failure> {
        let walked = ledger.splits(master, [vault_id], &ledger.head()?)?;
        let spared: Result<Vec<_>, _> = walked.iter().map(|own| self.spared_of(own)).collect();
        Ok(spared?.concat())
    }

    fn spared_of(&self, own: &OwnSplits) -> Result<Vec<FoundSplit>, Failure> {
        let vault_id = own.splits().vault_id();
        let mut spared = own.splits().found().to_vec();
        for said in self.said.iter().filter(|said| said.erasure.vault_id() == vault_id) {
            let of_it = said.erasure.spared(own.splits())?;
            spared.retain(|split| of_it.contains(split));
        }
        Ok(spared)
    }

    /// What to beware of with the splits of all that was erased.
    pub(super) fn notes(&self, ledger: &Ledger<'_>, master: &VaultMaster) -> Result<Vec<String>, Failure> {
        let erased: BTreeMap<String, VaultId> =
            self.said.iter().map(|said| (said.erasure.vault_id().to_hex(), *said.erasure.vault_id())).collect();
        // Most were never split: the chain is walked again for those that an entry names.
        let mut split = BTreeSet::new();
        if !erased.is_empty() {
            entries(&ledger.home.path(CHAIN), |json| {
                let named = String::from_utf8_lossy(json);
                split.extend(named.split("::").filter_map(|part| erased.get(part)).copied());
                Ok(())
            })?;
        }
        let mut notes = Vec::new();
        for own in ledger.splits(master, &split, &ledger.head()?)? {
            let vault_id = own.splits().vault_id();
            notes.extend(self.spared_of(&own)?.iter().map(|split| {
                format!(
                    "Vault {vault_id} is erased, but split {} of entry {} is not: destroy its shards, and say so by \
                     dualseal vault erase {vault_id} --yes.",
                    split.split_id, split.seq
                )
            }));
        }
        Ok(notes)
    }

    /// What became of the document of a record.
    pub(super) fn state(&self, ledger: &Ledger<'_>, record: &VaultRecord) -> State {
        let header = record.header();
        match (header.encryption, self.of(record), kept(ledger, header.seq)) {
            (Encryption::None, ..) => State::Plain,
            (Encryption::Stream, Some(_), Kept::Here) => State::Back,
            (Encryption::Stream, Some(_), Kept::Gone) => State::Erased,
            (Encryption::Stream, None, Kept::Here) => State::Encrypted,
            (Encryption::Stream, None, Kept::Gone) if self.waiting_for(record).is_some() => State::Waiting,
            (Encryption::Stream, None, Kept::Gone) => State::Lost,
        }
    }

    /// What to beware of with a record.
    pub(super) fn note(&self, ledger: &Ledger<'_>, record: &VaultRecord) -> Option<String> {
        let seq = record.header().seq;
        match self.state(ledger, record) {
            State::Plain | State::Encrypted | State::Erased => None,
            State::Lost => Some(format!("The secret of record {seq} is lost, and the ledger says of no erasure.")),
            State::Waiting => Some(format!(
                "Record {seq} is erased, and no checkpoint covers that yet: sign one by dualseal checkpoint sign."
            )),
            State::Back => Some(format!(
                "Record {seq} is erased, but its secret is back: destroy it by dualseal vault erase {seq} --yes."
            )),
        }
    }
}

fn each_erasure(ledger: &Ledger<'_>, mut each: impl FnMut(VaultRecord) -> Result<(), Failure>) -> Result<(), Failure> {
    ledger.each(|record| if record.header().kind == "ERASURE" { each(record) } else { Ok(()) })
}
