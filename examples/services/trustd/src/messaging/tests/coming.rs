//! Messages that come in, and what comes of them.

use super::super::log::{Asked, page};
use super::*;

#[tokio::test]
async fn one_name_is_one_message() {
    let house = House::new().await;
    let first = house.takes(ANA, "status", "SM1").await;
    let second = house.takes(ANA, "status", "SM1").await;
    assert!(!first.is_duplicate && second.is_duplicate);
    assert_eq!(first.id, second.id);
    assert_eq!((house.outcomes().await.len(), house.out().await.len()), (1, 1));
}

#[tokio::test]
async fn somebody_joins_by_a_code_and_leaves_by_another() {
    let house = House::new().await;
    house.says(ANA, "I want to join the fleet").await;
    let code = house.code().await;
    // Whoever says to be somebody else has no code.
    house.says(BO, &code).await;
    assert_eq!(house.outcomes().await, ["asked", "not-understood"]);
    house.says(ANA, &code).await;
    let applied = house.said().await;
    assert!(applied.contains("approved"), "{applied}");
    house.says(ANA, &code).await;
    assert_eq!(house.outcomes().await[2..], ["joined", "not-understood"], "a code serves once");
    house.says(ANA, "join fleet").await;
    assert!(house.said().await.contains("already"));
    let mut tx = house.app.db.begin().await.unwrap();
    let mut contact = super::super::contacts::by_address(&mut tx, Channel::Sms, ANA).await.unwrap().unwrap();
    drop(tx);
    assert_eq!(contact.state, Standing::Applied);
    (contact.state, contact.version) = (Standing::Active, 2);
    let (now, idempotency) = (house.clock.millis(), Idempotency::default());
    house
        .app
        .log
        .submit(Changing(Change { contact, what: "approved", now, world: World::Real, idempotency }))
        .await
        .unwrap();
    house.says(ANA, "leave fleet").await;
    let code = house.code().await;
    house.says(ANA, &code).await;
    assert!(house.said().await.contains("You have left"));
    assert_eq!(house.app.db.find(ENTRIES, values![]).await.unwrap().unwrap().size("found").unwrap(), 3);
    // A stranger again, who is answered so often in an hour.
    house.after(3_600_001);
    house.says(ANA, "leave fleet").await;
    assert!(house.said().await.contains("not registered"));
}

/// Who reads the log of messages confirms nothing in somebody's name.
#[tokio::test]
async fn a_code_stands_in_no_log() {
    let house = House::new().await;
    house.contact(Some("+385910000009"), |contact| contact.on_call = true).await;
    for (number, text) in [(ANA, "join fleet"), (BO, "anmelden"), ("+385910000001", "prijava")] {
        house.says(number, text).await;
        let code = house.code().await;
        let now = house.clock.millis();
        let asked = Asked { after: None, contact: None, own: None, direction: None, world: World::Real, most: 1, now };
        let [line] = &page(&house.app.db, &asked).await.unwrap()[..] else { panic!("one") };
        let said = line.body.clone().unwrap();
        assert!(house.said().await.contains(&code) && !said.contains(&code) && said.contains("******"), "{said}");
        // A cry leaves it open, and has it.
        house.says(number, &format!("help, I am stabbed\n{code}.")).await;
        let asked = Asked { most: 9, ..asked };
        let lines = page(&house.app.db, &asked).await.unwrap();
        assert!(lines.iter().all(|line| !line.body.as_ref().unwrap().contains(&code)), "{lines:?}");
        assert!(lines.iter().any(|line| line.body.as_deref() == Some("help, I am stabbed\n******.")), "{lines:?}");
        // Where somebody is, as maps say it, is no code.
        let place = "help, 45.815011, 15.981919, blocked in 230456";
        house.says(number, place).await;
        let lines = page(&house.app.db, &asked).await.unwrap();
        assert!(lines.iter().any(|line| line.body.as_deref() == Some(place)), "{lines:?}");
    }
}

