//! One fraud for each layer, and the layer that catches it.

use crate::archive::Archive;
use crate::view::View;
use dualseal::encoding::json::Value;
use dualseal::vault::{Layer, Standing, StoredHash, StoredHasher, VaultRecord};
use dualseal_examples::Fallible;
use dualseal_examples::report::Report;
use std::io::Read;

/// Where in a record something is changed, in words and in JSON, and who must notice first.
const FRAUDS: [(&str, &[&str], Layer); 9] = [
    ("the hash of the ledger's chain", &["sealed", "layers", "L0", "hash"], Layer::L0),
    ("what the perimeter reported", &["sealed", "layers", "L1", "text"], Layer::L5),
    ("the session tag", &["sealed", "layers", "L2", "tag"], Layer::L2),
    ("the baseline", &["sealed", "layers", "L3", "baseline"], Layer::L3),
    ("the signature of the tier", &["sealed", "layers", "L4", "signature"], Layer::L4),
    ("the dual seal", &["L5"], Layer::L5),
    ("the handle of the chain entry", &["L6"], Layer::L6),
    ("the honeypot fragment", &["L7", "fragment"], Layer::L7),
    ("the message of the chain entry", &["L8", "poruka"], Layer::L8),
];

/// Tries them all.
pub(crate) fn tell(archive: &Archive, seq: u64, told: &mut Report) -> Fallible<()> {
    let view = archive.view()?;
    let (kept, located) = (view.record(seq)?, view.located()?);
    let at = located.locate(&kept);
    let standing = Standing { place: at.as_ref(), after: None };
    let stored = view.stored_hash(seq)?;
    let (verifier, policy) = (view.verifier(), view.operator());
    let mut judge = |name: &str, record: VaultRecord, stored: &StoredHash, expected: Layer| {
        let report = verifier.verify(record, stored, &archive.keys.identity_id, &policy, standing);
        let seen = report.failed().map_or_else(
            || "not caught".to_owned(),
            |layer| format!("caught by {layer}: {}", report.outcome(layer).reason().unwrap_or_default()),
        );
        told.line(name, &seen, report.failed() == Some(expected) && report.record().is_none());
    };
    for (name, path, expected) in FRAUDS {
        let mut json = Value::parse(kept.to_stored_json().as_bytes())?;
        change(&mut json, path).ok_or("the record has this member")?;
        judge(name, VaultRecord::from_json(json.to_canonical()?.as_bytes())?, &stored, expected);
    }
    judge("one byte of the stored document", view.record(seq)?, &flipped(archive, &view, seq)?, Layer::L0);
    Ok(())
}

/// Changes a text: its last digit, or the text as a whole where that is no digit.
fn change(json: &mut Value, path: &[&str]) -> Option<()> {
    let mut at = json;
    for name in path {
        let Value::Object(members) = at else { return None };
        at = members.get_mut(*name)?;
    }
    let Value::String(text) = at else { return None };
    let last = text.pop();
    text.push_str(match last {
        Some('0') => "1",
        Some('1'..='9' | 'a'..='f') => "0",
        _ => "something else",
    });
    Some(())
}

/// The stored bytes with one bit of their middle flipped, hashed in one pass.
fn flipped(archive: &Archive, view: &View<'_>, seq: u64) -> Fallible<StoredHash> {
    let mut file = view.stored(seq)?;
    let middle = file.length() / 2;
    let (mut hasher, mut buffer, mut place) = (StoredHasher::new(&archive.domain), vec![0; 1 << 16], 0);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hasher.finish());
        }
        if let Some(byte) = middle.checked_sub(place).and_then(|at| buffer[..count].get_mut(usize::try_from(at).ok()?))
        {
            *byte ^= 1;
        }
        hasher.update(&buffer[..count]);
        place += count as u64;
    }
}
