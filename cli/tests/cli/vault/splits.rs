//! The splits of what is erased, which another program of the operator made: the chain alone tells of them.

use crate::run::{Kept, Place};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{Dealer, OwnSplits, ShardKey};
use dualseal::{Domain, Head, IdentityId, SystemRng, VaultId};
use serde_json::Value;

const CHAIN: &str = "home/chain.jsonl";

/// The vault of record 0.
struct Vault {
    identity_id: IdentityId,
    vault_id: VaultId,
    master: Secret<32>,
    key: ShardKey,
}

impl Vault {
    fn of(place: &Place) -> Self {
        let record: Value = serde_json::from_str(&place.read("home/vaults/main/records/000000.json")).unwrap();
        let header = &record["sealed"]["header"];
        let identity_id = header["identity_id"].as_str().unwrap().parse().unwrap();
        let (_, der) = pkcs8::der::pem::decode_vec(place.read("home/vaults/main/master.key").as_bytes()).unwrap();
        let master = Secret::from_slice("master", &der[der.len() - 32..]).unwrap();
        let key = ShardKey::derive(&Domain::default(), &master, &identity_id);
        Self { identity_id, vault_id: header["vault_id"].as_str().unwrap().parse().unwrap(), master, key }
    }

    fn splits(&self, chain: &str, head: &Head) -> OwnSplits {
        let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning()).up_to(head);
        let watched = reader.own_splits(&self.key, &self.vault_id).unwrap();
        reader.push_lines(chain.as_bytes()).unwrap();
        reader.finish().unwrap().take(watched).unwrap()
    }

    /// Splits a secret and keeps the entry where this program keeps its chain.
    fn split(&self, place: &Place) -> String {
        let mut kept = Kept::open(place);
        let own = self.splits(&place.read(CHAIN), kept.head());
        let node_urls = ["one", "two"].map(str::to_owned);
        let (domain, vault_id) = (Domain::default(), &self.vault_id);
        let dealer = Dealer::without_record(&domain, &self.key, vault_id, &self.identity_id, 2, &node_urls);
        let secret = DrawnSecret::draw(&mut SystemRng).unwrap();
        let prepared = dealer.prepare(&secret, own.splits().last(), &mut SystemRng).unwrap();
        let held: Vec<_> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
        let time = "2026-11-21T09:00:00.000Z".parse().unwrap();
        let committed = prepared.preparation.commit(&held, None, &own, time).unwrap();
        kept.push(committed);
        kept.write(place);
        prepared.preparation.split_id().to_hex()
    }

    /// The same without the library, which refuses a split of what was erased.
    fn split_erased(&self, place: &Place) -> String {
        let mut kept = Kept::open(place);
        let (head, split, none) = (kept.head().clone(), "cd".repeat(32), "0".repeat(64));
        let info = format!("DUALSEAL-VAULT::KDF::SHARD::{}::DUALSEAL", self.identity_id);
        let key = dualseal::hash::hkdf_sha3_256::<64>(self.master.expose(), &[], &[info.as_bytes()]);
        let said = format!("DUALSEAL-SHARD::SPLIT::{}::{none}::{split}", self.vault_id);
        let mut mac = dualseal::hash::HmacSha3_512::new(key.expose());
        mac.update(format!("{said}::{}::DUALSEAL", head.top()).as_bytes());
        // Hexadecimal, as identifiers are written.
        let tag = VaultId::from_bytes(*mac.finish().first_chunk().unwrap()).to_hex();
        let (elsewhere, time) = (Domain::new("ELSEWHERE").unwrap(), "2026-11-21T09:00:00.000Z".parse().unwrap());
        let message = format!("{said}::{tag}::DUALSEAL");
        kept.push(head.append(&elsewhere, &self.identity_id, &message, time).unwrap());
        kept.write(place);
        split
    }
}

fn notes(place: &Place) -> String {
    let answer = place.json(&["vault", "verify"]);
    assert_eq!(answer["status"], 0, "{answer}");
    answer["notes"].to_string()
}

/// Nobody named the split, and two of its shards would open the document.
#[test]
fn an_erasure_names_the_splits_of_the_chain() {
    let place = Place::with_vault("splits-named");
    let vault = Vault::of(&place);
    let mut splits = vec![vault.split(&place), vault.split(&place)];
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    let other = "ab".repeat(32);
    let erased = place.json(&["vault", "erase", "0", "--yes", "--split", &other]);
    splits.push(other);
    splits.sort();
    assert_eq!((&erased["status"], &erased["splits"]), (&0.into(), &serde_json::json!(splits)), "{erased}");
    let stored: Value = serde_json::from_str(&place.read("home/vaults/main/stored/000002")).unwrap();
    assert_eq!(stored["splits"], serde_json::json!(splits));
    // The record's entry, and the one after which nothing continues.
    let entry = erased["seq"].as_u64().unwrap();
    let chain = place.read(CHAIN);
    assert_eq!(chain.lines().count() as u64, entry + 2);
    assert!(chain.lines().last().unwrap().contains(&format!("::{}::", "0".repeat(64))));
    place.good(&["vault", "verify"]);
    place.good(&["vault", "seal", "deed.pdf"]);
    assert!(!notes(&place).contains("split"));
}

/// Shards that were dealt after the erasure are told, and erased by another one.
#[test]
fn a_later_split_is_reported() {
    let place = Place::with_vault("splits-later");
    place.good(&["vault", "erase", "0", "--yes"]);
    let split = Vault::of(&place).split_erased(&place);
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    let told = notes(&place);
    assert!(told.contains(&format!("split {split} of entry")), "{told}");
    let again = place.json(&["vault", "erase", "0", "--yes"]);
    assert_eq!((&again["status"], &again["splits"]), (&0.into(), &serde_json::json!([split])), "{again}");
    assert!(!notes(&place).contains("split"));
    place.refused(&["vault", "erase", "0", "--yes"], 64, "was erased before");
}
