//! A chain of a million entries, written as JSON lines and checked against a checkpoint as they come: the program tells
//! the time and its peak memory, and fails where the memory grows with the chain.
//!
//! `long_chain [ENTRIES]`; the lines pass through memory in parts and are never all there.

use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::Unprepared;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Entry, Head, IdentityId, SigningKey, SystemRng, Timestamp};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

const ENTRIES: u64 = 1_000_000;
/// The most memory, whatever the number of entries. The program by itself takes some 4 MiB.
const MOST_MEMORY_KIB: u64 = 16 * 1024;
/// Bytes that are pushed at once; the ends of lines fall anywhere.
const PART: usize = 64 * 1024;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("long_chain: {error}");
            ExitCode::FAILURE
        }
    }
}

type Fallible<T> = Result<T, Box<dyn Error>>;

fn run() -> Fallible<()> {
    let entries = std::env::args().nth(1).map_or(Ok(ENTRIES), |text| text.parse())?;
    let domain = Domain::default();
    let id = domain.identity_id(b"", "long chain", "")?;

    let made = Instant::now();
    let mut writer = Writer::new(&domain, &id);
    while writer.head.size() < entries {
        writer.next()?;
    }
    let (head, made) = (writer.head, made.elapsed());

    let checked = Instant::now();
    let located = check(&domain, &id, &head)?;
    let checked = checked.elapsed();
    if located != entries / 2 {
        return Err(format!("the entry in the middle was found at {located}").into());
    }
    let kib = peak_memory_kib()?;
    println!("{entries} entries: made in {made:.1?}, checked in {checked:.1?}, peak memory {kib} KiB");
    if kib > MOST_MEMORY_KIB {
        return Err(format!("peak memory {kib} KiB, the limit is {MOST_MEMORY_KIB}").into());
    }
    Ok(())
}

/// Makes the chain's entries one by one, the same every time.
struct Writer<'a> {
    domain: &'a Domain,
    id: &'a IdentityId,
    head: Head,
}

impl<'a> Writer<'a> {
    fn new(domain: &'a Domain, id: &'a IdentityId) -> Self {
        Self { domain, id, head: Head::EMPTY }
    }

    fn next(&mut self) -> Fallible<Entry> {
        let seq = self.head.size();
        let time = Timestamp::from_millis(1_795_251_600_000_i64.saturating_add_unsigned(seq))?;
        let appended = self.head.append(self.domain, self.id, &format!("entry {seq}"), time)?;
        self.head = appended.head;
        Ok(appended.entry)
    }
}

/// Makes the lines a second time and checks them, as a reader would check a file, under a checkpoint of this head.
fn check(domain: &Domain, id: &IdentityId, head: &Head) -> Fallible<u64> {
    let key = SigningKey::from_seed(&[7; 32])?;
    let signer = CheckpointSigner::new(domain, "example.org/log", id, &key)?;
    let signed = signer.sign(&HighWaterMark::first("example.org/log", head, None)?, Timestamp::MAX, &mut SystemRng)?;
    let pins = Pins {
        origin: "example.org/log".into(),
        identity_id: *id,
        key_hash: *key.public_key().hash(),
        least_size: head.size(),
    };
    let verdict = CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(signed);
    let checkpoint = verdict.valid().ok_or("the checkpoint is not valid")?;

    let middle = head.size() / 2;
    let mut reader = ChainReader::new(domain, &TrustedHead::beginning()).under(&checkpoint)?;
    let watched = reader.places(move |entry| entry.seq() == middle)?;
    let (mut writer, mut part) = (Writer::new(domain, id), Vec::new());
    while writer.head.size() < head.size() {
        part.extend_from_slice(writer.next()?.to_json_line().as_bytes());
        if part.len() >= PART {
            // What is over waits for the next part, so that lines are cut at any place.
            let rest = part.split_off(PART);
            reader.push_lines(&part)?;
            part = rest;
        }
    }
    reader.push_lines(&part)?;
    let places = reader.finish()?.take(watched)?;
    Ok(places.first().map_or(u64::MAX, |located| located.entry().seq()))
}

/// The greatest resident size that the system saw, from its `VmHWM`.
fn peak_memory_kib() -> Fallible<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
