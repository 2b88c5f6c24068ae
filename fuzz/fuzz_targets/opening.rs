//! A store that somebody edited in one place is refused at opening, or is the same as before.
#![no_main]

use dualseal::checkpoint::Checkpoint;
use dualseal::key::{CheckedRing, RingFile};
use dualseal::secret::Secret;
use dualseal::store::{StoredState, mark_from_json};
use dualseal::{Domain, Entry, Head, RingKey, SigningKey, SystemRng};
use dualseal_operator::opening::{Opened, Stored, open};
use dualseal_operator::step::{Batch, State};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

const ORIGIN: &str = "example.org/log";

/// The texts of a store with a key, an entry and a checkpoint.
#[derive(Clone)]
struct Texts {
    state: Vec<u8>,
    seal: Vec<u8>,
    row: Vec<u8>,
    end: Vec<u8>,
    checkpoint: Vec<u8>,
    mark: Vec<u8>,
}

impl Texts {
    fn part(&mut self, which: u8) -> &mut Vec<u8> {
        match which % 6 {
            0 => &mut self.state,
            1 => &mut self.seal,
            2 => &mut self.row,
            3 => &mut self.end,
            4 => &mut self.checkpoint,
            _ => &mut self.mark,
        }
    }

    /// `None` for what is refused, be it read or held against the rest.
    fn open(&self) -> Option<Opened> {
        let stored = Stored {
            state: &self.state,
            ring: RingFile::from_rows(&self.seal, [&self.row]).ok()?,
            end: Some(Entry::from_json(&self.end).ok()?),
            checkpoint: Some(Checkpoint::from_json(&self.checkpoint).ok()?),
            mark: Some(&self.mark),
        };
        open(&Domain::default(), ORIGIN, &authority(), stored).ok()
    }
}

fn authority() -> RingKey {
    RingKey::new(&Domain::default(), Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"))
}

static SOUND: LazyLock<(Texts, Opened)> = LazyLock::new(|| {
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&[7; 32]).expect("no zeros"));
    let ana = domain.identity_id(b"", "ana", "").expect("a name");
    let ring = CheckedRing::new(ORIGIN, &authority()).expect("an origin");
    let empty = State::new(&domain, ring, StoredState::new(Head::EMPTY)).expect("an empty log");
    let (first, _) = empty.first_mark().expect("a first mark");
    let time = "2026-11-21T09:00:00.000Z".parse().expect("a time");
    let mut batch = Batch::new(empty);
    batch.step(time, |step| step.add_key(&ana, key.public_key())).expect("a key");
    let (state, made) = batch.place().0.finish([]).expect("nothing to sign");
    let growth = dualseal::checkpoint::Growth::by_proof(first.tree_head(), state.head(), &[]).expect("from nothing");
    let (mark, mark_text) = state.next_mark(&first, &growth).expect("a mark");
    let signer = state.checkpoint_signer(&ana, &key).expect("a current key");
    let checkpoint = signer.sign(&mark, time, &mut SystemRng).expect("a checkpoint");
    let (_, changes) = state.clone().take(checkpoint.clone()).expect("its own");
    let texts = Texts {
        state: changes.state.into_bytes(),
        seal: changes.ring.seal.into_bytes(),
        row: state.ring().identity_row(&ana).expect("a row").into_bytes(),
        end: made.entries.last().expect("an entry").to_json().into_bytes(),
        checkpoint: checkpoint.to_json().into_bytes(),
        mark: mark_text.into_bytes(),
    };
    let opened = texts.open().expect("a sound store");
    (texts, opened)
});

fuzz_target!(|input: &[u8]| {
    assert!(!matches!(StoredState::from_json(input, ORIGIN, &authority()), Ok(Some(_))));
    assert!(!matches!(mark_from_json(input, ORIGIN, &authority()), Ok(Some(_))));
    let (texts, sound) = &*SOUND;
    let [which, high, low, cut, put @ ..] = input else { return };
    let mut edited = texts.clone();
    let part = edited.part(*which);
    let at = usize::from(u16::from_be_bytes([*high, *low])) % (part.len() + 1);
    let end = (at + usize::from(*cut)).min(part.len());
    part.splice(at..end, put.iter().copied());
    // Other spacing is the same text.
    if let Some(opened) = edited.open() {
        assert_eq!(opened.state.stored(), sound.state.stored());
        assert_eq!(opened.state.ring().ring_head(), sound.state.ring().ring_head());
        assert_eq!(opened.mark, sound.mark);
    }
});
