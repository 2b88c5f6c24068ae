//! The notes of checkpoints, with what witnesses added.

use dualseal::checkpoint::Checkpoint;
use dualseal::note::NoteKey;
use dualseal_operator::notes::Cosigned;
use platform::db::{Db, statements};
use platform::problem::{Problem, kinds};
use platform::values;

statements! {
    FIND = locking "SELECT json, note FROM checkpoints WHERE log = $1 AND size = $2";
    PUT = "UPDATE checkpoints SET note = $3 WHERE log = $1 AND size = $2";
    /// So that what a witness saw last is found among checkpoints that it never saw.
    NOTE = "INSERT INTO cosigned (log, witness, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
}

/// Adds what witnesses wrote to the note of a checkpoint: the log's own line holds in it, and the line of each pinned
/// witness that it has.
pub(crate) async fn cosign(
    db: &Db,
    log: i64,
    size: u64,
    text: &str,
    pinned: &[NoteKey],
) -> Result<Vec<String>, Problem> {
    let mut tx = db.begin().await?;
    let row = tx
        .find(FIND, values![log, size])
        .await?
        .ok_or_else(|| Problem::invalid("", "unknown-head", "the log has signed no checkpoint of this size"))?;
    let checkpoint = Checkpoint::from_json(row.text("json")?.as_bytes())?;
    let kept = row.text("note")?;
    let refused = |error: dualseal_operator::notes::NotesError| Problem::invalid("", "note", error.to_string());
    // Those whose lines are in what came, or were there: each must hold.
    let named: Vec<_> = pinned.iter().filter(|key| [text, &kept].iter().any(|note| has(note, key))).cloned().collect();
    if !pinned.iter().any(|key| has(text, key)) {
        return Err(Problem::invalid("", "unknown-witness", "no line of it is by a witness that this log knows"));
    }
    let merged = Cosigned::merge(&checkpoint, [kept.as_str(), text], &named).map_err(refused)?;
    let merged = merged.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    tx.execute(PUT, values![log, size, merged.note().to_text()]).await?;
    for (key, _) in merged.seen() {
        tx.execute(NOTE, values![log, key.to_text(), size]).await?;
    }
    tx.commit().await?;
    Ok(merged.seen().iter().map(|(key, _)| key.name().to_string()).collect())
}

/// Whether a note has a line that says to be by this key.
fn has(note: &str, key: &NoteKey) -> bool {
    dualseal::note::Note::from_text(note).is_ok_and(|note| !note.by(key).signatures().is_empty())
}
