//! What a request says of a document, held to its rules.

use super::rules;
use crate::App;
use crate::messaging::Outbox;
use crate::vault::file::is_of;
use dualseal::{IdentityId, VaultId};
use jiff::civil::Date;
use platform::access::Caller;
use platform::problem::Problem;
use platform::web::{Base64, Name};
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

/// The file of a document.
pub(super) enum File {
    /// As it was.
    Unchanged,
    /// In a record of the vault that is there already, and is the owner's.
    Named(VaultId),
    /// To be sealed.
    New(Vec<u8>),
}

pub(super) async fn file(
    app: &App,
    caller: &Caller,
    owner: &IdentityId,
    (content, named): (Option<Base64>, Option<Name<VaultId>>),
) -> Result<File, Problem> {
    match (content, named) {
        (None, None) => Ok(File::Unchanged),
        (Some(_), Some(_)) => Err(Problem::invalid("/vault_id", "one-of", "is there beside sadrzaj_b64")),
        (None, Some(Name(id))) if is_of(app, caller, &id, owner).await? => Ok(File::Named(id)),
        (None, Some(_)) => Err(Problem::invalid("/vault_id", "unknown-value", "is no record of the owner's")),
        (Some(content), None) => Ok(File::New(content.0)),
    }
}
