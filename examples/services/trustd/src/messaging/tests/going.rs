//! Messages on their way out.

use super::super::outbox::{self, Notice, put};
use super::*;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

impl House {
    pub(super) async fn queue(&self, contact: &Contact, text: &str, is_alarm: bool) {
        let notice = Notice {
            once: text.to_owned(),
            subject: "s".into(),
            text: text.to_owned(),
            is_alarm,
            expires: self.clock.millis() + 86_400_000,
        };
        let mut tx = self.app.db.begin().await.unwrap();
        put(&mut tx, contact, &notice, self.clock.millis(), World::Real).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn states(&self) -> Vec<String> {
        self.out().await.into_iter().map(|out| out.state).collect()
    }
}

#[tokio::test]
async fn each_recipient_gets_his_in_order_and_an_alarm_overtakes() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    let (ana, bo) = (house.contact(Some(ANA), |_| {}).await, house.contact(Some(BO), |_| {}).await);
    for text in ["1", "2", "3"] {
        house.queue(&ana, text, false).await;
    }
    house.queue(&bo, "other", false).await;
    house.queue(&ana, "alarm", true).await;
    assert_eq!(house.turn().await, 5);
    let of_ana: Vec<_> = house.got().await.into_iter().filter(|(to, ..)| to == ANA).map(|(_, text, _)| text).collect();
    assert_eq!(of_ana, ["alarm", "1", "2", "3"]);
    assert!(house.states().await.iter().all(|state| state == "sent"));
    assert_eq!(house.turn().await, 0);
}

/// A provider that is down for an hour, and keeps keys of idempotency: nothing is lost, nothing comes twice, each in
/// its order. Some answers of the outage are lost after the provider took the message.
#[tokio::test]
async fn an_hour_without_a_provider() {
    let house = House::with(|config| (config.relay_url, config.relay_token_file) = (None, None)).await;
    let down = Arc::new(AtomicBool::new(true));
    let kept: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let (is_down, keeps) = (Arc::clone(&down), Arc::clone(&kept));
    house
        .answers(SMS, move |request| {
            let (to, text, key) = got(request);
            let lost = text.ends_with('7');
            if !is_down.load(Ordering::SeqCst) || lost {
                let mut kept = keeps.lock().unwrap();
                if !kept.iter().any(|(before, _)| *before == key) {
                    kept.push((key, format!("{to} {text}")));
                }
            }
            if is_down.load(Ordering::SeqCst) { ResponseTemplate::new(503) } else { taken() }
        })
        .await;
    let people = [house.contact(Some(ANA), |_| {}).await, house.contact(Some(BO), |_| {}).await];
    let mut queued = 0;
    for minute in 0..60 {
        if minute % 6 == 0 {
            for contact in &people {
                house.queue(contact, &format!("{}-{queued:03}", &contact.id), false).await;
                queued += 1;
            }
        }
        house.turn().await;
        house.after(60_000);
    }
    assert!(house.states().await.iter().all(|state| state == "queued"));
    down.store(false, Ordering::SeqCst);
    for _ in 0..30 {
        house.turn().await;
        house.after(60_000);
    }
    assert!(house.states().await.iter().all(|state| state == "sent"), "{:?}", house.out().await);
    let kept: Vec<String> = kept.lock().unwrap().iter().map(|(_, what)| what.clone()).collect();
    assert_eq!(kept.len(), queued);
    for contact in &people {
        let own: Vec<_> = kept.iter().filter(|what| what.contains(&contact.id)).collect();
        let mut sorted = own.clone();
        sorted.sort();
        assert_eq!(own, sorted);
    }
    let keys: BTreeSet<_> = house.got().await.into_iter().map(|(.., key)| key).collect();
    assert_eq!(keys.len(), queued, "each message has one key in all of its attempts");
}

#[tokio::test]
async fn a_provider_says_when_to_come_back() {
    let house = House::new().await;
    house.answers(SMS, |_| ResponseTemplate::new(429).insert_header("retry-after", "120")).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.queue(&ana, "1", false).await;
    assert_eq!(house.turn().await, 1);
    house.after(119_000);
    assert_eq!(house.turn().await, 0);
    house.after(2_000);
    assert_eq!(house.turn().await, 1);
    assert_eq!(house.states().await, ["queued"]);
}

/// What is refused for good goes on by the next way at once; what fails, after its attempts.
#[tokio::test]
async fn the_relay_has_what_the_first_way_has_not() {
    let house = House::with(|config| config.attempts = 3).await;
    house
        .answers(RELAY, |_| {
            ResponseTemplate::new(200).set_body_json(serde_json::json!({"ok": true, "result": {"message_id": 7}}))
        })
        .await;
    house
        .answers(SMS, |request| match got(request).0.as_str() {
            ANA => ResponseTemplate::new(400).set_body_json(serde_json::json!({"code": 21211})),
            _ => ResponseTemplate::new(500),
        })
        .await;
    let relay = |contact: &mut Contact| contact.relay = Some("77".into());
    let (ana, bo) = (house.contact(Some(ANA), relay).await, house.contact(Some(BO), relay).await);
    let alone = house.contact(Some("+385910000001"), |_| {}).await;
    house.queue(&ana, "refused", false).await;
    house.queue(&bo, "failing", false).await;
    house.queue(&alone, "alone", false).await;
    for _ in 0..4 {
        house.turn().await;
        house.after(10_000);
    }
    let out = house.out().await;
    let of = |text: &str| out.iter().find(|out| out.body == text).map(|out| (out.state.as_str(), out.way)).unwrap();
    assert_eq!((of("refused"), of("failing")), (("sent", 1), ("sent", 1)));
    assert_eq!(of("alone"), ("queued", 0), "without another way it is tried on");
    let got = house.got().await;
    let count = |to: &str, what: &str| got.iter().filter(|(one, text, _)| one == to && text == what).count();
    assert_eq!(
        (count(ANA, "refused"), count(BO, "failing"), count("77", "refused"), count("77", "failing")),
        (1, 3, 1, 1)
    );
}

