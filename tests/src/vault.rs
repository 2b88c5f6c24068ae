//! An archive: one operator's ledger with its ring, chain and store, and what a stranger or the operator says of its
//! records.

use crate::log::{ORIGIN, covering, head_at};
use crate::quorum::raw_entry;
use crate::registry::Registry;
use crate::{identity, key, minute, reading};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::Layer;
use dualseal::field::Gf2_256;
use dualseal::key::{KeyState, PreparedKeyCache};
use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::shamir::{DrawnSecret, SplitId};
use dualseal::shard::{Dealer, OwnSplits, Prepared, ShardKey};
use dualseal::vault::{
    Destination, Encryption, Erasable, ErasedSplits, LedgerCheck, LedgerHead, LedgerId, LedgerSummary, LocatedLedger,
    Operator, OperatorRecord, Public, Sealed, SealedErasure, Standing, StoredHash, Tier, TierKeys, TierPolicy,
    VaultMaster, VaultOutcome, VaultPolicy, VaultRecord, VaultReport, VaultSealer, VaultVerifier,
};
use dualseal::verdict::{InvalidReason, Verdict, Verified};
use dualseal::{Domain, Error, IdentityId, Located, SigningKey, SystemRng, VaultId, VerdictKind};
use serde_json::Value as Json;
use std::sync::OnceLock;

/// The master of every archive here, unless said otherwise.
pub fn master() -> &'static VaultMaster {
    static MASTER: OnceLock<VaultMaster> = OnceLock::new();
    MASTER.get_or_init(|| master_of(&Domain::default(), 0x4d))
}

/// A master of 32 equal bytes.
pub fn master_of(domain: &Domain, byte: u8) -> VaultMaster {
    VaultMaster::new(domain, Secret::from_slice("master", &[byte; 32]).expect("32 bytes")).expect("not all zeros")
}

/// The key that shows a tier.
pub fn tier_signer(tier: Tier) -> &'static Ed25519SigningKey {
    static KEYS: OnceLock<[Ed25519SigningKey; 2]> = OnceLock::new();
    let [noble, native] =
        KEYS.get_or_init(|| [61, 62].map(|byte: u8| Ed25519SigningKey::from_seed(&[byte; 32]).expect("not all zeros")));
    if tier == Tier::Native { native } else { noble }
}

/// One kept record.
#[derive(Debug)]
pub struct Kept {
    /// As it stands in the store, with its fragment.
    pub json: String,
    pub stored: Vec<u8>,
    pub secret: Option<DrawnSecret<Gf2_256>>,
}

impl Kept {
    pub fn record(&self) -> VaultRecord {
        record(&self.json)
    }

    pub fn hash(&self) -> StoredHash {
        StoredHash::of(&Domain::default(), &self.stored)
    }
}

/// A record from its JSON.
pub fn record(json: &str) -> VaultRecord {
    VaultRecord::from_json(json.as_bytes()).expect("a record")
}

/// The operator of one ledger, and all that it keeps.
#[derive(Debug)]
pub struct Archive {
    pub registry: Registry,
    pub ana: IdentityId,
    pub key: SigningKey,
    pub tiers: TierKeys,
    pub ledger: LedgerHead,
    pub kept: Vec<Kept>,
    pub prepared: PreparedKeyCache,
}

impl Default for Archive {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Archive {
    /// An empty ledger: 32 bytes of this number are its name.
    pub fn new(ledger: u8) -> Self {
        let (ana, key) = (identity("ana"), key(1));
        let mut registry = Registry::new();
        registry.add(&ana, key.public_key());
        let mut tiers = TierKeys::new();
        for tier in [Tier::Noble, Tier::Native] {
            tiers.enrol(&ana, tier, tier_signer(tier).public_key()).expect("a strict key");
        }
        let ledger = LedgerHead::new(&LedgerId::from_bytes([ledger; 32]));
        Self { registry, ana, key, tiers, ledger, kept: Vec::new(), prepared: PreparedKeyCache::new(4 << 20) }
    }

    /// Three records of the three tiers, the first and the last encrypted.
    pub fn of_three(ledger: u8) -> Self {
        let mut archive = Self::new(ledger);
        archive.seal(b"deed 17", "DEED", Encryption::Stream, Tier::Native);
        archive.seal(b"minutes", "MINUTES", Encryption::None, Tier::Public);
        archive.seal(b"", "CONTRACT", Encryption::Stream, Tier::Noble);
        archive
    }

