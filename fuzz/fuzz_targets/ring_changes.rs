//! Histories of a ring. Of each change a model of a few lines says beforehand whether it is refused; what is refused
//! changes nothing. At the end every key has the state that the model says, whether it is current, retired or a decoy;
//! every signature that was made on the way, by a key of its signer's or another, has the verdict that follows of it:
//! without a place, at its own and at another's; and a ring file from before a change or a decoy is an old one.
#![no_main]

use dualseal::key::{CheckedRing, RingFile, SetState, Unprepared};
use dualseal::krunica::Appended;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::{
    Domain, Entry, Error, Head, KeyState, Located, RingKey, SignatureRecord, Signer, Timestamp, VerdictKind, Verifier,
};
use dualseal_fuzz::{KEYS, ORIGIN, checkpoint, identity, key};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

const PEOPLE: [&str; 3] = ["ana", "bo", "cy"];
const STATES: [KeyState; 4] = [KeyState::Valid, KeyState::Suspended, KeyState::Revoked, KeyState::Decoy];
/// The message of an entry that stands for a vault record's.
const SEALED: &str = "sealed";
const MOST: usize = 40;
const CONTENT: &[u8] = b"one contract";

/// What the model knows of a key.
#[derive(Clone, Copy)]
struct Held {
    number: usize,
    state: KeyState,
    retired: Option<u64>,
    compromised_from: Option<u64>,
}

impl Held {
    fn new(number: usize, state: KeyState) -> Self {
        Self { number, state, retired: None, compromised_from: None }
    }
}

/// A signature that somebody made with a key, whoever's it is.
struct Made {
    who: usize,
    number: usize,
    record: SignatureRecord,
    seq: u64,
}

struct History {
    domain: Domain,
    ring: CheckedRing,
    head: Head,
    entries: Vec<Entry>,
    /// Of each of the people the keys, the current one first, with what is set of them.
    model: BTreeMap<usize, Vec<Held>>,
    /// Whose each is, and which key.
    decoys: Vec<(usize, usize)>,
    made: Vec<Made>,
    /// Ring files, each with what the ring has had then: its revision and its decoys.
    files: Vec<(String, u64, usize)>,
}

fn authority(byte: u8) -> RingKey {
    RingKey::new(&Domain::default(), Secret::from_slice("ring key", &[byte; 32]).expect("32 bytes"))
}

impl History {
    fn new() -> Self {
        let ring = CheckedRing::new(ORIGIN, &authority(9)).expect("an origin");
        let (model, decoys, made, files) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
        Self { domain: Domain::default(), ring, head: Head::EMPTY, entries: Vec::new(), model, decoys, made, files }
    }

    fn is_known(&self, key: usize) -> bool {
        self.decoys.iter().any(|(_, decoy)| *decoy == key)
            || self.model.values().flatten().any(|held| held.number == key)
    }