#[tokio::test]
async fn a_time_out_is_tried_again_under_the_same_key() {
    let house = House::with(|config| (config.relay_url, config.relay_token_file) = (None, None)).await;
    let first = Arc::new(AtomicBool::new(true));
    house
        .answers(SMS, move |_| {
            if first.swap(false, Ordering::SeqCst) { taken().set_delay(Duration::from_mins(1)) } else { taken() }
        })
        .await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.queue(&ana, "1", false).await;
    house.turn().await;
    assert_eq!(house.states().await, ["queued"]);
    house.after(10_000);
    house.turn().await;
    assert_eq!(house.states().await, ["sent"]);
    let keys: BTreeSet<_> = house.got().await.into_iter().map(|(.., key)| key).collect();
    assert_eq!((house.got().await.len(), keys.len()), (2, 1));
}

/// A process dies between the provider and the row: whoever takes over sends it again, under the same key, once the
/// lease is over and not before.
#[tokio::test]
async fn a_lease_of_the_dead_is_taken_over() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.queue(&ana, "1", false).await;
    let now = house.clock.millis();
    let leased = outbox::lease(&house.app.db, now, now + 60_000, 16).await.unwrap();
    assert_eq!(leased.len(), 1);
    assert!(outbox::lease(&house.app.db, now, now + 60_000, 16).await.unwrap().is_empty());
    assert_eq!(house.turn().await, 0);
    house.after(60_001);
    assert_eq!(house.turn().await, 1);
    // The one that had it before changes nothing any more.
    let late = house.app.db.execute(outbox::AGAIN, values![&leased[0].id, leased[0].attempts, "late", 0_i64, 0_i64]);
    assert_eq!((late.await.unwrap(), house.states().await), (0, vec!["sent".to_owned()]));
}

#[tokio::test]
async fn nothing_is_sent_too_late_or_to_who_said_stop() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    let (ana, bo) = (house.contact(Some(ANA), |_| {}).await, house.contact(Some(BO), |_| {}).await);
    house.queue(&ana, "late", false).await;
    house.after(86_400_000);
    house.turn().await;
    assert_eq!(house.states().await, ["expired"]);
    house.says(BO, "STOP").await;
    house.queue(&bo, "1", false).await;
    house.turn().await;
    assert_eq!(house.states().await, ["expired", "failed"]);
    assert!(house.got().await.is_empty());
    house.says(BO, "START").await;
    house.queue(&bo, "2", false).await;
    house.turn().await;
    assert_eq!(house.got().await.iter().filter(|(_, text, _)| text == "2").count(), 1);
}

#[tokio::test]
async fn receipts_say_what_arrived() {
    let house = House::new().await;
    house
        .answers(SMS, |request| {
            ResponseTemplate::new(201).set_body_json(serde_json::json!({"sid": format!("SM{}", got(request).1)}))
        })
        .await;
    house.answers(RELAY, |_| taken()).await;
    let relay = |contact: &mut Contact| contact.relay = Some("77".into());
    let (ana, bo) = (house.contact(Some(ANA), |_| {}).await, house.contact(Some(BO), relay).await);
    for (contact, text) in [(&ana, "1"), (&ana, "2"), (&bo, "3")] {
        house.queue(contact, text, false).await;
    }
    house.turn().await;
    for (sid, arrived, known) in [
        ("SM1", Some(true), true),
        ("SM2", Some(false), true),
        ("SM3", None, true),
        ("SM3", Some(false), true),
        ("SM9", Some(true), false),
    ] {
        let mut tx = house.app.db.begin().await.unwrap();
        assert_eq!(outbox::receipt(&mut tx, sid, arrived, 5).await.unwrap(), known);
        tx.commit().await.unwrap();
    }
    assert_eq!(house.states().await, ["delivered", "failed", "queued"]);
    house.turn().await;
    assert_eq!((house.states().await[2].as_str(), house.out().await[2].way), ("sent", 1));
    // A receipt that comes late or twice changes nothing.
    let mut tx = house.app.db.begin().await.unwrap();
    outbox::receipt(&mut tx, "SM1", Some(false), 6).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(house.states().await[0], "delivered");
}

/// Alarms that were queued before messaging, or before anybody was on call, are told once somebody is.
#[tokio::test]
async fn alarms_of_the_service_reach_those_on_call() {
    let house = House::new().await;
    house.answers(SMS, |_| taken()).await;
    for subject in ["one", "two", "three", "four", "five"] {
        crate::alarms::write(&house.app, "secret", subject, "does not open").await.unwrap();
    }
    super::super::alarms::alarms(&house.app, &house.messaging, house.clock.millis()).await.unwrap();
    assert!(house.out().await.is_empty());
    house.contact(Some(ANA), |contact| contact.on_call = true).await;
    for _ in 0..2 {
        super::super::alarms::alarms(&house.app, &house.messaging, house.clock.millis()).await.unwrap();
    }
    house.turn().await;
    let got = house.got().await;
    assert_eq!(got.len(), 1, "{got:?}");
    assert!(got[0].1.contains("secret one: does not open") && got[0].1.contains("and 2 more"), "{got:?}");
}
