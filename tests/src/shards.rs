//! A vault secret among nodes with the chain of its splittings, and the formulas of shards written out by hand.

pub use crate::asking::{Asking, Noting, shard_id};

use crate::log::{ORIGIN, covering};
use crate::quorum::{h3, h5, raw_entry};
use crate::{identity, minute, reading, with_member};
use dualseal::error::Error;
use dualseal::field::Gf2_256;
use dualseal::krunica::Appended;
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{
    CoveredSplits, Dealer, LostShard, OwnSplits, Prepared, Rebuilding, Recipient, Shard, ShardId, ShardKey,
    SplitInForce,
};
use dualseal::{Domain, IdentityId, Krunica, SystemRng, VaultId};
use hmac::{KeyInit, Mac, SimpleHmac};
use serde_json::{Value as Json, json};
use sha3::{Sha3_256, Sha3_512};

/// The operator's master of every test.
pub const MASTER: [u8; 32] = [0x3a; 32];

/// One vault: its drawn secret, its latest shards, and the chain.
#[derive(Debug)]
pub struct Store {
    pub domain: Domain,
    pub key: ShardKey,
    pub identity_id: IdentityId,
    pub vault_id: VaultId,
    pub secret: DrawnSecret<Gf2_256>,
    pub shards: Vec<Shard>,
    pub chain: Krunica,
    pub recipient: Recipient,
}

/// The labels of n nodes.
pub fn urls(n: usize) -> Vec<String> {
    (1..=n).map(|node| format!("https://node-{node}.example/shard")).collect()
}

/// A key for the shards of an identity, from the master of these tests.
pub fn shard_key(identity_id: &IdentityId) -> ShardKey {
    let master = Secret::from_slice("master", &MASTER).expect("32 bytes");
    ShardKey::derive(&Domain::default(), &master, identity_id)
}

/// The vault of an identity with this seq.
pub fn vault(name: &str, seq: u64) -> VaultId {
    Domain::default().vault_id(b"stored bytes", name, "CONTRACT", seq).expect("an unambiguous name")
}

impl Store {
    /// A vault of ana's, split m of n.
    pub fn new(m: u8, n: usize) -> Self {
        Self::of("ana", 0, m, n)
    }

    /// A vault of somebody's.
    pub fn of(name: &str, seq: u64, m: u8, n: usize) -> Self {
        let identity_id = identity(name);
        let mut chain = Krunica::new();
        chain.append(&Domain::default(), &identity_id, "opened", minute(0)).expect("free text");
        let mut store = Self {
            domain: Domain::default(),
            key: shard_key(&identity_id),
            identity_id,
            vault_id: vault(name, seq),
            secret: DrawnSecret::draw(&mut SystemRng).expect("a generator"),
            shards: Vec::new(),
            chain,
            recipient: Recipient::of_key(b"the service that rebuilds"),
        };
        let nodes = urls(n);
        let prepared = store.dealer(m, &nodes).prepare(&store.secret, None, &mut SystemRng).expect("good numbers");
        store.take(prepared);
        store
    }

    /// Deals to nodes at the head of the chain.
    pub fn dealer(&self, m: u8, node_urls: &[String]) -> Dealer {
        Dealer::without_record(&self.domain, &self.key, &self.vault_id, &self.identity_id, m, node_urls)
    }

    /// Deals the same secret again, after the split in force.
    pub fn again(&self, m: u8, node_urls: &[String]) -> Prepared {
        let splits = self.own_splits();
        let previous = splits.splits().last();
        self.dealer(m, node_urls).prepare(&self.secret, previous, &mut SystemRng).expect("good numbers")
    }

    /// Commits a split that every node confirmed, and gives the shards until then.
    pub fn take(&mut self, prepared: Prepared) -> Vec<Shard> {
        let entry = self.commit(&prepared).expect("every node confirmed").entry;
        self.chain.push(entry).expect("at the head");
        std::mem::replace(&mut self.shards, prepared.shards)
    }

