//! Proof that the library needs nothing but an allocator: without `std`, libc and an operating system's help it makes a
//! key from a fixed seed, signs and verifies, on x86-64 Linux, on ARM, on RISC-V and in WebAssembly. The exit status is
//! 0 when all of it went well, and what each step took of the stack is said.
#![no_std]
#![no_main]

extern crate alloc;

mod allocator;
#[cfg(target_os = "linux")]
mod runtime;
mod stack;
mod start;

use alloc::format;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::{Domain, Error, Head, SignatureRecord, Signer, SigningKey, Timestamp, VerdictKind, Verifier};

/// What the allocator has.
const MEMORY: usize = 8 << 20;

/// 0, or the number of what went wrong.
fn run() -> u8 {
    match steps() {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(_) => 2,
    }
}

/// Does one step, and says how much of the stack it took, which must not be too much.
fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let (done, bytes) = stack::measured(work);
    start::say(&format!("{name}{}\n", stack::said(bytes)));
    assert!(bytes.is_none_or(|bytes| bytes <= stack::MOST));
    done
}

fn steps() -> Result<bool, Error> {
    let domain = Domain::default();
    let id = domain.identity_id(b"", "bare", "")?;
    let key = step("make a key", || SigningKey::from_seed(&[7; 32]))?;
    let signer = Signer::new(&domain, &id, &key);
    let content = signer.content_hash(b"no operating system");
    let made = step("sign", || signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN))?;

    // Over the wire and back.
    let json = made.record.to_json();
    let record = step("read a record", || SignatureRecord::from_json(json.as_bytes()))?;
    let ring = KeyRing::pinned(&id, key.public_key().clone());
    let verifier = Verifier::new(&domain, &ring, &Unprepared);
    let good = step("verify", || verifier.verify(&content, record.clone(), None).kind());
    start::say(&format!("{} KiB of memory in all, of which none is taken back\n", allocator::used().div_ceil(1024)));
    let bad = verifier.verify(&signer.content_hash(b"another content"), record, None).kind();
    Ok(good == VerdictKind::Valid && bad == VerdictKind::Invalid)
}
