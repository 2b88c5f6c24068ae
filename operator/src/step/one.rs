//! One step: what a caller may do at the end of the chain.

use super::made::{Made, Ticket};
use super::{SecretRow, State, StepError, TreeNode};
use crate::secrets::Place;
use dualseal::error::Misuse;
use dualseal::field::Gf2_256;
use dualseal::key::SetState;
use dualseal::krunica::{Appended, Checker};
use dualseal::mldsa::KeyHash;
use dualseal::seal::{UnplacedSeal, claims_seal};
use dualseal::shamir::DrawnSecret;
use dualseal::signature::{Unsigned, claims_signature};
use dualseal::tree::Frontier;
use dualseal::vault::{LedgerHead, LedgerId, Sealed, SealedErasure, Unplaced, VaultRecord, claims_record};
use dualseal::{CheckedRing, Domain, Entry, HashedContent, Head, IdentityId, KeyRing, KeyState, PublicKey, Timestamp};
use std::collections::BTreeMap;

/// The most bytes of a message: whoever reads a chain holds a line of it in memory.
pub const MAX_MESSAGE: usize = 1 << 20;

/// One caller's work, at one time; see [`Batch::step`](super::Batch::step).
#[derive(Debug)]
pub struct Step<'a> {
    state: &'a State,
    time: Timestamp,
    head: Head,
    frontier: Frontier,
    /// A copy, from the first change on: a step that fails leaves the ring as it was.
    ring: Option<CheckedRing>,
    /// How many of the new entries the copy was followed past.
    followed: usize,
    ledgers: BTreeMap<LedgerId, LedgerHead>,
    /// How many records and vault records were placed before this step.
    before: (usize, usize),
    made: Made,
}

/// A vault record that was placed.
#[derive(Debug)]
pub struct Vaulted {
    /// The place of the record in [`Changes::vault_records`](super::Changes::vault_records).
    pub index: usize,
    /// The record without its fragment: what may leave the store, and what the dealer of its secret is made of.
    pub record: VaultRecord,
    /// The vault secret of an encrypted record: it is [kept](Step::keep) or split, or the document is lost.
    pub secret: Option<DrawnSecret<Gf2_256>>,
    /// The record's entry.
    pub entry: Entry,
    /// The end of the ledger after it.
    pub ledger: LedgerHead,
}

/// What a step comes to, which [`Batch::take`](super::Batch::take) adds to the others'.
#[derive(Debug)]
pub struct Ended {
    /// Where it was begun.
    pub(super) from: Head,
    /// How many records and vault records there were.
    pub(super) before: (usize, usize),
    pub(super) ring: Option<CheckedRing>,
    pub(super) head: Head,
    pub(super) ledgers: BTreeMap<LedgerId, LedgerHead>,
    pub(super) made: Made,
}

/// Goes on past entries that are no changes of the ring.
pub(super) fn follow(ring: &mut CheckedRing, entries: &[Entry]) -> Result<(), StepError> {
    entries.iter().try_for_each(|entry| ring.follow(entry, |_| false)).map_err(StepError::from)
}

impl<'a> Step<'a> {
    pub(super) fn new(state: &'a State, time: Timestamp, before: (usize, usize)) -> Self {
        Self {
            state,
            time,
            head: state.head().clone(),
            frontier: state.head().frontier().clone(),
            ring: None,
            followed: 0,
            ledgers: BTreeMap::new(),
            before,
            made: Made::default(),
        }
    }

