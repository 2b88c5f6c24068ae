//! What other logs publish as text: notes, keys, proofs. What is read is written as it was.
#![no_main]

use dualseal::note::{LogProof, Note, NoteKey};
use dualseal::tree::TreeHash;
use libfuzzer_sys::fuzz_target;

/// The key of the seeds.
const LOG: &str = "example.org/log+c2528891+Aa8Go+MpFxTk81bBnJsVzRlR7G5mYqp3vgdUfyiTgzQd";

fuzz_target!(|text: &str| {
    if let Ok(note) = Note::from_text(text) {
        assert_eq!(note.to_text(), text);
    }
    if let Ok(key) = NoteKey::from_text(text) {
        assert_eq!(key.to_text(), text);
    }
    if let Ok(proof) = LogProof::from_text(text) {
        assert_eq!(proof.to_text(), text);
        assert!(proof.path().len() <= 64);
        let log = NoteKey::from_text(LOG).expect("a key");
        if proof.verify(&TreeHash::of_leaf(b"5"), &log).is_ok() {
            assert!(proof.index() < proof.note().body().size);
        }
    }
});
