//! Histories of a ring. Of each change a model of a few lines says beforehand whether it is refused; what is refused
//! changes nothing. At the end every key has the state that the model says and its signature the verdict of that, and a
//! ring file from before a change or a decoy is an old one.
#![no_main]

use dualseal::key::{CheckedRing, RingFile, SetState, Unprepared};
use dualseal::krunica::Appended;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::{Domain, Entry, Error, Head, KeyState, RingKey, Signer, Timestamp, VerdictKind, Verifier};
use dualseal_fuzz::{KEYS, ORIGIN, identity, key};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

const PEOPLE: [&str; 3] = ["ana", "bo", "cy"];
const STATES: [KeyState; 4] = [KeyState::Valid, KeyState::Suspended, KeyState::Revoked, KeyState::Decoy];
/// The message of an entry that stands for a vault record's.
const SEALED: &str = "sealed";
const MOST: usize = 40;

struct History {
    domain: Domain,
    ring: CheckedRing,
    head: Head,
    entries: Vec<Entry>,
    /// Of each of the people the keys, the current one first, with what is set of them.
    model: BTreeMap<usize, Vec<(usize, KeyState)>>,
    decoys: Vec<usize>,
    /// Ring files, each with what the ring has had then: its revision and its decoys.
    files: Vec<(String, u64, usize)>,
}

fn authority(byte: u8) -> RingKey {
    RingKey::new(&Domain::default(), Secret::from_slice("ring key", &[byte; 32]).expect("32 bytes"))
}

impl History {
    fn new() -> Self {
        let ring = CheckedRing::new(ORIGIN, &authority(9)).expect("an origin");
        let (domain, head, entries) = (Domain::default(), Head::EMPTY, Vec::new());
        Self { domain, ring, head, entries, model: BTreeMap::new(), decoys: Vec::new(), files: Vec::new() }
    }

    fn is_known(&self, key: usize) -> bool {
        self.decoys.contains(&key) || self.model.values().flatten().any(|(held, _)| *held == key)
    }

    /// The next thing that happens.
    fn act(&mut self, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        let (who, number) = (drawn.choose_index(PEOPLE.len())?, drawn.choose_index(KEYS)?);
        let (id, new) = (identity(PEOPLE[who]), key(number).public_key());
        let is_known = self.is_known(number);
        match drawn.int_in_range(0..=8)? {
            0 | 1 => {
                let allowed = !is_known && !self.model.contains_key(&who);
                if self.change(allowed, |ring, head| ring.add(&id, new.clone(), head, Timestamp::MIN)) {
                    self.model.insert(who, vec![(number, KeyState::Valid)]);
                }
            }
            2 => {
                let allowed = !is_known && self.model.contains_key(&who);
                if self.change(allowed, |ring, head| ring.rotate(&id, new.clone(), head, Timestamp::MIN)) {
                    let keys = self.model.get_mut(&who).expect("he has a key");
                    let state = if keys[0].1 == KeyState::Revoked { KeyState::Valid } else { keys[0].1 };
                    keys.insert(0, (number, state));
                }
            }
            3..=5 => {
                let which = drawn.arbitrary::<bool>()?.then_some(number);
                let set = match drawn.int_in_range(0..=4)? {
                    4 => (KeyState::Revoked, SetState::compromised_from(drawn.int_in_range(0..=MOST as u64)?)),
                    state => (STATES[state], STATES[state].into()),
                };
                let keys = self.model.get(&who);
                let place = keys.and_then(|keys| match which {
                    None => Some(0),
                    Some(number) => keys.iter().position(|(held, _)| *held == number),
                });
                let hash = which.map(|_| new.hash());
                if self.change(place.is_some(), |ring, head| ring.set_state(&id, hash, set.1, head, Timestamp::MIN)) {
                    self.model.get_mut(&who).expect("he has a key")[place.expect("it is his")].1 = set.0;
                }
            }
            6 => {
                let entry = self.note(who, SEALED);
                assert_eq!(self.ring.add_decoy(new, &entry).is_ok(), !is_known);
                if is_known {
                    // Its record is told, and has no decoy of its own.
                    self.ring.follow(&entry, |_| false).expect("the next entry");
                } else {
                    self.decoys.push(number);
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
                keys.iter().map(|(held, state)| (key(*held).public_key().hash(), *state)).collect();
            let found: BTreeMap<_, _> = self.ring.keys(&id).map(|(held, state)| (held.hash(), state)).collect();
            assert_eq!(found, model);
            assert_eq!(self.ring.info(&id).expect("he has a key").public_key, *key(keys[0].0).public_key());
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
        let Some((who, keys)) = self.model.iter().next() else { return };
        let (id, (held, state)) = (identity(PEOPLE[*who]), keys[0]);
        let signer = Signer::new(&self.domain, &id, key(held));
        let content = signer.content_hash(b"one contract");
        let record = signer.sign_deterministic(&content, &self.head, Timestamp::MIN).expect("a fit key").record;
        let found = Verifier::new(&self.domain, &self.ring, &Unprepared).verify(&content, record, None).kind();
        let expected = match state {
            KeyState::Valid => VerdictKind::Valid,
            KeyState::Suspended => VerdictKind::Suspended,
            KeyState::Revoked => VerdictKind::Revoked,
            KeyState::Decoy => VerdictKind::Decoy,
        };
        assert_eq!(found, expected);
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
