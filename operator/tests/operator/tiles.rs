//! The folder of a log, on disks that lose their power while it is written.

use crate::log::fresh;
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::key::Unprepared;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};
use dualseal::{Domain, Entry, IdentityId, Krunica, SigningKey, SystemRng, Timestamp, Verified};
use dualseal_operator::chain::ChainError;
use dualseal_operator::disk::{Disk, Lost, Refused};
use dualseal_operator::tiles::{CHECKPOINT, LogFolder, TilesError, ToShow};
use std::fs;
use std::path::Path;

const ORIGIN: &str = "example.org/log";

/// A log that grows, with what it signs.
struct Log {
    domain: Domain,
    identity_id: IdentityId,
    key: SigningKey,
    notes: Ed25519SigningKey,
    chain: Krunica,
}

/// What it signed over one head.
struct Signed {
    checkpoint: Verified<Checkpoint>,
    note: Note,
    key: NoteKey,
    lines: String,
}

impl Log {
    fn new() -> Self {
        let domain = Domain::default();
        let identity_id = domain.identity_id(b"", "log", "").unwrap();
        let (key, notes) = (SigningKey::from_seed(&[5; 32]).unwrap(), Ed25519SigningKey::from_seed(&[6; 32]).unwrap());
        Self { domain, identity_id, key, notes, chain: Krunica::new() }
    }

    fn grow(&mut self, messages: usize, text: &str) -> Signed {
        for _ in 0..messages {
            self.chain.append(&self.domain, &self.identity_id, text, Timestamp::MIN).unwrap();
        }
        let signer = CheckpointSigner::new(&self.domain, ORIGIN, &self.identity_id, &self.key).unwrap();
        let first = HighWaterMark::first(ORIGIN, self.chain.head(), None).unwrap();
        let signer = signer.with_note_key(self.notes.public_key());
        let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng).unwrap();
        let (head, origin) = (signed.tree_head(), NoteName::new(ORIGIN).unwrap());
        let note = Note::sign(NoteBody { origin: origin.clone(), size: head.size, root: head.root }, &self.notes);
        let key = NoteKey::new(origin, NoteKind::Log, self.notes.public_key());
        let (identity_id, key_hash) = (self.identity_id, *self.key.public_key().hash());
        let pins = Pins { origin: ORIGIN.to_owned(), identity_id, key_hash, least_size: 0 };
        let checkpoint = CheckpointVerifier::new(&self.domain, &pins, None, &Unprepared).verify(signed).valid();
        let lines = self.chain.entries().iter().map(Entry::to_json_line).collect();
        Signed { checkpoint: checkpoint.unwrap(), note, key, lines }
    }

    fn write(&self, folder: &LogFolder, disk: &Disk, signed: &Signed) -> Result<u64, TilesError> {
        let Signed { checkpoint, note, key, lines } = signed;
        folder.write(disk, &ToShow { domain: &self.domain, checkpoint, note, key }, lines.as_bytes())
    }
}

/// Everything that the note covers is proved from the folder.
fn shows(folder: &LogFolder, signed: &Signed) {
    let head = signed.checkpoint.record().tree_head();
    let seqs: Vec<u64> = [0, 2, 255, 256, 257].into_iter().filter(|seq| *seq < head.size).collect();
    let places = folder.places(signed.checkpoint.record(), &seqs).unwrap();
    assert_eq!(places.len(), seqs.len());
    assert!(places.iter().all(|place| place.verify(&signed.checkpoint).is_ok()));
    assert_eq!(folder.head(head).unwrap().root(), head.root);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &to) } else { _ = fs::copy(&path, &to).unwrap() }
    }
}

