//! Everything that a step can do, drawn from a seed: the same draws do the same over every driver, but for the
//! signatures that a driver draws itself.

use crate::log::{Log, ORIGIN, Person, at, key};
use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::error::Misuse;
use dualseal::key::{SetState, Unprepared};
use dualseal::mldsa::{KeyHash, StatementKey};
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::seal::{SealKey, Sealer};
use dualseal::secret::Secret;
use dualseal::shard::{Dealer, OwnSplits, ShardKey};
use dualseal::vault::{
    Destination, Encryption, Erasable, ErasedSplits, LedgerId, Operator, SealedErasure, Standing, StoredHasher,
    TierPolicy, VaultMaster, VaultRecord, VaultSealer, VaultVerifier,
};
use dualseal::{Entry, Head, IdentityId, KeyRing, KeyState, SigningKey, VaultId};
use dualseal_operator::secrets::{Master, Place, Vaulted};
use dualseal_operator::step::{State, Step, StepError, ToSign};
use std::collections::BTreeMap;
use std::convert::Infallible;

const PEOPLE: [&str; 3] = ["ana", "bo", "cy"];
const KEYS: u8 = 200;
const LEDGERS: u8 = 3;

/// Numbers from a seed.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn below(&mut self, end: u8) -> u8 {
        u8::try_from(self.word() % u64::from(end)).unwrap()
    }

    pub(crate) fn word(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl TryRng for Draw {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::try_from(self.word() >> 32).unwrap())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.word().to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Draw {}

/// What one step does, for whom.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Add(u8),
    Rotate(u8, u8),
    /// What is set, and whether of the last retired key.
    State(u8, SetState, bool),
    Sign(u8, u8),
    Append(u8),
    Seal(u8, Sealing),
    Vault(u8, Sealing),
    /// Several of them, and then something that is refused.
    Fail(u8, Sealing),
}

/// How something is sealed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sealing {
    /// By which key: the current one, or for some numbers a key that may be anything.
    key: u8,
    ledger: u8,
    encrypted: bool,
    /// Where nothing else of the step stands before it, the secret is split, too.
    split: bool,
    seed: u64,
}

/// What happens to a store between one state and the next.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// A transaction; some begin a ledger before it.
    Batch(Option<u8>, Vec<Act>),
    /// One of the records so far.
    Erase(u8, u64),
    Checkpoint(u8),
    /// What was begun before something else, a checkpoint or an entry, is written after it.
    Stale(Option<u8>),
    Reopen,
}

impl Draw {
    pub(crate) fn turn(&mut self) -> Turn {
        match self.below(16) {
            0 => Turn::Checkpoint(self.below(3)),
            1 => Turn::Stale((self.below(2) == 0).then(|| self.below(3))),
            2 => Turn::Reopen,
            3 | 4 => Turn::Erase(self.below(200), self.word()),
            _ => {
                let begun = (self.below(3) == 0).then(|| self.below(LEDGERS));
                Turn::Batch(begun, (0..=self.below(3)).map(|_| self.act()).collect())
            }
        }
    }

    fn act(&mut self) -> Act {
        let (who, number, sealing) = (self.below(3), self.below(KEYS), self.sealing());
        match self.below(14) {
            0 | 1 => Act::Add(who),
            2 => Act::Rotate(who, number),
            3 => {
                let states = [KeyState::Valid, KeyState::Suspended, KeyState::Revoked, KeyState::Decoy];
                let set = match self.below(7) {
                    4 => SetState::compromised_from(u64::from(self.below(5))),
                    // Most are valid again, so that the rest of a history is not all refused.
                    5 | 6 => KeyState::Valid.into(),
                    state => states[usize::from(state)].into(),
                };
                Act::State(who, set, self.below(3) == 0)
            }
            4..=6 => Act::Sign(who, number),
            7 => Act::Seal(who, sealing),
            8..=10 => Act::Vault(who, sealing),
            11 => Act::Fail(who, sealing),
            _ => Act::Append(who),
        }
    }

    fn sealing(&mut self) -> Sealing {
        let [key, ledger] = [KEYS, LEDGERS].map(|end| self.below(end));
        Sealing { key, ledger, encrypted: self.below(4) > 0, split: self.below(2) == 0, seed: self.word() }
    }
}

/// Whoever has every key, and can do all of it.
pub(crate) struct World {
    pub(crate) log: Log,
    pub(crate) at_rest: Master,
    keys: BTreeMap<KeyHash, SigningKey>,
    people: Vec<Person>,
    vault: VaultMaster,
    judge: SigningKey,
}

/// What the caller keeps beside the log of what was written.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) documents: Vec<Document>,
    /// The secrets at rest.
    pub(crate) kept: Vec<(Place, Vec<u8>)>,
    pub(crate) seals: usize,
    pub(crate) splits: usize,
    pub(crate) erased: usize,
}

