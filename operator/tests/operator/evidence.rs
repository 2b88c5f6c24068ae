//! Evidence that is made of a log, and what is pinned of one.

use crate::log::{Log, ORIGIN, Person, at, one};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, HighWaterMark, LogFingerprint};
use dualseal::{Entry, KeyState, SystemRng, Verdict, Verified};
use dualseal_operator::evidence::{EvidenceError, Given, Maker, PinnedLog, only};
use dualseal_operator::step::{Changes, State};
use dualseal_operator::trust::PublicKeyFile;

/// A log with a record of Ana's, and all that was appended.
struct Signed {
    log: Log,
    ana: Person,
    state: State,
    chain: String,
    record: String,
}

impl Signed {
    fn new() -> Self {
        Self::of(b"one contract")
    }

    fn of(document: &[u8]) -> Self {
        let log = Log::new();
        let ana = log.person("ana");
        let (_, state, changes) = one(log.empty(), ana.key(), |step| {
            step.add_key(&ana.id, ana.key().public_key())?;
            step.sign(&ana.id, &log.domain.content_hash(&ana.id, document))
        })
        .unwrap();
        let (chain, record) = (lines(&changes), changes.records[0].to_json());
        Self { log, ana, state, chain, record }
    }

    fn sign(&self) -> Checkpoint {
        let signer = CheckpointSigner::new(&self.log.domain, ORIGIN, &self.ana.id, self.ana.key()).unwrap();
        let first = HighWaterMark::first(ORIGIN, self.state.head(), Some(self.state.ring())).unwrap();
        signer.sign(&first, at(9), &mut SystemRng).unwrap()
    }

    fn file(&self) -> PublicKeyFile {
        let (key, identity_id) = (self.ana.key().public_key().clone(), Some(self.ana.id));
        PublicKeyFile { key, identity_id, domain: None, origin: Some(ORIGIN.to_owned()), creator: None }
    }

    fn checkpoint(&self) -> Verified<Checkpoint> {
        let file = self.file();
        let pinned = PinnedLog { key: Some(&file), ..PinnedLog::default() };
        pinned.judge(self.sign(), &self.log.domain, None).unwrap().valid().unwrap()
    }

    fn given(&self) -> Given {
        Given::read::<EvidenceError>(self.record.as_bytes(), || Ok(None)).unwrap()
    }
}

fn lines(changes: &Changes) -> String {
    changes.entries.iter().map(Entry::to_json_line).collect()
}

#[test]
fn a_file_is_made_for_whoever_made_the_record() {
    let signed = Signed::new();
    let (domain, given, checkpoint) = (&signed.log.domain, signed.given(), signed.checkpoint());
    let maker = Maker::new(domain, Some("DUALSEAL"), signed.state.ring(), &checkpoint).unwrap();
    let places = maker.places(&given, signed.chain.as_bytes()).unwrap();
    let make = |whose| maker.make(&given, &places, whose, None);
    let made = only(make(Some(&signed.ana.id)).unwrap()).unwrap();
    assert_eq!((made.identity_id, made.state, made.seq), (signed.ana.id, KeyState::Valid, 1));
    assert!(made.file().is_ok());
    let other = signed.log.person("bo").id;
    assert!(matches!(make(Some(&other)).unwrap_err(), EvidenceError::OtherMaker));
    let refused = maker.choose(make(None).unwrap(), &b"another contract"[..]).unwrap_err();
    assert!(matches!(refused, EvidenceError::OtherDocument(_)), "{refused}");
    assert!(maker.choose(make(None).unwrap(), &b"one contract"[..]).is_ok());
    assert!(matches!(maker.choose(Vec::new(), &b""[..]).unwrap_err(), EvidenceError::UnknownKey));
    assert!(matches!(only(Vec::new()).unwrap_err(), EvidenceError::Several));
    // Another log's record.
    let elsewhere = Signed::of(b"somewhere else").given();
    let refused = maker.places(&elsewhere, signed.chain.as_bytes()).unwrap_err();
    assert!(matches!(refused, EvidenceError::NoEntry), "{refused}");
    // A chain that is not the checkpoint's.
    let cut = signed.chain.lines().next().unwrap();
    assert!(matches!(maker.places(&given, cut.as_bytes()).unwrap_err(), EvidenceError::Chain(_)));
}

#[test]
fn what_the_checkpoint_does_not_cover_is_not_shown() {
    let mut signed = Signed::new();
    let checkpoint = signed.checkpoint();
    let (ana, domain) = (signed.ana.id, signed.log.domain.clone());
    let (_, state, changes) = one(signed.state.clone(), signed.ana.key(), |step| {
        step.sign(&ana, &domain.content_hash(&ana, b"two contracts"))
    })
    .unwrap();
    signed.chain += &lines(&changes);
    let later = changes.records[0].to_json();
    let given = Given::read::<EvidenceError>(later.as_bytes(), || Ok(None)).unwrap();
    let maker = Maker::new(&domain, None, state.ring(), &checkpoint).unwrap();
    let refused = maker.places(&given, signed.chain.as_bytes()).unwrap_err();
    assert!(matches!(refused, EvidenceError::Uncovered { size: 2 }), "{refused}");
    // A ring that was changed since.
    let (_, state, _) = one(state, signed.ana.key(), |step| step.set_state(&ana, None, KeyState::Suspended)).unwrap();
    let refused = Maker::new(&domain, None, state.ring(), &checkpoint).unwrap_err();
    assert!(matches!(refused, EvidenceError::OtherRing), "{refused}");
}

