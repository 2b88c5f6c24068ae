//! Whatever record and stored bytes are given, verifying, reporting and unsealing do not panic, and only the ones that
//! were sealed are Valid and come out. The input is a record (nothing for the good one), a line feed, and what replaces
//! a part of the stored bytes.
#![no_main]

use dualseal::key::Unprepared;
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::vault::{
    Destination, Encryption, LedgerHead, LedgerId, LocatedLedger, Operator, OperatorRecord, Provisional, Public,
    Standing, StoredHash, TierPolicy, Unsealer, VaultMaster, VaultRecord, VaultSealer, VaultVerifier,
};
use dualseal::{Domain, Error, Head, KeyRing, SigningKey, Timestamp, VerdictKind, Verified};
use dualseal_fuzz::checkpoint;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// Always the same values, each another one, so that a finding repeats.
struct Fixed(u8);

impl TryRng for Fixed {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(1)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(1)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0 += 1;
        bytes.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

/// What the secret of the document is drawn as.
const SECRET: [u8; 32] = [1; 32];

struct World {
    domain: Domain,
    master: VaultMaster,
    ring: KeyRing,
    located: LocatedLedger,
    stored: Vec<u8>,
    /// As it is kept, and as it leaves the store.
    records: [String; 2],
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let domain = Domain::default();
        let id = domain.identity_id(b"", "ana", "").expect("a name");
        let master = Secret::from_slice("master", &[9; 32]).expect("32 bytes");
        let master = VaultMaster::new(&domain, master).expect("a master");
        let key = SigningKey::from_seed(&[7; 32]).expect("a seed");
        let ledger = LedgerHead::new(&LedgerId::from_bytes([1; 32]));
        let to = Destination { ledger: &ledger, head: &Head::EMPTY, note: "\u{1b}[0m", time: Timestamp::MIN };
        let vault = VaultSealer::new(&master, &id, &key);
        let (sealed, stored) = vault.seal(b"document", "DEED", Encryption::Stream, &to, &mut Fixed(0)).expect("sealed");
        let ring = KeyRing::pinned(&id, key.public_key().clone());
        let checkpoint = checkpoint(&sealed.head, &id, &key);
        let reader = ChainReader::new(&domain, &TrustedHead::beginning());
        let mut reader = reader.under(&checkpoint).expect("from its beginning");
        let watched = reader.ledger(ledger.ledger(), Some(&master)).expect("from its beginning");
        reader.push(&sealed.entry).expect("its entry");
        let located = reader.finish().expect("a chain").take(watched).expect("no fork");
        let records = [sealed.record.to_stored_json().to_string(), sealed.record.to_json()];
        World { domain, master, ring, located, stored, records }
    })
}

fuzz_target!(|input: &[u8]| {
    let world = world();
    let split = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (text, change) = (&input[..split], input.get(split + 1..).unwrap_or_default());
    let text = if text.is_empty() { world.records[0].as_bytes() } else { text };
    let Ok(record) = VaultRecord::from_json(text) else { return };
    let stored = changed(&world.stored, change);
    let same = world.records.iter().any(|good| *good == *record.to_stored_json()) && stored == world.stored;

    let verifier = VaultVerifier::new(&world.domain, &world.ring, &Unprepared);
    let (hash, at) = (StoredHash::of(&world.domain, &stored), world.located.locate(&record));
    let public = Public { tiers: TierPolicy::any() };
    let (_, report) = verifier.verify_any_signer(record, &hash, &public, Standing::default());
    assert_eq!(report.verdict().kind() == VerdictKind::Valid, same);
    assert_eq!(report.to_string().lines().count(), 10);
    let _ = (report.to_json(), report.to_public_json());

    let operator = Operator { master: &world.master, tiers: TierPolicy::any() };
    let record = VaultRecord::from_json(text).expect("read before");
    let standing = Standing { place: at.as_ref(), after: None };
    let (_, report) = verifier.verify_any_signer(record, &hash, &operator, standing);
    assert_eq!(report.verdict().kind() == VerdictKind::Valid, same);
    if let Some(verified) = report.into_verdict().valid() {
        // Other bytes in the second pass than in the first.
        let later = changed(&world.stored, change.get(1..).unwrap_or_default());
        let mut out = Provisional::new();
        assert_eq!(unsealed(&verified, &later, change.len() + 1, &mut out).is_ok(), later == world.stored);
        assert!(b"document".starts_with(out.provisional_bytes()), "only what is authentic is ever written");
    }
});

/// From the place that the first byte says, as many bytes as the second says give way to the others.
fn changed(stored: &[u8], change: &[u8]) -> Vec<u8> {
    let mut stored = stored.to_vec();
    if let [place, cut, new @ ..] = change {
        let place = usize::from(*place).min(stored.len());
        let end = place.saturating_add(usize::from(*cut)).min(stored.len());
        stored.splice(place..end, new.iter().copied());
    }
    stored
}

fn unsealed(
    verified: &Verified<OperatorRecord>,
    stored: &[u8],
    part: usize,
    out: &mut Provisional,
) -> Result<(), Error> {
    let secret = Secret::<32>::from_slice("secret", &SECRET)?;
    let mut unsealer = Unsealer::new(verified, Some(&secret))?;
    for part in stored.chunks(part) {
        unsealer.update(part, out)?;
    }
    unsealer.finish(out).map(drop)
}
