//! Records that have their place and are signed afterwards: by their own key alone, and each told from all others.

use dualseal::error::{Error, Misuse};
use dualseal::signature::Unsigned;
use dualseal::{Domain, Entry, Head, SignatureRecord, SystemRng};
use dualseal_tests::{identity, key, minute};

/// A record by `name` with a key, over some content, at a head and a time; and its entry.
fn placed(name: &str, number: u8, content: &[u8], head: &Head, at: i64) -> (Unsigned, Entry) {
    let (domain, signer) = (Domain::default(), identity(name));
    let content = domain.content_hash(&signer, content);
    let (unsigned, appended) =
        Unsigned::place(&domain, &signer, key(number).public_key(), &content, head, minute(at)).unwrap();
    (unsigned, appended.entry)
}

/// The first is ana's with her key 1; each of the others differs in one thing.
fn all() -> Vec<(Unsigned, Entry, SignatureRecord)> {
    let later = Head::EMPTY.append(&Domain::default(), &identity("ana"), "a", minute(0)).unwrap().head;
    [
        ("ana", 1, &b"one"[..], &Head::EMPTY, 1),
        ("ivan", 1, b"one", &Head::EMPTY, 1),
        ("ana", 2, b"one", &Head::EMPTY, 1),
        ("ana", 1, b"two", &Head::EMPTY, 1),
        ("ana", 1, b"one", &later, 1),
        ("ana", 1, b"one", &Head::EMPTY, 2),
    ]
    .map(|(name, number, content, head, at)| {
        let (unsigned, entry) = placed(name, number, content, head, at);
        let record = unsigned.clone().sign(&key(number), &mut SystemRng).unwrap();
        (unsigned, entry, record)
    })
    .into()
}

#[test]
fn a_record_is_of_its_own_place_and_entry_alone() {
    let (domain, all) = (Domain::default(), all());
    for (at, (unsigned, entry, _)) in all.iter().enumerate() {
        for (other, (_, _, record)) in all.iter().enumerate() {
            assert_eq!(unsigned.is_of(record), at == other, "{at} {other}");
            assert_eq!(record.is_of(&domain, entry), at == other, "{at} {other}");
            assert!(!record.is_of(&Domain::new("ACME").unwrap(), entry), "{at} {other}");
        }
    }
}

#[test]
fn a_placed_record_is_signed_by_its_own_key_alone() {
    let (unsigned, _) = placed("ana", 1, b"one", &Head::EMPTY, 1);
    assert_eq!(unsigned.public_key(), key(1).public_key());
    assert_eq!(*unsigned.identity_id(), identity("ana"));
    let refused = unsigned.clone().sign(&key(2), &mut SystemRng);
    assert_eq!(refused, Err(Error::Misuse(Misuse::OtherSigner)));
    assert!(unsigned.sign(&key(1), &mut SystemRng).is_ok());
    let domain = Domain::default();
    let content = domain.content_hash(&identity("ivan"), b"one");
    let ana = identity("ana");
    let refused = Unsigned::place(&domain, &ana, key(1).public_key(), &content, &Head::EMPTY, minute(1));
    assert_eq!(refused.unwrap_err(), Error::Misuse(Misuse::OtherSigner));
}
