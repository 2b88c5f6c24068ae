use super::*;
use crate::Domain;
use crate::error::Rejected;
use crate::krunica::{Entry, Krunica};
use crate::note::{NoteBody, NoteKind, Witnesses};
use std::collections::BTreeMap;
use std::format;
use std::string::String;
use std::vec;

/// A log as it is served: its chain, its tiles and bundles, and the note over whatever it says its root is.
#[derive(Clone)]
struct Log {
    chain: Krunica,
    files: BTreeMap<String, Vec<u8>>,
}

impl TileReader for &Log {
    type Error = String;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, String> {
        let whole = Tile { width: 256, ..*tile };
        let found = [*tile, whole].into_iter().find_map(|of| Some((of, self.files.get(&of.path())?)));
        let (of, bytes) = found.ok_or_else(|| tile.path())?;
        let mut hashes = of.decode(bytes).map_err(|_| tile.path())?;
        hashes.truncate(tile.width.into());
        Ok(hashes)
    }
}

impl LogReader for &Log {
    fn entries(&mut self, bundle: &EntryBundle) -> Result<Vec<u8>, String> {
        self.files.get(&bundle.path()).cloned().ok_or_else(|| bundle.path())
    }
}

/// `lie` says with which time and message an entry stands there.
fn log(size: usize, lie: impl Fn(usize) -> (i64, String)) -> Log {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let (mut chain, mut growth, mut files, mut leaves) =
        (Krunica::new(), TileGrowth::new(), BTreeMap::new(), Vec::<String>::new());
    for number in 0..size {
        let (seconds, message) = lie(number);
        let time = Timestamp::from_millis((1_700_000_000 + seconds) * 1000).unwrap();
        chain.append(&domain, &ana, &message, time).unwrap();
        let entry = chain.entries().last().unwrap();
        leaves.push(entry.leaf());
        let mut full = Vec::new();
        growth.push(entry.leaf_hash(), |tile, hashes| full.push((*tile, hashes.to_vec())));
        let partial: Vec<_> = growth.partial().map(|(tile, hashes)| (tile, hashes.to_vec())).collect();
        for (tile, hashes) in full.into_iter().chain(partial) {
            files.insert(tile.path(), Tile::encode(&hashes));
            if let Some(bundle) = EntryBundle::of(&tile) {
                let begin = leaves.len() - usize::from(tile.width);
                files.insert(bundle.path(), EntryBundle::encode(&leaves[begin..]).unwrap());
            }
        }
    }
    Log { chain, files }
}

fn honest(number: usize) -> (i64, String) {
    (i64::try_from(number).unwrap(), format!("message {number}"))
}

fn key(seed: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[seed; 32]).unwrap()
}

fn name(text: &str) -> NoteName {
    NoteName::new(text).unwrap()
}

fn log_key() -> NoteKey {
    NoteKey::new(name("example.org/log"), NoteKind::Log, key(1).public_key())
}

fn note(size: u64, root: TreeHash) -> Note {
    Note::sign(NoteBody { origin: name("example.org/log"), size, root }, &key(1))
}

fn of(log: &Log) -> Note {
    note(log.chain.head().size(), log.chain.head().root())
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis((1_700_000_000 + seconds) * 1000).unwrap()
}

/// What a witness does.
fn follow(log: &Log, head: &Head, note: Note) -> Result<Followed, FollowError<String>> {
    let following = Following::begin(log, head, note, &log_key())?;
    let from = usize::try_from(head.size()).unwrap().min(log.chain.entries().len());
    let lines: Vec<String> = log.chain.entries()[from..].iter().map(Entry::to_json_line).collect();
    let (mut each, mut all) = (following.clone(), following);
    let texts = || lines.iter().map(|line| line.trim_end().as_bytes());
    let looked_at = texts().try_fold(true, |_, text| each.push_json(text));
    assert_eq!(all.push_json_all(texts()), looked_at);
    let followed = looked_at.and_then(|_| each.finish());
    assert_eq!(all.finish().is_ok(), followed.is_ok());
    followed
}

