//! Proof that the library needs nothing but an allocator: on x86-64 Linux, without `std` and libc, it makes a key from
//! a fixed seed, signs, verifies, and leaves through a raw system call. The exit status is 0 when all of it went well,
//! otherwise the number of the step that did not.
#![no_std]
#![no_main]

extern crate alloc;

mod allocator;
mod runtime;
mod start;

use dualseal::key::{KeyRing, Unprepared};
use dualseal::{Domain, Error, Head, SignatureRecord, Signer, SigningKey, Timestamp, VerdictKind, Verifier};

/// The steps, in order; each number is the exit status of its failure.
fn run() -> u8 {
    match steps() {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(_) => 2,
    }
}

fn steps() -> Result<bool, Error> {
    let domain = Domain::default();
    let id = domain.identity_id(b"", "bare", "")?;
    let key = SigningKey::from_seed(&[7; 32])?;
    let signer = Signer::new(&domain, &id, &key);
    let content = signer.content_hash(b"no operating system");
    let made = signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN)?;

    // Over the wire and back.
    let json = made.record.to_json();
    let record = SignatureRecord::from_json(json.as_bytes())?;
    let ring = KeyRing::pinned(&id, key.public_key().clone());
    let verifier = Verifier::new(&domain, &ring, &Unprepared);
    let good = verifier.verify(&content, record.clone(), None).kind();
    let bad = verifier.verify(&signer.content_hash(b"another content"), record, None).kind();
    Ok(good == VerdictKind::Valid && bad == VerdictKind::Invalid)
}