/// The note that is there is one of both, and what it covers is there.
#[test]
fn a_loss_of_power_leaves_the_old_note_or_the_new_one() {
    for lost in [Lost::Nothing, Lost::Everything] {
        let place = fresh("tiles-power");
        let mut log = Log::new();
        let (before, after) = (log.grow(3, "one"), log.grow(255, "two"));
        let was = LogFolder::new(&place.join("was"));
        log.write(&was, &Disk::new(), &before).unwrap();
        let mut at = 0;
        loop {
            let folder = LogFolder::new(&place.join("public"));
            copy(was.path(), folder.path());
            let written = log.write(&folder, &Disk::stopping_at(at, lost), &after);
            let note = folder.note().unwrap();
            let signed = if note == after.note.to_text() { &after } else { &before };
            assert_eq!(note, signed.note.to_text(), "{at}");
            shows(&folder, signed);
            // Whatever was left, it goes on: forced to the disk each time, so that it takes a while.
            if at % 8 == 0 {
                log.write(&folder, &Disk::new(), &after).unwrap();
                shows(&folder, &after);
            }
            fs::remove_dir_all(folder.path()).unwrap();
            if written.is_ok() {
                break;
            }
            at += 1;
        }
        assert!(at > 30);
    }
}

/// A folder that does not lead to the note is left as it is.
#[test]
fn another_log_and_a_fork_are_left_as_they_are() {
    let place = fresh("tiles-fork");
    let (mut log, mut fork) = (Log::new(), Log::new());
    let folder = LogFolder::new(&place.join("public"));
    let (short, long) = (log.grow(2, "one"), log.grow(2, "two"));
    log.write(&folder, &Disk::new(), &long).unwrap();
    let shown = fs::read(folder.path().join(CHECKPOINT)).unwrap();
    let other = fork.grow(4, "other");
    let longer = fork.grow(1, "other");
    for signed in [&short, &other, &longer] {
        let refused = log.write(&folder, &Disk::new(), signed).unwrap_err();
        assert!(matches!(refused, TilesError::Fork(_)), "{refused}");
    }
    let mut stranger = Log::new();
    stranger.notes = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let theirs = stranger.grow(5, "one");
    let refused = stranger.write(&folder, &Disk::new(), &theirs).unwrap_err();
    assert!(matches!(refused, TilesError::OtherLog { .. }), "{refused}");
    // A chain that is not the checkpoint's, and what the checkpoint does not cover.
    let cut = Signed { lines: short.lines.clone(), ..log.grow(1, "three") };
    assert!(matches!(log.write(&folder, &Disk::new(), &cut).unwrap_err(), TilesError::Chain(_)));
    assert!(matches!(folder.places(long.checkpoint.record(), &[4]).unwrap_err(), TilesError::Beyond));
    assert_eq!(fs::read(folder.path().join(CHECKPOINT)).unwrap(), shown);
    shows(&folder, &long);
}

/// A tile that somebody changed or took away is written again, though the note that is there covers it.
#[test]
fn what_was_changed_is_written_again() {
    let place = fresh("tiles-again");
    let (mut log, disk) = (Log::new(), Disk::new());
    let folder = LogFolder::new(&place.join("public"));
    let signed = log.grow(258, "one");
    log.write(&folder, &disk, &signed).unwrap();
    assert_eq!(log.write(&folder, &disk, &signed).unwrap(), 0);
    for name in ["tile/0/000", "tile/0/001.p/2", "tile/1/000.p/1", "tile/entries/000", "tile/entries/001.p/2"] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        for changed in [None, Some(&whole[..31])] {
            changed.map_or_else(|| fs::remove_file(&path), |bytes| fs::write(&path, bytes)).unwrap();
            assert_eq!(log.write(&folder, &disk, &signed).unwrap(), 1, "{name}");
            assert_eq!(fs::read(&path).unwrap(), whole, "{name}");
        }
    }
    shows(&folder, &signed);
}

/// Tiles that lead to one head, under a note of another one or by another key.
#[test]
fn a_note_of_another_head_or_key_is_not_written() {
    let place = fresh("tiles-notes");
    let mut log = Log::new();
    let folder = LogFolder::new(&place.join("public"));
    let (before, after) = (log.grow(3, "one"), log.grow(1, "two"));
    let mut forged = after.note.body().clone();
    forged.root = before.note.body().root;
    let mut renamed = after.note.body().clone();
    renamed.origin = NoteName::new("example.org/other").unwrap();
    let stranger = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let by_other = Note::sign(after.note.body().clone(), &stranger);
    let notes = [before.note, Note::sign(forged, &log.notes), Note::sign(renamed, &log.notes), by_other];
    for note in notes {
        let signed =
            Signed { note, checkpoint: after.checkpoint.clone(), key: after.key.clone(), lines: after.lines.clone() };
        let refused = log.write(&folder, &Disk::new(), &signed).unwrap_err();
        assert!(matches!(refused, TilesError::Chain(ChainError::Asked(_))), "{refused}");
        assert!(!folder.path().exists());
    }
}

