//! What an operator keeps of a log beside its ring and its chain, as two small texts under the ring key's MAC: where
//! the chain, the ledgers and the list of secrets end and which checkpoint was signed last, and, in another place, the
//! signer's high-water mark. Whoever edits one, or puts an old one beside a newer ring or chain, is found out without
//! reading the chain.

use crate::checkpoint::{Checkpoint, HighWaterMark};
use crate::encoding::hex;
use crate::encoding::record::{self, record};
use crate::error::{Error, Misuse, Problem};
use crate::hash::Sha3_256;
use crate::key::{CheckedRing, RingKey};
use crate::krunica::{Head, TreeHead};
use crate::vault::{LedgerHead, LedgerId};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The version of the stored state.
const VERSION: &str = "1";

/// Where a log's chain, ledgers and list of secrets end, and its last checkpoint.
///
/// ```
/// use dualseal::key::CheckedRing;
/// use dualseal::secret::Secret;
/// use dualseal::store::StoredState;
/// use dualseal::{Domain, Head, RingKey};
///
/// let domain = Domain::default();
/// let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
/// let ring = CheckedRing::new("example.org/log", &authority)?;
/// let state = StoredState::new(Head::EMPTY);
/// let text = state.to_json(&ring)?;
/// assert_eq!(StoredState::from_json(text.as_bytes(), "example.org/log", &authority)?, Some(state));
/// assert_eq!(StoredState::from_json(text.as_bytes(), "example.org/other", &authority)?, None);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    head: Head,
    last: Option<LastCheckpoint>,
    /// Of which there may be many: a copy of the state has the same.
    ledgers: Arc<BTreeMap<LedgerId, LedgerHead>>,
    secrets: SecretsEnd,
}

/// Where the list of the secrets at rest ends: each time that one is kept, its place and its stored bytes are the
/// list's next row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecretsEnd {
    /// The number of rows.
    pub size: u64,
    /// What all of them come to, in order; zeros of none.
    pub top: [u8; 32],
}

/// The checkpoint that was signed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastCheckpoint {
    /// The number of entries that it covers.
    pub size: u64,
    /// SHA3-256 over its canonical JSON.
    pub hash: [u8; 32],
}

record! {
    |last: LastCheckpoint| "checkpoint" {
        "hash" hash: [u8; 32],
        "size" size: u64,
    }
}

record! {
    |end: SecretsEnd| "secrets" {
        "size" size: u64,
        "top" top: [u8; 32],
    } => {
        if (size == 0) != (top == [0; 32]) {
            return Err(Error::malformed("top", Problem::Range));
        }
        Ok(Self { size, top })
    }
}

record! {
    |state: StoredState| "state" {
        "checkpoint" last: Option<LastCheckpoint>,
        "head" head: Head,
        "ledgers" ledgers: Vec<LedgerHead> = state.ledgers.values().copied().collect(),
        "secrets" secrets: SecretsEnd,
        "verzija" = VERSION,
    } => {
        if !ledgers.is_sorted_by(|one, other| one.ledger() < other.ledger()) {
            return Err(Error::malformed("ledgers", Problem::Order));
        }
        if last.is_some_and(|last| last.size > head.size()) {
            return Err(Error::malformed("size", Problem::Range));
        }
        let ledgers: BTreeMap<_, _> = ledgers.into_iter().map(|head| (*head.ledger(), head)).collect();
        Ok(Self { head, last, ledgers: Arc::new(ledgers), secrets })
    }
}

/// `{"mac":…,"state":…}`, the state `{"checkpoint":{"hash","size"} or null,"head":{…},
/// "ledgers":[{"ledger","size","top"}…],"secrets":{"size","top"},"verzija":"1"}`.
struct SealedState {
    mac: [u8; 32],
    state: StoredState,
}

record! {
    |sealed: SealedState| "sealed state" {
        "mac" mac: [u8; 32],
        "state" state: StoredState,
    }
}

/// `{"mac":…,"mark":{"origin","ring","root","size","top"}}`.
struct SealedMark {
    mac: [u8; 32],
    mark: HighWaterMark,
}

record! {
    |sealed: SealedMark| "sealed mark" {
        "mac" mac: [u8; 32],
        "mark" mark: HighWaterMark,
    }
}

impl LastCheckpoint {
    /// Of a checkpoint.
    #[must_use]
    pub fn of(checkpoint: &Checkpoint) -> Self {
        Self { size: checkpoint.tree_head().size, hash: Sha3_256::digest(checkpoint.to_json().as_bytes()) }
    }
}

impl SecretsEnd {
    /// After one more row: the hashes of a secret's place and of its stored bytes.
    #[must_use]
    pub fn after(&self, place: &[u8; 32], stored: &[u8; 32]) -> Self {
        let top = Sha3_256::digest([self.top, *place, *stored].as_flattened());
        Self { size: self.size.saturating_add(1), top }
    }
}

impl StoredState {
    /// Of a chain that ends here, without ledgers and secrets, and never had a checkpoint.
    #[must_use]
    pub fn new(head: Head) -> Self {
        Self { head, last: None, ledgers: Arc::default(), secrets: SecretsEnd::default() }
    }

