//! Shards and proofs of presence against answers that another implementation computed from the documentation
//! (`tests/second`), to the byte.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::presence::{Challenge, EnrolledKeys, PresenceProof, PresenceVerifier};
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{Arguments, Dealer, Operation, Rebuilding, Recipient, Shard, ShardKey};
use dualseal::{Domain, IdentityId, Krunica, VaultId};
use dualseal_tests::asking::{Asking, Noting};
use dualseal_tests::prelude::*;
use dualseal_tests::random::Given;
use dualseal_tests::reading;
use dualseal_tests::vectors::{bytes, items, json, string};
use dualseal_tests::with_member;
use serde_json::Value as Json;

struct Vault {
    domain: Domain,
    key: ShardKey,
    vault_id: VaultId,
    identity_id: IdentityId,
    recipient: Recipient,
}

impl Vault {
    fn new(answer: &Json) -> Self {
        let domain = Domain::new(string(answer, "domain")).unwrap();
        let master = Secret::from_slice("master", &bytes(answer, "master_hex")).unwrap();
        let identity_id = string(answer, "identity_id").parse().unwrap();
        let key = ShardKey::derive(&domain, &master, &identity_id);
        let recipient = Recipient::of_key(&bytes(answer, "recipient_key_hex"));
        Self { domain, key, vault_id: string(answer, "vault_id").parse().unwrap(), identity_id, recipient }
    }

    fn rebuilding(&self) -> Rebuilding<'_> {
        Rebuilding {
            domain: &self.domain,
            key: &self.key,
            vault_id: &self.vault_id,
            identity_id: &self.identity_id,
            in_force: None,
            recipient: &self.recipient,
        }
    }
}

fn read(split: &Json) -> Vec<Shard> {
    items(split, "shards").iter().map(|shard| Shard::from_json(shard.to_string().as_bytes()).unwrap()).collect()
}

fn urls(split: &Json) -> Vec<String> {
    items(split, "node_urls").iter().map(|url| url.as_str().unwrap().to_string()).collect()
}

#[cfg_attr(test, test)]
pub(crate) fn shards_to_the_byte() {
    let answers = json("known_answers_quorum.json");
    for answer in items(&answers, "vaults") {
        let vault = Vault::new(answer);
        let drawn = bytes(answer, "secret_hex");
        let secret = DrawnSecret::draw(&mut Given(&drawn)).unwrap();
        let mut chain = Krunica::new();
        let mut before: Option<Vec<Shard>> = None;
        for split in items(answer, "splits") {
            let (drawn, node_urls) = (bytes(split, "drawn_hex"), urls(split));
            let Vault { domain, key, vault_id, identity_id, .. } = &vault;
            let m = u8::try_from(split["m"].as_u64().unwrap()).unwrap();
            let dealer = Dealer::without_record(domain, key, vault_id, identity_id, m, &node_urls);
            let mut rng = Given(&drawn);
            let made = match &before {
                None => dealer.prepare(&secret, None, &mut rng),
                Some(shards) => vault.rebuilding().rethreshold_these(shards, &dealer, &mut Noting::open(), &mut rng),
            };
            let made = made.unwrap();
            assert_eq!(rng.0.len(), 0, "as much as was drawn");
            for (shard, expected) in made.shards.iter().zip(items(split, "shards")) {
                assert_eq!(serde_json::from_str::<Json>(&shard.to_json()).unwrap(), *expected);
            }
            let reader = reading::up_to(&vault.domain, chain.head());
            let own = reading::read(reader, chain.entries(), |reader| reader.own_splits(&vault.key, &vault.vault_id));
            let confirmed: Vec<_> = made.shards.iter().map(|shard| *shard.shard_id()).collect();
            let time = string(&split["entry"], "t").parse().unwrap();
            let committed = made.preparation.commit(&confirmed, None, &own.unwrap(), time).unwrap();
            chain.push(committed.entry).unwrap();
            let shards = read(split);
            for shard in &shards {
                shard.verify(&vault.domain, &vault.key).unwrap();
            }
            let rebuilt = vault.rebuilding().rebuild_these(&shards, &mut Noting::open()).unwrap();
            assert_eq!(rebuilt.secret.to_bytes().as_slice(), secret.to_bytes().as_slice());
            assert!(rebuilt.culprits.is_empty());
            before = Some(shards);
        }
        assert_eq!(chain, Krunica::from_json(answer["chain"].to_string().as_bytes()).unwrap());
    }
}

#[cfg_attr(test, test)]
pub(crate) fn proofs_to_the_byte() {
    let answers = json("known_answers_quorum.json");
    let vaults = items(&answers, "vaults");
    let mut operations = Vec::new();
    for answer in items(&answers, "proofs") {
        let of = vaults.iter().find(|vault| vault["domain"] == answer["domain"]).unwrap();
        let (vault, shards) = (Vault::new(of), read(&of["splits"][0]));
        let (given, expected) = (&answer["arguments"], &answer["proof"]);
        let number = |name: &str| given[name].as_u64().map(|number| u8::try_from(number).unwrap());
        let arguments = Arguments {
            index: number("index"),
            m: number("m"),
            n: number("n"),
            node_urls: given["node_urls"].is_array().then(|| urls(given)),
        };
        let operation = Operation::from_name(string(expected, "op")).unwrap();
        let request = vault.rebuilding().asked(operation, &arguments, &shards[..3]);
        let (nonce, expiry) = (string(expected, "nonce").parse().unwrap(), string(expected, "expiry").parse().unwrap());
        let challenge = Challenge::new(&vault.domain, &request, &nonce, expiry);
        assert_eq!(challenge.to_hex(), string(answer, "challenge"));
        let key = Ed25519SigningKey::from_seed(&bytes(answer, "seed_hex")).unwrap();
        let proof = PresenceProof::sign(&vault.domain, &request, &nonce, expiry, &key);
        assert_eq!(serde_json::from_str::<Json>(&proof.to_json()).unwrap(), *expected);

        let mut enrolled = EnrolledKeys::new();
        enrolled.enrol(&vault.identity_id, key.public_key()).unwrap();
        let counts = |text: &str| {
            let proof = PresenceProof::from_json(text.as_bytes()).unwrap();
            enrolled.verify(&vault.domain, &vault.identity_id, &challenge, &proof).is_some()
        };
        assert!(counts(&expected.to_string()));
        // What is signed is the wrapped challenge: the same key's signatures over the bare one are worth nothing.
        for other in ["signature_over_bare_challenge", "signature_over_challenge_bytes"] {
            assert!(!counts(&with_member(&expected.to_string(), "signature", answer[other].clone())), "{other}");
        }
        operations.push(string(expected, "op").to_string());
    }
    operations.sort();
    operations.dedup();
    assert_eq!(operations, ["rebuild", "refresh", "repair", "rethreshold"]);
}
