//! The loop over documents that end: what a threshold has reached is told once, over all processes and restarts.

use super::rules::{Due, days_left, due, next_due, plan};
use super::store::{self, Document};
use super::texts;
use crate::App;
use crate::alarms::{self, Alarm};
use crate::messaging::{Language, Notice, Outbox};
use platform::db::{DbError, Row, Tx};
use platform::problem::Problem;
use platform::values;
use std::time::{Duration, Instant};

/// So many documents are held in one transaction.
const TOGETHER: u32 = 200;
/// What others hold is looked for again after this time.
const AGAIN: Duration = Duration::from_millis(50);
/// After so long a row that did not read is looked at again.
const DAY: i64 = 24 * 3_600_000;
/// A row whose very name does not read, as alarms have it.
const NAMELESS: &str = "nameless";
/// How long it is worth to be told.
const WORTH: i64 = 72 * 3_600_000;

/// Tells what is due now, and says how many documents that were. Begun again after a crash it goes on: what was told is
/// written in the transaction that queues the message.
///
/// # Errors
/// The database.
pub async fn turn(app: &App) -> Result<usize, Problem> {
    let (begun, now, mut told) = (Instant::now(), app.clock.millis(), 0);
    let plan = plan(&app.config.lifecycle.thresholds);
    while app.db.execute(store::REPLAN, values![&plan, TOGETHER]).await? > 0 {}
    while app.db.find(store::LEFT, values![now]).await?.is_some() {
        let mut tx = app.db.begin().await?;
        let rows = tx.list(store::DUE, values![now, TOGETHER]).await?;
        for row in &rows {
            match Document::of(row) {
                Ok(document) => told += usize::from(one(app, &mut tx, &document, now).await?),
                Err(error) => unread(app, &mut tx, row, now, &error).await?,
            }
        }
        tx.commit().await?;
        if rows.is_empty() {
            tokio::time::sleep(AGAIN).await;
        }
    }
    metrics::gauge!("trustd_documents_loop_seconds").set(begun.elapsed().as_secs_f64());
    Ok(told)
}

/// One row that does not read (its zone is in no table of zones any more, a column was edited) keeps nobody from
/// hearing of the others: natives and those on call are told, each day until it reads.
async fn unread(app: &App, tx: &mut Tx, row: &Row, now: i64, error: &DbError) -> Result<(), Problem> {
    let (id, later) = (row.text("identity_id").ok(), now.saturating_add(DAY));
    let named = id.as_deref().unwrap_or(NAMELESS);
    tracing::error!(%error, document = named, "a document's row does not read, and nobody hears when it ends");
    alarms::write_in(app, tx, Alarm::DocumentRow.as_str(), named, &error.to_string()).await?;
    match &id {
        Some(id) => tx.execute(store::LATER, values![id, later]).await?,
        None => tx.execute(store::LATER_NAMELESS, values![now, later]).await?,
    };
    Ok(())
}

async fn one(app: &App, tx: &mut Tx, document: &Document, now: i64) -> Result<bool, Problem> {
    let (thresholds, zone) = (&app.config.lifecycle.thresholds, &document.zona.1);
    let left = days_left(document.vrijedi_do, zone, now);
    let Due { told, missed } = due(left, thresholds, document.told_to);
    let id = document.identity_id.to_hex();
    let mut is_told = false;
    for threshold in missed {
        record(tx, &id, document, (threshold, "missed"), now).await?;
    }
    if let Some(threshold) = told {
        let is_heard = tell(app, tx, &id, document, (threshold, left), now).await?;
        let state = if is_heard { "sent" } else { "unheard" };
        is_told = record(tx, &id, document, (threshold, state), now).await?;
    }
    let told_to = told.or(document.told_to);
    // Later than now, whatever a zone's clocks do: else it would be looked at for ever.
    let next = next_due(document.vrijedi_do, zone, thresholds, told_to).map(|next| next.max(now.saturating_add(1)));
    tx.execute(store::NEXT, values![&id, document.date_version, told_to.map(i64::from), next]).await?;
    Ok(is_told)
}

/// Each threshold of each date once, whoever looks.
async fn record(
    tx: &mut Tx,
    id: &str,
    document: &Document,
    (threshold, state): (u16, &'static str),
    now: i64,
) -> Result<bool, Problem> {
    metrics::counter!("trustd_document_alarms_total", "outcome" => state).increment(1);
    Ok(tx.execute(store::RECORD, values![id, document.date_version, threshold, state, now]).await? == 1)
}

/// To the contact that is named, or to those of the owner; where there is none, natives and those on call hear that
/// this owner has documents that end, however many: nobody floods them by documents.
async fn tell(
    app: &App,
    tx: &mut Tx,
    id: &str,
    document: &Document,
    (threshold, left): (u16, i64),
    now: i64,
) -> Result<bool, Problem> {
    let notice = |language: Language| Notice {
        once: format!("{}:{}:{threshold}", about(id), document.date_version),
        subject: texts::subject(language),
        text: texts::alarm(&document.naslov, document.vrijedi_do, left, language),
        is_alarm: false,
        expires: now.saturating_add(WORTH),
    };
    let owner = &document.vlasnik_id;
    if Outbox::tell_named(tx, (document.contact.as_deref(), owner), now, notice).await? {
        return Ok(true);
    }
    let detail = "documents end, and their owner has no contact";
    alarms::write_in(app, tx, Alarm::Document.as_str(), &owner.to_hex(), detail).await?;
    Ok(false)
}

/// How the messages of a document are called, to begin with.
pub(super) fn about(id: &str) -> String {
    format!("document:{id}")
}

/// No message of a threshold reached anybody: its record says so, and natives and those on call hear of it.
pub(super) async fn unheard(app: &App, tx: &mut Tx, told: &str) -> Result<(), Problem> {
    let mut parts = told.split(':');
    let (Some("document"), Some(id)) = (parts.next(), parts.next()) else { return Ok(()) };
    let (date_version, threshold) = (parts.next().and_then(number), parts.next().and_then(number));
    let (Some(date_version), Some(threshold)) = (date_version, threshold) else { return Ok(()) };
    if tx.execute(store::UNHEARD, values![id, date_version, threshold]).await? == 1
        && let Some(row) = tx.find(store::OWNER, values![id]).await?
    {
        let detail = "documents end, and no message reached their owner";
        alarms::write_in(app, tx, Alarm::Document.as_str(), &row.text("vlasnik_id")?, detail).await?;
    }
    Ok(())
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}