/// Whoever writes the folder keeps nobody waiting at a pipe, nor leads a reader elsewhere.
#[cfg(unix)]
#[test]
fn pipes_and_links_are_not_read() {
    let place = fresh("tiles-pipes");
    let mut log = Log::new();
    let signed = log.grow(3, "one");
    let (folder, aim) = (LogFolder::new(&place.join("public")), place.join("aim"));
    log.write(&folder, &Disk::new(), &signed).unwrap();
    for name in ["checkpoint", "chain.jsonl", "chain.index", "checkpoint.json", "tile/0/000.p/3"] {
        let path = folder.path().join(name);
        fs::rename(&path, &aim).unwrap();
        for is_pipe in [true, false] {
            if is_pipe {
                assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            } else {
                std::os::unix::fs::symlink(&aim, &path).unwrap();
            }
            let refused = match name {
                "checkpoint" => folder.note().unwrap_err(),
                "checkpoint.json" => folder.head(signed.checkpoint.record().tree_head()).unwrap_err(),
                _ => folder.places(signed.checkpoint.record(), &[0]).unwrap_err(),
            };
            assert!(matches!(refused, TilesError::Read(_)), "{name}: {refused}");
            fs::remove_file(&path).unwrap();
        }
        fs::rename(&aim, &path).unwrap();
    }
    // Nor is a folder of it a link to another one.
    for name in ["tile", "tile/0", "tile/0/000.p"] {
        let path = folder.path().join(name);
        fs::rename(&path, &aim).unwrap();
        std::os::unix::fs::symlink(&aim, &path).unwrap();
        let refused = folder.places(signed.checkpoint.record(), &[0]).unwrap_err();
        assert!(
            matches!(&refused, TilesError::Read(error) if error.refused() == Some(Refused::NotAFolder)),
            "{refused}"
        );
        fs::remove_file(&path).unwrap();
        fs::rename(&aim, &path).unwrap();
    }
    shows(&folder, &signed);
}

/// Nothing of the folder is written through a link or a pipe that somebody planted.
#[cfg(unix)]
#[test]
fn what_was_planted_is_not_written_through() {
    let place = fresh("tiles-planted");
    let mut log = Log::new();
    let signed = log.grow(3, "one");
    for name in ["chain.jsonl", "chain.index", "checkpoint.json", "tile/0/000.p/3"] {
        let folder = LogFolder::new(&place.join("public"));
        let (planted, aim) = (folder.path().join(name), place.join("aim"));
        fs::create_dir_all(planted.parent().unwrap()).unwrap();
        fs::write(&aim, "theirs").unwrap();
        std::os::unix::fs::symlink(&aim, &planted).unwrap();
        let refused = log.write(&folder, &Disk::new(), &signed).unwrap_err();
        assert!(matches!(refused, TilesError::Write(_)), "{name}: {refused}");
        assert_eq!(fs::read(&aim).unwrap(), b"theirs", "{name}");
        assert!(!folder.path().join(CHECKPOINT).exists(), "{name}");
        fs::remove_dir_all(folder.path()).unwrap();
    }
    // Nor through a link in the place of one of its folders.
    for name in ["tile", "tile/0", "tile/0/000.p", "tile/entries"] {
        let folder = LogFolder::new(&place.join("public"));
        let (planted, aim) = (folder.path().join(name), place.join("theirs"));
        fs::create_dir_all(planted.parent().unwrap()).unwrap();
        fs::create_dir(&aim).unwrap();
        std::os::unix::fs::symlink(&aim, &planted).unwrap();
        let refused = log.write(&folder, &Disk::new(), &signed).unwrap_err();
        assert!(matches!(refused, TilesError::Write(_)), "{name}: {refused}");
        assert_eq!(fs::read_dir(&aim).unwrap().count(), 0, "{name}");
        fs::remove_dir_all(folder.path()).unwrap();
        fs::remove_dir(&aim).unwrap();
    }
}