    /// The entry of a split that every node confirmed.
    pub fn commit(&self, prepared: &Prepared) -> Result<Appended, Error> {
        let confirmed: Vec<ShardId> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
        prepared.preparation.commit(&confirmed, None, &self.own_splits(), minute(3))
    }

    /// The splits up to the head of the chain.
    pub fn own_splits(&self) -> OwnSplits {
        let (reader, entries) = (reading::up_to(&self.domain, self.chain.head()), self.chain.entries());
        let read = reading::read(reader, entries, |reader| reader.own_splits(&self.key, &self.vault_id));
        read.expect("the whole chain")
    }

    /// Somebody writes to the log.
    pub fn written(&mut self, who: &IdentityId, message: &str) {
        let entry = raw_entry(&self.chain, who, message, minute(5));
        self.chain.push(entry).expect("at the head");
    }

    /// Without a chain at hand.
    pub fn rebuilding(&self) -> Rebuilding<'_> {
        Rebuilding {
            domain: &self.domain,
            key: &self.key,
            vault_id: &self.vault_id,
            identity_id: &self.identity_id,
            in_force: None,
            recipient: &self.recipient,
        }
    }

    /// The last splitting, under a checkpoint over the whole chain.
    pub fn in_force(&self) -> Result<SplitInForce, Error> {
        self.in_force_covered(self.chain.entries().len())
    }

    /// As [`in_force`](Self::in_force), with a checkpoint over the first `size` entries.
    pub fn in_force_covered(&self, size: usize) -> Result<SplitInForce, Error> {
        self.covered_splits(size)?.in_force()
    }

    /// The splits under a checkpoint over the first `size` entries.
    pub fn covered_splits(&self, size: usize) -> Result<CoveredSplits, Error> {
        let checkpoint = covering(ORIGIN, &self.chain, size);
        let (reader, entries) = (reading::under_in(&self.domain, &checkpoint), self.chain.entries());
        reading::read(reader, entries, |reader| reader.splits(Some(&self.key), &self.vault_id))
    }

    /// Copies of the shards with these numbers.
    pub fn pick(&self, numbers: &[u8]) -> Vec<Shard> {
        numbers.iter().map(|number| copy(&self.shards[usize::from(*number) - 1])).collect()
    }
}

/// What is known of a shard that was lost.
pub fn lost(shard: &Shard) -> LostShard<'_> {
    LostShard { index: shard.index(), node_url: shard.node_url(), shard_id: shard.shard_id() }
}

/// A copy, by way of its JSON.
pub fn copy(shard: &Shard) -> Shard {
    Shard::from_json(shard.to_json().as_bytes()).expect("a shard's own JSON")
}

/// A copy with one member changed, its identifier and seal left as they were.
pub fn altered(shard: &Shard, member: &str, value: Json) -> Shard {
    Shard::from_json(with_member(&shard.to_json(), member, value).as_bytes()).expect("well-formed")
}

/// A copy whose value is another one, as a forger makes it.
pub fn forged(shard: &Shard) -> Shard {
    let value = hex::encode(shard.as_ref().to_bytes().as_slice());
    altered(shard, "vrijednost_hex", crate::next_digit(&value, 63).into())
}

/// A copy with some members changed, and the identifier and seal that go with them: what only the operator can make.
pub fn resealed(shard: &Shard, changes: &[(&str, Json)]) -> Shard {
    let mut json: Json = serde_json::from_str(&shard.to_json()).expect("JSON");
    for (member, value) in changes {
        json[member] = value.clone();
    }
    json["shard_id"] = raw_shard_id(&json).into();
    // Always with the key of the shard's first identity: the one that the operator takes for the vault.
    json["seal"] = raw_seal(&shard.identity_id().to_hex(), &json).into();
    Shard::from_json(json.to_string().as_bytes()).expect("well-formed")
}

fn text<'a>(json: &'a Json, member: &str) -> &'a str {
    json[member].as_str().expect("text")
}

