//! `trustd invite`, and what looks after logins: list, remove, take an outside subject for an identity.

use super::{Failed, say, time};
use crate::App;
use crate::auth::shut_out;
use dualseal::IdentityId;
use platform::Platform;
use platform::authority::{Invitation, NewOutside, scope_text};
use std::io::Write;
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: u64 = 200;

/// Invites, and prints the code alone: it is told once, and used once within a day.
///
/// # Errors
/// [`Failed`].
pub async fn invite(platform: &Platform, invitation: &Invitation, out: &mut dyn Write) -> Result<(), Failed> {
    let invited = platform.authority.invite(invitation).await?;
    say(out, format_args!("{}", &*invited.code))
}

/// The same for the keeper of a node.
///
/// # Errors
/// [`Failed`]; [`kinds::UNKNOWN_ID`](platform::problem::kinds::UNKNOWN_ID) where there is no node of this label.
pub async fn invite_node(platform: &Platform, label: &str, out: &mut dyn Write) -> Result<(), Failed> {
    let invited = platform.authority.invite_node(label).await?;
    say(out, format_args!("{}", &*invited.code))
}

/// Prints login keys and outside subjects, newest first: of one identity, or of all.
///
/// # Errors
/// [`Failed`].
pub async fn list_logins(platform: &Platform, of: Option<&IdentityId>, out: &mut dyn Write) -> Result<(), Failed> {
    let mut after = None;
    loop {
        let rows = platform.authority.logins(of, None, after.as_ref(), PAGE).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = Some(last.id);
        for row in &rows {
            let (scope, added) = (scope_text(&row.scopes), time(row.added));
            let by = match (&row.public_key, &row.outside) {
                (Some(key), _) => format!("key={key}"),
                (None, Some((issuer, subject))) => format!("issuer={issuer:?} subject={subject:?}"),
                (None, None) => String::new(),
            };
            let (id, tier, identity, label) = (row.id, row.tier, row.identity_id, &row.label);
            let node = if row.is_node { " node" } else { "" };
            let void = if row.is_void { " void" } else { "" };
            let from = inviter(&row.by);
            say(
                out,
                format_args!(
                    "{id} {tier} {identity} scope={scope:?} {by} label={label:?}{node} {added} by {from}{void}"
                ),
            )?;
        }
    }
}

/// Removes a login key or an outside subject: every token that was got by it ends.
///
/// # Errors
/// [`Failed`].
pub async fn remove_login(app: &App, id: &Uuid, out: &mut dyn Write) -> Result<(), Failed> {
    shut_out::remove_login(app, id, None).await?;
    say(out, format_args!("removed {id}"))
}

/// Prints the invitations that may still be used, the oldest first: their names, never their codes.
///
/// # Errors
/// [`Failed`].
pub async fn list_invitations(platform: &Platform, out: &mut dyn Write) -> Result<(), Failed> {
    for one in platform.authority.invitations().await? {
        let Invitation { identity_id, tier, scopes, by, node, .. } = &one.invitation;
        let (scope, until, by) = (scope_text(scopes), time(one.expires), inviter(by));
        let node = node.as_ref().map(|node| format!(" node={:?}", node.label)).unwrap_or_default();
        say(out, format_args!("{} {tier} {identity_id} scope={scope:?}{node} until {until} by {by}", one.id))?;
    }
    Ok(())
}

/// Withdraws an invitation, by its name.
///
/// # Errors
/// [`Failed`].
pub async fn withdraw(platform: &Platform, id: &str, out: &mut dyn Write) -> Result<(), Failed> {
    platform.authority.withdraw(id).await?;
    say(out, format_args!("withdrawn {id}"))
}

fn inviter(by: &[IdentityId]) -> String {
    by.first().map_or_else(|| "host".to_owned(), IdentityId::to_hex)
}

/// Takes a subject of an outside issuer for an identity, and prints the name of that.
///
/// # Errors
/// [`Failed`].
pub async fn add_outside(platform: &Platform, new: &NewOutside, out: &mut dyn Write) -> Result<(), Failed> {
    let id = platform.authority.add_outside(new).await?;
    say(out, format_args!("{id}"))
}
