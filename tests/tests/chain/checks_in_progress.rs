//! What a check in progress promises: after an error it gives no proof, and it may go to another thread.

use dualseal::error::{CheckpointFault, Error, Rejected};
use dualseal::key::{RingFile, Unprepared};
use dualseal::reader::Consistency;
use dualseal::seal::{Legacy, Policy, Seal, SealKey, SealOutcome, SealVerifier, Sealer};
use dualseal::{Domain, KeyRing};
use dualseal_tests::log::{ORIGIN, chain_of, covering, retimed};
use dualseal_tests::reading;
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute};

/// The file of a ring without keys.
fn empty() -> RingFile {
    RingFile::from_json(Registry::new().file().as_bytes()).unwrap()
}

#[test]
fn a_caller_who_goes_on_after_an_error_gets_no_proof() {
    let signed = chain_of(&identity("ana"), &["one", "two", "three"]);
    let checkpoint = covering(ORIGIN, &signed, 2);
    let rewritten = (chain_of(&identity("ana"), &["one", "2", "three"]), CheckpointFault::Rewritten { size: 2 });
    let retimed = (retimed(&signed, 0, minute(59)), CheckpointFault::TreeDisagrees { size: 2 });
    let authority = Registry::new().authority;
    for (other, fault) in [rewritten, retimed] {
        let refused = Error::Rejected(Rejected::Checkpoint(fault));
        let mut reader = reading::under(&checkpoint);
        let _watched = (reader.places(|_| true).unwrap(), reader.ring(empty(), &authority, |_| false).unwrap());
        let pushed: Vec<_> = other.entries().iter().map(|entry| reader.push(entry)).collect();
        assert_eq!(pushed, [Ok(()), Err(refused.clone()), Err(refused.clone())]);
        assert_eq!(reader.finish().unwrap_err(), refused);
    }
}

#[test]
fn checks_go_from_thread_to_thread() {
    fn elsewhere<T: Send>(act: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| scope.spawn(act).join()).unwrap()
    }
    let Registry { chain, authority, .. } = Registry::new();
    let checkpoint = covering(ORIGIN, &chain, chain.entries().len());
    let mut reader = elsewhere(|| reading::under(&checkpoint));
    let places = elsewhere(|| reader.places(|_| true)).unwrap();
    let ring = elsewhere(|| reader.ring(empty(), &authority, |_| false)).unwrap();
    let consistency = elsewhere(|| reader.consistency(&checkpoint, &checkpoint)).unwrap();
    let mut proofs = elsewhere(move || reader.finish()).unwrap();
    assert_eq!(proofs.head(), Some(chain.head()));
    assert!(elsewhere(|| proofs.take(places)).unwrap().is_empty());
    assert_eq!(elsewhere(|| proofs.take(ring)).unwrap().ring().revision(), 0);
    assert_eq!(elsewhere(|| proofs.take(consistency)).unwrap(), Consistency::Equal);

    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let seal_key = SealKey::from_slice(&[3; 32]).unwrap();
    let mut stream = elsewhere(|| Sealer::new(&domain, &ana, &seal_key, &signing).begin()).unwrap();
    stream.update(b"one contract");
    let seal: Seal = elsewhere(move || stream.finish(&mut dualseal::SystemRng)).unwrap().into();
    let ring = KeyRing::pinned(&ana, signing.public_key().clone());
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    let mut check = elsewhere(|| verifier.begin(&seal, &ana, Policy::Both(&seal_key), Legacy::Refused, None));
    check.update(b"one contract");
    assert_eq!(elsewhere(move || check.finish()).internal(), SealOutcome::Ok);
}