    /// With the end of a ledger.
    #[must_use]
    pub fn with_ledger(mut self, head: LedgerHead) -> Self {
        Arc::make_mut(&mut self.ledgers).insert(*head.ledger(), head);
        self
    }

    /// With the checkpoint that was signed last.
    #[must_use]
    pub fn with_checkpoint(self, last: LastCheckpoint) -> Self {
        Self { last: Some(last), ..self }
    }

    /// With another end of the list of secrets.
    #[must_use]
    pub fn with_secrets(self, secrets: SecretsEnd) -> Self {
        Self { secrets, ..self }
    }

    /// The same at a later end of the chain.
    #[must_use]
    pub fn at(self, head: Head) -> Self {
        Self { head, ..self }
    }

    /// Where the chain ends.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The checkpoint that was signed last.
    #[must_use]
    pub fn last(&self) -> Option<&LastCheckpoint> {
        self.last.as_ref()
    }

    /// Where a ledger ends.
    #[must_use]
    pub fn ledger(&self, ledger: &LedgerId) -> Option<&LedgerHead> {
        self.ledgers.get(ledger)
    }

    /// All of them.
    pub fn ledgers(&self) -> impl Iterator<Item = &LedgerHead> {
        self.ledgers.values()
    }

    /// Where the list of secrets ends.
    #[must_use]
    pub fn secrets(&self) -> &SecretsEnd {
        &self.secrets
    }

    /// The text, canonical JSON, with the MAC that the ring's authority makes.
    ///
    /// # Errors
    /// [`Misuse::StaleHead`] and
    /// [`Misuse::StaleRing`] for a ring that was not followed to the head, or past it.
    pub fn to_json(&self, ring: &CheckedRing) -> Result<String, Error> {
        let body = record::to_json::<Self>(self);
        let mac = ring.store_mac(&self.head, body.as_bytes())?;
        // As a sealed state is written, around what is written already: a log may have many ledgers.
        Ok(format!("{{\"mac\":\"{}\",\"state\":{body}}}", hex::encode(&mac)))
    }

    /// Reads it; `None` where the MAC is not that of this log's authority.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form.
    pub fn from_json(text: &[u8], origin: &str, authority: &RingKey) -> Result<Option<Self>, Error> {
        let SealedState { mac, state } = record::from_json::<SealedState>(text)?;
        let body = record::to_json::<Self>(&state);
        let holds = authority.is_store_mac(origin, &state.head.tree_head(), body.as_bytes(), &mac);
        Ok(holds.then_some(state))
    }

    /// Reads it without looking at the MAC: nobody vouches for what it says. For lists, and for whoever has no ring key
    /// and notices at least what somebody cut off by mistake.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json).
    pub fn unchecked(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<SealedState>(text).map(|sealed| sealed.state)
    }
}

/// A signer's high-water mark as it is kept: in a place of its own, where no backup of the store reaches.
///
/// # Errors
/// As [`StoredState::to_json`]; [`Misuse::StaleHead`] for a mark that is not of this head, and
/// [`Misuse::OtherOrigin`] for one of another log than the ring's: it would not be read again.
pub fn mark_to_json(mark: &HighWaterMark, ring: &CheckedRing, head: &Head) -> Result<String, Error> {
    if ring.origin() != Some(mark.origin()) {
        return Err(Misuse::OtherOrigin.into());
    }
    if *mark.tree_head() != head.tree_head() {
        return Err(Misuse::StaleHead.into());
    }
    let mac = ring.store_mac(head, mark.to_json().as_bytes())?;
    Ok(record::to_json::<SealedMark>(&SealedMark { mac, mark: mark.clone() }))
}

/// Reads it; `None` where the MAC is not that of the authority over this log's ring: somebody else wrote it.
///
/// # Errors
/// Names the member that is missing, unknown, duplicate or of the wrong form.
pub fn mark_from_json(text: &[u8], origin: &str, authority: &RingKey) -> Result<Option<HighWaterMark>, Error> {
    let SealedMark { mac, mark } = record::from_json::<SealedMark>(text)?;
    let end: &TreeHead = mark.tree_head();
    let holds = authority.is_store_mac(origin, end, mark.to_json().as_bytes(), &mac);
    Ok(holds.then_some(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;
    use crate::secret::Secret;

    #[test]
    fn a_sealed_state_is_written_in_its_form() {
        let domain = Domain::default();
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
        let ring = CheckedRing::new("example.org/log", &authority).unwrap();
        let mut state = StoredState::new(Head::EMPTY);
        for number in 0..3 {
            let text = state.to_json(&ring).unwrap();
            let sealed = record::from_json::<SealedState>(text.as_bytes()).unwrap();
            assert_eq!((record::to_json::<SealedState>(&sealed), &sealed.state), (text, &state));
            state = state.with_ledger(LedgerHead::new(&LedgerId::from_bytes([number; 32])));
        }
    }

    /// One that began a ledger leaves the others as they were.
    #[test]
    fn a_ledger_is_begun_in_one_copy() {
        let before = StoredState::new(Head::EMPTY);
        let after = before.clone().with_ledger(LedgerHead::new(&LedgerId::from_bytes([1; 32])));
        assert_eq!((before.ledgers().count(), after.ledgers().count()), (0, 1));
    }
}
