//! What bounds cries, and what keeps none of them back: clocks, rows that somebody wrote, somebody else's mail, faults.

use super::super::{held, unheard};
use super::*;
use std::time::Duration;

statements! {
    CAME = "INSERT INTO messages_in (id, channel, provider_id, sender, is_verified, time, body, outcome) \
            VALUES ($1, 'sms', $1, $2, $3, $4, 'x', $5)";
    WENT = "INSERT INTO messages_out (id, once, recipient, rank, ways, way, subject, body, created, due_at, expires, \
            leased_until, attempts, state, changed, world, about) \
            VALUES ($1, $2, 'r', 0, '[]', 0, 's', 'b', 0, 0, 0, 0, 0, 'sent', 0, 0, $2)";
    CODE = "INSERT INTO confirmations (id, address, message, intent, language, code, tries, created, expires, state) \
            VALUES ($1, $2, 'm', 'JOIN_FLEET', 'en', '000000', 0, $3, 0, 'void')";
    NOBODY = "UPDATE contacts SET on_call = 0";
    FORGED = "INSERT INTO alarms (id, time, kind, subject, detail, slot) VALUES ($1, $2, 'panic', 'held', 'x', $3)";
    TAKEN = "ALTER TABLE alarms RENAME TO taken";
    NO_LANGUAGE = "UPDATE contacts SET language = 'xx' WHERE on_call = 0";
    NO_WAYS = "UPDATE messages_out SET ways = 'x' WHERE once LIKE $1";
}

/// A cry, and what those on call have of it.
const CRY: &str = "help me, I am stabbed";
const DAY: i64 = 86_400_000;
const FAR: i64 = 9_000_000_000_000_000_000;

impl House {
    async fn mails(&self, is_verified: bool, text: &str) {
        self.mails_as("ana@acme.example", is_verified, text).await;
    }

    /// Rows of what somebody wrote, and their names.
    async fn came(&self, many: usize, (sender, is_verified): (&str, bool), outcome: &str, time: i64) -> Vec<String> {
        let mut tx = self.app.db.begin().await.unwrap();
        let ids: Vec<_> = (0..many).map(|_| Uuid::now_v7().to_string()).collect();
        for id in &ids {
            let values = values![id, sender, i64::from(is_verified), time, outcome];
            tx.execute(CAME, values).await.unwrap();
        }
        tx.commit().await.unwrap();
        ids
    }

    async fn mails_as(&self, sender: &str, is_verified: bool, text: &str) {
        let inbound = Inbound {
            channel: Channel::Email,
            provider_id: Uuid::now_v7().to_string(),
            sender: sender.into(),
            is_verified,
            text: text.into(),
            attached: Vec::new(),
            is_automatic: false,
        };
        receive(&self.app, &self.messaging, inbound).await.unwrap();
    }
}

/// A clock that was ahead for a moment, and rows of a time to come, count for nothing.
#[tokio::test]
async fn a_time_to_come_silences_nobody() {
    let house = House::with(|config| config.unverified_alarms = 2).await;
    house.answers(SMS, |_| taken()).await;
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    let stranger = "+385910000001";
    house.after(DAY);
    for _ in 0..11 {
        house.says(ANA, CRY).await;
    }
    house.says(stranger, CRY).await;
    house.says("+385910000002", CRY).await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic-unverified", 12));
    house.after(-DAY);
    for number in 0..12 {
        let (known, id) = (number < 10, format!("00000000-0000-7000-8000-0000000000{number:02}"));
        let (sender, outcome) = if known { (ANA, "panic") } else { (stranger, "panic-unverified") };
        house.app.db.execute(CAME, values![&id, sender, 1_i64, i64::MAX, outcome]).await.unwrap();
        house.app.db.execute(WENT, values![&id, format!("panic:{id}")]).await.unwrap();
    }
    for (number, told) in [(ANA, 13), (stranger, 14)] {
        house.says(number, CRY).await;
        assert_eq!(house.told(&on_call).await.len(), told, "{number}");
        assert!(house.said().await.contains("told to 1"), "{}", house.said().await);
    }
    // What the clock that was ahead queued is due, and keeps none that is queued now.
    house.turn().await;
    assert_eq!(house.got().await.iter().filter(|(to, ..)| to == BO).count(), 14);
}