fn fault(result: Result<Followed, FollowError<String>>) -> NoteFault {
    match result.unwrap_err() {
        FollowError::Log(Error::Rejected(Rejected::Note(fault))) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_only_grew_is_cosigned() {
    let (mut head, witness) = (Head::EMPTY, key(2));
    for size in [0, 1, 1, 5, 200, 256, 257, 300, 600] {
        let log = log(size, honest);
        let followed = follow(&log, &head, of(&log)).unwrap();
        assert_eq!(followed.head(), log.chain.head());
        let mut cosigned = followed.note().by(&log_key());
        cosigned.add(followed.cosign(&name("w.example"), &witness, at(9)).unwrap()).unwrap();
        let trusted = NoteKey::new(name("w.example"), NoteKind::Witness, witness.public_key());
        assert_eq!(Witnesses::new(&[trusted], 1).unwrap().judge(&cosigned).unwrap().time(), Some(at(9)));
        head = followed.head().clone();
    }
}

#[test]
fn entries_beyond_the_note_are_not_looked_at() {
    let log = log(9, honest);
    let smaller: Krunica = Krunica::from_json(log.chain.to_json().as_bytes()).unwrap();
    assert_eq!(smaller.head(), log.chain.head());
    let seven = self::log(7, honest);
    let served = Log { chain: log.chain.clone(), files: seven.files.clone() };
    assert_eq!(follow(&served, &Head::EMPTY, of(&seven)).unwrap().head(), seven.chain.head());
    let mut following = Following::begin(&served, &Head::EMPTY, of(&seven), &log_key()).unwrap();
    let mut lines: Vec<String> = seven.chain.entries().iter().map(Entry::to_json_line).collect();
    lines.push("no entry".into());
    assert_eq!(following.push_json_all(lines.iter().map(String::as_bytes)), Ok(false));
    assert_eq!(following.finish().unwrap().head(), seven.chain.head());
}

/// The log goes on from another past than the one that was seen.
#[test]
fn a_fork_is_not_cosigned() {
    let seen = log(7, honest);
    let head = follow(&seen, &Head::EMPTY, of(&seen)).unwrap().head().clone();
    let other = |number: usize| if number == 6 { (6, "other".into()) } else { honest(number) };
    for size in [7, 8, 300] {
        let forked = log(size, other);
        assert_eq!(fault(follow(&forked, &head, of(&forked))), NoteFault::Fork, "{size}");
    }
    // With the tiles of the past that was seen, it is the next entry that names another one before it.
    let (mut mixed, forked) = (log(9, honest), log(9, other));
    mixed.chain = forked.chain.clone();
    assert_eq!(fault(follow(&mixed, &head, of(&forked))), NoteFault::Fork);
    // Times of the past alone: the entries are the same, and their tree is not.
    let retimed = log(9, |number| (if number == 3 { 999 } else { i64::try_from(number).unwrap() }, honest(number).1));
    assert_eq!(retimed.chain.head().top(), log(9, honest).chain.head().top());
    assert_eq!(fault(follow(&retimed, &head, of(&retimed))), NoteFault::Fork);
    let mut mixed = log(9, honest);
    mixed.chain = retimed.chain.clone();
    assert_eq!(fault(follow(&mixed, &head, of(&retimed))), NoteFault::Chain);
}

#[test]
fn another_root_at_the_same_size_is_a_fork() {
    let seen = log(7, honest);
    let head = seen.chain.head();
    assert_eq!(fault(follow(&seen, head, note(7, TreeHash::of_leaf(b"x")))), NoteFault::Fork);
    assert_eq!(fault(follow(&log(0, honest), &Head::EMPTY, note(0, TreeHash::of_leaf(b"x")))), NoteFault::Fork);
}

#[test]
fn a_log_that_shrinks_is_not_cosigned() {
    let (seen, smaller) = (log(7, honest), log(6, honest));
    let shrunk = NoteFault::Shrunk { seen: 7, found: 6 };
    assert_eq!(fault(follow(&smaller, seen.chain.head(), of(&smaller))), shrunk);
    assert_eq!(fault(follow(&seen, seen.chain.head(), of(&smaller))), shrunk);
}

/// The root that is signed is that of other entries than those that monitors read.
#[test]
fn a_root_over_another_tree_is_not_cosigned() {
    let seen = log(7, honest);
    let served = log(9, honest);
    for from in [&Head::EMPTY, seen.chain.head()] {
        assert_eq!(fault(follow(&served, from, note(9, TreeHash::of_leaf(b"x")))), NoteFault::Chain);
        let short = NoteFault::Incomplete { needed: 10, found: 9 };
        assert_eq!(fault(follow(&served, from, note(10, served.chain.head().root()))), short);
    }
}

#[test]
fn tiles_and_bundles_are_those_of_the_entries() {
    let served = log(300, honest);
    assert!(follow(&served, &Head::EMPTY, of(&served)).is_ok());
    let needed = ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1", "tile/entries/000", "tile/entries/001.p/44"];
    for path in needed {
        let mut altered = served.clone();
        let bytes = altered.files.get_mut(path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        let told = fault(follow(&altered, &Head::EMPTY, of(&served)));
        assert_eq!(told, NoteFault::Tile { path: path.into() });
        altered.files.remove(path);
        // The one that is gone is asked for by its own path, or the whole one's.
        assert!(matches!(follow(&altered, &Head::EMPTY, of(&served)), Err(FollowError::Read(_))), "{path}");
    }
    // An altered entry is named as one.
    let mut following = Following::begin(&served, &Head::EMPTY, of(&served), &log_key()).unwrap();
    let line = served.chain.entries()[0].to_json_line().replace("message 0", "message 1");
    assert!(matches!(
        following.clone().push_json(line.trim_end().as_bytes()),
        Err(FollowError::Log(Error::Rejected(Rejected::Chain(fault)))) if fault.problem == ChainProblem::Hash
    ));
    let both = [line.as_bytes(), b"no entry"];
    assert_eq!(following.clone().push_json_all(both), following.push_json(line.as_bytes()));
}

/// Otherwise a tile that nobody held would be cosigned.
#[test]
fn whoever_goes_on_after_a_fault_gets_nothing() {
    let served = log(300, honest);
    for path in ["tile/0/000", "tile/entries/000"] {
        for gone in [false, true] {
            let mut altered = served.clone();
            if gone {
                altered.files.remove(path);
            } else {
                *altered.files.get_mut(path).unwrap().last_mut().unwrap() ^= 1;
            }
            let mut following = Following::begin(&altered, &Head::EMPTY, of(&served), &log_key()).unwrap();
            let lines = served.chain.entries().iter().map(Entry::to_json_line);
            let lines: Vec<String> = lines.collect();
            let mut all = following.clone();
            assert!(all.push_json_all(lines.iter().map(String::as_bytes)).is_err() && all.finish().is_err(), "{path}");
            let pushed = lines.iter().map(|line| following.push_json(line.trim_end().as_bytes()).is_ok());
            let pushed: Vec<bool> = pushed.collect();
            assert!(pushed[..255].iter().all(|fits| *fits) && pushed[255..].iter().all(|fits| !fits), "{path}");
            assert!(following.finish().is_err(), "{path}");
        }
    }
}

#[test]
fn the_note_of_another_log_is_not_looked_at() {
    let served = log(3, honest);
    let other = NoteBody { origin: name("example.org/lag"), size: 3, root: served.chain.head().root() };
    let by_other = Note::sign(other.clone(), &key(1));
    assert_eq!(fault(follow(&served, &Head::EMPTY, by_other)), NoteFault::Unsigned);
    let stolen = Note::sign(NoteBody { origin: name("example.org/log"), ..other }, &key(3));
    assert_eq!(fault(follow(&served, &Head::EMPTY, stolen)), NoteFault::Unsigned);
}

/// What a witness said of one log says nothing of another, and no second name makes two of him.
#[test]
fn a_cosignature_counts_for_its_log_and_once() {
    let served = log(3, honest);
    let followed = follow(&served, &Head::EMPTY, of(&served)).unwrap();
    let witness = key(2);
    let [one, two] = ["w.example", "v.example"]
        .map(|named| (NoteKey::new(name(named), NoteKind::Witness, witness.public_key()), name(named)));
    let elsewhere = NoteBody { origin: name("example.org/lag"), size: 3, root: served.chain.head().root() };
    let mut replayed = Note::sign(elsewhere, &key(4));
    replayed.add(followed.cosign(&one.1, &witness, at(1)).unwrap()).unwrap();
    let trusted = Witnesses::new(core::slice::from_ref(&one.0), 1).unwrap();
    assert_eq!(trusted.judge(&replayed).unwrap_err(), Error::from(NoteFault::Witness { name: "w.example".into() }));
    let mut twice = followed.note().clone();
    for (time, (_, named)) in [(1, &one), (2, &two)] {
        twice.add(followed.cosign(named, &witness, at(time)).unwrap()).unwrap();
    }
    let third = NoteKey::new(name("u.example"), NoteKind::Witness, key(5).public_key());
    let both = Witnesses::new(&[one.0, two.0, third], 2).unwrap();
    assert_eq!(both.judge(&twice).unwrap_err(), Error::from(NoteFault::TooFewWitnesses { needed: 2, found: 1 }));
    assert_eq!(vec![followed.note().signatures().len()], [1]);
}