/// `javni_sidro` of a secret, in the default domain.
pub fn raw_anchor(vault_id: &VaultId, secret: &[u8; 32]) -> String {
    h5(&[format!("DUALSEAL-SHARD::ANCHOR::{vault_id}::DUALSEAL").as_bytes(), secret])
}

/// `shard_id` of a shard's members, in the default domain.
pub fn raw_shard_id(json: &Json) -> String {
    let (split, index) = (text(json, "split_id"), &json["indeks"]);
    let value = hex::decode(text(json, "vrijednost_hex")).expect("hexadecimal");
    let value = h5(&[format!("DUALSEAL-SHARD::VALUE::{split}::{index}::DUALSEAL").as_bytes(), &value]);
    let (vault, m, n, anchor) = (text(json, "vault_id"), &json["m"], &json["n"], text(json, "javni_sidro"));
    let url = h3(text(json, "node_url").as_bytes());
    h3(format!("DUALSEAL-SHARD::ID::{vault}::{split}::{index}::{m}::{n}::{anchor}::{value}::{url}::DUALSEAL")
        .as_bytes())
}

/// The split message of an entry after `prev`, in the default domain, by the key of ana's shards.
pub fn raw_split(vault_id: &VaultId, previous: &str, split_id: &str, prev: &str) -> String {
    raw_split_by(&MASTER, vault_id, previous, split_id, prev)
}

/// The same, by the key of another master.
pub fn raw_split_by(master: &[u8; 32], vault_id: &VaultId, previous: &str, split_id: &str, prev: &str) -> String {
    let beginning = format!("DUALSEAL-SHARD::SPLIT::{vault_id}::{previous}::{split_id}");
    let key = raw_shard_key(master, &identity("ana").to_hex());
    let mut mac = <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(&key).expect("any length");
    mac.update(format!("{beginning}::{prev}::DUALSEAL").as_bytes());
    format!("{beginning}::{}::DUALSEAL", &hex::encode(mac.finalize().into_bytes())[..64])
}

/// `seal` of a shard's members by the key of an identity, in the default domain.
pub fn raw_seal(key_of: &str, json: &Json) -> String {
    let (vault, shard, identity) = (text(json, "vault_id"), text(json, "shard_id"), text(json, "identity_id"));
    let payload = format!("DUALSEAL-SHARD::SEAL::{vault}::{shard}::{identity}::DUALSEAL");
    let mut mac =
        <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(&raw_shard_key(&MASTER, key_of)).expect("any length");
    mac.update(hex::encode(payload).as_bytes());
    format!("SEAL-L5::{}", hex::encode(mac.finalize().into_bytes()))
}

/// HKDF-SHA3-256 (RFC 5869) of 64 bytes: an empty salt, two blocks.
fn raw_shard_key(master: &[u8; 32], identity_id: &str) -> Vec<u8> {
    let info = format!("DUALSEAL-VAULT::KDF::SHARD::{identity_id}::DUALSEAL");
    let mac = |key: &[u8], parts: &[&[u8]]| {
        let mut mac = <SimpleHmac<Sha3_256> as KeyInit>::new_from_slice(key).expect("any length");
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().to_vec()
    };
    let extracted = mac(&[0; 32], &[master]);
    let first = mac(&extracted, &[info.as_bytes(), &[1]]);
    let second = mac(&extracted, &[&first, info.as_bytes(), &[2]]);
    [first, second].concat()
}

/// The hash of an operation's arguments, from their JSON with every member.
pub fn raw_arguments(json: &Json) -> String {
    let order = ["indeks", "m", "n", "node_urls"];
    let members: Vec<String> = order.iter().map(|name| format!("\"{name}\":{}", json[name])).collect();
    h3(format!("{{{}}}", members.join(",")).as_bytes())
}

/// Arguments of which none is used.
pub fn no_arguments() -> Json {
    json!({"indeks": null, "m": null, "n": null, "node_urls": null})
}