    /// The domain of the log.
    #[must_use]
    pub fn domain(&self) -> &'a Domain {
        &self.state.domain
    }

    /// The time of this step.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Where the chain ends, with what this step appended so far.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The ring, with what this step changed so far.
    #[must_use]
    pub fn ring(&self) -> &KeyRing {
        self.ring.as_ref().unwrap_or(&self.state.ring)
    }

    /// Where a ledger ends, with what this step sealed so far.
    ///
    /// # Errors
    /// [`StepError::UnknownLedger`].
    pub fn ledger(&self, ledger: &LedgerId) -> Result<&LedgerHead, StepError> {
        let known = self.ledgers.get(ledger).or_else(|| self.state.ledger(ledger));
        known.ok_or(StepError::UnknownLedger(*ledger))
    }

    /// Begins a ledger, unless it is there, and says where it ends.
    pub fn begin_ledger(&mut self, ledger: &LedgerId) -> LedgerHead {
        if let Ok(known) = self.ledger(ledger) {
            return *known;
        }
        let begun = LedgerHead::new(ledger);
        self.ledgers.insert(*ledger, begun);
        self.made.ledgers += 1;
        begun
    }

    /// Places a signature record by the identity's current key, which is to sign it.
    ///
    /// # Errors
    /// As [`KeyRing::info`] would show: [`Misuse::UnknownIdentity`] for one without a current key,
    /// [`Misuse::NotCurrent`] for one whose key is not valid; as [`Unsigned::place`].
    pub fn sign(&mut self, identity_id: &IdentityId, content: &HashedContent) -> Result<Ticket, StepError> {
        let info = self.ring().info(identity_id).ok_or(Misuse::UnknownIdentity)?;
        self.ring().check_signer(identity_id, &info.public_key)?;
        self.place_signature(identity_id, &info.public_key, content)
    }

    /// Places a signature record by a key that counts for nothing: a honeypot, or one that no ring ever had. Whoever
    /// signs with a stolen key at the operator's service sees his record in the log like any other, and everybody who
    /// holds the ring sees what it is.
    ///
    /// # Errors
    /// [`Misuse::NotCurrent`] for any other key of the ring, whosever it is; as [`Unsigned::place`].
    pub fn sign_as_decoy(
        &mut self,
        identity_id: &IdentityId,
        public_key: &PublicKey,
        content: &HashedContent,
    ) -> Result<Ticket, StepError> {
        self.refuse_what_counts(public_key)?;
        self.place_signature(identity_id, public_key, content)
    }

    fn refuse_what_counts(&self, public_key: &PublicKey) -> Result<(), StepError> {
        // Another's key counts for him: what it signed would be at hand to be told of him.
        let counts = |(key, state): (&PublicKey, _)| key == public_key && state != KeyState::Decoy;
        if self.ring().owner(public_key.hash()).is_some_and(|owner| self.ring().keys(owner).any(counts)) {
            return Err(Misuse::NotCurrent.into());
        }
        Ok(())
    }

    fn place_signature(
        &mut self,
        identity_id: &IdentityId,
        public_key: &PublicKey,
        content: &HashedContent,
    ) -> Result<Ticket, StepError> {
        let (unsigned, appended) =
            Unsigned::place(self.domain(), identity_id, public_key, content, &self.head, self.time)?;
        self.push(appended);
        self.made.unsigned.push(unsigned);
        Ok(Ticket(self.before.0 + self.made.unsigned.len() - 1))
    }

    /// Appends the entry of a seal, so that it outlives its key: the one that its sealer had, and nobody else names.
    ///
    /// # Errors
    /// [`StepError::OtherDomain`]; as [`KeyRing::check_signer`]: a seal by a key that was retired while it was made
    /// would be invalid for good; as [`DualSeal::append_to`](dualseal::seal::DualSeal::append_to).
    pub fn seal(&mut self, unplaced: &UnplacedSeal) -> Result<Entry, StepError> {
        self.ring().check_signer(unplaced.identity_id(), unplaced.public_key())?;
        self.place_seal(unplaced)
    }

    /// Appends the entry of a seal by a key that counts for nothing, as [`sign_as_decoy`](Self::sign_as_decoy) places
    /// such a record.
    ///
    /// # Errors
    /// [`Misuse::NotCurrent`] as [`sign_as_decoy`](Self::sign_as_decoy); [`StepError::OtherDomain`]; as
    /// [`DualSeal::append_to`](dualseal::seal::DualSeal::append_to).
    pub fn seal_as_decoy(&mut self, unplaced: &UnplacedSeal) -> Result<Entry, StepError> {
        self.refuse_what_counts(unplaced.public_key())?;
        self.place_seal(unplaced)
    }

    fn place_seal(&mut self, unplaced: &UnplacedSeal) -> Result<Entry, StepError> {
        if unplaced.domain() != self.domain() {
            return Err(StepError::OtherDomain);
        }
        let appended = unplaced.seal().append_to(&self.head, self.domain(), unplaced.identity_id(), self.time)?;
        Ok(self.push(appended))
    }

    /// Appends a message of the caller's own, of at most [`MAX_MESSAGE`] bytes.
    ///
    /// # Errors
    /// [`StepError::TooLong`]; as [`Head::append`].
    pub fn append(&mut self, identity_id: &IdentityId, message: &str) -> Result<Entry, StepError> {
        if message.len() > MAX_MESSAGE {
            return Err(StepError::TooLong);
        }
        let appended = self.head.append(self.domain(), identity_id, message, self.time)?;
        Ok(self.push(appended))
    }

    /// Takes an entry that an operation of the library made at [`head`](Self::head): the commitment of a split or of a
    /// session's generation, a witness.
    ///
    /// # Errors
    /// [`StepError::NotAStep`] for a change of the ring and for the entry of a signature, a seal or a vault record,
    /// which have operations of their own here; [`ChainFault`](dualseal::error::ChainFault) for one that was made at
    /// another head.
    pub fn take(&mut self, entry: &Entry) -> Result<(), StepError> {
        self.check_taken(entry)?;
        let mut checker = Checker::resume(self.head.clone());
        checker.push(entry)?;
        self.push(Appended { entry: entry.clone(), head: checker.into_head() });
        Ok(())
    }

    /// Gives an identity its first key.
    ///
    /// # Errors
    /// As [`CheckedRing::add`].
    pub fn add_key(&mut self, identity_id: &IdentityId, public_key: &PublicKey) -> Result<Entry, StepError> {
        let (key, time) = (public_key.clone(), self.time);
        self.change(identity_id, |ring, head| ring.add(identity_id, key, head, time))
    }

    /// Puts a new key in place of an identity's current one.
    ///
    /// # Errors
    /// As [`CheckedRing::rotate`].
    pub fn rotate(&mut self, identity_id: &IdentityId, public_key: &PublicKey) -> Result<Entry, StepError> {
        let (key, time) = (public_key.clone(), self.time);
        self.change(identity_id, |ring, head| ring.rotate(identity_id, key, head, time))
    }

    /// Sets the state of an identity's current key, or of the retired key with this hash.
    ///
    /// # Errors
    /// As [`CheckedRing::set_state`].
    pub fn set_state(
        &mut self,
        identity_id: &IdentityId,
        key: Option<&KeyHash>,
        set: impl Into<SetState>,
    ) -> Result<Entry, StepError> {
        let (set, time) = (set.into(), self.time);
        self.change(identity_id, |ring, head| ring.set_state(identity_id, key, set, head, time))
    }

    /// Places a vault record that was sealed for the end of its ledger; its decoy goes into the ring. The secret of an
    /// encrypted one is in what is returned.
    ///
    /// # Errors
    /// [`StepError::OtherDomain`]; [`StepError::StaleLedger`] where another record was placed since,
    /// [`StepError::UnknownLedger`]; as [`KeyRing::check_signer`] for a key that was retired or called back since; as
    /// [`Unplaced::place`].
    pub fn vault(&mut self, unplaced: Unplaced) -> Result<Vaulted, StepError> {
        if unplaced.domain() != self.domain() {
            return Err(StepError::OtherDomain);
        }
        self.ring().check_signer(unplaced.identity_id(), unplaced.public_key())?;
        self.check_ledger(&unplaced.before())?;
        let sealed = unplaced.place(&self.head)?;
        self.put(sealed)
    }

    /// Places an erasure that was sealed with this key at [`head`](Self::head) and at the end of its
    /// [`ledger`](Self::ledger), where the vault's splits were read up to: its record, and the entry that ends those
    /// splits. With what became of the record come the bytes that are stored beside it.
    ///
    /// # Errors
    /// As [`vault`](Self::vault) and [`take`](Self::take); [`ChainFault`](dualseal::error::ChainFault) for one that was
    /// sealed at another head.
    pub fn erase(&mut self, public_key: &PublicKey, erasure: SealedErasure) -> Result<(Vaulted, Vec<u8>), StepError> {
        let SealedErasure { sealed, stored, end } = erasure;
        let header = sealed.record.header();
        self.ring().check_signer(&header.identity_id, public_key)?;
        self.check_ledger(&LedgerHead::from_parts(&header.ledger, header.seq, *sealed.record.prev()))?;
        if !claims_record(self.domain(), &sealed.entry) {
            return Err(StepError::OtherDomain);
        }
        // Both or none, also where a caller goes on after an error.
        let mut checker = Checker::resume(self.head.clone());
        checker.push(&sealed.entry)?;
        if let Some(end) = &end {
            self.check_taken(&end.entry)?;
            checker.push(&end.entry)?;
        }
        let vaulted = self.put(sealed)?;
        if let Some(end) = end {
            self.push(Appended { entry: end.entry, head: checker.into_head() });
        }
        Ok((vaulted, stored))
    }

    /// Stores a secret at rest ([`Vaulted`](crate::secrets::Vaulted)) with what the step makes.
    pub fn keep(&mut self, secret: impl Into<SecretRow>) {
        self.made.secrets.push(secret.into());
    }

    /// Has the store wipe what stands in the place of a secret at rest. Backups of it have it still: what is to be
    /// erased there too hangs on an [erasure key](crate::secrets::ErasureKey).
    pub fn forget(&mut self, place: Place) {
        self.made.secrets.push(SecretRow::forgotten(place));
    }

    /// Ends a step that was [begun](super::Batch::begin).
    ///
    /// # Errors
    /// None but defects of this library: each operation has looked at what it made.
    pub fn end(mut self) -> Result<Ended, StepError> {
        if self.ring.is_some() {
            self.copy()?;
        }
        let Self { state, before, ring, head, ledgers, made, .. } = self;
        Ok(Ended { from: state.head().clone(), before, ring, head, ledgers, made })
    }

    /// What has an operation of its own here is not taken from elsewhere: nothing would ask for its key, and its record
    /// would stand in no store.
    fn check_taken(&self, entry: &Entry) -> Result<(), StepError> {
        let (domain, ring) = (self.domain(), self.ring.as_ref().unwrap_or(&self.state.ring));
        if entry.message().len() > MAX_MESSAGE {
            return Err(StepError::TooLong);
        }
        let known = [claims_record(domain, entry), claims_signature(domain, entry), claims_seal(domain, entry)];
        if ring.claims_change(entry) || known.contains(&true) { Err(StepError::NotAStep) } else { Ok(()) }
    }

    fn check_ledger(&self, before: &LedgerHead) -> Result<(), StepError> {
        if self.ledger(before.ledger())? == before { Ok(()) } else { Err(StepError::StaleLedger(*before.ledger())) }
    }

    /// Puts a record at the end, which was made there.
    fn put(&mut self, sealed: Sealed) -> Result<Vaulted, StepError> {
        let Sealed { record, secret, decoy, entry, head, ledger } = sealed;
        self.copy()?.add_decoy(&decoy, &entry)?;
        let entry = self.push(Appended { entry, head });
        self.followed = self.made.entries.len();
        self.made.decoys.insert(*decoy.hash());
        let redacted = record.redacted();
        self.made.vault_records.push(record);
        self.ledgers.insert(*ledger.ledger(), ledger);
        let index = self.before.1 + self.made.vault_records.len() - 1;
        Ok(Vaulted { index, record: redacted, secret, entry, ledger })
    }

    fn change(
        &mut self,
        identity_id: &IdentityId,
        make: impl FnOnce(&mut CheckedRing, &Head) -> Result<Appended, dualseal::Error>,
    ) -> Result<Entry, StepError> {
        let head = self.head.clone();
        let appended = make(self.copy()?, &head)?;
        let entry = self.push(appended);
        self.followed = self.made.entries.len();
        self.made.identities.insert(*identity_id);
        Ok(entry)
    }

    /// The step's own ring, followed to its head.
    fn copy(&mut self) -> Result<&mut CheckedRing, StepError> {
        let ring = self.ring.get_or_insert_with(|| self.state.ring.clone());
        follow(ring, self.made.entries.get(self.followed..).unwrap_or_default())?;
        self.followed = self.made.entries.len();
        Ok(ring)
    }

    fn push(&mut self, Appended { entry, head }: Appended) -> Entry {
        let nodes = &mut self.made.nodes;
        self.frontier.push_noting(entry.leaf_hash(), |level, index, hash| {
            nodes.push(TreeNode { level, index, hash: *hash });
        });
        self.head = head;
        self.made.entries.push(entry.clone());
        entry
    }
}
