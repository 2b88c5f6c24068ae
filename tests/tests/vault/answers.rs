//! The known ledgers of the second implementation (`tests/second/make_vault_answers.py`), made again byte for byte,
//! checked and unsealed.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::Misuse;
use dualseal::hash::Sha3_256;
use dualseal::key::{CheckedRing, KeyState, RingKey, Unprepared};
use dualseal::secret::Secret;
use dualseal::shamir::SplitId;
use dualseal::shard::{Dealer, ShardKey};
use dualseal::vault::{
    Destination, Encryption, ErasedSplits, Erasure, LedgerCheck, LedgerHead, Operator, OperatorRecord, SealedErasure,
    Standing, StoredHash, Tier, TierKeys, TierPolicy, VaultMaster, VaultRecord, VaultSealer, VaultVerifier, unseal,
};
use dualseal::{Domain, Entry, Head, IdentityId, Krunica, SigningKey, VerdictKind, Verified};
use dualseal_tests::log;
use dualseal_tests::prelude::*;
use dualseal_tests::random::{Constant, Given};
use dualseal_tests::reading;
use dualseal_tests::registry::followed;
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value;

/// The origin of the known rings.
const ORIGIN: &str = "log.example/vault";

/// A ledger that was made again.
struct Made<'a> {
    answer: &'a Value,
    domain: Domain,
    id: IdentityId,
    master: VaultMaster,
    ring: CheckedRing,
    chain: Krunica,
    tiers: TierKeys,
    head: LedgerHead,
    records: Vec<String>,
    stored: Vec<Vec<u8>>,
    secrets: Vec<Option<Secret<32>>>,
}

fn tier_key(answer: &Value, tier: Tier) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&bytes(&answer["tier_seeds_hex"], tier.as_str())).unwrap()
}

fn secret(bytes: &[u8]) -> Secret<32> {
    Secret::from_slice("secret", bytes).unwrap()
}

/// For what is looked at whatever is drawn.
fn draws() -> Vec<u8> {
    (0..=250).cycle().take(4096).collect()
}

fn payload(answer: &Value) -> Vec<u8> {
    let length = usize::try_from(answer["payload_length"].as_u64().unwrap()).unwrap();
    (0..=250u8).cycle().take(length).collect()
}

/// Seals everything again with the same draws: secret, salt, tag, and the zeros of a deterministic signature.
fn made(answer: &Value) -> Made<'_> {
    let domain = Domain::new(string(answer, "domain")).unwrap();
    let id: IdentityId = string(answer, "identity_id").parse().unwrap();
    let master = VaultMaster::new(&domain, secret(&bytes(answer, "master_hex"))).unwrap();
    let key = SigningKey::from_seed(&bytes(answer, "seed_hex")).unwrap();
    let mut tiers = TierKeys::new();
    for tier in [Tier::Noble, Tier::Native] {
        tiers.enrol(&id, tier, tier_key(answer, tier).public_key()).unwrap();
    }
    let authority = RingKey::new(&domain, secret(&bytes(answer, "ring_key_hex")));
    let mut ring = CheckedRing::new(ORIGIN, &authority).unwrap();
    let time = string(&answer["ring"]["keys"][0], "generirano").parse().unwrap();
    let added = ring.add(&id, key.public_key().clone(), &Head::EMPTY, time).unwrap();
    let mut chain = Krunica::new();
    chain.push(added.entry).unwrap();

    let mut head = LedgerHead::new(&string(answer, "ledger").parse().unwrap());
    let (mut records, mut stored, mut secrets) = (Vec::<String>::new(), Vec::<Vec<u8>>::new(), Vec::new());
    for item in items(answer, "records") {
        let time = string(item, "created_at").parse().unwrap();
        if string(item, "type") == "ERASURE" {
            // A split of the first record's secret was committed before.
            let (entry, size) = (&answer["chain"][5], chain.entries().len());
            let mut entry = entry.clone();
            entry["seq"] = size.into();
            chain.push(Entry::from_json(entry.to_string().as_bytes()).unwrap()).unwrap();
        }
        let place = Destination { ledger: &head, head: chain.head(), note: string(item, "note"), time };
        let tier: Tier = string(item, "tier").parse().unwrap();
        let shown = (tier != Tier::Public).then(|| tier_key(answer, tier));
        let vault = VaultSealer::new(&master, &id, &key);
        let vault = match (tier, &shown) {
            (Tier::Noble, Some(key)) => vault.noble(key),
            (Tier::Native, Some(key)) => vault.native(key),
            _ => vault,
        };
        let draws = [bytes(item, "secret_hex"), bytes(item, "salt_hex"), bytes(item, "tag_hex"), vec![0; 32]].concat();
        let rng = &mut Given(&draws);
        let kind = string(item, "type");
        let (sealed, bytes, end) = if kind == "ERASURE" {
            let prepared = [items(answer, "splits")[1].as_str().unwrap().parse().unwrap()];
            let checkpoint = checkpoint(&domain, &chain, chain.entries().len());
            let located = reading::read(reading::under_in(&domain, &checkpoint), chain.entries(), |reader| {
                reader.ledger(head.ledger(), Some(&master))
            });
            let erased = VaultRecord::from_json(records[0].as_bytes()).unwrap();
            let at = located.unwrap().locate(&erased);
            let policy = Operator { master: &master, tiers: TierPolicy::new(Some(&tiers), Tier::Public).unwrap() };
            let standing = Standing { place: at.as_ref(), after: None };
            let stored = StoredHash::of(&domain, &stored[0]);
            let report =
                VaultVerifier::new(&domain, &ring, &Unprepared).verify(erased, &stored, &id, &policy, standing);
            let (key, vault_id) = (ShardKey::derive(&domain, master.secret(), &id), report.vault_id());
            let reader = reading::up_to(&domain, chain.head());
            let own = reading::read(reader, chain.entries(), |reader| reader.own_splits(&key, vault_id)).unwrap();
            let splits = ErasedSplits::Walked { own: &own, prepared: &prepared };
            let SealedErasure { sealed, stored, end } =
                vault.erase(report.erasable().unwrap(), splits, &place, rng).unwrap();
            (sealed, stored, end)
        } else {
            let encryption = if string(item, "secret_hex").is_empty() { Encryption::None } else { Encryption::Stream };
            let (sealed, stored) = vault.seal(&payload(item), kind, encryption, &place, rng).unwrap();
            (sealed, stored, None)
        };
        assert_eq!(sealed.decoy.hash().to_hex(), string(item, "decoy_sha3_256"));
        ring = followed(&ring, chain.entries());
        ring.add_decoy(&sealed.decoy, &sealed.entry).unwrap();
        chain.push(sealed.entry).unwrap();
        if let Some(end) = end {
            ring.follow(&end.entry, |_| false).unwrap();
            chain.push(end.entry).unwrap();
        }
        head = sealed.ledger;
        secrets.push(sealed.secret.map(|drawn| secret(drawn.to_bytes().as_slice())));
        records.push(sealed.record.to_stored_json().to_string());
        stored.push(bytes);
    }
    Made { answer, domain, id, master, ring, chain, tiers, head, records, stored, secrets }
}

