//! Alarms of the service to those on call: what was queued under the topic `alarm` goes out as messages.

use super::intents::Language;
use super::outbox::{Notice, tell_all};
use super::rules::HOUR;
use super::{Messaging, contacts};
use crate::{App, alarms};
use platform::outbox::{Message, Outbox as Queue};
use platform::problem::Problem;
use serde_json::Value;
use std::time::Duration;

const LEASE: Duration = Duration::from_mins(1);
/// So many are told in one message; where more wait, the list has them.
const TOGETHER: usize = 20;
const NAMED: usize = 3;
/// An alarm is worth being told for a day.
const TOLD: i64 = 24 * HOUR;

/// Hands what waits over to those on call. As long as no way with a provider leads to any of them, it waits: an alarm
/// that nobody is reached by would be one more message to the same people.
pub(crate) async fn alarms(app: &App, messaging: &Messaging, now: i64) -> Result<(), Problem> {
    let on_call = messaging.reachable(contacts::now_on_call(&app.db).await?);
    if on_call.is_empty() {
        return Ok(());
    }
    let leased = Queue::new(app.db.clone()).lease(alarms::TOPIC, now, LEASE, TOGETHER).await?;
    let Some(first) = leased.first() else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    // Both at once: an alarm that was told is not told again.
    for message in &leased {
        if !Queue::sent(&mut tx, message).await? {
            return Ok(tx.roll_back().await?);
        }
    }
    let once = format!("alarm:{}", first.id);
    let notice = |language| Notice {
        once: once.clone(),
        subject: "trustd: alarm".to_owned(),
        text: text(&leased, language),
        is_alarm: true,
        expires: now.saturating_add(TOLD),
    };
    if tell_all(&mut tx, &on_call, now, notice).await? == 0 {
        return Ok(tx.roll_back().await?);
    }
    Ok(tx.commit().await?)
}

fn text(leased: &[Message], language: Language) -> String {
    let line = |message: &Message| {
        let said: Value = serde_json::from_str(&message.body).unwrap_or_default();
        let of = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let subject: String = of("subject").chars().take(16).collect();
        format!("{} {} {subject}: {}", of("time"), of("kind"), of("detail"))
    };
    let mut lines: Vec<String> = leased.iter().take(NAMED).map(line).collect();
    let more = leased.len().saturating_sub(NAMED);
    if more > 0 {
        lines.push(match language {
            Language::Hr => format!("i još {more}"),
            Language::En => format!("and {more} more"),
            Language::De => format!("und {more} weitere"),
        });
    }
    let word = match language {
        Language::Hr => "Uzbuna",
        Language::En | Language::De => "Alarm",
    };
    format!("{word}: {}", lines.join("\n"))
}