/// Five guesses, and the right one counts no more; five codes an hour.
#[tokio::test]
async fn codes_are_not_guessed() {
    let house = House::new().await;
    house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "leave fleet").await;
    let code = house.code().await;
    let wrong = if code == "111111" { "222222" } else { "111111" };
    for _ in 0..5 {
        house.says(ANA, wrong).await;
    }
    house.says(ANA, &code).await;
    assert_eq!(house.outcomes().await.iter().filter(|outcome| *outcome == "left").count(), 0);
    for _ in 0..6 {
        house.says(ANA, "leave fleet").await;
    }
    let asked = house.outcomes().await.iter().filter(|outcome| *outcome == "asked").count();
    assert_eq!(asked, 5);
    house.after(3_600_001);
    house.says(ANA, "leave fleet").await;
    let code = house.code().await;
    house.after(900_001);
    house.says(ANA, &code).await;
    assert_eq!(house.outcomes().await.iter().filter(|outcome| *outcome == "left").count(), 0, "a code has its time");
}

#[tokio::test]
async fn a_crossing_is_proposed_once_it_is_confirmed() {
    let house = House::new().await;
    house.says(ANA, "crossed the border to Austria").await;
    assert!(house.said().await.contains("not registered"));
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "crossed the border to Austria").await;
    let code = house.code().await;
    assert!(house.app.db.list(REPORTS, values![]).await.unwrap().is_empty());
    house.says(ANA, &format!("ok {code}")).await;
    assert!(house.said().await.contains("(AT)"));
    let rows = house.app.db.list(REPORTS, values![]).await.unwrap();
    let [row] = &rows[..] else { panic!("one") };
    let of = |name| row.text(name).unwrap();
    assert_eq!((of("contact"), of("country"), of("state")), (ana.id, "AT".into(), "proposed".into()));
}

#[tokio::test]
async fn a_cry_reaches_those_on_call_at_once() {
    let house = House::new().await;
    house.says(ANA, "upomoć, napali su me").await;
    assert!(house.said().await.contains("112"), "nobody is on call");
    let alarms = house.app.db.list(ALARMS, values![]).await.unwrap();
    assert_eq!(alarms[0].text("kind").unwrap(), "panic");
    let on_call = house.contact(Some(BO), |contact| (contact.on_call, contact.language) = (true, Language::De)).await;
    house.contact(Some(ANA), |contact| contact.name = "Ana Horvat".into()).await;
    house.says(ANA, "PANIC").await;
    let told: Vec<_> = house.out().await.into_iter().filter(|out| out.recipient == on_call.id).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].body, format!("ALARM: Ana Horvat ({ANA}): PANIC"));
    house.says(ANA, "no panic, all is fine").await;
    assert_eq!(house.out().await.into_iter().filter(|out| out.recipient == on_call.id).count(), 1);
}

/// Numbers cost nothing: of unknown ones so many are heard in an hour, one in ten minutes.
#[tokio::test]
async fn unknown_cries_are_marked_and_limited() {
    let house = House::with(|config| config.unverified_alarms = 3).await;
    let on_call = house.contact(Some(BO), |contact| contact.on_call = true).await;
    for number in 0..6 {
        house.says(&format!("+38591000000{number}"), "PANIC").await;
        let (said, is_told) = (house.said().await, number < 3);
        assert_eq!((said.contains("being told to 1"), said.contains("NOT passed on")), (is_told, !is_told), "{said}");
        assert!(said.contains("112"), "{said}");
    }
    let told = |out: Vec<Out>| out.into_iter().filter(|out| out.recipient == on_call.id).collect::<Vec<_>>();
    let first = told(house.out().await);
    assert_eq!(first.len(), 3);
    assert!(first.iter().all(|out| out.body.starts_with("PANIC, UNVERIFIED")), "{first:?}");
    house.after(3_600_001);
    house.says("+385910000001", "PANIC").await;
    house.says("+385910000001", "PANIC").await;
    house.after(600_001);
    house.says("+385910000001", "PANIC").await;
    assert_eq!(told(house.out().await).len(), 5);
    // Somebody who is known is heard all the same.
    house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "PANIC").await;
    assert_eq!(told(house.out().await).len(), 6);
}

