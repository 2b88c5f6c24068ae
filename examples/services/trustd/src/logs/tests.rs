//! What witnesses saw is found behind any number of checkpoints that they did not see, and costs no more for those.

use super::{seen, store};
use crate::App;
use crate::keyed::keyed;
use crate::testing;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::note::{Note, NoteKey, NoteKind, NoteName, NoteSignature};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::statements;
use platform::values;
use tempfile::TempDir;
use uuid::Uuid;

const NOW: &str = "2026-11-21T09:00:00.000Z";

statements! {
    MORE = "INSERT INTO checkpoints (log, size, time, json, note) SELECT log, $2, time, json, note FROM checkpoints \
            WHERE size = $1";
    SAW = "INSERT INTO cosigned (log, witness, size) VALUES (1, $1, $2)";
    SPOIL = "UPDATE checkpoints SET json = 'no checkpoint' WHERE size = $1";
}

struct Watched {
    app: App,
    witnesses: Vec<(NoteKey, Ed25519SigningKey)>,
    _folder: TempDir,
}

impl Watched {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let witness = |seed: u8, name: &str| {
            let (key, name) = (Ed25519SigningKey::from_seed(&[seed; 32]).unwrap(), NoteName::new(name).unwrap());
            (NoteKey::new(name, NoteKind::Witness, key.public_key()), key)
        };
        let witnesses = vec![witness(1, "ivo.example"), witness(2, "mia.example")];
        let mut config = Config::default();
        config.log.witnesses = witnesses.iter().map(|(key, _)| key.to_text()).collect();
        let app = testing::founded(folder.path(), config, Clock::still(NOW.parse().unwrap())).await;
        Self { app, witnesses, _folder: folder }
    }

    /// A new checkpoint, with the lines of these.
    async fn sign(&self, by: &[usize]) -> u64 {
        let somebody = self.app.log.domain().identity_id(b"", &Uuid::now_v7().to_string(), "").unwrap();
        keyed(&self.app, somebody).await.unwrap();
        self.app.log.checkpoint().await.unwrap();
        let (checkpoint, note) = self.app.log.reader().checkpoint(1).await.unwrap().unwrap();
        let (size, mut note) = (checkpoint.tree_head().size, Note::from_text(&note).unwrap());
        let pinned = self.app.config.log.witness_keys();
        for one in by {
            let (key, secret) = &self.witnesses[*one];
            let line = NoteSignature::cosign(note.body(), key.name(), secret, NOW.parse().unwrap()).unwrap();
            note.add(line).unwrap();
        }
        if !by.is_empty() {
            store::cosign(&self.app.db, 1, size, &note.to_text(), &pinned).await.unwrap();
        }
        size
    }

    async fn last(&self) -> Vec<Option<u64>> {
        let all = seen::by_each(&self.app).await.unwrap();
        all.into_iter().map(|(_, last)| Some(last?.0)).collect()
    }
}

#[tokio::test]
async fn what_a_witness_saw_is_found_behind_many_that_it_did_not_see() {
    let at = Watched::new().await;
    assert_eq!(at.last().await, [None, None]);
    let first = at.sign(&[0, 1]).await;
    let second = at.sign(&[1]).await;
    for more in 1..=300 {
        at.app.db.execute(MORE, values![first, second + more]).await.unwrap();
    }
    assert_eq!(at.last().await, [Some(first), Some(second)]);
    let by = async |least| seen::by_many(&at.app, least).await.unwrap();
    let (one, both) = (by(1).await.unwrap(), by(2).await.unwrap());
    assert_eq!((one.checkpoint.tree_head().size, one.by.len()), (second, 1));
    assert_eq!((both.checkpoint.tree_head().size, both.by.len()), (first, 2));
    assert_eq!(both.by[1], (at.witnesses[1].0.clone(), NOW.parse().unwrap()));
    assert!(by(3).await.is_none());
}

/// Rows that do not read, and rows that say that a witness saw what it did not, hide nothing, and of many few are read.
#[tokio::test]
async fn a_row_that_does_not_hold_is_passed_over_and_few_are_read() {
    let at = Watched::new().await;
    let sizes = [at.sign(&[0]).await, at.sign(&[0]).await, at.sign(&[]).await];
    at.app.db.execute(SAW, values![at.witnesses[0].0.to_text(), sizes[2]]).await.unwrap();
    assert_eq!(at.last().await[0], Some(sizes[1]));
    // One that is named and did not see it hides none that did.
    at.app.db.execute(SAW, values![at.witnesses[1].0.to_text(), sizes[1]]).await.unwrap();
    let one = seen::by_many(&at.app, 1).await.unwrap().unwrap();
    assert_eq!((one.checkpoint.tree_head().size, one.by.len()), (sizes[1], 1));
    assert!(seen::by_many(&at.app, 2).await.unwrap().is_none());
    at.app.db.execute(SPOIL, values![sizes[1]]).await.unwrap();
    assert_eq!(at.last().await[0], Some(sizes[0]));
    assert_eq!(seen::by_many(&at.app, 1).await.unwrap().unwrap().checkpoint.tree_head().size, sizes[0]);
    at.app.db.execute(SAW, values![at.witnesses[0].0.to_text(), 1_i64 << 20]).await.unwrap();
    assert_eq!(at.last().await[0], None);
}