/// A decoy's record holds for strangers, so that its evidence would unmask the trap: nothing gives the file out.
#[test]
fn no_file_of_a_decoy_is_given_out() {
    for (state, is_given) in [(KeyState::Suspended, true), (KeyState::Revoked, true), (KeyState::Decoy, false)] {
        let mut signed = Signed::new();
        let (ana, domain) = (signed.ana.id, signed.log.domain.clone());
        let changed = one(signed.state.clone(), signed.ana.key(), |step| step.set_state(&ana, None, state));
        let (_, after, changes) = changed.unwrap();
        signed.chain += &lines(&changes);
        signed.state = after;
        let (given, checkpoint) = (signed.given(), signed.checkpoint());
        let maker = Maker::new(&domain, Some("DUALSEAL"), signed.state.ring(), &checkpoint).unwrap();
        let places = maker.places(&given, signed.chain.as_bytes()).unwrap();
        let make = || maker.make(&given, &places, None, None).unwrap();
        for made in [only(make()).unwrap(), maker.choose(make(), &b"one contract"[..]).unwrap()] {
            assert_eq!(made.state, state);
            match made.file() {
                Ok(_) => assert!(is_given),
                Err(refused) => assert!(!is_given && matches!(refused, EvidenceError::Decoy(_)), "{refused}"),
            }
        }
    }
}

#[test]
fn what_is_no_record_is_refused() {
    let read = |text: &str| Given::read::<EvidenceError>(text.as_bytes(), || Ok(None)).unwrap_err();
    assert!(matches!(read("words"), EvidenceError::NoRecord(_)));
    assert!(matches!(read("SEAL-words"), EvidenceError::Library(_)));
    assert!(matches!(read(&Signed::new().chain), EvidenceError::NoRecord(_)));
}

#[test]
fn a_checkpoint_is_of_the_log_that_was_pinned() {
    let signed = Signed::new();
    let (domain, file, ring) = (&signed.log.domain, signed.file(), signed.state.ring());
    let judge = |pinned: PinnedLog<'_>, ring| pinned.judge(signed.sign(), domain, ring);
    let pinned = PinnedLog { key: Some(&file), ..PinnedLog::default() };
    assert!(matches!(judge(pinned, None).unwrap(), Verdict::Valid(_)));
    assert!(matches!(judge(PinnedLog { least_size: 3, ..pinned }, None).unwrap(), Verdict::Invalid(_)));
    assert!(matches!(judge(PinnedLog { origin: Some("other"), ..pinned }, None).unwrap(), Verdict::Invalid(_)));
    // The own log, by a key of its ring.
    let own = PinnedLog { own: Some(ORIGIN), ..PinnedLog::default() };
    assert!(matches!(judge(own, Some(ring)).unwrap(), Verdict::Valid(_)));
    assert!(matches!(judge(own, None).unwrap_err(), EvidenceError::NotOwn));
    // Of whatever name it is, a ring of another log says nothing of this one.
    let other = PinnedLog { own: Some("other"), ..own };
    assert!(matches!(judge(other, Some(ring)).unwrap_err(), EvidenceError::NotOwn));
    assert!(matches!(judge(PinnedLog::default(), Some(ring)).unwrap_err(), EvidenceError::Unpinned));
    // The fingerprint says name, signer and key at once, and a ring still tells the key's state.
    let fingerprint = Some(signed.sign().fingerprint(domain));
    let told = PinnedLog { fingerprint, ..PinnedLog::default() };
    assert!(matches!(judge(told, None).unwrap(), Verdict::Valid(_)));
    assert!(matches!(judge(PinnedLog { least_size: 3, ..told }, None).unwrap(), Verdict::Invalid(_)));
    let wrong = Some(LogFingerprint::from_bytes([7; 32]));
    for pinned in [pinned, own, told] {
        let refused = judge(PinnedLog { fingerprint: wrong, ..pinned }, Some(ring)).unwrap_err();
        assert!(matches!(refused, EvidenceError::OtherLog), "{refused}");
    }
    let nobody = PublicKeyFile { identity_id: None, ..signed.file() };
    let refused = judge(PinnedLog { key: Some(&nobody), ..pinned }, None).unwrap_err();
    assert!(matches!(refused, EvidenceError::NoIdentity));
    let nameless = PublicKeyFile { origin: None, ..signed.file() };
    assert!(matches!(judge(PinnedLog { key: Some(&nameless), ..pinned }, None).unwrap_err(), EvidenceError::NoOrigin));
}