/// A document that was sealed into the vault.
pub(crate) struct Document {
    who: u8,
    record: VaultRecord,
    stored: Vec<u8>,
}

impl Made {
    pub(crate) fn add(&mut self, more: Self) {
        self.documents.extend(more.documents);
        self.kept.extend(more.kept);
        self.seals += more.seals;
        self.splits += more.splits;
        self.erased += more.erased;
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let log = Log::new();
        let secret = |byte| Secret::from_slice("master", &[byte; 32]).unwrap();
        let keys = PEOPLE.iter().flat_map(|name| (0..KEYS).map(move |number| key(name, number)));
        Self {
            at_rest: Master::new(&log.domain, secret(5)).unwrap(),
            keys: keys.map(|key| (*key.public_key().hash(), key)).collect(),
            people: PEOPLE.iter().map(|name| log.person(name)).collect(),
            vault: VaultMaster::new(&log.domain, secret(3)).unwrap(),
            judge: key("judge", 0),
            log,
        }
    }

    pub(crate) fn id(&self, who: u8) -> &IdentityId {
        &self.people[usize::from(who)].id
    }

    pub(crate) fn key_of(&self, one: &ToSign) -> Option<&dyn StatementKey> {
        self.keys.get(one.public_key().hash()).map(|key| key as &dyn StatementKey)
    }

    /// The current key of somebody, or one that nobody has added.
    pub(crate) fn current(&self, ring: &KeyRing, who: &IdentityId) -> &SigningKey {
        let current = ring.info(who).and_then(|info| self.keys.get(info.public_key.hash()));
        current.unwrap_or_else(|| self.people[0].key())
    }

    pub(crate) fn ledger(number: u8) -> LedgerId {
        LedgerId::from_bytes([number + 1; 32])
    }

    /// Does it, and says what came of it. `entries` are those before the batch.
    pub(crate) fn act(
        &self,
        step: &mut Step<'_>,
        what: &Act,
        entries: &[Entry],
        made: &mut Made,
    ) -> Result<(), StepError> {
        let numbered = |who: u8, number| key(PEOPLE[usize::from(who)], number);
        match what {
            Act::Add(who) => step.add_key(self.id(*who), numbered(*who, 0).public_key()).map(drop),
            Act::Rotate(who, number) => step.rotate(self.id(*who), numbered(*who, *number).public_key()).map(drop),
            Act::State(who, set, retired) => {
                let id = self.id(*who);
                let hashes = step.ring().keys(id).map(|(key, _)| *key.hash());
                let old = hashes.filter(|hash| step.ring().retired_at(id, hash).is_some()).last();
                step.set_state(id, old.as_ref().filter(|_| *retired), *set).map(drop)
            }
            Act::Sign(who, number) => {
                let content = self.log.domain.content_hash(self.id(*who), &[*number]);
                step.sign(self.id(*who), &content).map(drop)
            }
            Act::Append(who) => step.append(self.id(*who), "said").map(drop),
            Act::Seal(who, sealing) => self.seal(step, *who, sealing, made),
            Act::Vault(who, sealing) => self.vault(step, *who, sealing, entries, made),
            Act::Fail(who, sealing) => {
                step.append(self.id(*who), "said")?;
                let _ = step.rotate(self.id(*who), numbered(*who, sealing.key).public_key());
                let _ = self.vault(step, *who, sealing, entries, made);
                Err(Misuse::ReservedMessage.into())
            }
        }
    }

    /// A worker that has not heard of a rotation has another key than the current one.
    fn signing(&self, step: &Step<'_>, who: u8, sealing: &Sealing) -> &SigningKey {
        if sealing.key.is_multiple_of(8) {
            &self.people[usize::from(who)].keys[0]
        } else {
            self.current(step.ring(), self.id(who))
        }
    }

    fn seal(&self, step: &mut Step<'_>, who: u8, sealing: &Sealing, made: &mut Made) -> Result<(), StepError> {
        let (id, signing) = (self.id(who), self.signing(step, who, sealing));
        let key = SealKey::derive(step.domain(), self.vault.secret(), id);
        let seal = Sealer::new(step.domain(), id, &key, signing).seal_unplaced(b"sealed", &mut Draw(sealing.seed))?;
        step.seal(&seal)?;
        made.seals += 1;
        Ok(())
    }