    /// The next thing that happens.
    fn act(&mut self, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        let (who, number) = (drawn.choose_index(PEOPLE.len())?, drawn.choose_index(KEYS)?);
        let (id, new) = (identity(PEOPLE[who]), key(number).public_key());
        let (is_known, seq) = (self.is_known(number), self.head.size());
        match drawn.int_in_range(0..=9)? {
            0 | 1 => {
                let allowed = !is_known && !self.model.contains_key(&who);
                if self.change(allowed, |ring, head| ring.add(&id, new.clone(), head, Timestamp::MIN)) {
                    self.model.insert(who, vec![Held::new(number, KeyState::Valid)]);
                }
            }
            2 => {
                let allowed = !is_known && self.model.contains_key(&who);
                if self.change(allowed, |ring, head| ring.rotate(&id, new.clone(), head, Timestamp::MIN)) {
                    let keys = self.model.get_mut(&who).expect("he has a key");
                    let state = if keys[0].state == KeyState::Revoked { KeyState::Valid } else { keys[0].state };
                    keys[0].retired = Some(seq);
                    keys.insert(0, Held::new(number, state));
                }
            }
            3..=5 => {
                let which = drawn.arbitrary::<bool>()?.then_some(number);
                let (state, from, set) = match drawn.int_in_range(0..=4)? {
                    4 => {
                        let from = drawn.int_in_range(0..=MOST as u64)?;
                        (KeyState::Revoked, Some(from), SetState::compromised_from(from))
                    }
                    state => (STATES[state], None, STATES[state].into()),
                };
                let keys = self.model.get(&who);
                let place = keys.and_then(|keys| match which {
                    None => Some(0),
                    Some(number) => keys.iter().position(|held| held.number == number),
                });
                let hash = which.map(|_| new.hash());
                if self.change(place.is_some(), |ring, head| ring.set_state(&id, hash, set, head, Timestamp::MIN)) {
                    let held = &mut self.model.get_mut(&who).expect("he has a key")[place.expect("it is his")];
                    held.state = state;
                    if state == KeyState::Revoked {
                        held.compromised_from = [Some(seq), held.compromised_from, from].into_iter().flatten().min();
                    }
                }
            }
            6 => {
                let entry = self.note(who, SEALED);
                assert_eq!(self.ring.add_decoy(new, &entry).is_ok(), !is_known);
                if is_known {
                    // Its record is told, and has no decoy of its own.
                    self.ring.follow(&entry, |_| false).expect("the next entry");
                } else {
                    self.decoys.push((who, number));
                }
            }
            7 => {
                // By whoever may write to the log: a change of another ring.
                let entry = if drawn.arbitrary()? {
                    self.note(who, "said")
                } else {
                    let stranger = authority(100 + self.entries.len() as u8);
                    let mut other = CheckedRing::new(ORIGIN, &stranger).expect("an origin");
                    self.entries.iter().for_each(|entry| other.follow(entry, |_| false).expect("the next entry"));
                    let appended = other.add(&id, new.clone(), &self.head, Timestamp::MIN).expect("an empty ring");
                    self.push(appended)
                };
                self.ring.follow(&entry, |_| false).expect("no change of this ring");
            }
            8 => {
                let signer = Signer::new(&self.domain, &id, key(number));
                let content = signer.content_hash(CONTENT);
                let signed = signer.sign_deterministic(&content, &self.head, Timestamp::MIN).expect("a fit key");
                self.push(Appended { entry: signed.entry.clone(), head: signed.head });
                self.ring.follow(&signed.entry, |_| false).expect("no change of this ring");
                self.made.push(Made { who, number, record: signed.record, seq });
            }
            _ => {
                let file = self.ring.to_stored_json(&self.head).expect("at the head");
                self.files.push((file, self.ring.revision(), self.decoys.len()));
            }
        }
        Ok(())
    }

    fn push(&mut self, appended: Appended) -> Entry {
        assert_eq!(appended.entry.seq(), self.head.size());
        self.head = appended.head;
        self.entries.push(appended.entry.clone());
        appended.entry
    }

    fn note(&mut self, who: usize, message: &str) -> Entry {
        let appended = self.head.append(&self.domain, &identity(PEOPLE[who]), message, Timestamp::MIN);
        self.push(appended.expect("free text"))
    }

    /// Whether it happened, which it does where it is allowed.
    fn change(&mut self, allowed: bool, work: impl FnOnce(&mut CheckedRing, &Head) -> Result<Appended, Error>) -> bool {
        let before = self.ring.to_stored_json(&self.head).expect("at the head");
        match work(&mut self.ring, &self.head) {
            Ok(appended) => {
                assert!(allowed, "what is not allowed was done");
                self.push(appended);
            }
            Err(error) => {
                assert!(!allowed, "{error}");
                assert_eq!(
                    self.ring.to_stored_json(&self.head).as_ref(),
                    Ok(&before),
                    "what is refused changes nothing"
                );
            }
        }
        allowed
    }

    fn check(mut self, drawn: &mut Unstructured<'_>) {
        for (who, keys) in &self.model {
            let id = identity(PEOPLE[*who]);
            let model: BTreeMap<_, _> =
                keys.iter().map(|held| (key(held.number).public_key().hash(), held.state)).collect();
            let found: BTreeMap<_, _> = self.ring.keys(&id).map(|(held, state)| (held.hash(), state)).collect();
            assert_eq!(found, model);
            assert_eq!(self.ring.info(&id).expect("he has a key").public_key, *key(keys[0].number).public_key());
            for held in keys {
                let hash = key(held.number).public_key().hash();
                assert_eq!(self.ring.retired_at(&id, hash), held.retired);
                assert_eq!(self.ring.compromised_from(&id, hash), held.compromised_from);
            }
        }
        assert_eq!(self.ring.decoy_count(), self.decoys.len());
        let public = self.ring.public();
        assert_eq!(self.ring.ring_head().map(|head| head.root).unwrap_or(public.root()), public.root());
        let text = public.to_json();
        assert!(!text.contains("oboje") && !text.contains("decoy"));

        self.files.push((
            self.ring.to_stored_json(&self.head).expect("at the head"),
            self.ring.revision(),
            self.decoys.len(),
        ));
        let last = (self.ring.revision(), self.decoys.len());
        // One of them, and the newest.
        let one = drawn.choose_index(self.files.len()).unwrap_or(0);
        for (text, revision, decoys) in [&self.files[one], &self.files[self.files.len() - 1]] {
            let read = self.read(text);
            assert_eq!(read.is_ok(), (*revision, *decoys) == last && !self.has_record_without_decoy(text), "{read:?}");
            if let Ok(read) = read {
                assert_eq!(read.to_stored_json(&self.head), self.ring.to_stored_json(&self.head));
            }
        }
        self.check_signatures();
    }

