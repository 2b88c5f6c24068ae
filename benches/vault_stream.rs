//! A document of 1 GiB through the vault: sealed, verified and unsealed as a stream, with the time of each and the most
//! memory that the program ever took, which is bounded. With `--test`, 16 MiB.

use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::{KeyRing, PreparedKeyCache, Unprepared};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::vault::{
    Destination, Encryption, LedgerHead, LedgerId, Operator, Standing, StoredHash, TierPolicy, VaultMaster,
    VaultSealer, VaultVerifier, unseal_to,
};
use dualseal::{Domain, Head, SigningKey, SystemRng, Timestamp};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

/// The library, its buffers and the runtime; a document in memory would be many times that.
const MOST_MEMORY_KIB: u64 = 16 << 10;

/// A document that nobody has to store: it ends after so many bytes.
struct Document(u64);

impl Read for Document {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(usize::try_from(self.0).unwrap_or(usize::MAX));
        buffer[..count].fill(0x5a);
        self.0 -= count as u64;
        Ok(count)
    }
}

/// Compares what comes with the document.
struct Compare(u64);

impl Write for Compare {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(bytes.iter().all(|byte| *byte == 0x5a), "another document came out");
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size: u64 = if std::env::args().any(|word| word == "--test") { 16 << 20 } else { 1 << 30 };
    let domain = Domain::default();
    let id = domain.identity_id(b"bench", "bench", "")?;
    let (master, key) = (VaultMaster::generate(&domain, &mut SystemRng)?, SigningKey::generate(&mut SystemRng)?);
    let ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng)?);
    // On a disk: the system's folder for such files may be in memory.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vault-stream");

    let start = Instant::now();
    let to = Destination { ledger: &ledger, head: &Head::EMPTY, note: "", time: Timestamp::MIN };
    let mut stored = BufWriter::new(File::create(&path)?);
    let vault = VaultSealer::new(&master, &id, &key);
    let mut document = Document(size);
    let sealed = vault.seal_from("BENCH", Encryption::Stream, &to, &mut SystemRng, &mut document, &mut stored)?;
    stored.flush()?;
    told("seal", size, start);

    let mark = HighWaterMark::first("bench", &sealed.head, None)?;
    let signer = CheckpointSigner::new(&domain, "bench", &id, &key)?;
    let key_hash = *key.public_key().hash();
    let pins = Pins { origin: "bench".to_owned(), identity_id: id, key_hash, least_size: 1 };
    let checkpoint = signer.sign(&mark, Timestamp::MIN, &mut SystemRng)?;
    let checkpoint = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint);
    let checkpoint = checkpoint.valid().ok_or("just signed")?;
    let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).under(&checkpoint)?;
    let watched = reader.ledger(ledger.ledger(), Some(&master))?;
    reader.push(&sealed.entry)?;
    let located = reader.finish()?.take(watched)?.locate(&sealed.record);

    let start = Instant::now();
    let (ring, keys) = (KeyRing::pinned(&id, key.public_key().clone()), PreparedKeyCache::new(1 << 20));
    let hash = StoredHash::read(&domain, &mut File::open(&path)?)?;
    let policy = Operator { master: &master, tiers: TierPolicy::any() };
    let standing = Standing { place: located.as_ref(), after: Some(&ledger) };
    let report = VaultVerifier::new(&domain, &ring, &keys).verify(sealed.record, &hash, &id, &policy, standing);
    let told_as = report.to_string();
    let verified = report.into_verdict().valid().ok_or(told_as)?;
    told("verify", size, start);

    let start = Instant::now();
    let mut compared = Compare(0);
    let secret = sealed.secret.as_ref().map(|secret| secret as _);
    let unsealed = unseal_to(&verified, secret, &mut File::open(&path)?, &mut compared)?;
    told("unseal", size, start);
    std::fs::remove_file(&path)?;
    assert!(compared.0 == size && unsealed.length() > size);

    // Linux keeps the peak of the resident memory.
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let peak: u64 = peak.ok_or("no peak in /proc/self/status")?.parse()?;
    println!("peak memory {peak} KiB");
    if peak > MOST_MEMORY_KIB { Err(format!("more than {MOST_MEMORY_KIB} KiB").into()) } else { Ok(()) }
}

fn told(what: &str, size: u64, start: Instant) {
    let took = start.elapsed();
    #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = size as f64 / f64::from(1 << 20) / took.as_secs_f64();
    println!("{what:<8} {} MiB in {took:.1?}, {rate:.0} MiB/s", size >> 20);
}