    /// Seals a document, keeps its secret, and of some commits a split.
    fn vault(
        &self,
        step: &mut Step<'_>,
        who: u8,
        sealing: &Sealing,
        entries: &[Entry],
        made: &mut Made,
    ) -> Result<(), StepError> {
        let (mut rng, mut stored) = (Draw(sealing.seed), Vec::new());
        let (id, signing) = (self.id(who), self.signing(step, who, sealing));
        let encryption = if sealing.encrypted { Encryption::Stream } else { Encryption::None };
        let is_next = step.head().size() == entries.len() as u64;
        let sealer = VaultSealer::new(&self.vault, id, signing);
        let mut document = sealer.begin("CONTRACT", encryption, &mut rng, &mut stored)?;
        document.update(&sealing.seed.to_be_bytes(), &mut stored)?;
        let end = step.ledger(&Self::ledger(sealing.ledger))?;
        let unplaced = document.finish_unplaced(end, "", step.time(), &mut rng, &mut stored)?;
        let vaulted = step.vault(unplaced)?;
        if let Some(secret) = &vaulted.secret {
            let place = Place::new("vaults", vaulted.record.header().vault_id.to_hex().as_bytes(), "secret")?;
            let bytes = secret.to_bytes().to_vec();
            step.keep(Vaulted::seal(&self.at_rest, place.clone(), &bytes, &mut rng).unwrap());
            made.kept.push((place, bytes));
            if sealing.split && is_next {
                let nodes = ["one", "two"].map(str::to_owned);
                let dealer = Dealer::new(&vaulted.record, &self.vault, 2, &nodes)?;
                let prepared = dealer.prepare(secret, None, &mut rng)?;
                let shards: Vec<_> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
                let all = entries.iter().chain([&vaulted.entry]);
                let own = self.own_splits(id, all, step.head(), &vaulted.record.header().vault_id);
                step.take(&prepared.preparation.commit(&shards, None, &own, step.time())?.entry)?;
                made.splits += 1;
            }
        }
        made.documents.push(Document { who, record: vaulted.record, stored });
        Ok(())
    }

    fn own_splits<'e>(
        &self,
        who: &IdentityId,
        entries: impl IntoIterator<Item = &'e Entry>,
        head: &Head,
        vault_id: &VaultId,
    ) -> OwnSplits {
        let key = ShardKey::derive(&self.log.domain, self.vault.secret(), who);
        let mut reader = ChainReader::new(&self.log.domain, &TrustedHead::beginning()).up_to(head);
        let watched = reader.own_splits(&key, vault_id).unwrap();
        entries.into_iter().try_for_each(|entry| reader.push(entry)).unwrap();
        reader.finish().unwrap().take(watched).unwrap()
    }

    /// The erasure of a document, by its owner's current key and at the end of the chain.
    pub(crate) fn erasure(
        &self,
        state: &State,
        entries: &[Entry],
        document: &Document,
        seed: u64,
    ) -> Result<(&SigningKey, SealedErasure), StepError> {
        let (id, header) = (self.id(document.who), document.record.header());
        let erasable = self.erasable(state, entries, document).ok_or(StepError::NotAStep)?;
        let own = self.own_splits(id, entries, state.head(), &header.vault_id);
        let ledger = state.ledger(&header.ledger).unwrap();
        let to = Destination { ledger, head: state.head(), note: "", time: at(3000) };
        let signing = self.current(state.ring(), id);
        let sealer = VaultSealer::new(&self.vault, id, signing);
        let splits = ErasedSplits::Walked { own: &own, prepared: &[] };
        Ok((signing, sealer.erase(&erasable, splits, &to, &mut Draw(seed))?))
    }

    /// What the operator's own check of a record lets erase, under a checkpoint that nobody else sees.
    fn erasable(&self, state: &State, entries: &[Entry], document: &Document) -> Option<Erasable> {
        let (domain, id, key) = (&self.log.domain, self.id(document.who), &self.judge);
        let mark = HighWaterMark::first(ORIGIN, state.head(), Some(state.ring())).unwrap();
        let signer = CheckpointSigner::new(domain, ORIGIN, id, key).unwrap();
        let checkpoint = signer.sign(&mark, at(3000), &mut Draw(0)).unwrap();
        let key_hash = *key.public_key().hash();
        let pins = Pins { origin: ORIGIN.to_owned(), identity_id: *id, key_hash, least_size: 0 };
        let verifier = CheckpointVerifier::new(domain, &pins, None, &Unprepared);
        let checkpoint = verifier.verify(checkpoint).valid().unwrap();
        let mut reader = ChainReader::new(domain, &TrustedHead::beginning()).under(&checkpoint).unwrap();
        let watched = reader.ledger(&document.record.header().ledger, Some(&self.vault)).unwrap();
        entries.iter().try_for_each(|entry| reader.push(entry)).unwrap();
        let located = reader.finish().unwrap().take(watched).unwrap();
        let place = located.locate(&document.record);
        let mut hasher = StoredHasher::new(domain);
        hasher.update(&document.stored);
        let policy = Operator { master: &self.vault, tiers: TierPolicy::any() };
        let standing = Standing { place: place.as_ref(), after: None };
        let verifier = VaultVerifier::new(domain, state.ring(), &Unprepared);
        let report = verifier.verify(document.record.duplicate(), &hasher.finish(), id, &policy, standing);
        report.erasable().cloned()
    }
}
