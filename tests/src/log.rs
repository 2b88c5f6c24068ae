//! A log: its signer, its checkpoints, and the places in a chain that they prove.

use crate::{identity, key, minute, random::Constant};
use dualseal::checkpoint::{ChainCheck, Checkpoint, CheckpointSigner, CheckpointVerifier, Pins};
use dualseal::key::Unprepared;
use dualseal::krunica::Checker;
use dualseal::{Domain, Entry, Error, Head, IdentityId, Krunica, Located, SigningKey, Timestamp, Verified};
use std::sync::OnceLock;

/// The origin of [`Registry`](crate::registry::Registry)'s ring.
pub const ORIGIN: &str = "example.org/log";

/// The log's signing key.
pub fn log_key() -> &'static SigningKey {
    static KEY: OnceLock<SigningKey> = OnceLock::new();
    KEY.get_or_init(|| key(200))
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

/// A checkpoint over any head, signed two hours after the start.
pub fn sign(origin: &str, head: &Head) -> Checkpoint {
    let domain = Domain::default();
    let signer = CheckpointSigner::new(&domain, origin, &log_identity(), log_key()).expect("an origin");
    signer.sign_first(head, minute(120), &mut Constant(1)).expect("a fit key")
}

/// As [`sign`], and verified.
pub fn verified(origin: &str, head: &Head) -> Verified<Checkpoint> {
    let (domain, pins) = (Domain::default(), pins(origin));
    let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
    verifier.verify(sign(origin, head)).valid().expect("signed by the log")
}

/// The head after the first `size` entries.
pub fn head_at(chain: &Krunica, size: usize) -> Head {
    let mut checker = Checker::new();
    chain.entries()[..size].iter().for_each(|entry| checker.push(entry).expect("a sound chain"));
    checker.head()
}

/// A verified checkpoint over the first `size` entries.
pub fn covering(origin: &str, chain: &Krunica, size: usize) -> Verified<Checkpoint> {
    verified(origin, &head_at(chain, size))
}

/// Streams a chain past a checkpoint; the place of `seq` is among what it gives where the checkpoint covers it.
pub fn check(checkpoint: &Verified<Checkpoint>, entries: &[Entry], seq: u64) -> Result<Vec<Located>, Error> {
    let mut check = ChainCheck::new(checkpoint).keeping(|entry| entry.seq() == seq);
    for entry in entries {
        check.push(entry)?;
    }
    Ok(check.finish()?.places().to_vec())
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
