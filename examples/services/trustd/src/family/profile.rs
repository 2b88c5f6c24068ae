//! What is known of a child, opened: its profile, and the texts of its memories.

use super::rules::{Skupina, age};
use super::store::{Child, Guardian, Memory};
use super::texts::{disclose, key, moment, owner_of, unshut};
use super::types::ChildOut;
use crate::{App, lifecycle};
use dualseal::{Domain, IdentityId};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use platform::problem::{Problem, kinds};
use platform::web::id_in_path;
use serde_json::{Map, Value};

/// The name of a child in an address. One that is none is nobody's.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`].
pub(super) fn named(id: &str) -> Result<IdentityId, Problem> {
    id_in_path(id).map_err(|_| Problem::new(&kinds::NOT_GUARDIAN))
}

/// Keys are read apart, each by itself: so many at a time, of the connections that there are.
const AT_ONCE: usize = 4;

/// A child of a guardian's, with its profile; without that where it was erased.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`] of another's, and of one that there is not, alike.
pub(super) async fn own(app: &App, guardian: Guardian, id: &str) -> Result<(Child, Option<String>), Problem> {
    let found = guardian.child(&app.db, app.authority.tags(), &named(id)?).await?;
    let child = found.ok_or_else(|| Problem::new(&kinds::NOT_GUARDIAN))?;
    let profile = profile(app, &child).await?;
    Ok((child, profile))
}

/// The text of a child's profile; `None` where it was erased.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`] where the row names another guardian than the one who registered it; the database, the place
/// apart.
pub(super) async fn profile(app: &App, child: &Child) -> Result<Option<String>, Problem> {
    let name = child.id.to_hex();
    let Some(key) = key(app, &child.id, &name).await? else { return Ok(None) };
    let text = disclose(&key, &name, child.profile.clone())?;
    // Whoever writes to the database gives himself a row, and no name: that has the guardian in it.
    if identified(app.log.domain(), &child.guardian, &text)? != child.id {
        tracing::error!(child = name, "somebody wrote another guardian into the row of a child");
        return Err(Problem::new(&kinds::NOT_GUARDIAN));
    }
    Ok(Some(text))
}

/// The name of a child that a guardian registers with a profile.
///
/// # Errors
/// A profile without a salt.
pub(super) fn identified(domain: &Domain, guardian: &Guardian, profile: &str) -> Result<IdentityId, Problem> {
    let said = members(profile);
    let salt = said.get("salt").and_then(Value::as_str).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    Ok(domain.identity_id(profile.as_bytes(), &guardian.id.to_hex(), salt)?)
}

/// The texts of a child's memories; `None` for those that were erased.
///
/// # Errors
/// The database, the place apart.
pub(super) async fn texts(app: &App, child: &IdentityId, all: &[Memory]) -> Result<Vec<Option<String>>, Problem> {
    let Some(under) = key(app, child, &child.to_hex()).await? else { return Ok(vec![None; all.len()]) };
    let open = async |memory: &Memory| {
        let Some(key) = key(app, &owner_of(app.log.domain(), &memory.id)?, &memory.id).await? else { return Ok(None) };
        let content = unshut(&under, &memory.id, memory.content.clone())?;
        disclose(&key, &memory.id, content).map(Some)
    };
    stream::iter(all).map(open).buffered(AT_ONCE).try_collect().await
}

/// The members of a text.
pub(super) fn members(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Whose items somebody with this profile is shown on a day.
pub(super) fn group(profile: &str, day: i64) -> Option<Skupina> {
    let born = lifecycle::date(members(profile).get("rodjen")?.as_str()?)?;
    Some(Skupina::of(age(born, day)))
}

/// As answers have it.
pub(super) fn told(child: &Child, profile: Option<String>, now: i64) -> ChildOut {
    let said = profile.as_deref().map(members).unwrap_or_default();
    let member = |name: &str| said.get(name).and_then(Value::as_str).map(str::to_owned);
    ChildOut {
        identity_id: child.id.to_hex(),
        seal_id: child.seal.seal_id().to_string(),
        created_at: moment(child.created),
        krunica_hash: child.krunica.clone(),
        ime: member("ime"),
        rodjen: member("rodjen"),
        jezik: child.language,
        zona: child.zone.0.clone(),
        dobna_skupina: profile.and_then(|profile| group(&profile, child.since.on(child.today(now)).1)),
    }
}
