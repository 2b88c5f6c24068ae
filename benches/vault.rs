//! Vault records: sealed, verified under both policies and unsealed, at a record's own cost and at 1 MiB, beside the
//! primitives that each needs, over bytes that lie ready: what the library adds is hexadecimal, copies and JSON.

mod bare_vault;

use bare_vault::{Bare, CHUNK};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::{PreparedKeyCache, Unprepared};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::vault::{
    Destination, Encryption, LedgerHead, LedgerId, Operator, Public, Sealed, Standing, StoredHash, TierPolicy,
    VaultMaster, VaultRecord, VaultSealer, VaultVerifier, unseal,
};
use dualseal::{Domain, Head, IdentityId, KeyRing, Located, SigningKey, SystemRng, Timestamp, VerdictKind};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SEED: [u8; 32] = [7; 32];
const SIZES: [usize; 2] = [64, 1 << 20];

/// A record and all that its checks take.
struct World {
    domain: Domain,
    id: IdentityId,
    master: VaultMaster,
    key: SigningKey,
    ledger: LedgerHead,
    keys: PreparedKeyCache,
}

/// What was sealed, kept as it would be.
struct Kept {
    json: String,
    stored: Vec<u8>,
    secret: Secret<32>,
    located: Located,
}

impl World {
    fn new() -> Self {
        let domain = Domain::default();
        let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
        let master = Secret::from_slice("master", &[9; 32]).expect("32 bytes");
        Self {
            master: VaultMaster::new(&domain, master).expect("a master"),
            key: SigningKey::from_seed(&SEED).expect("a seed"),
            ledger: LedgerHead::new(&LedgerId::from_bytes([3; 32])),
            keys: PreparedKeyCache::new(1 << 20),
            domain,
            id,
        }
    }

    fn seal(&self, payload: &[u8]) -> (Sealed, Vec<u8>) {
        let to = Destination { ledger: &self.ledger, head: &Head::EMPTY, note: "", time: Timestamp::MIN };
        let vault = VaultSealer::new(&self.master, &self.id, &self.key);
        vault.seal(payload, "BENCH", Encryption::Stream, &to, &mut SystemRng).expect("sealed")
    }

    fn keep(&self, payload: &[u8]) -> Kept {
        let (sealed, stored) = self.seal(payload);
        let log = SigningKey::from_seed(&[8; 32]).expect("a seed");
        let mark = HighWaterMark::first("bench", &sealed.head, None).expect("an origin");
        let signer = CheckpointSigner::new(&self.domain, "bench", &self.id, &log).expect("an origin");
        let signed = signer.sign(&mark, Timestamp::MIN, &mut SystemRng).expect("signed");
        let key_hash = *log.public_key().hash();
        let pins = Pins { origin: "bench".to_owned(), identity_id: self.id, key_hash, least_size: 1 };
        let checkpoint = CheckpointVerifier::new(&self.domain, &pins, None, &Unprepared).verify(signed);
        let checkpoint = checkpoint.valid().expect("just signed");
        let mut reader =
            ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint).expect("from seq 0");
        let watched = reader.ledger(self.ledger.ledger(), Some(&self.master)).expect("from seq 0");
        reader.push(&sealed.entry).expect("the only entry");
        let located = reader.finish().and_then(|mut proofs| proofs.take(watched)).expect("the chain");
        let located = located.locate(&sealed.record).expect("located");
        let secret = sealed.secret.expect("encrypted");
        let secret = Secret::from_slice("secret", secret.to_bytes().as_slice()).expect("32 bytes");
        Kept { json: sealed.record.to_stored_json().to_string(), stored, secret, located }
    }

    fn ring(&self) -> KeyRing {
        KeyRing::pinned(&self.id, self.key.public_key().clone())
    }
}

impl Kept {
    fn record(&self) -> VaultRecord {
        VaultRecord::from_json(self.json.as_bytes()).expect("a record")
    }
}

/// One operation and the primitives that it needs.
type Pair<'a> = (&'static str, Box<dyn FnMut() + 'a>, Box<dyn FnMut() + 'a>);

/// Hands every pair to `each`.
fn with_pairs(payload: &[u8], mut each: impl FnMut(Pair<'_>)) {
    let world = World::new();
    let (kept, ring) = (world.keep(payload), world.ring());
    let verifier = VaultVerifier::new(&world.domain, &ring, &world.keys);
    let (public, operator) =
        (Public { tiers: TierPolicy::any() }, Operator { master: &world.master, tiers: TierPolicy::any() });
    let standing = Standing { place: Some(&kept.located), after: None };
    let hash = || StoredHash::of(&world.domain, black_box(&kept.stored));
    let verified =
        verifier.verify(kept.record(), &hash(), &world.id, &operator, standing).into_verdict().valid().expect("valid");
    let seal = kept.record().seal().to_string();
    let bare = || Bare::new(&SEED, &kept.json, &kept.stored, &seal, payload);

    let mut b = bare();
    each(("seal", Box::new(|| drop(black_box(world.seal(black_box(payload))))), Box::new(move || b.seal())));
    let b = bare();
    let verify_public = || {
        let report = verifier.verify(kept.record(), &hash(), &world.id, &public, Standing::default());
        assert_eq!(report.verdict().kind(), VerdictKind::Valid);
    };
    each(("verify, public", Box::new(verify_public), Box::new(move || b.verify_public())));
    let b = bare();
    let verify_operator = || {
        let report = verifier.verify(kept.record(), &hash(), &world.id, &operator, standing);
        assert_eq!(report.verdict().kind(), VerdictKind::Valid);
    };
    each(("verify, operator", Box::new(verify_operator), Box::new(move || b.verify_operator())));
    let mut b = bare();
    let open = || drop(black_box(unseal(&verified, Some(&kept.secret), black_box(&kept.stored)).expect("opened")));
    each(("unseal", Box::new(open), Box::new(move || b.unseal())));
}

fn vault(c: &mut Criterion) {
    for size in SIZES {
        let payload = vec![0x5a; size];
        with_pairs(&payload, |(name, mut ours, mut bare)| {
            let mut group = c.benchmark_group(format!("vault {name}"));
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new("dualseal", size), |b| b.iter(&mut ours));
            group.bench_function(BenchmarkId::new("primitives", size), |b| b.iter(&mut bare));
            group.finish();
        });
    }
}

/// What the library adds, both sides measured in turn, so that a busy machine slows both.
fn overhead() {
    println!("\nmedians of rounds, measured in turn             dualseal   primitives   added");
    for size in SIZES {
        // Signing takes as many attempts as it takes: where it is all there is, that asks for more rounds.
        let rounds = if size < CHUNK { 1001 } else { 101 };
        let payload = vec![0x5a; size];
        with_pairs(&payload, |(name, mut ours, mut bare)| {
            let (mut our_times, mut bare_times) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                our_times.push(timed(&mut ours));
                bare_times.push(timed(&mut bare));
            }
            let (ours, bare) = (median(our_times), median(bare_times));
            let added = (ours.as_secs_f64() / bare.as_secs_f64() - 1.0) * 100.0;
            println!("{name:<18} {size:>9} bytes {ours:>18.1?} {bare:>12.1?} {added:>6.1} %");
        });
    }
}

fn timed(work: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

criterion_group!(benches, vault);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    // `--test` runs everything once, without measuring.
    if !std::env::args().any(|word| word == "--test") {
        overhead();
    }
}
