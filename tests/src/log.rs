//! A log: its signer, its checkpoints, and the places in a chain that they prove.

use crate::prelude::*;
use crate::{identity, key, minute, random::Constant, reading};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::{RingHead, Unprepared};
use dualseal::krunica::{ChainHash, Checker, TreeHead};
use dualseal::tree::TreeHash;
use dualseal::{Domain, Entry, Error, Head, IdentityId, Krunica, Located, SigningKey, Timestamp, Verified};
use hmac::{KeyInit, Mac, SimpleHmac};
use once_cell::race::OnceBox;
use serde_json::json;

/// The origin of [`Registry`](crate::registry::Registry)'s ring.
pub const ORIGIN: &str = "example.org/log";

/// The log's signing key.
pub fn log_key() -> &'static SigningKey {
    static KEY: OnceBox<SigningKey> = OnceBox::new();
    KEY.get_or_init(|| Box::new(key(200)))
}

/// The identity of the log's signer.
pub fn log_identity() -> IdentityId {
    identity("log")
}

/// What a reader of the log knows beforehand.
pub fn pins(origin: &str) -> Pins {
    Pins {
        origin: origin.to_string(),
        identity_id: log_identity(),
        key_hash: *log_key().public_key().hash(),
        least_size: 0,
    }
}

/// The mark of any state, as a dishonest signer may have one too.
pub fn mark(origin: &str, head: &TreeHead, ring: Option<RingHead>) -> HighWaterMark {
    let ring = ring.map(|ring| json!({ "revision": ring.revision, "root": ring.root.to_hex() }));
    let (size, top, root) = (head.size, head.top.to_hex(), head.root.to_hex());
    let mark = json!({ "origin": origin, "ring": ring, "root": root, "size": size, "top": top });
    HighWaterMark::from_json(mark.to_string().as_bytes()).expect("a state that can be")
}

/// That of a log without a ring.
pub fn mark_of(origin: &str, head: &Head) -> HighWaterMark {
    mark(origin, &head.tree_head(), None)
}

/// A checkpoint over any state, signed two hours after the start.
pub fn sign(mark: &HighWaterMark) -> Checkpoint {
    let domain = Domain::default();
    let signer = CheckpointSigner::new(&domain, mark.origin(), &log_identity(), log_key()).expect("an origin");
    signer.sign(mark, minute(120), &mut Constant(1)).expect("a fit key")
}

/// As [`verified_mark`], of a log without a ring.
pub fn verified(origin: &str, head: &Head) -> Verified<Checkpoint> {
    verified_stating(origin, head, None)
}

/// As [`verified`], stating a ring.
pub fn verified_stating(origin: &str, head: &Head, ring: Option<RingHead>) -> Verified<Checkpoint> {
    verified_mark(&mark(origin, &head.tree_head(), ring))
}

/// As [`sign`], and verified.
pub fn verified_mark(mark: &HighWaterMark) -> Verified<Checkpoint> {
    let (domain, pins) = (Domain::default(), pins(mark.origin()));
    let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
    verifier.verify(sign(mark)).valid().expect("signed by the log")
}

/// The ring key of [`authority`](crate::registry::authority).
const RING_KEY: [u8; 32] = [9; 32];

/// What that key says of a statement: 64 hexadecimal characters.
pub fn ring_mac(statement: &str) -> String {
    let mut mac = <SimpleHmac<sha3::Sha3_512> as KeyInit>::new_from_slice(&RING_KEY).expect("any length");
    mac.update(statement.as_bytes());
    hex::encode(&mac.finalize().into_bytes()[..32])
}

/// The ring as the last entry that counts states it, in the default domain and under the ring key of these tests.
pub fn stated_ring(entries: &[Entry]) -> Option<RingHead> {
    let stated = |entry: &Entry| {
        let tail = entry.message().strip_prefix("DUALSEAL-SIGN::RING::")?.strip_suffix("::DUALSEAL")?;
        let [revision, tag, root, mac] = tail.split("::").collect::<Vec<_>>().try_into().ok()?;
        let (prev, identity_id) = (entry.prev(), entry.identity_id());
        let statement = format!("DUALSEAL-SIGN::ENTRY::{prev}::{identity_id}::{revision}::{tag}::{root}::DUALSEAL");
        let head = RingHead { revision: revision.parse().ok()?, root: root.parse().ok()? };
        (ring_mac(&statement) == mac).then_some(head)
    };
    entries.iter().rev().find_map(stated)
}

/// A head of this size that no chain has, as a caller could store it.
pub fn any_head(size: u64, top: ChainHash) -> Head {
    let frontier = vec![TreeHash::from_bytes([7; 32]); size.count_ones() as usize];
    Head::from_parts(size, top, &frontier).expect("a head's form")
}

/// The head after the first `size` entries.
pub fn head_at(chain: &Krunica, size: usize) -> Head {
    let mut checker = Checker::new();
    chain.entries()[..size].iter().for_each(|entry| checker.push(entry).expect("a sound chain"));
    checker.into_head()
}

/// A verified checkpoint over the first `size` entries.
pub fn covering(origin: &str, chain: &Krunica, size: usize) -> Verified<Checkpoint> {
    verified_stating(origin, &head_at(chain, size), stated_ring(&chain.entries()[..size]))
}

/// Streams a chain past a checkpoint; the place of `seq` is among what it gives where the checkpoint covers it.
pub fn check(checkpoint: &Verified<Checkpoint>, entries: &[Entry], seq: u64) -> Result<Vec<Located>, Error> {
    reading::read(reading::under(checkpoint), entries, |reader| reader.places(move |entry| entry.seq() == seq))
}

/// The proven place of an entry, under a checkpoint over the whole chain.
pub fn locate(origin: &str, chain: &Krunica, seq: u64) -> Located {
    let checkpoint = covering(origin, chain, chain.entries().len());
    let located = check(&checkpoint, chain.entries(), seq).expect("the chain of the checkpoint");
    located.into_iter().next().expect("an entry below the size")
}

/// The same chain with another time at one entry: its hashes still hold, as they do not cover times.
pub fn retimed(chain: &Krunica, seq: usize, time: Timestamp) -> Krunica {
    let mut entries: serde_json::Value = serde_json::from_str(&chain.to_json()).expect("JSON");
    entries[seq]["t"] = time.to_string().into();
    Krunica::from_json(entries.to_string().as_bytes()).expect("hashes do not cover times")
}

/// A chain with these messages of one identity, one minute apart: also those that are reserved in the default domain,
/// as if somebody else's program had written them.
pub fn chain_of(identity_id: &IdentityId, messages: &[&str]) -> Krunica {
    let (domain, mut chain) = (Domain::new("ELSEWHERE").expect("a name"), Krunica::new());
    for (minutes, message) in (0..).zip(messages) {
        chain.append(&domain, identity_id, message, minute(minutes)).expect("not reserved elsewhere");
    }
    chain
}