/// Whoever writes the database says that those that were held back are told: the places of its alarms have names.
#[tokio::test]
async fn rows_of_somebody_else_tell_of_no_cry() {
    let house = House::with(|config| config.unverified_alarms = 0).await;
    let now = house.clock.millis();
    for number in -6..60 {
        let time = now + number * 600_000;
        let values = values![format!("forged {number}"), time, time.div_euclid(600_000)];
        house.app.db.execute(FORGED, values).await.unwrap();
    }
    house.says(ANA, CRY).await;
    held::turn(&house.app, now).await.unwrap();
    assert_eq!(house.outcome().await, "panic-held-told");
}

/// Mail that anybody wrote in somebody's name takes nothing of what is his.
#[tokio::test]
async fn forged_mail_takes_nobodys_cry() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    house.mails(false, "PANIC, it burns").await;
    house.mails(false, "PANIC, it burns").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic-limited", 1));
    house.mails(true, CRY).await;
    let told = house.told(&on_call).await;
    assert!(told.len() == 2 && told[1].body.contains(CRY), "{told:?}");
    assert!(house.said().await.contains("told to 1"), "{}", house.said().await);
    // Nor what is his to be answered, when he writes as seldom as anybody.
    house.came(62, ("ana@acme.example", false), "not-verified", house.clock.millis()).await;
    house.contact(None, |contact| contact.email = Some("ana@acme.example".into())).await;
    house.mails(true, "blabla").await;
    assert!(house.said().await.contains("Do you need help"), "{}", house.said().await);
}

/// Nor what strangers have, whom somebody vouches for.
#[tokio::test]
async fn forged_mail_takes_no_strangers_cry() {
    let house = House::with(|config| config.unverified_alarms = 2).await;
    let on_call = house.on_call(|_| {}).await;
    for number in 0..3 {
        house.mails_as(&format!("{number}@acme.example"), false, "PANIC").await;
    }
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic-held", 2));
    house.says("+385910000001", CRY).await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic-unverified", 3));
    // What is said of a cry is of his own before it, and so is whether it is the first.
    house.app.db.execute(NOBODY, values![]).await.unwrap();
    for said in ["nobody on call", "NOT passed on"] {
        house.mails_as("1@acme.example", true, CRY).await;
        assert!(house.said().await.contains(said), "{}", house.said().await);
    }
    house.came(9, ("0@acme.example", true), "not-understood", house.clock.millis()).await;
    let before = house.out().await.len();
    house.mails_as("0@acme.example", true, CRY).await;
    assert_eq!(house.out().await.len(), before + 1);
}

/// Whoever writes more than is answered in an hour is asked whether he needs help all the same, once in ten minutes.
#[tokio::test]
async fn who_writes_much_is_asked_for_help() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.came(62, (ANA, true), "answered", house.clock.millis()).await;
    for asked in [1, 1, 1, 2] {
        house.says(ANA, "blabla").await;
        assert_eq!(house.told(&ana).await.len(), asked);
        house.after(200_001);
    }
    house.says(ANA, "da").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic", 1));
}

/// Rows of a time to come count for nothing, in each of the bounds.
#[tokio::test]
async fn no_bound_counts_a_time_to_come() {
    let house = House::new().await;
    // Answers of an hour.
    house.came(9, (ANA, true), "not-understood", FAR).await;
    house.says(ANA, "what is this").await;
    assert_eq!(house.out().await.len(), 1);
    // Codes of an hour.
    for number in 0..5 {
        house.app.db.execute(CODE, values![number.to_string(), BO, FAR]).await.unwrap();
    }
    house.says(BO, "join fleet").await;
    assert_eq!(house.outcome().await, "asked");
    // Cries that are answered past the bound of answers, and what is said of the second: nobody is on call.
    house.came(9, ("+385910000001", true), "not-understood", house.clock.millis()).await;
    house.came(1, ("+385910000001", true), "panic", FAR).await;
    house.says("+385910000001", CRY).await;
    assert!(house.said().await.contains("nobody on call"), "{}", house.said().await);
    for id in house.came(2, ("+385910000002", true), "x", FAR).await {
        house.app.db.execute(WENT, values![&id, format!("panic:{id}")]).await.unwrap();
    }
    house.says("+385910000002", CRY).await;
    house.says("+385910000002", CRY).await;
    assert!(house.said().await.contains("NOT passed on"), "{}", house.said().await);
    // Questions that were never put.
    house.contact(Some("+385910000003"), |_| {}).await;
    house.came(1, ("+385910000003", true), "asked-for-help", FAR).await;
    house.says("+385910000003", "1").await;
    assert_eq!(house.outcome().await, "asked-for-help");
}

