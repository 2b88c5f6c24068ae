//! Rows that do not read, and times to come that somebody wrote: neither keeps from anybody what he is to hear.

use super::super::outbox::{self, Notice, put_to};
use super::super::unheard;
use super::*;

statements! {
    NO_WAYS = "UPDATE messages_out SET ways = 'x'";
    LEASED = "UPDATE messages_out SET state = 'sending', leased_until = $1, changed = $2 WHERE state <> 'sent'";
    DUE = "UPDATE messages_out SET due_at = $1 WHERE state <> 'sent'";
    NO_LANGUAGE = "UPDATE contacts SET language = 'xx' WHERE on_call = 0";
    SUBJECTS_GONE = "ALTER TABLE messages_out RENAME COLUMN subject TO gone";
    SUBJECTS_BACK = "ALTER TABLE messages_out RENAME COLUMN gone TO subject";
    LAST = "UPDATE messages_out SET id = $1, created = $2 WHERE body = 'Arrived?'";
}

const CRY: &str = "help me, I am stabbed";
const FAR: i64 = 9_000_000_000_000_000_000;
const MINUTE: i64 = 60_000;
const DAY: i64 = 1440 * MINUTE;

/// As many as are taken at once, and one before those of somebody on call.
#[tokio::test]
async fn a_message_that_does_not_read_ends_and_holds_none_behind_it() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, CRY).await;
    let now = house.clock.millis();
    let mut tx = house.app.db.begin().await.unwrap();
    for number in 0..16 {
        let recipient = format!("r{number}");
        let notice = Notice { is_alarm: true, ..Notice::reply(recipient.clone(), "x", now) };
        let ways = [(Channel::Sms, ANA.to_owned())];
        put_to(&mut tx, (&recipient, None), &ways, &notice, now, World::Real).await.unwrap();
    }
    tx.commit().await.unwrap();
    house.app.db.execute(NO_WAYS, values![]).await.unwrap();
    house.says(ANA, "PANIC, it burns").await;
    house.turn().await;
    let got = house.got().await;
    assert!(got.iter().any(|(to, text, _)| to == BO && text.contains("it burns")), "{got:?}");
    unheard::turn(&house.app, &house.messaging).await.unwrap();
    let alarms = house.alarms().await;
    assert!(alarms.len() == 1 && alarms[0].2.contains("no message reached"), "{alarms:?}");
}

/// Of two clocks that differ by less than a minute nothing is taken from the other.
#[tokio::test]
async fn a_message_waits_for_no_time_to_come() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    let (ana, now) = (house.contact(Some(ANA), |_| {}).await, house.clock.millis());
    let ahead = now + 110_000;
    for (number, (statement, values, sent)) in [
        (LEASED, values![FAR, now], 1),
        (LEASED, values![now + 3 * MINUTE, now + 2 * MINUTE], 1),
        (DUE, values![FAR], 1),
        (DUE, values![now + 2 * DAY], 1),
        // Another process sends it, or a provider said to come back.
        (LEASED, values![ahead, ahead], 0),
        (DUE, values![now + DAY], 0),
    ]
    .into_iter()
    .enumerate()
    {
        house.queue(&ana, &number.to_string(), false).await;
        house.app.db.execute(statement, values).await.unwrap();
        assert_eq!(house.turn().await, sent, "{number}");
        house.queue(&ana, &format!("{number} behind"), false).await;
        assert_eq!(house.turn().await, sent, "behind {number}");
    }
}

/// Who had a message that another took meanwhile sent it, and it is not sent again and again.
#[tokio::test]
async fn what_was_sent_is_sent_whoever_took_it_since() {
    let house = House::new().await;
    let (ana, now) = (house.contact(Some(ANA), |_| {}).await, house.clock.millis());
    house.queue(&ana, "1", false).await;
    let first = outbox::lease(&house.app.db, now, now + MINUTE, 16).await.unwrap().remove(0);
    let second = outbox::lease(&house.app.db, now + MINUTE, now + 2 * MINUTE, 16).await.unwrap().remove(0);
    assert_eq!((first.attempts, second.attempts), (1, 2));
    let sent = async |attempts: i64, way: i64| {
        house.app.db.execute(outbox::SENT, values![&first.id, attempts, "p", now, way]).await.unwrap()
    };
    // Of a way before it says nothing.
    assert_eq!((sent(first.attempts, 1).await, sent(first.attempts, 0).await), (0, 1));
    let again = outbox::AGAIN;
    let again = house.app.db.execute(again, values![&first.id, second.attempts, "late", now, now]).await.unwrap();
    assert_eq!(again, 0);
}

/// Whose own row does not read is heard as anybody else.
#[tokio::test]
async fn a_contact_that_does_not_read_is_heard() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    house.app.db.execute(NO_LANGUAGE, values![]).await.unwrap();
    house.says(ANA, "PANIC").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic-unverified", 1));
    assert!(house.said().await.contains("told to 1"), "{}", house.said().await);
}

/// A fault that passes, when whoever cried is to be told that nobody was reached: natives hear of it at once, and he
/// does behind it.
#[tokio::test]
async fn who_cried_learns_it_behind_a_fault_that_passes() {
    let house = House::whose_on_call_is_not_reached().await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "PANIK").await;
    house.turn().await;
    house.app.db.execute(SUBJECTS_GONE, values![]).await.unwrap();
    for _ in 0..2 {
        unheard::turn(&house.app, &house.messaging).await.unwrap();
        let alarms = house.alarms().await;
        assert!(alarms.len() == 1 && alarms[0].2.contains("no message reached"), "{alarms:?}");
    }
    house.app.db.execute(SUBJECTS_BACK, values![]).await.unwrap();
    for _ in 0..2 {
        unheard::turn(&house.app, &house.messaging).await.unwrap();
        assert_eq!(house.told(&ana).await.len(), 2);
    }
    assert!(house.said().await.contains("nobody on call"), "{}", house.said().await);
}

/// A yes answers what he saw last: nothing that was not sent, and whatever a row says of when it was.
#[tokio::test]
async fn a_yes_answers_what_was_seen_last() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    let on_call = house.on_call(|_| {}).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.queue(&ana, "Arrived?", false).await;
    house.turn().await;
    let now = house.clock.millis();
    for (told, (id, created)) in [("z", now - 1), ("z", FAR), ("0", FAR)].into_iter().enumerate() {
        house.app.db.execute(LAST, values![id, created]).await.unwrap();
        house.says(ANA, "blabla").await;
        house.turn().await;
        house.says(ANA, "da").await;
        assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic", told + 1));
    }
    house.says(ANA, "blabla").await;
    house.queue(&ana, "Parked?", false).await;
    house.says(ANA, "da").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic", 4));
}