    pub fn vault(&self, tier: Tier) -> VaultSealer<'_> {
        let vault = VaultSealer::new(master(), &self.ana, &self.key);
        match tier {
            Tier::Public => vault,
            Tier::Noble => vault.noble(tier_signer(tier)),
            Tier::Native => vault.native(tier_signer(tier)),
        }
    }

    /// Where the next record goes: as many minutes after the start as the chain has entries.
    pub fn place(&self) -> Destination<'_> {
        let chain = self.registry.chain.head();
        let time = minute(i64::try_from(chain.size()).expect("a short chain"));
        Destination { ledger: &self.ledger, head: chain, note: "", time }
    }

    /// Seals and keeps a record.
    pub fn seal(&mut self, payload: &[u8], kind: &str, encryption: Encryption, tier: Tier) -> usize {
        self.seal_with(payload, kind, encryption, tier, &mut SystemRng)
    }

    pub fn seal_with<R: TryCryptoRng>(
        &mut self,
        payload: &[u8],
        kind: &str,
        encryption: Encryption,
        tier: Tier,
        rng: &mut R,
    ) -> usize {
        let (sealed, stored) = self.vault(tier).seal(payload, kind, encryption, &self.place(), rng).expect("a fit key");
        self.keep(sealed, stored)
    }

    /// Keeps what was sealed, all of it.
    pub fn keep(&mut self, sealed: Sealed, stored: Vec<u8>) -> usize {
        let Sealed { record, secret, decoy, entry, ledger, .. } = sealed;
        self.registry.follow();
        self.registry.ring.add_decoy(&decoy, &entry).expect("a new key");
        self.registry.chain.push(entry).expect("an entry at the head");
        self.ledger = ledger;
        self.kept.push(Kept { json: record.to_stored_json().to_string(), stored, secret });
        self.kept.len() - 1
    }

    /// The splits of a kept record's secret, up to the head of the chain.
    pub fn splits(&self, index: usize) -> OwnSplits {
        let vault_id = self.kept[index].record().header().vault_id;
        self.splits_by(&self.shard_key(), &vault_id, self.registry.chain.entries().len())
    }

    /// The same, by any key, of any vault and up to the head that the chain had with so many entries.
    pub fn splits_by(&self, key: &ShardKey, vault_id: &VaultId, size: usize) -> OwnSplits {
        let (chain, domain) = (&self.registry.chain, &self.registry.domain);
        let reader = reading::up_to(domain, &head_at(chain, size));
        let read = reading::read(reader, &chain.entries()[..size], |reader| reader.own_splits(key, vault_id));
        read.expect("the whole chain")
    }

    /// The key of Ana's shards.
    pub fn shard_key(&self) -> ShardKey {
        ShardKey::derive(&self.registry.domain, master().secret(), &self.ana)
    }

    /// Prepares a split of a kept record's secret, which is committed when `commit` is called.
    pub fn prepare(&self, index: usize) -> Prepared {
        let kept = &self.kept[index];
        let dealer = Dealer::new(&kept.record(), master(), 2, &crate::shards::urls(3)).expect("the record's master");
        let secret = kept.secret.as_ref().expect("an encrypted record");
        let splits = self.splits(index);
        dealer.prepare(secret, splits.splits().last(), &mut SystemRng).expect("good numbers")
    }

    /// Commits a split that every node confirmed.
    pub fn commit(&mut self, index: usize, prepared: &Prepared) -> SplitId {
        let held: Vec<_> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
        let time = self.place().time;
        let committed = prepared.preparation.commit(&held, None, &self.splits(index), time).expect("confirmed");
        self.registry.chain.push(committed.entry).expect("an entry at the head");
        *prepared.preparation.split_id()
    }

    /// Erases a kept record with every split in the chain and these beside them, and destroys its secret.
    pub fn erase(&mut self, index: usize, prepared: &[SplitId]) -> usize {
        let own = self.splits(index);
        let splits = ErasedSplits::Walked { own: &own, prepared };
        let erased = self.vault(Tier::Native).erase(&self.erasable(index), splits, &self.place(), &mut SystemRng);
        self.kept[index].secret = None;
        self.keep_erasure(erased.expect("erased"))
    }

    /// Keeps an erasure, all of it.
    pub fn keep_erasure(&mut self, erasure: SealedErasure) -> usize {
        let SealedErasure { sealed, stored, end } = erasure;
        let index = self.keep(sealed, stored);
        if let Some(end) = end {
            self.registry.chain.push(end.entry).expect("an entry after the record's");
        }
        index
    }

    /// Somebody writes to the log.
    pub fn written(&mut self, who: &IdentityId, message: &str) {
        let entry = raw_entry(&self.registry.chain, who, message, self.place().time);
        self.registry.chain.push(entry).expect("an entry at the head");
    }

    pub fn verifier(&self) -> VaultVerifier<'_> {
        VaultVerifier::new(&self.registry.domain, &self.registry.ring, &self.prepared)
    }

    pub fn operator(&self) -> Operator<'_> {
        Operator { master: master(), tiers: TierPolicy::new(Some(&self.tiers), Tier::Public).expect("with keys") }
    }

    pub fn public(&self) -> Public<'_> {
        Public { tiers: TierPolicy::new(Some(&self.tiers), Tier::Public).expect("with keys") }
    }

    /// Where the records stand, under a checkpoint over the whole chain.
    pub fn located(&self) -> LocatedLedger {
        self.located_at(self.registry.chain.entries().len()).expect("the chain of the checkpoint")
    }

    /// The same, under a checkpoint over the first `size` entries.
    pub fn located_at(&self, size: usize) -> Result<LocatedLedger, Error> {
        self.walk(size, Some(master()))
    }

    /// The same, as the operator with another master, or a reader without any, finds them.
    pub fn located_by<'m>(&self, master: impl Into<Option<&'m VaultMaster>>) -> LocatedLedger {
        self.walk(self.registry.chain.entries().len(), master.into()).expect("the chain of the checkpoint")
    }

    fn walk(&self, size: usize, master: Option<&VaultMaster>) -> Result<LocatedLedger, Error> {
        let checkpoint = covering(ORIGIN, &self.registry.chain, size);
        let (reader, chain) = (reading::under_in(&self.registry.domain, &checkpoint), &self.registry.chain);
        reading::read(reader, chain.entries(), |reader| reader.ledger(self.ledger.ledger(), master))
    }

    /// The proven place of a kept record.
    pub fn at(&self, index: usize) -> Located {
        self.located().locate(&self.kept[index].record()).expect("a located record")
    }

    /// What the operator says of a record with a kept one's stored bytes, place and predecessor.
    pub fn judge(&self, index: usize, record: VaultRecord) -> VaultReport<OperatorRecord> {
        self.judge_by(&self.operator(), index, record, true)
    }

    /// What a policy says of it; `located` or not.
    pub fn judge_by<P: VaultPolicy>(
        &self,
        policy: &P,
        index: usize,
        record: VaultRecord,
        located: bool,
    ) -> VaultReport<P::Record> {
        let at = located.then(|| self.at(index));
        let after = match index.checked_sub(1) {
            None => LedgerHead::new(self.ledger.ledger()),
            Some(before) => self.kept[before].record().ledger_head(),
        };
        let standing = Standing { place: at.as_ref(), after: Some(&after) };
        let signer = self.kept[index].record().header().identity_id;
        self.verifier().verify(record, &self.kept[index].hash(), &signer, policy, standing)
    }

    /// A kept record, verified by the operator.
    pub fn verified(&self, index: usize) -> Verified<OperatorRecord> {
        self.judge(index, self.kept[index].record()).into_verdict().valid().expect("a record as it was kept")
    }

    /// The same, as the proof that erasing takes.
    pub fn erasable(&self, index: usize) -> Erasable {
        Erasable::from(&self.verified(index))
    }

    /// Checks all kept records as the operator, under a checkpoint over the whole chain.
    pub fn check(&self) -> Result<LedgerSummary, Error> {
        self.check_records(self.kept.iter().map(|kept| (kept.record(), kept.hash())), &self.located())
    }

    /// Checks any records.
    pub fn check_records(
        &self,
        records: impl IntoIterator<Item = (VaultRecord, StoredHash)>,
        located: &LocatedLedger,
    ) -> Result<LedgerSummary, Error> {
        let (verifier, policy) = (self.verifier(), self.operator());
        let mut check = LedgerCheck::new(&verifier, self.ledger.ledger(), &policy, Some(located));
        for (record, stored) in records {
            let _ = check.push(record, &stored)?;
        }
        check.finish()
    }

    pub fn set_state(&mut self, state: KeyState) {
        let ana = self.ana;
        self.registry.set_state(&ana, None, state);
    }
}

