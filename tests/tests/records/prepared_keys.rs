//! Where verifiers get prepared keys from changes nothing but the time that it takes: budgets, which key is let go, a
//! source that lies, and threads.

use dualseal::key::{PreparedKeyCache, PreparedKeySet, PreparedKeys, Unprepared};
use dualseal::mldsa::PreparedKey;
use dualseal::{Domain, KeyRing, PublicKey, SignatureRecord, VerdictKind, Verifier};
use dualseal_tests::{identity, key, record};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Any 1952 bytes can be prepared.
fn public(number: u8) -> PublicKey {
    PublicKey::from_slice(&[number; 1952]).unwrap()
}

fn is_cached(cache: &PreparedKeyCache, key: &PublicKey, was: &Arc<PreparedKey>) -> bool {
    Arc::ptr_eq(&cache.prepared(key), was)
}

/// Always the same key, whichever was asked for.
struct Liar(Arc<PreparedKey>, AtomicUsize);

impl PreparedKeys for Liar {
    fn prepared(&self, _: &PublicKey) -> Arc<PreparedKey> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Arc::clone(&self.0)
    }
}

fn verdict(record: &SignatureRecord, ring: &KeyRing, keys: &dyn PreparedKeys) -> VerdictKind {
    let domain = Domain::default();
    let content = domain.content_hash(record.identity_id(), b"content");
    Verifier::new(&domain, ring, keys).verify(&content, record.clone(), None).kind()
}

#[test]
fn a_cache_keeps_within_its_budget() {
    for (budget, most) in
        [(0, 0), (PreparedKey::BYTES - 1, 0), (PreparedKey::BYTES, 1), (PreparedKey::BYTES * 3 + 17, 3)]
    {
        let cache = PreparedKeyCache::new(budget);
        assert!(cache.is_empty());
        for number in 0..8u8 {
            assert_eq!(cache.prepared(&public(number)).hash(), public(number).hash());
            assert_eq!(cache.len(), most.min(usize::from(number) + 1), "{budget}");
        }
        // Asked again for what it has, it does not grow.
        cache.prepared(&public(7));
        assert_eq!(cache.len(), most);
    }
}

#[test]
fn a_cache_lets_the_least_recently_used_go() {
    let cache = PreparedKeyCache::new(PreparedKey::BYTES * 3);
    let keys = [1, 2, 3, 4, 5].map(public);
    let first = [0, 1, 2].map(|number| cache.prepared(&keys[number]));
    let kept = |number: usize| is_cached(&cache, &keys[number], &first[number]);
    // Used again, in another order: the second is now the oldest, then the first.
    assert!(kept(0) && kept(2));
    let fourth = cache.prepared(&keys[3]);
    assert!(kept(0) && kept(2) && is_cached(&cache, &keys[3], &fourth));
    assert!(kept(2) && kept(0));
    // Now the fourth is the oldest.
    let fifth = cache.prepared(&keys[4]);
    assert!(kept(2) && kept(0) && is_cached(&cache, &keys[4], &fifth));
    assert!(!kept(1), "it was let go, so it was prepared anew");
    assert_eq!(cache.len(), 3);
}

#[test]
fn a_set_holds_what_it_was_given() {
    let mut set = PreparedKeySet::new();
    assert!(set.is_empty());
    set.insert(&public(1));
    set.insert(&public(1));
    set.insert(&public(2));
    assert_eq!(set.len(), 2);
    let held = set.prepared(&public(1));
    assert!(Arc::ptr_eq(&set.prepared(&public(1)), &held));
    assert_eq!(set.prepared(&public(3)).hash(), public(3).hash());
    assert_eq!(set.len(), 2, "asking does not fill it");
    set.remove(&public(1));
    assert_eq!((set.len(), set.prepared(&public(1)).hash()), (1, public(1).hash()));
    assert!(!Arc::ptr_eq(&set.prepared(&public(1)), &held));
}

#[test]
fn every_source_gives_the_same_verdict() {
    let ana = identity("ana");
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let records = [
        (record(&ana, &key(1), b"content"), VerdictKind::Valid),
        (record(&ana, &key(1), b"other"), VerdictKind::Invalid),
        (record(&ana, &key(2), b"content"), VerdictKind::Invalid),
        (record(&identity("ivan"), &key(1), b"content"), VerdictKind::Invalid),
    ];
    let (cache, mut set) = (PreparedKeyCache::new(1 << 20), PreparedKeySet::new());
    set.insert(key(1).public_key());
    let sources: [&dyn PreparedKeys; 4] = [&Unprepared, &PreparedKeySet::new(), &set, &cache];
    for keys in sources {
        for (record, expected) in &records {
            assert_eq!(verdict(record, &ring, keys), *expected);
            assert_eq!(verdict(record, &ring, keys), *expected);
        }
    }
    // The ring's key and the dummy for unknown identities; never a key that a record brought along.
    assert_eq!(cache.len(), 2);
}

/// A record that says key 1 and is signed with key 2, and a source that gives key 2 for key 1: the forger's dream.
#[test]
fn a_source_that_lies_is_not_trusted() {
    let ana = identity("ana");
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let honest = record(&ana, &key(1), b"content");
    let forged = record(&ana, &key(2), b"content").to_json();
    let forged = dualseal_tests::with_member(&forged, "javni_kljuc", key(1).public_key().to_hex().into());
    let forged = SignatureRecord::from_json(forged.as_bytes()).unwrap();
    let liar = Liar(Arc::new(key(2).public_key().prepare()), AtomicUsize::new(0));
    assert_eq!(verdict(&honest, &ring, &liar), VerdictKind::Valid);
    assert_eq!(verdict(&forged, &ring, &liar), VerdictKind::Invalid);
    assert_eq!(liar.1.load(Ordering::Relaxed), 2, "it was asked");
}

#[test]
fn threads_share_a_cache() {
    let names = ["ana", "ivan", "eva", "maja"];
    let cases: Vec<_> = (1..)
        .zip(names)
        .map(|(number, name)| {
            let id = identity(name);
            (record(&id, &key(number), b"content"), KeyRing::pinned(&id, key(number).public_key().clone()))
        })
        .collect();
    // Room for two of four keys, so that they push each other out all the time.
    let cache = PreparedKeyCache::new(PreparedKey::BYTES * 2);
    std::thread::scope(|scope| {
        for offset in 0..4 {
            let (cases, cache) = (&cases, &cache);
            scope.spawn(move || {
                for round in 0..200 {
                    let (record, ring) = &cases[(offset * 3 + round * 5) % 4];
                    assert_eq!(verdict(record, ring, cache), VerdictKind::Valid);
                    assert!(cache.len() <= 2);
                    let (_, other) = &cases[(offset * 3 + round * 5 + 1) % 4];
                    assert_eq!(verdict(record, other, cache), VerdictKind::Invalid);
                }
            });
        }
    });
    assert_eq!(cache.len(), 2);
}
