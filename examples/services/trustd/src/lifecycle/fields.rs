//! What a request says of a document, held to its rules.

use super::rules;
use crate::App;
use crate::messaging::Outbox;
use crate::vault::Vault;
use crate::vault::file::{file_for, is_of};
use dualseal::{IdentityId, VaultId};
use jiff::civil::Date;
use platform::access::Caller;
use platform::problem::Problem;
use platform::web::{Base64, Name};
use std::sync::Arc;
use uuid::Uuid;

pub(super) fn dated(text: &str, pointer: &str) -> Result<Date, Problem> {
    rules::date(text).ok_or_else(|| Problem::invalid(pointer, "date", "is no date of a calendar: YYYY-MM-DD"))
}

pub(super) fn typed(app: &App, tip: String, pointer: &str) -> Result<String, Problem> {
    if app.config.lifecycle.types.contains(&tip) {
        return Ok(tip);
    }
    let all = app.config.lifecycle.types.join(", ");
    Err(Problem::invalid(pointer, "unknown-value", format!("is none of {all}")))
}

/// Who is told: a contact that the caller may write to.
pub(super) async fn contact(app: &App, caller: &Caller, text: &str) -> Result<String, Problem> {
    let unknown = || Problem::invalid("/contact_id", "unknown-value", "is no contact that the caller writes to");
    let id = text.parse::<Uuid>().map_err(|_| unknown())?.to_string();
    if Outbox::reaches(&app.db, caller, &id).await? { Ok(id) } else { Err(unknown()) }
}

/// The record that has the file: sealed now, or there already. It is the owner's.
pub(super) async fn filed(
    app: &App,
    vault: &Arc<Vault>,
    caller: &Caller,
    (owner, tip): (IdentityId, &str),
    (content, named): (Option<Base64>, Option<Name<VaultId>>),
) -> Result<Option<String>, Problem> {
    match (content, named) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(Problem::invalid("/vault_id", "one-of", "is there beside sadrzaj_b64")),
        (None, Some(Name(id))) => {
            if is_of(app, caller, &id, &owner).await? {
                return Ok(Some(id.to_hex()));
            }
            Err(Problem::invalid("/vault_id", "unknown-value", "is no record of the owner's"))
        }
        (Some(content), None) => {
            let answer = file_for(app, vault, caller, (owner, tip), content.0).await?;
            Ok(Some(answer.line.vault_id.0.to_hex()))
        }
    }
}