fn ledgers() -> Value {
    json("known_answers_vault.json")
}

#[cfg_attr(test, test)]
pub(crate) fn every_byte_is_the_same() {
    for answer in items(&ledgers(), "ledgers") {
        let made = made(answer);
        assert_eq!(made.records.len(), 5);
        for (seq, item) in items(answer, "records").iter().enumerate() {
            let hash = |bytes: &[u8]| hex::encode(Sha3_256::digest(bytes));
            assert_eq!(hash(&made.stored[seq]), string(item, "stored_sha3_256"), "{seq}");
            assert_eq!(hash(made.records[seq].as_bytes()), string(item, "record_json_sha3_256"), "{seq}");
            if item["record"].is_object() {
                let record: Value = serde_json::from_str(&made.records[seq]).unwrap();
                assert_eq!(record, item["record"]);
            }
        }
        let chain: Value = serde_json::from_str(&made.chain.to_json()).unwrap();
        assert_eq!(chain, answer["chain"]);
        let ring: Value = serde_json::from_str(&made.ring.to_stored_json(made.chain.head()).unwrap()).unwrap();
        assert_eq!(ring, answer["ring"]);
        assert_eq!(made.master.key_id().to_hex(), string(&answer["schedule"], "key_id"));
    }
}

#[cfg_attr(test, test)]
pub(crate) fn the_ledgers_hold() {
    for answer in items(&ledgers(), "ledgers") {
        let made = made(answer);
        let size = made.chain.entries().len();
        // The checkpoint's own formulas are compared elsewhere: its signer here is the tests' own.
        let checkpoint = checkpoint(&made.domain, &made.chain, size);
        let located = reading::read(reading::under_in(&made.domain, &checkpoint), made.chain.entries(), |reader| {
            reader.ledger(made.head.ledger(), Some(&made.master))
        })
        .unwrap();
        assert_eq!(located.len(), 5);
        let verifier = VaultVerifier::new(&made.domain, &made.ring, &Unprepared);
        let policy =
            Operator { master: &made.master, tiers: TierPolicy::new(Some(&made.tiers), Tier::Public).unwrap() };
        let mut check = LedgerCheck::new(&verifier, made.head.ledger(), &policy, Some(&located));
        let mut verified = Vec::new();
        for (record, stored) in made.records.iter().zip(&made.stored) {
            let record = VaultRecord::from_json(record.as_bytes()).unwrap();
            let report = check.push(record, &StoredHash::of(&made.domain, stored)).unwrap();
            assert_eq!(report.verdict().kind(), VerdictKind::Valid, "{report}");
            verified.push(report.into_verdict().valid().unwrap());
        }
        assert_eq!(check.finish().unwrap().valid, 5);

        kept_secrets_are_dealt(&made, &verified);
        for (seq, item) in items(answer, "records").iter().enumerate().take(4) {
            let secret = made.secrets[seq].as_ref().map(|secret| secret as _);
            let opened = unseal(&verified[seq], secret, &made.stored[seq]).unwrap();
            assert!(*opened == payload(item), "{seq}");
        }
        let at = located.locate(verified[4].record().record()).unwrap();
        let erasure = Erasure::read(&verified[4], &at, &made.stored[4]).unwrap();
        assert!(erasure.covers(verified[0].record().record()) && !erasure.covers(verified[2].record().record()));
        let splits: Vec<_> = erasure.splits().iter().map(SplitId::to_hex).collect();
        let mut expected: Vec<_> = items(answer, "splits").iter().map(|id| id.as_str().unwrap().to_string()).collect();
        expected.sort_unstable();
        assert_eq!(splits, expected);
    }
}