/// The layers that a report calls failed or unchecked, with the outcome's first word.
pub fn faults<T>(report: &VaultReport<T>) -> Vec<(Layer, &'static str)> {
    let bad = |layer: &Layer| matches!(report.outcome(*layer), VaultOutcome::Fail(_) | VaultOutcome::NotChecked(_));
    Layer::ALL.into_iter().filter(bad).map(|layer| (layer, report.outcome(layer).as_str())).collect()
}

/// The layers that fail.
pub fn failures<T>(report: &VaultReport<T>) -> Vec<Layer> {
    faults(report).into_iter().filter(|(_, word)| *word == "fail").map(|(layer, _)| layer).collect()
}

/// Why a report is Invalid.
pub fn reason<T>(report: &VaultReport<T>) -> Option<InvalidReason> {
    match report.verdict() {
        Verdict::Invalid(rejection) => Some(rejection.reason()),
        _ => None,
    }
}

pub fn kind<T>(report: &VaultReport<T>) -> VerdictKind {
    report.verdict().kind()
}

/// A JSON text with one value inside it replaced, by the names on the way to it.
pub fn with(json: &str, path: &[&str], value: impl Into<Json>) -> String {
    let mut whole: Json = serde_json::from_str(json).expect("JSON");
    *path.iter().fold(&mut whole, |at, name| &mut at[*name]) = value.into();
    whole.to_string()
}