/// Whose domain vouches for nothing is nobody: no answer goes to an address that somebody else may have written.
#[tokio::test]
async fn mail_that_nobody_vouches_for_starts_nothing_but_an_unverified_alarm() {
    let house = House::new().await;
    let on_call = house.contact(Some(BO), |contact| contact.on_call = true).await;
    let ana = house.contact(None, |contact| contact.email = Some("ana@acme.example".into())).await;
    for (text, outcome) in [("status", "not-verified"), ("leave fleet", "not-verified"), ("PANIC", "panic-unverified")]
    {
        let inbound = Inbound {
            channel: Channel::Email,
            provider_id: text.into(),
            sender: "ana@acme.example".into(),
            is_verified: false,
            text: text.into(),
            attached: Vec::new(),
            is_automatic: false,
        };
        receive(&house.app, &house.messaging, inbound).await.unwrap();
        assert_eq!(house.outcomes().await.pop().unwrap(), outcome);
    }
    let out = house.out().await;
    assert!(out.iter().all(|out| out.recipient == on_call.id && out.recipient != ana.id), "{out:?}");
    assert_eq!(out.len(), 1);
}

/// Strangers are answered five times an hour, and machines never.
#[tokio::test]
async fn answers_cost_and_are_limited() {
    let house = House::new().await;
    for _ in 0..9 {
        house.says(ANA, "what is this").await;
    }
    assert_eq!((house.outcomes().await.len(), house.out().await.len()), (9, 5));
    // But who cries learns what became of it, once in ten minutes.
    for _ in 0..2 {
        house.says(ANA, "PANIC").await;
        assert_eq!(house.out().await.len(), 6);
    }
    assert!(house.said().await.contains("CALL 112"));
    let inbound = Inbound {
        channel: Channel::Email,
        provider_id: "x".into(),
        sender: "robot@acme.example".into(),
        is_verified: true,
        text: "status".into(),
        attached: Vec::new(),
        is_automatic: true,
    };
    receive(&house.app, &house.messaging, inbound.clone()).await.unwrap();
    assert_eq!(house.out().await.len(), 6);
    // A machine that confirms, by a code that it was sent, is none the more answered.
    let said = |text: &str, is_automatic| Inbound {
        provider_id: text.to_owned(),
        text: text.to_owned(),
        is_automatic,
        ..inbound.clone()
    };
    receive(&house.app, &house.messaging, said("join fleet", false)).await.unwrap();
    let code = house.code().await;
    receive(&house.app, &house.messaging, said(&code, true)).await.unwrap();
    assert_eq!((house.outcomes().await.pop().unwrap().as_str(), house.out().await.len()), ("joined", 7));
}

#[tokio::test]
async fn every_intent_is_answered_in_the_language_of_its_contact() {
    let house = House::new().await;
    let identity = house.identity("ana");
    for (language, phone, asks, join) in [
        (Language::Hr, "+385911111111", "status", "odjava"),
        (Language::En, "+385911111112", "status", "leave fleet"),
        (Language::De, "+385911111113", "status", "abmelden"),
    ] {
        house
            .contact(Some(phone), |contact| (contact.language, contact.identity_id) = (language, Some(identity)))
            .await;
        house.says(phone, asks).await;
        assert_eq!(house.said().await, super::super::replies::Reply::StatusUnknown.text(language));
        house.says(phone, join).await;
        let code = house.code().await;
        assert_ne!(code, "none", "{}", house.said().await);
        house.says(phone, "INFO").await;
        assert_eq!(house.said().await, super::super::replies::Reply::Help.text(language));
        house.says(phone, "dokument hochladen").await;
        assert_eq!(house.said().await, super::super::replies::Reply::NothingAttached.text(language));
    }
}
