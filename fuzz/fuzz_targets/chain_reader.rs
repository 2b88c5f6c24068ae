//! The reader of a chain over whatever somebody wrote into it: cut anywhere, with one byte changed or none, it says
//! what the plain check says, its watchers stop nothing, and nothing is proven after a fault.
#![no_main]

use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::id::{SessionId, VaultId};
use dualseal::key::{RingFile, Unprepared};
use dualseal::krunica::{Checker, JsonLines};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::vault::LedgerId;
use dualseal::{
    CheckedRing, Domain, Error, Head, IdentityId, Krunica, RingKey, SigningKey, SystemRng, Timestamp, Verified,
};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

const ORIGIN: &str = "example.org/log";

static LOG: LazyLock<(IdentityId, SigningKey)> = LazyLock::new(|| {
    let identity = Domain::default().identity_id(b"", "log", "").expect("names");
    (identity, SigningKey::from_seed(&[5; 32]).expect("a seed"))
});

/// How an input is used: after its first four bytes it is messages, one a line.
struct Plan {
    /// The length of the parts in which the file arrives.
    part: usize,
    /// The entries below the checkpoint, and before the place where a second reader begins.
    covered: usize,
    /// The byte that is changed, where the first bit of the control is set.
    changed: Option<(usize, u8)>,
}

fuzz_target!(|input: &[u8]| {
    let Some(([control, part, covered, place], rest)) = input.split_first_chunk::<4>().map(|(a, b)| (*a, b)) else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    // A program of another domain reserves none of this one's messages.
    let (domain, elsewhere) = (Domain::default(), Domain::new("ELSEWHERE").expect("a name"));
    let mut chain = Krunica::new();
    for message in text.split('\n').take(64) {
        let _ = chain.append(&elsewhere, &LOG.0, message, Timestamp::MIN);
    }
    let good: String = chain.entries().iter().map(|entry| entry.to_json_line()).collect();
    let plan = Plan {
        part: usize::from(part) + 1,
        covered: usize::from(covered) % (chain.entries().len() + 1),
        changed: (control & 1 == 1 && !good.is_empty())
            .then(|| ((usize::from(place) * 257 + usize::from(control)) % good.len(), control >> 1)),
    };
    let mut file = good.clone().into_bytes();
    if let Some((at, by)) = plan.changed {
        file[at] ^= by;
    }
    let plain = plainly(&file);
    let checkpoint = covering(&domain, &chain, plan.covered);

    let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).under(&checkpoint).expect("from seq 0");
    let wanted = chain.entries().get(usize::from(place)).map(|entry| entry.krunica_hash());
    let place = wanted.map(|wanted| reader.place(wanted).expect("before the first entry"));
    let every = reader.places(|_| true).expect("before the first entry");
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"));
    let ring = CheckedRing::new(ORIGIN, &authority).expect("an origin");
    let ring = RingFile::from_json(ring.to_stored_json(&Head::EMPTY).expect("no change").as_bytes()).expect("written");
    let ring = reader.ring(ring, &authority, |_| false).expect("of this log");
    let session = SessionId::from_bytes([1; 32]);
    let founder = chain.entries().first().map(|entry| entry.krunica_hash());
    let session = founder.map(|founder| reader.session(&session, &founder).expect("before the first entry"));
    let ledger = reader.ledger(&LedgerId::from_bytes([2; 32]), None).expect("from seq 0");
    let splits = reader.splits(None, &VaultId::from_bytes([3; 32])).expect("from seq 0");
    let read = file.chunks(plan.part).try_for_each(|part| reader.push_lines(part));
    let after = reader.push_lines(b"");
    assert_eq!(read.is_err(), after.is_err(), "what went on after a fault");
    match (read.and_then(|()| reader.finish()), plain) {
        (Ok(mut proofs), Ok(head)) => {
            assert_eq!(proofs.head(), Some(&head));
            assert_eq!(proofs.agreed().expect("read under a checkpoint").covered(), plan.covered as u64);
            let located = proofs.take(every).expect("places have no fault");
            assert!(located.iter().map(|located| located.entry()).eq(&chain.entries()[..plan.covered]));
            if let Some(place) = place {
                let located = proofs.take(place).expect("a place has no fault");
                assert!(located.is_none_or(|located| located.entry().seq() < plan.covered as u64));
            }
            // Nobody without the ring key writes an entry that counts.
            assert_eq!(proofs.take(ring).expect("no entry is this ring's").ring().revision(), 0);
            session.map(|session| proofs.take(session).expect("a session's entries have no fault"));
            proofs.take(ledger).expect("a ledger's entries have no fault");
            proofs.take(splits).expect("a vault's splits have no fault");
        }
        (Ok(_), Err(fault)) => panic!("the reader takes what the check refuses: {fault:?}"),
        // The checkpoint, too, knows what was signed: another time is a sound chain, and another tree.
        (Err(_), plain) => assert!(plan.changed.is_some() && plain != Ok(chain.head().clone())),
    }
    goes_on(&domain, &chain, &plan, &good);
});

/// The plain check of a whole file.
fn plainly(file: &[u8]) -> Result<Head, Error> {
    let (mut checker, mut lines) = (Checker::new(), JsonLines::new());
    lines.push(file, |line| checker.push_json(line).map(drop).map_err(Error::from))?;
    lines.finish()?;
    Ok(checker.into_head())
}

/// A reader that begins at a stored head ends where the chain does, and nowhere else.
fn goes_on(domain: &Domain, chain: &Krunica, plan: &Plan, good: &str) {
    let before = plainly(good.split_inclusive('\n').take(plan.covered).collect::<String>().as_bytes());
    let before = TrustedHead::stored(&before.expect("a sound chain"));
    let rest: String = good.split_inclusive('\n').skip(plan.covered).collect();
    let mut reader = ChainReader::new(domain, &before).up_to(chain.head());
    reader.push_lines(rest.as_bytes()).expect("a sound chain");
    assert_eq!(reader.finish().expect("its own end").head(), Some(chain.head()));
    let short = ChainReader::new(domain, &before).up_to(chain.head()).finish();
    assert_eq!(short.is_ok(), rest.is_empty());
}

fn covering(domain: &Domain, chain: &Krunica, size: usize) -> Verified<Checkpoint> {
    let (identity, key) = &*LOG;
    let mut checker = Checker::new();
    chain.entries()[..size].iter().for_each(|entry| checker.push(entry).expect("a sound chain"));
    let mark = HighWaterMark::first(ORIGIN, checker.head(), None).expect("an origin");
    let signer = CheckpointSigner::new(domain, ORIGIN, identity, key).expect("an origin");
    let signed = signer.sign(&mark, Timestamp::MIN, &mut SystemRng).expect("a fit key");
    let pins =
        Pins { origin: ORIGIN.into(), identity_id: *identity, key_hash: *key.public_key().hash(), least_size: 0 };
    CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(signed).valid().expect("just signed")
}
