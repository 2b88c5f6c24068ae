//! Key pairs, signatures and verdicts.

use crate::mldsa::{ExpandedBytes, KeyBytes, MlDsa, Native, Peer, SEED, SignatureBytes, peers};
use crate::plain::{Record, fast_hex};
use crate::table::{Role, Row, Table};
use dualseal::batch::{SignatureItem, Threads, verify_signatures};
use dualseal::key::{CheckedRing, PreparedKeyCache, PreparedKeys, Unprepared};
use dualseal::secret::Secret;
use dualseal::{
    Domain, Head, IdentityId, KeyRing, RingKey, SignatureRecord, Signer, SigningKey, SystemRng, Timestamp, Verdict,
    VerdictKind, Verifier,
};
use dualseal_kernels::Level;
use dualseal_kernels::mldsa::{self as kernel, Claim, ExpandedKey};
use rayon::prelude::*;
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use std::hint::black_box;

/// What is signed: 128 bytes.
const CONTENT: [u8; 128] = [0x5a; 128];
/// Signing tries until a signature fits, five times on average: a round is as many signatures.
const SIGNATURES: u32 = 16;
/// Identities of the row that knows none of them, and records of a batch.
const MANY: usize = 1000;
/// Records of the batch that shows what a second thread is worth.
const RECORDS: usize = 10_000;

struct World {
    domain: Domain,
    id: IdentityId,
    key: SigningKey,
    peers: Vec<Box<dyn Peer>>,
}

pub fn measure(table: &mut Table) {
    table.group("Signatures");
    let key = SigningKey::from_seed(&SEED).expect("a seed");
    let expanded: ExpandedBytes = key.expand().to_bytes().expose().to_owned();
    let peers = peers(key.public_key().as_bytes(), &expanded);
    let domain = Domain::default();
    let world = World { id: domain.identity_id(b"bench", "bench", "").expect("an identity"), domain, key, peers };
    agree(&world);
    make(table, &world);
    verify(table, &world);
    from_bytes(table, &world);
    two_threads(table, &world);
    many(table, &world);
}

/// Before anything is measured: each takes the other's signatures, and none takes one with a changed bit.
fn agree(world: &World) {
    let key = world.key.public_key().as_bytes();
    let ours = MlDsa::new();
    for peer in &world.peers {
        let name = peer.name();
        let signed = [Some(peer.sign(&CONTENT)), peer.sign_from_seed(&SEED, &CONTENT)];
        for signature in signed.into_iter().flatten() {
            assert!(ours.verify_by(key, &CONTENT, &signature), "{name}: signature refused");
        }
        let mut signature = ours.sign(&CONTENT);
        assert!(peer.verify(&CONTENT, &signature) && peer.verify_by(key, &CONTENT, &signature), "{name}: refuses");
        signature[100] ^= 1;
        assert!(!peer.verify(&CONTENT, &signature) && !peer.verify_by(key, &CONTENT, &signature), "{name}: accepts");
    }
}

fn make(table: &mut Table, world: &World) {
    let World { domain, id, key, peers } = world;
    let mut row = Row::new("key pair").ours("dualseal", || SigningKey::generate(&mut SystemRng));
    for peer in peers {
        row = row.peer(peer.name(), || peer.generate());
    }
    table.row(row);

    let sign = |key: &SigningKey| {
        let signer = Signer::new(domain, id, key);
        let content = signer.content_hash(black_box(&CONTENT));
        signer.sign(&content, &Head::EMPTY, Timestamp::MIN, &mut SystemRng).expect("signed")
    };
    let mut row = Row::new("sign 128 B, key kept").rounds_of(SIGNATURES).ours("dualseal (a record)", || sign(key));
    for peer in peers {
        row = row.peer(peer.name(), || peer.sign(black_box(&CONTENT)));
    }
    table.row(row);

    let from_seed = || sign(&SigningKey::from_seed(black_box(&SEED)).expect("a seed"));
    let mut row =
        Row::new("sign 128 B, key from its seed").rounds_of(SIGNATURES).ours("dualseal (a record)", from_seed);
    // The others take no seeds.
    for peer in peers.iter().filter(|peer| peer.sign_from_seed(&SEED, &CONTENT).is_some()) {
        row = row.peer(peer.name(), || peer.sign_from_seed(black_box(&SEED), &CONTENT));
    }
    table.row(row);
}

fn record(world: &World, key: &SigningKey, id: &IdentityId) -> SignatureRecord {
    let signer = Signer::new(&world.domain, id, key);
    let content = signer.content_hash(&CONTENT);
    signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN).expect("signed").record
}

/// From the content at hand and a record in memory to the verdict.
fn is_valid(world: &World, ring: &KeyRing, keys: &dyn PreparedKeys, record: SignatureRecord) {
    let content = world.domain.content_hash(record.identity_id(), black_box(&CONTENT));
    let verdict = Verifier::new(&world.domain, ring, keys).verify(&content, record, None);
    assert_eq!(verdict.kind(), VerdictKind::Valid);
}

