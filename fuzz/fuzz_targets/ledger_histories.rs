//! Histories of a ledger: documents are sealed, some are erased, others write to the chain between. The whole ledger
//! holds, each record with its own bytes; with a record that is missing, there twice, moved, changed by a byte or
//! beside another's bytes it does not, and what was erased is said of that record alone.
#![no_main]

use dualseal::key::{CheckedRing, Unprepared};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::vault::{
    Destination, Encryption, Erasable, ErasedSplits, Erasure, LedgerCheck, LedgerHead, LedgerId, LedgerSummary,
    LocatedLedger, Operator, OperatorRecord, Sealed, Standing, StoredHash, TierPolicy, VaultMaster, VaultRecord,
    VaultSealer, VaultVerifier,
};
use dualseal::{Domain, Entry, Error, Head, IdentityId, RingKey, Timestamp, Verified};
use dualseal_fuzz::{ORIGIN, Repeatable, checkpoint, identity, key};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const MOST: usize = 5;

struct Kept {
    json: String,
    stored: Vec<u8>,
    is_encrypted: bool,
}

struct History {
    domain: Domain,
    id: IdentityId,
    ring: CheckedRing,
    head: Head,
    entries: Vec<Entry>,
    ledger: LedgerHead,
    kept: Vec<Kept>,
    /// By the place of the record that says so, which one it is.
    erased: BTreeMap<usize, usize>,
    rng: Repeatable,
}

fn master() -> &'static VaultMaster {
    static MASTER: OnceLock<VaultMaster> = OnceLock::new();
    let secret = || Secret::from_slice("master", &[9; 32]).expect("32 bytes");
    MASTER.get_or_init(|| VaultMaster::new(&Domain::default(), secret()).expect("a master"))
}

fn operator() -> Operator<'static> {
    Operator { master: master(), tiers: TierPolicy::any() }
}

fn read(json: &str) -> Result<VaultRecord, Error> {
    VaultRecord::from_json(json.as_bytes())
}

impl History {
    fn new() -> Self {
        let (domain, id) = (Domain::default(), identity("ana"));
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"));
        let mut ring = CheckedRing::new(ORIGIN, &authority).expect("an origin");
        let first = ring.add(&id, key(1).public_key().clone(), &Head::EMPTY, Timestamp::MIN).expect("an empty ring");
        let (ledger, entries) = (LedgerHead::new(&LedgerId::from_bytes([1; 32])), vec![first.entry]);
        let (kept, erased) = (Vec::new(), BTreeMap::new());
        Self { domain, id, ring, head: first.head, entries, ledger, kept, erased, rng: Repeatable(1) }
    }

    /// The next thing that happens.
    fn act(&mut self, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        let what = drawn.int_in_range(0..=3)?;
        if what == 3 {
            let appended = self.head.append(&self.domain, &self.id, "said", Timestamp::MIN).expect("free text");
            self.ring.follow(&appended.entry, |_| false).expect("no change of the ring");
            self.head = appended.head;
            self.entries.push(appended.entry);
            return Ok(());
        }
        let vault = VaultSealer::new(master(), &self.id, key(1));
        let to = Destination { ledger: &self.ledger, head: &self.head, note: "", time: Timestamp::MIN };
        if what < 2 {
            let (is_encrypted, length) = (drawn.arbitrary()?, drawn.int_in_range(0..=9)?);
            let encryption = if is_encrypted { Encryption::Stream } else { Encryption::None };
            let document = &b"document.."[..length];
            let sealed = vault.seal(document, "DEED", encryption, &to, &mut self.rng);
            let (sealed, stored) = sealed.expect("a fit key");
            self.keep(sealed, stored, is_encrypted);
        } else if let Some(last) = self.kept.len().checked_sub(1) {
            let which = drawn.int_in_range(0..=last)?;
            let verified = self.verified(which);
            let erased = vault.erase(&Erasable::from(&verified), ErasedSplits::NoChain(&[]), &to, &mut self.rng);
            assert_eq!(erased.is_ok(), self.kept[which].is_encrypted);
            if let Ok(erasure) = erased {
                self.keep(erasure.sealed, erasure.stored, false);
                self.erased.insert(self.kept.len() - 1, which);
            }
        }
        Ok(())
    }

    fn keep(&mut self, sealed: Sealed, stored: Vec<u8>, is_encrypted: bool) {
        self.kept.push(Kept { json: sealed.record.to_stored_json().to_string(), stored, is_encrypted });
        self.ring.add_decoy(&sealed.decoy, &sealed.entry).expect("a new key");
        (self.head, self.ledger) = (sealed.head, sealed.ledger);
        self.entries.push(sealed.entry);
    }