    /// Every signature without a place, at its own, and at that of the one before it.
    fn check_signatures(&self) {
        if self.made.is_empty() {
            return;
        }
        let seen = checkpoint(&self.head, &identity("log"), key(0));
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&seen).expect("all of it");
        let seqs: Vec<u64> = self.made.iter().map(|made| made.seq).collect();
        let watched = reader.places(move |entry| seqs.contains(&entry.seq())).expect("from its beginning");
        self.entries.iter().try_for_each(|entry| reader.push(entry)).expect("the chain");
        let places = reader.finish().expect("the checkpoint's").take(watched).expect("they stand there");
        assert_eq!(places.len(), self.made.len());
        for (at, made) in self.made.iter().enumerate() {
            let other = (at > 0).then(|| &places[at - 1]);
            for place in [None, Some(&places[at]), other] {
                self.check_signature(made, place);
            }
        }
    }

    fn check_signature(&self, made: &Made, place: Option<&Located>) {
        let (id, verifier) = (identity(PEOPLE[made.who]), Verifier::new(&self.domain, &self.ring, &Unprepared));
        let content = Signer::new(&self.domain, &id, key(made.number)).content_hash(CONTENT);
        let expected = self.expected(made, place.map(|place| place.entry().seq()));
        assert_eq!(verifier.verify(&content, made.record.clone(), place).kind(), expected);
        let Some(place) = place else { return };
        let as_of = verifier.verify_as_of(&content, made.record.clone(), place);
        assert_eq!((as_of.verdict.kind(), as_of.size), (expected, Some(self.head.size())));
        let held = self.held(made);
        let from = held.and_then(|held| held.compromised_from);
        assert_eq!(as_of.compromised_from, from);
        let own = place.entry().seq() == made.seq;
        let in_time = held.is_none_or(|held| held.retired.is_none_or(|retired| made.seq < retired));
        let is_known = held.is_some() || self.decoys.contains(&(made.who, made.number));
        assert_eq!(as_of.place, (is_known && own && in_time).then_some(made.seq));
        assert_eq!(as_of.claimed, as_of.place.zip(from).is_some_and(|(place, from)| place >= from));
    }

    /// The key of a signature, where it is its signer's.
    fn held(&self, made: &Made) -> Option<Held> {
        self.model.get(&made.who)?.iter().find(|held| held.number == made.number).copied()
    }

    fn expected(&self, made: &Made, place: Option<u64>) -> VerdictKind {
        let elsewhere = place.is_some_and(|place| place != made.seq);
        let Some(held) = self.held(made) else {
            let is_decoy = self.decoys.contains(&(made.who, made.number)) && !elsewhere;
            return if is_decoy { VerdictKind::Decoy } else { VerdictKind::Invalid };
        };
        let is_late = held.retired.is_some_and(|retired| place.is_none_or(|place| place >= retired));
        match held.state {
            KeyState::Suspended => VerdictKind::Suspended,
            KeyState::Revoked => VerdictKind::Revoked,
            _ if elsewhere || is_late => VerdictKind::Invalid,
            KeyState::Valid => VerdictKind::Valid,
            KeyState::Decoy => VerdictKind::Decoy,
        }
    }

    /// Whether a record stands after a file's end that the ring has no decoy of: it was told so, and reading asks
    /// again.
    fn has_record_without_decoy(&self, text: &str) -> bool {
        let from = RingFile::from_json(text.as_bytes()).expect("a ring's own file").size();
        self.entries.iter().any(|entry| entry.seq() >= from && entry.message() == SEALED)
    }

    fn read(&self, text: &str) -> Result<CheckedRing, Error> {
        let file = RingFile::from_json(text.as_bytes())?;
        let from = usize::try_from(file.size()).expect("a short chain");
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::ring_file(&file)).up_to(&self.head);
        let watched = reader.ring(file, &authority(9), |entry| entry.message() == SEALED)?;
        self.entries[from..].iter().try_for_each(|entry| reader.push(entry))?;
        Ok(reader.finish()?.take(watched)?.into_ring())
    }
}

fuzz_target!(|input: &[u8]| {
    let (mut drawn, mut history) = (Unstructured::new(input), History::new());
    while !drawn.is_empty() && history.entries.len() < MOST && history.files.len() < MOST {
        if history.act(&mut drawn).is_err() {
            break;
        }
    }
    history.check(&mut drawn);
});