/// A word that answers other questions is a cry where none was put since.
#[tokio::test]
async fn a_yes_to_another_question_is_no_cry() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.answers(SMS, |_| taken()).await;
    for question in ["Arrived?", "Unloaded?", "Weighed?", "Parked?"] {
        house.queue(&ana, question, false).await;
        house.turn().await;
        house.says(ANA, "da").await;
        assert_eq!(house.outcome().await, "asked-for-help", "{question}");
        house.turn().await;
    }
    house.queue(&ana, "Slept?", false).await;
    house.turn().await;
    house.says(ANA, "da").await;
    assert!(house.told(&on_call).await.is_empty());
    house.queue(&ana, "Eaten?", false).await;
    assert!(house.told(&on_call).await.is_empty());
    house.says(ANA, "1").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic", 1));
    house.says(ANA, "blabla").await;
    house.says(ANA, "Ja bitte").await;
    assert_eq!((house.outcome().await.as_str(), house.told(&on_call).await.len()), ("panic", 2));
    // The question itself does not wait behind what is ordinary.
    house.turn().await;
    let got: Vec<_> = house.got().await.into_iter().filter(|(to, ..)| to == ANA).map(|(_, text, _)| text).collect();
    let place = |of: &str| got.iter().rposition(|text| text.contains(of)).unwrap();
    assert!(place("Do you need help") < place("Eaten?"), "{got:?}");
}

/// A table that takes no alarm keeps no message from being sent, nor does one that does not read.
#[tokio::test]
async fn what_is_not_told_keeps_nothing_back() {
    let house = House::with(|config| config.unverified_alarms = 0).await;
    house.answers(SMS, |_| taken()).await;
    house.on_call(|_| {}).await;
    house.says("+385910000001", CRY).await;
    assert_eq!(house.outcome().await, "panic-held");
    house.app.db.execute(NO_WAYS, values!["reply:%"]).await.unwrap();
    house.contact(Some(ANA), |_| {}).await;
    house.app.db.execute(TAKEN, values![]).await.unwrap();
    house.says(ANA, "PANIC").await;
    let running = tokio::spawn(sender::run(App::clone(&house.app), Arc::clone(&house.messaging)));
    let mut has = false;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        has = house.got().await.iter().any(|(to, text, _)| to == BO && text.contains("PANIC"));
        if has {
            break;
        }
    }
    running.abort();
    assert!(has, "{:?}", house.out().await);
}

/// Where whoever cried cannot be told that nobody was reached, natives hear that nobody was.
#[tokio::test]
async fn an_answer_that_cannot_be_put_right_hides_no_alarm() {
    for (statement, values, answers) in [(NO_LANGUAGE, values![], 2), (NO_WAYS, values!["reply:%"], 1)] {
        let house = House::whose_on_call_is_not_reached().await;
        let ana = house.contact(Some(ANA), |_| {}).await;
        house.says(ANA, "PANIK").await;
        house.turn().await;
        house.app.db.execute(statement, values).await.unwrap();
        unheard::turn(&house.app, &house.messaging).await.unwrap();
        let alarms = house.alarms().await;
        assert!(alarms.len() == 1 && alarms[0].2.contains("no message reached"), "{alarms:?}");
        assert_eq!(house.told(&ana).await.len(), answers);
    }
}