fn are_valid(verifier: &Verifier<'_>, items: Vec<SignatureItem<'_>>, threads: Threads) {
    drop(all_valid(verifier, items, threads));
}

/// The verdicts, which hold the records.
fn all_valid(
    verifier: &Verifier<'_>,
    items: Vec<SignatureItem<'_>>,
    threads: Threads,
) -> Vec<Verdict<SignatureRecord>> {
    let verdicts = verify_signatures(verifier, items, threads, &mut |_| ());
    assert!(verdicts.iter().all(|verdict| verdict.kind() == VerdictKind::Valid));
    verdicts
}

fn verify(table: &mut Table, world: &World) {
    let World { id, key, peers, .. } = world;
    let public = key.public_key().as_bytes();
    let ring = KeyRing::pinned(id, key.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let (record, raw) = (record(world, key, id), MlDsa::new());
    let signature = raw.sign(&CONTENT);

    let (native, mu) = (Native { key: *public, expanded: [0; 4032] }, mu(public, &CONTENT));
    for level in Level::all() {
        let expanded = ExpandedKey::expand(level, public);
        table.row(
            Row::new(format!("verify, key prepared, mu given ({})", level.name()))
                .ours("kernel", || assert!(kernel::verify(level, &expanded, black_box(&mu), &signature)))
                .peer("ml-dsa", || assert!(raw.verify_mu(black_box(&mu), &signature)))
                .peer("mldsa-native (liboqs 0.16)", || assert!(native.verify_mu(black_box(&mu), &signature))),
        );
        let claims = [Claim { key: &expanded, mu: &mu, signature: &signature }; 8];
        table.row(
            Row::new(format!("verify eight, keys prepared, mu given ({})", level.name()))
                .each("signature", claims.len())
                .ours("kernel, together", || {
                    let mut verdicts = [false; 8];
                    kernel::verify_batch(level, black_box(&claims), &mut verdicts);
                    assert_eq!(verdicts, [true; 8]);
                })
                .peer("mldsa-native (liboqs 0.16)", || {
                    assert!(claims.iter().all(|claim| native.verify_mu(black_box(claim.mu), claim.signature)));
                }),
        );
    }

    let ours = || is_valid(world, &ring, &cache, black_box(&record).clone());
    let mut row = Row::new("verify 128 B, key prepared").ours("dualseal (in memory to verdict)", ours);
    for peer in peers {
        row = row.peer(peer.name(), || assert!(peer.verify(black_box(&CONTENT), &signature)));
    }
    table.row(row);

    let ours = || is_valid(world, &ring, &Unprepared, black_box(&record).clone());
    let mut row = Row::new("verify 128 B, key decoded each time").ours("dualseal (in memory to verdict)", ours);
    for peer in peers {
        row = row.peer(peer.name(), || assert!(peer.verify_by(black_box(public), &CONTENT, &signature)));
    }
    table.row(row);
}

fn mu(key: &KeyBytes, message: &[u8]) -> [u8; 64] {
    let (mut tr, mut mu) = ([0; 64], [0; 64]);
    Shake256::default().chain(key).finalize_xof().read(&mut tr);
    Shake256::default().chain(tr).chain([0, 0]).chain(message).finalize_xof().read(&mut mu);
    mu
}

/// A peer over what `serde_json` reads, with the checks that a verdict asks for.
fn is_accepted(peer: &dyn Peer, key: &KeyBytes, json: &str) {
    let record = Record::read(json.as_bytes(), fast_hex).expect("a record");
    let statement = record.statement(&CONTENT, key).expect("of this content by this key");
    assert!(peer.verify(statement.as_bytes(), &record.signature));
}

fn from_bytes(table: &mut Table, world: &World) {
    let World { domain, id, key, peers } = world;
    let public = key.public_key().as_bytes();
    let ring = KeyRing::pinned(id, key.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let json = record(world, key, id).to_json();
    let read = |json: &str| SignatureRecord::from_json(black_box(json.as_bytes())).expect("a record");

    let mut row = Row::new("JSON bytes to verdict, one identity")
        .ours("dualseal", || is_valid(world, &ring, &cache, read(&json)));
    for peer in peers {
        row = row.peer(format!("serde_json, {}", peer.name()), || is_accepted(&**peer, public, black_box(&json)));
    }
    table.row(row);

    let verifier = Verifier::new(domain, &ring, &cache);
    let (held, statement) = (read(&json), Record::read(json.as_bytes(), fast_hex).expect("a record"));
    let message = statement.statement(&CONTENT, public).expect("of this content by this key");
    let in_memory = |threads| {
        let item = |_| SignatureItem { content: domain.content_hash(id, &CONTENT), record: held.clone(), place: None };
        are_valid(&verifier, (0..MANY).map(item).collect(), threads);
    };
    let mut row = Row::new("records in memory to verdicts in a batch, one identity, all cores")
        .each("record", MANY)
        .on_threads()
        .ours("dualseal", || in_memory(Threads::all()))
        .beside("dualseal, one core", || in_memory(Threads::calling()));
    for peer in peers {
        let (message, signature) = (message.as_bytes(), &statement.signature);
        row = row.peer(format!("{} over rayon", peer.name()), move || {
            (0..MANY).into_par_iter().for_each(|_| assert!(peer.verify(black_box(message), signature)));
        });
    }
    table.row(row);

    let texts = &vec![json; MANY];
    let batch = |threads| {
        let item = |json: &String| SignatureItem {
            content: domain.content_hash(id, &CONTENT),
            record: read(json),
            place: None,
        };
        are_valid(&verifier, texts.iter().map(item).collect(), threads);
    };
    let name = "JSON bytes to verdict in a batch, one identity";
    let mut row = Row::new(format!("{name}, one core")).each("record", MANY);
    row = row.ours("dualseal", || batch(Threads::calling()));
    for peer in peers {
        let each = |json: &String| is_accepted(&**peer, public, black_box(json));
        row = row.peer(format!("serde_json, {}", peer.name()), move || texts.iter().for_each(each));
    }
    table.row(row);

    let mut row = Row::new(format!("{name}, all cores")).each("record", MANY).on_threads();
    row = row.ours("dualseal", || batch(Threads::all()));
    row = row.beside("dualseal, one core", || batch(Threads::calling()));
    for peer in peers {
        let each = |json: &String| is_accepted(&**peer, public, black_box(json));
        row = row.peer(format!("serde_json, {}", peer.name()), move || texts.par_iter().for_each(each));
    }
    table.row(row);
}

/// What a second thread is worth: the same batch on one, in turn. Every record has memory of its own, as one that was
/// read; they are made beforehand.
fn two_threads(table: &mut Table, world: &World) {
    let World { domain, id, key, .. } = world;
    let name = "10,000 records in memory to verdicts in a batch, one identity";
    let ring = KeyRing::pinned(id, key.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let verifier = &Verifier::new(domain, &ring, &cache);
    let json = &record(world, key, id).to_json();
    let make = || {
        let item = |_| SignatureItem {
            content: domain.content_hash(id, &CONTENT),
            record: SignatureRecord::from_json(json.as_bytes()).expect("a record"),
            place: None,
        };
        (0..RECORDS).map(item).collect()
    };
    let on = |count| {
        let threads = Threads::new(count).expect("a number of threads");
        move |items| all_valid(verifier, items, threads)
    };
    table.row(
        Row::new(name)
            .each("record", RECORDS)
            .on_threads()
            .given(Role::Ours, "dualseal (two threads)", make, on(2))
            .given(Role::Peer, "dualseal, one thread", make, on(1)),
    );
}

/// Records of as many identities, none of whose keys was seen before.
fn many(table: &mut Table, world: &World) {
    let name = "verify 128 B, 1,000 identities, cold keys, one core";
    if !table.wants(name) {
        return;
    }
    let World { domain, peers, .. } = world;
    let authority = RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"));
    let mut ring = CheckedRing::new("example.org/bench", &authority).expect("an origin");
    let (mut head, mut items, mut raw) = (Head::EMPTY, Vec::new(), Vec::<(KeyBytes, SignatureBytes)>::new());
    for number in 0..MANY as u64 {
        let mut seed = SEED;
        seed[..8].copy_from_slice(&number.to_le_bytes());
        let key = SigningKey::from_seed(&seed).expect("a seed");
        let id = domain.identity_id(&number.to_be_bytes(), "bench", "").expect("an identity");
        head = ring.add(&id, key.public_key().clone(), &head, Timestamp::MIN).expect("a new key").head;
        items.push(record(world, &key, &id));
        let signature = MlDsa::new().sign_from_seed(&seed, &CONTENT).expect("it takes seeds");
        raw.push((*key.public_key().as_bytes(), signature));
    }
    let batch = || {
        let item = |record: &SignatureRecord| {
            let content = domain.content_hash(record.identity_id(), &CONTENT);
            SignatureItem { content, record: record.clone(), place: None }
        };
        let verifier = Verifier::new(domain, &ring, &Unprepared);
        are_valid(&verifier, items.iter().map(item).collect(), Threads::calling());
    };
    let mut row = Row::new(name).each("record", MANY).ours("dualseal (in memory to verdicts)", batch);
    for peer in peers {
        let raw = &raw;
        row = row.peer(peer.name(), move || {
            assert!(raw.iter().all(|(key, signature)| peer.verify_by(key, &CONTENT, signature)));
        });
    }
    table.row(row);
}