/// A value inside a JSON text.
pub fn get(json: &str, path: &[&str]) -> Json {
    let whole: Json = serde_json::from_str(json).expect("JSON");
    path.iter().fold(&whole, |at, name| &at[*name]).clone()
}

/// A JSON text with a hexadecimal value inside it changed in its first digit.
pub fn bent(json: &str, path: &[&str]) -> String {
    let value = get(json, path);
    let text = value.as_str().expect("text");
    with(json, path, crate::next_digit(text, 0))
}

/// The message of an entry after `prev`, made from the formulas as only the holder of the master can.
pub fn entry_message(
    ledger: &LedgerId,
    seq: u64,
    seal: &dualseal::seal::DualSeal,
    identity_id: &IdentityId,
    prev: &dualseal::krunica::ChainHash,
) -> String {
    let info = format!("DUALSEAL-VAULT::KDF::L8::{identity_id}::DUALSEAL");
    let key = dualseal::hash::hkdf_sha3_256::<32>(master().secret().expose(), &[], &[info.as_bytes()]);
    let seal = hex::encode(dualseal::hash::Sha3_256::digest(seal.to_string().as_bytes()));
    let said = format!("DUALSEAL-VAULT::L8::{ledger}::{seq}::{seal}");
    let mut mac = dualseal::hash::HmacSha3_512::new(key.expose());
    mac.update(format!("{said}::{prev}::DUALSEAL").as_bytes());
    let tag = hex::encode(&mac.finish()[..32]);
    format!("{said}::{tag}::DUALSEAL")
}

/// The record at a place made again from the formulas, as one of another type: what the library itself refuses to seal.
/// Without tier; the fragment is left out.
pub fn resealed(archive: &Archive, index: usize, kind: &str, payload: &str) -> String {
    let kept = &archive.kept[index];
    let header = kept.record().header().clone();
    let domain = Domain::default();
    let identity_id = header.identity_id;
    let vault_id = domain.vault_id(payload.as_bytes(), &identity_id.to_hex(), kind, header.seq).expect("a plain type");
    let mut json: Json = serde_json::from_str(&kept.json).expect("JSON");
    let block = &mut json["sealed"];
    block["header"]["type"] = kind.into();
    block["header"]["vault_id"] = vault_id.to_hex().into();
    let block = dualseal::encoding::json::Value::parse(block.to_string().as_bytes()).expect("JSON");
    let sealed = format!("DUALSEAL-VAULT::L5::{}", block.to_canonical().expect("canonical"));
    let info = format!("DUALSEAL-VAULT::KDF::L5A::{identity_id}::DUALSEAL");
    let seal_key = dualseal::hash::hkdf_sha3_256::<64>(master().secret().expose(), &[], &[info.as_bytes()]);
    let seed = *archive.key.seed().expose();
    let seal: dualseal::seal::DualSeal =
        crate::raw_seal::dual(seal_key.expose(), seed, sealed.as_bytes(), &identity_id).parse().expect("a seal");
    let message = entry_message(&header.ledger, header.seq, &seal, &identity_id, &dualseal::krunica::ChainHash::ZERO);
    let chain = crate::log::chain_of(&identity_id, &[&message]);
    let mut entry: Json = serde_json::from_str(&chain.entries()[0].to_json()).expect("JSON");
    entry["t"] = header.created_at.to_string().into();
    let handle = chain.entries()[0].krunica_hash().to_hex();
    json["L5"] = seal.to_string().into();
    json["seal_id"] = seal.seal_id().to_string().into();
    (json["L6"], json["krunica_hash"], json["L8"]) = (handle.clone().into(), handle.into(), entry);
    json["L7"]["fragment"] = Json::Null;
    json.to_string()
}
