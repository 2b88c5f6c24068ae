//! Vault records of 1 MiB, encrypted, sealed and verified by anybody.

use crate::bare_vault::Bare;
use crate::mldsa::SEED;
use crate::table::{Row, Table};
use dualseal::key::PreparedKeyCache;
use dualseal::secret::Secret;
use dualseal::vault::{
    Destination, Encryption, LedgerHead, LedgerId, Public, Standing, StoredHash, TierPolicy, VaultMaster, VaultRecord,
    VaultSealer, VaultVerifier,
};
use dualseal::{Domain, Head, KeyRing, SigningKey, SystemRng, Timestamp, VerdictKind};
use std::hint::black_box;

pub fn measure(table: &mut Table) {
    table.group("Vault");
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let master = Secret::from_slice("master", &[9; 32]).expect("32 bytes");
    let master = VaultMaster::new(&domain, master).expect("a master");
    let ledger = LedgerHead::new(&LedgerId::from_bytes([3; 32]));
    let ring = KeyRing::pinned(&id, key.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let verifier = VaultVerifier::new(&domain, &ring, &cache);

    let payload = vec![0x5a; 1 << 20];
    let seal = || {
        let to = Destination { ledger: &ledger, head: &Head::EMPTY, note: "", time: Timestamp::MIN };
        let vault = VaultSealer::new(&master, &id, &key);
        vault.seal(black_box(&payload), "BENCH", Encryption::Stream, &to, &mut SystemRng).expect("sealed")
    };
    let (sealed, stored) = seal();
    let (json, text) = (sealed.record.to_stored_json().to_string(), sealed.record.seal().to_string());
    let mut bare = Bare::new(&SEED, &json, &stored, &text, &payload);
    table.row(
        Row::new("vault record of 1 MiB sealed").ours("dualseal", seal).peer("its primitives alone", || bare.seal()),
    );
    let bare = Bare::new(&SEED, &json, &stored, &text, &payload);
    table.row(
        Row::new("vault record of 1 MiB verified")
            .ours("dualseal (from JSON)", || {
                let record = VaultRecord::from_json(black_box(json.as_bytes())).expect("a record");
                let hash = StoredHash::of(&domain, black_box(&stored));
                let policy = Public { tiers: TierPolicy::any() };
                let report = verifier.verify(record, &hash, &id, &policy, Standing::default());
                assert_eq!(report.verdict().kind(), VerdictKind::Valid);
            })
            .peer("its primitives alone", || bare.verify_public()),
    );
}
