//! A thief erases: the document goes from the copy that it is shown, which has the record that says so.

use super::super::Vault;
use super::super::erase::unknown_split;
use super::super::rules::{self, Event};
use super::super::seal::ledger;
use super::super::store::{Content, Kept};
use super::super::types::EraseAnswer;
use super::{Shown, add, set_state, signer, told};
use crate::{App, qt};
use dualseal::krunica::KrunicaHash;
use dualseal::shamir::SplitId;
use dualseal::vault::{Destination, Encryption, VaultRecord, VaultSealer};
use dualseal::{Entry, SystemRng};
use platform::access::{Caller, World};
use platform::db::{Db, statements};
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Name;
use serde_json::json;
use std::collections::BTreeSet;

statements! {
    BY_HANDLE = "SELECT json FROM vault_decoys WHERE krunica = $1 AND json IS NOT NULL LIMIT 1";
}

/// The library makes the record of an erasure of a document alone that was verified, and of a thief's copy there is
/// none: it is sealed under this type, and shown under the real one, which is as long.
const SEALED_AS: &str = "erasure";
const SHOWN_AS: &str = "ERASURE";

/// Erases it from the copy.
pub(crate) async fn erase(
    app: &App,
    vault: &Vault,
    caller: &Caller,
    shown: Shown,
    prepared: &[SplitId],
) -> Result<EraseAnswer, Problem> {
    told(app, caller, "erase");
    let Kept { line, .. } = &shown.kept;
    rules::erases(&shown.kept)?;
    let signer = signer(app, &line.identity_id).await?;
    let state = app.log.state().await?;
    let mut tx = app.db.begin().await?;
    let of_vault = (line.vault_id, World::Decoy);
    let ending = qt::ending(&mut tx, &of_vault).await?;
    if let Some(position) = prepared.iter().position(|split| !ending.known.contains(split)) {
        return Err(unknown_split(position));
    }
    for place in &ending.waiting {
        app.secrets.remove(&mut tx, place).await?;
    }
    let owner = qt::owner(World::Decoy, &line.identity_id);
    vault.owners.erase(&mut tx, &owner, &ending.waiting).await?;
    let now = app.clock.now();
    qt::end_of_splits(&mut tx, &of_vault, now.as_millis()).await?;
    let event = if ending.rebuilds { Event::ErasedWithShards } else { Event::ErasedWithout };
    let after = line.state.after(event).ok_or_else(|| Problem::new(&kinds::CONFLICT))?;
    set_state(&mut tx, &line.vault_id, line.state, after).await?;

    let splits: BTreeSet<_> = ending.known.iter().chain(prepared).map(SplitId::to_hex).collect();
    let said = json!({ "splits": splits, "vault_id": line.vault_id.to_hex() }).to_string();
    let end = state.ledger(&ledger(&state)?).ok_or_else(|| Problem::internal("vault", &"the log has no ledger"))?;
    let destination = Destination { ledger: end, head: state.head(), note: "", time: now };
    let sealer = VaultSealer::new(&vault.keys.master, &line.identity_id, &*signer).native(&vault.keys.native);
    let mut stored = Vec::new();
    let mut sealing = sealer.begin(SEALED_AS, Encryption::None, &mut SystemRng, &mut stored)?;
    sealing.update(said.as_bytes(), &mut stored)?;
    let sealed = sealing.finish(&destination, &mut SystemRng, &mut stored)?;
    add(&mut tx, caller, (&sealed.record, SHOWN_AS), &Content::Inline(stored)).await?;
    tx.commit().await?;
    let (vault_id, erasure) = (Name(line.vault_id), Name(sealed.record.header().vault_id));
    Ok(EraseAnswer { vault_id, state: after, erasure })
}

/// A record as its reader is shown it, whose type is that of its row.
pub(crate) fn json(kind: &str, record: &VaultRecord) -> String {
    let json = record.to_json();
    if (kind, record.header().kind.as_str()) != (SHOWN_AS, SEALED_AS) {
        return json;
    }
    json.replacen(&format!("\"type\":\"{SEALED_AS}\""), &format!("\"type\":\"{SHOWN_AS}\""), 1)
}

/// The entry of what a thief sealed, which has no place in the log: look-ups find it as they find any.
///
/// # Errors
/// The database.
pub(crate) async fn entry(db: &Db, handle: &KrunicaHash) -> Result<Option<Entry>, Problem> {
    let Some(row) = db.find(BY_HANDLE, values![&handle.as_bytes()[..]]).await? else { return Ok(None) };
    Ok(Some(VaultRecord::from_json(row.text("json")?.as_bytes())?.entry().clone()))
}
