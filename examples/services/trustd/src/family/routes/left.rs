//! The address of what is left to a child.

use super::super::bundle::Bundle;
use super::super::profile::{own, texts};
use super::super::store::{Guardian, Memory, Order};
use super::super::texts::moment;
use super::super::types::{HeirloomOut, Vrsta};
use crate::refusals::OfReading;
use crate::{App, alarms};
use axum::extract::{Path, State};
use platform::access::Caller;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::Problem;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(inheritance))
}

/// What is left to a child: its profile and its memories in order, the oldest first, each with evidence that anybody
/// verifies offline.
#[utoipa::path(get, path = "/world/dijete/{dijete_id}/nasljedstvo", tag = "family",
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<HeirloomOut>),
        OfReading))]
async fn inheritance(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<HeirloomOut>, Problem> {
    alarms::watch(&app, &caller, "reads the inheritance of a child");
    let (child, mut profile) = own(&app, Guardian::from(&caller), &id).await?;
    let behind: Option<(i64, String)> = page.after()?;
    let is_first = behind.is_none();
    let found = child.guardian.memories(&app.db, &child.id, Order::Oldest(behind), page.ask()).await?;
    // The profile comes before all of them.
    let found: Vec<_> = is_first.then_some(None).into_iter().chain(found.into_iter().map(Some)).collect();
    let before = (i64::MIN, String::new());
    let at = |one: &Option<Memory>| one.as_ref().map_or(before.clone(), |one| (one.created, one.id.clone()));
    let listed = page.list(found, at)?;
    let shown: Vec<Memory> = listed.items.iter().flatten().cloned().collect();
    let mut entries: Vec<_> = shown.iter().map(|memory| memory.krunica.clone()).collect();
    entries.push(child.krunica.clone());
    let bundle = Bundle::over(&app, &entries).await?;
    let mut texts = texts(&app, &child.id, &shown).await?.into_iter();
    let mut told = Vec::with_capacity(listed.items.len());
    for one in &listed.items {
        let dokument = match one {
            Some(_) => texts.next().flatten(),
            None => profile.take(),
        };
        let dokaz = match (&bundle, one) {
            _ if dokument.is_none() => None,
            (Some(bundle), Some(memory)) => bundle.of_memory(memory).await?,
            (Some(bundle), None) => bundle.of_profile(&child).await?,
            (None, _) => None,
        };
        let (vrsta, krunica, created) = match one {
            Some(memory) => (Vrsta::Memorija, &memory.krunica, memory.created),
            None => (Vrsta::Profil, &child.krunica, child.created),
        };
        let (krunica_hash, created_at) = (krunica.clone(), moment(created));
        told.push(HeirloomOut { vrsta, krunica_hash, created_at, dokument, dokaz });
    }
    Ok(listed.shown(told))
}