/// A secret that was kept is dealt where it opens the record's document, and gives what the drawn one gave.
fn kept_secrets_are_dealt(made: &Made<'_>, verified: &[Verified<OperatorRecord>]) {
    let (kept, stored, urls) = (made.secrets[0].as_ref().unwrap(), &made.stored[0], ["one", "two"].map(str::to_owned));
    let dealer = Dealer::new(verified[0].record().record(), &made.master, 2, &urls).unwrap();
    let draws = draws();
    let prepare = |record, kept, stored: &[u8]| dealer.prepare_kept(record, kept, stored, None, &mut Given(&draws));
    let split = prepare(&verified[0], kept, stored).unwrap();
    assert_eq!(split.shards[0].anchor().to_hex(), string(made.answer, "first_anchor"));
    assert_eq!(prepare(&verified[1], kept, stored).map(drop).unwrap_err(), Misuse::OtherVault.into());
    let cut = stored.split_last().map(|(_, rest)| rest).unwrap();
    assert!(prepare(&verified[0], kept, cut).is_err() && prepare(&verified[0], &secret(&[7; 32]), stored).is_err());
}

fn checkpoint(domain: &Domain, chain: &Krunica, size: usize) -> Verified<dualseal::checkpoint::Checkpoint> {
    use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier};
    let (head, pins) = (log::head_at(chain, size), log::pins(ORIGIN));
    let signer = CheckpointSigner::new(domain, ORIGIN, &log::log_identity(), log::log_key()).unwrap();
    let signed = signer.sign(&log::mark_of(ORIGIN, &head), dualseal_tests::minute(99), &mut Constant(1)).unwrap();
    CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(signed).valid().unwrap()
}

/// The vault's own identifiers are what shards are bound to.
#[cfg_attr(test, test)]
pub(crate) fn the_first_anchor() {
    for answer in items(&ledgers(), "ledgers") {
        let made = made(answer);
        let record = VaultRecord::from_json(made.records[0].as_bytes()).unwrap();
        let urls = ["one", "two"].map(str::to_owned);
        let dealer = Dealer::new(&record, &made.master, 2, &urls).unwrap();
        // Drawn again from the same bytes, as a drawn secret cannot be made from a stored one.
        let drawn =
            dualseal::shamir::DrawnSecret::draw(&mut Given(&bytes(&answer["records"][0], "secret_hex"))).unwrap();
        let split = dealer.prepare(&drawn, None, &mut Given(&draws())).unwrap();
        assert_eq!(split.shards[0].anchor().to_hex(), string(made.answer, "first_anchor"));
    }
}

/// Under another state the known records are not Valid: the answers are not accepted whatever is asked.
#[cfg_attr(test, test)]
pub(crate) fn other_verifiers_find_fault() {
    let ledgers = ledgers();
    let made = made(&items(&ledgers, "ledgers")[0]);
    let mut ring = made.ring.clone();
    let t = dualseal_tests::minute(50);
    ring.set_state(&made.id, None, KeyState::Revoked, made.chain.head(), t).unwrap();
    let verifier = VaultVerifier::new(&made.domain, &ring, &Unprepared);
    let policy = Operator { master: &made.master, tiers: TierPolicy::any() };
    let record = VaultRecord::from_json(made.records[0].as_bytes()).unwrap();
    let report =
        verifier.verify(record, &StoredHash::of(&made.domain, &made.stored[0]), &made.id, &policy, Standing::default());
    assert_eq!(report.verdict().kind(), VerdictKind::Revoked);
}
