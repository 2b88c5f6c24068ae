//! What this library reads, checks and hashes, written plainly over `serde_json`, `faster-hex`, `sha3` and `sha2`: as
//! many checks, and nothing that is not needed.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use sha3::{Sha3_256, Sha3_512};

/// Reads lowercase hexadecimal of exactly the length asked for.
pub type Hex = fn(&str, &mut [u8]) -> bool;

pub fn fast_hex(text: &str, bytes: &mut [u8]) -> bool {
    // Without a branch for each byte, which the compiler then vectorises.
    let upper = text.bytes().fold(false, |found, byte| found | byte.is_ascii_uppercase());
    text.len() == bytes.len() * 2 && !upper && faster_hex::hex_decode(text.as_bytes(), bytes).is_ok()
}

pub fn constant_time_hex(text: &str, bytes: &mut [u8]) -> bool {
    base16ct::lower::decode(text, bytes).is_ok_and(|read| read.len() * 2 == text.len())
}

fn hex<const N: usize>(decode: Hex, text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    decode(text, &mut bytes).then_some(bytes)
}

/// Whether a text is a time of the wire: `2026-11-21T09:00:00.000Z`, a day that there is.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00.000Z";
    let fits = |(byte, form): (u8, &u8)| if form.is_ascii_digit() { byte.is_ascii_digit() } else { byte == *form };
    if text.len() != form.len() || !text.bytes().zip(form).all(fits) {
        return false;
    }
    let number =
        |range: std::ops::Range<usize>| text.as_bytes()[range].iter().fold(0, |n, b| n * 10 + u32::from(b - 48));
    let (year, month) = (number(0..4), number(5..7));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&number(8..10)) && number(11..13) < 24 && number(14..16) < 60 && number(17..19) < 60
}

/// A signature record. Duplicate members are refused by what serde derives.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordText<'a> {
    algoritam: &'a str,
    identity_id: &'a str,
    javni_kljuc: &'a str,
    krunica_hash: &'a str,
    potpis: &'a str,
    quantum_ready: bool,
    sadrzaj_hash: &'a str,
    timestamp: &'a str,
    verzija: &'a str,
}

pub struct Record {
    pub identity_id: [u8; 32],
    pub key: [u8; 1952],
    pub krunica_hash: [u8; 32],
    pub signature: [u8; 3309],
    pub content_hash: [u8; 32],
    pub time: String,
}

impl Record {
    pub fn read(json: &[u8], decode: Hex) -> Option<Self> {
        let text: RecordText<'_> = serde_json::from_slice(json).ok()?;
        let constants = text.algoritam == "ML-DSA-65" && text.quantum_ready && text.verzija == "1";
        (constants && is_time(text.timestamp)).then_some(())?;
        Some(Self {
            identity_id: hex(decode, text.identity_id)?,
            key: hex(decode, text.javni_kljuc)?,
            krunica_hash: hex(decode, text.krunica_hash)?,
            signature: hex(decode, text.potpis)?,
            content_hash: hex(decode, text.sadrzaj_hash)?,
            time: text.timestamp.to_owned(),
        })
    }

    /// What the signature is over, where the record is of this content by this key.
    pub fn statement(&self, content: &[u8], key: &[u8; 1952]) -> Option<String> {
        let id = hex::encode(self.identity_id);
        let hash = Sha3_256::new()
            .chain_update("DUALSEAL-SIGN::CONTENT::")
            .chain_update(&id)
            .chain_update("::DUALSEAL")
            .chain_update(content);
        (self.key == *key && self.content_hash[..] == hash.finalize()[..]).then(|| {
            let (content, krunica, time) = (hex::encode(self.content_hash), hex::encode(self.krunica_hash), &self.time);
            format!("DUALSEAL-SIGN::STATEMENT::ML-DSA-65::1::{id}::{content}::{krunica}::{time}::DUALSEAL")
        })
    }
}

/// The parts of a general identifier's input.
pub fn identifier_parts<'a>(content: &'a [u8], creator: &'a str, context: &'a str) -> [&'a [u8]; 7] {
    let (between, suffix) = (b"::".as_slice(), b"::DUALSEAL".as_slice());
    [b"DUALSEAL-ID::", content, between, creator.as_bytes(), between, context.as_bytes(), suffix]
}

/// An entry as a program has it in memory.
pub struct Entry {
    pub w3: [u8; 32],
    pub message: String,
    pub prev: [u8; 64],
    pub h: [u8; 64],
    pub t: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    h: &'a str,
    poruka: String,
    prev: &'a str,
    t: &'a str,
    w3: &'a str,
}

impl Entry {
    pub fn of(entry: &dualseal::Entry) -> Self {
        Self {
            w3: *entry.identity_id().as_bytes(),
            message: entry.message().to_owned(),
            prev: *entry.prev().as_bytes(),
            h: *entry.hash().as_bytes(),
            t: entry.time().to_string(),
        }
    }

    pub fn read(line: &[u8], decode: Hex) -> Option<Self> {
        let line: Line<'_> = serde_json::from_slice(line).ok()?;
        is_time(line.t).then_some(())?;
        Some(Self {
            w3: hex(decode, line.w3)?,
            message: line.poruka,
            prev: hex(decode, line.prev)?,
            h: hex(decode, line.h)?,
            t: line.t.to_owned(),
        })
    }
}

/// A chain as far as it was checked: links, hashes, and the tree of RFC 9162 over the leaves.
pub struct Chain {
    size: u64,
    top: [u8; 64],
    subtrees: Vec<[u8; 32]>,
}

impl Chain {
    pub fn new() -> Self {
        Self { size: 0, top: [0; 64], subtrees: Vec::new() }
    }

    pub fn push(&mut self, entry: &Entry) -> bool {
        let (mut w3, mut long) = ([0; 64], [0; 128]);
        let seq = self.size.to_string();
        let own = Sha3_512::new()
            .chain_update(digits(&entry.w3, &mut w3))
            .chain_update("|")
            .chain_update(&entry.message)
            .chain_update("|")
            .chain_update(digits(&entry.prev, &mut long))
            .chain_update("|")
            .chain_update(&seq)
            .finalize();
        if own[..] != entry.h[..] || entry.prev != self.top {
            return false;
        }
        let leaf = Sha256::new_with_prefix(b"\0{\"h\":\"")
            .chain_update(digits(&entry.h, &mut long))
            .chain_update("\",\"seq\":")
            .chain_update(&seq)
            .chain_update(",\"t\":\"")
            .chain_update(&entry.t)
            .chain_update("\"}");
        let mut node: [u8; 32] = leaf.finalize().into();
        for _ in 0..self.size.trailing_ones() {
            let left = self.subtrees.pop().expect("a subtree for each bit");
            node = Sha256::new_with_prefix([1]).chain_update(left).chain_update(node).finalize().into();
        }
        self.subtrees.push(node);
        (self.size, self.top) = (self.size + 1, entry.h);
        true
    }

    /// The roots of the full subtrees, left to right.
    pub fn subtrees(&self) -> &[[u8; 32]] {
        &self.subtrees
    }
}

fn digits<'a>(bytes: &[u8], text: &'a mut [u8]) -> &'a [u8] {
    faster_hex::hex_encode(bytes, text).expect("room").as_bytes()
}
