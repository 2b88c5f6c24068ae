//! What a ledger says was erased, and what became of the secrets: the two need not agree.

use super::keys::{Kept, kept};
use super::ledger::{Ledger, stored};
use crate::failure::Failure;
use crate::input;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::vault::{Encryption, Erasure, LocatedLedger, Public, Standing, TierPolicy, VaultRecord, VaultVerifier};
use dualseal::{KeyState, Verdict};

/// An erasure that the ledger records.
pub(super) struct Said {
    pub(super) erasure: Erasure,
    /// The place of its record in the ledger.
    pub(super) record: u64,
    /// The place of its entry in the chain.
    pub(super) entry: u64,
    /// Whether a checkpoint covers it.
    pub(super) covered: bool,
}

/// All of them.
pub(super) struct Erasures(Vec<Said>);

/// What became of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Plain,
    Encrypted,
    /// Nobody can read it, and the ledger does not say that it was meant so.
    Lost,
    Erased,
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
            Self::Back => "erased, but its secret is back",
        }
    }
}

impl Erasures {
    /// Only records that are the sealer's count, whether a checkpoint covers them yet or not: an empty file in the
    /// place of a secret says nothing.
    pub(super) fn read(ledger: &Ledger<'_>, ring: &KeyRing, located: Option<&LocatedLedger>) -> Result<Self, Failure> {
        let verifier = VaultVerifier::new(ledger.domain(), ring, &Unprepared);
        let policy = Public { tiers: TierPolicy::any() };
        let mut said = Vec::new();
        each_erasure(ledger, |record| {
            let (seq, entry) = (record.header().seq, record.entry().seq());
            let at = located.and_then(|located| located.locate(&record));
            let after = ledger.head_before(seq)?;
            let standing = Standing { place: at.as_ref(), after: after.as_ref() };
            let report = verifier.verify(record, &ledger.stored_hash(seq)?, &ledger.identity_id, &policy, standing);
            if let Verdict::Valid(verified) = report.into_verdict() {
                let erasure = Erasure::read(&verified, &input::small(&ledger.path(&stored(seq)))?)?;
                said.push(Said { erasure, record: seq, entry, covered: at.is_some() });
            }
            Ok(())
        })?;
        Ok(Self(said))
    }

    /// As [`read`](Self::read), by ring.json as it is and without any secret, for a list that nobody relies on.
    pub(super) fn listed(ledger: &Ledger<'_>) -> Result<Self, Failure> {
        let mut any = false;
        each_erasure(ledger, |_| {
            any = true;
            Ok(())
        })?;
        if !any {
            return Ok(Self(Vec::new()));
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
        self.0.iter().find(|said| said.erasure.covers(record))
    }

    /// What became of the document of a record.
    pub(super) fn state(&self, ledger: &Ledger<'_>, record: &VaultRecord) -> State {
        let header = record.header();
        match (header.encryption, self.of(record), kept(ledger, header.seq)) {
            (Encryption::None, ..) => State::Plain,
            (Encryption::Stream, Some(_), Kept::Here) => State::Back,
            (Encryption::Stream, Some(_), Kept::Gone) => State::Erased,
            (Encryption::Stream, None, Kept::Here) => State::Encrypted,
            (Encryption::Stream, None, Kept::Gone) => State::Lost,
        }
    }

    /// What to beware of with a record.
    pub(super) fn note(&self, ledger: &Ledger<'_>, record: &VaultRecord) -> Option<String> {
        let seq = record.header().seq;
        match self.state(ledger, record) {
            State::Plain | State::Encrypted | State::Erased => None,
            State::Lost => Some(format!("The secret of record {seq} is lost, and the ledger says of no erasure.")),
            State::Back => Some(format!(
                "Record {seq} is erased, but its secret is back: destroy it by dualseal vault erase {seq} --yes."
            )),
        }
    }
}

fn each_erasure(ledger: &Ledger<'_>, mut each: impl FnMut(VaultRecord) -> Result<(), Failure>) -> Result<(), Failure> {
    ledger.each(|record| if record.header().kind == "ERASURE" { each(record) } else { Ok(()) })
}
