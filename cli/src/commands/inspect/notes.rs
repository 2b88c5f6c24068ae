//! Notes of logs, and proofs that hold under one: texts that other programs write as well.

use super::finding::Inspected;
use dualseal::note::{LogProof, Note};

/// How a proof begins.
const PROOF: &str = "c2sp.org/tlog-proof@";

pub(super) fn look(bytes: &[u8]) -> Option<Inspected> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.starts_with(PROOF) {
        let read = LogProof::from_text(text);
        return Some(read.err().iter().fold(Inspected::new("proof of a place (tlog-proof)"), Inspected::with));
    }
    // Any text may have lines like those of a note.
    Note::from_text(text).ok().map(|note| {
        let count = u64::try_from(note.signatures().len()).ok();
        Inspected { count, ..Inspected::new("note of a log") }
    })
}