    fn located(&self) -> LocatedLedger {
        let checkpoint = checkpoint(&self.head, &identity("log"), key(0));
        let mut reader =
            ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint).expect("from its beginning");
        let watched = reader.ledger(self.ledger.ledger(), Some(master())).expect("from its beginning");
        self.entries.iter().try_for_each(|entry| reader.push(entry)).expect("the chain");
        reader.finish().expect("the checkpoint's").take(watched).expect("no fork")
    }

    fn verified(&self, which: usize) -> Verified<OperatorRecord> {
        let record = read(&self.kept[which].json).expect("a record");
        let (place, stored) = (self.located().locate(&record), StoredHash::of(&self.domain, &self.kept[which].stored));
        let verifier = VaultVerifier::new(&self.domain, &self.ring, &Unprepared);
        let standing = Standing { place: place.as_ref(), after: None };
        let report = verifier.verify(record, &stored, &self.id, &operator(), standing);
        report.into_verdict().valid().expect("a record as it was kept")
    }

    /// Each record beside what is stored.
    fn whole(&self, records: &[(String, Vec<u8>)], located: &LocatedLedger) -> Result<LedgerSummary, Error> {
        let verifier = VaultVerifier::new(&self.domain, &self.ring, &Unprepared);
        let policy = operator();
        let mut check = LedgerCheck::new(&verifier, self.ledger.ledger(), &policy, Some(located));
        for (json, stored) in records {
            let _ = check.push(read(json)?, &StoredHash::of(&self.domain, stored))?;
        }
        check.finish()
    }

    fn check(&self, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        let good: Vec<_> = self.kept.iter().map(|kept| (kept.json.clone(), kept.stored.clone())).collect();
        let located = self.located();
        let summary = self.whole(&good, &located).expect("it holds");
        assert_eq!((summary.valid, summary.head), (good.len() as u64, self.ledger));
        for (says, erased) in &self.erased {
            let (verified, stored) = (self.verified(*says), &self.kept[*says].stored);
            let place = located.locate(&read(&self.kept[*says].json).expect("a record")).expect("it stands there");
            let erasure = Erasure::read(&verified, &place, stored).expect("an erasure");
            for (number, kept) in self.kept.iter().enumerate() {
                assert_eq!(erasure.covers(&read(&kept.json).expect("a record")), number == *erased);
            }
        }
        let Some(last) = good.len().checked_sub(1) else { return Ok(()) };
        let (one, other) = (drawn.int_in_range(0..=last)?, drawn.int_in_range(0..=last)?);
        let mut bad = good.clone();
        match drawn.int_in_range(0..=5)? {
            0 => drop(bad.remove(one)),
            1 => bad.insert(other, good[one].clone()),
            2 => bad.swap(one, other),
            3 => bad[one].1 = good[other].1.clone(),
            4 => bad[one].0 = good[other].0.clone(),
            _ => change(&mut bad[one], drawn)?,
        }
        // Records with the same bytes beside them may be exchanged for themselves alone.
        if bad != good {
            let found = self.whole(&bad, &located);
            assert!(found.is_err() || self.is_same(&bad, &good), "another ledger holds");
        }
        Ok(())
    }

    /// Whether what is read is the same: JSON has more texts than one for a value that is not canonical.
    fn is_same(&self, bad: &[(String, Vec<u8>)], good: &[(String, Vec<u8>)]) -> bool {
        let plain = |records: &[(String, Vec<u8>)]| -> Vec<_> {
            let one = |(json, stored): &(String, Vec<u8>)| {
                (read(json).map(|record| record.to_stored_json().to_string()).ok(), stored.clone())
            };
            records.iter().map(one).collect()
        };
        plain(bad) == plain(good)
    }
}

/// A byte of a record's text or of what is stored.
fn change(kept: &mut (String, Vec<u8>), drawn: &mut Unstructured<'_>) -> Drawn<()> {
    if drawn.arbitrary()? {
        let at = drawn.choose_index(kept.0.len())?;
        let digit = *drawn.choose(&["0", "7", "f", "\"", "}"])?;
        if kept.0.is_char_boundary(at) && kept.0.is_char_boundary(at + 1) {
            kept.0.replace_range(at..=at, digit);
        }
    } else if !kept.1.is_empty() {
        let at = drawn.choose_index(kept.1.len())?;
        kept.1[at] ^= 1 << drawn.int_in_range(0..=7)?;
    }
    Ok(())
}

fuzz_target!(|input: &[u8]| {
    let (mut drawn, mut history) = (Unstructured::new(input), History::new());
    while !drawn.is_empty() && history.kept.len() < MOST && history.entries.len() < 2 * MOST {
        if history.act(&mut drawn).is_err() {
            break;
        }
    }
    let _ = history.check(&mut drawn);
});
