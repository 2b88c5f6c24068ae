//! Cries for help, and what is true of what is answered.

use super::super::{held, unheard};
use super::*;

impl House {
    /// Kind and subject of each alarm.
    pub(super) async fn alarms(&self) -> Vec<(String, String, String)> {
        let rows = self.app.db.list(ALARMS, values![]).await.unwrap();
        let of = |row: &platform::db::Row, name: &'static str| row.text(name).unwrap();
        rows.iter().map(|row| (of(row, "kind"), of(row, "subject"), of(row, "detail"))).collect()
    }

    pub(super) async fn on_call(&self, more: impl FnOnce(&mut Contact)) -> Contact {
        let on_call = |contact: &mut Contact| {
            contact.on_call = true;
            more(contact);
        };
        self.contact(Some(BO), on_call).await
    }

    pub(super) async fn told(&self, contact: &Contact) -> Vec<Out> {
        self.out().await.into_iter().filter(|out| out.recipient == contact.id).collect()
    }

    pub(super) async fn outcome(&self) -> String {
        self.outcomes().await.pop().unwrap()
    }
}

/// Those that were held back are one alarm an hour, with how many they are.
#[tokio::test]
async fn cries_that_were_held_back_are_told_together() {
    let house = House::with(|config| config.unverified_alarms = 1).await;
    house.on_call(|_| {}).await;
    let cries = async |numbers: std::ops::Range<u32>| {
        for number in numbers {
            house.says(&format!("+3859100000{number}"), "help me, I am stabbed").await;
        }
        held::turn(&house.app, house.clock.millis()).await.unwrap();
    };
    cries(10..11).await;
    assert!(house.alarms().await.is_empty());
    cries(11..14).await;
    assert_eq!(house.outcomes().await[1..], ["panic-held-told"; 3]);
    cries(14..16).await;
    assert_eq!(house.outcomes().await[4..], ["panic-held"; 2], "one alarm an hour");
    house.after(3_600_001);
    held::turn(&house.app, house.clock.millis()).await.unwrap();
    let alarms = house.alarms().await;
    let said: Vec<_> =
        alarms.iter().map(|(kind, subject, detail)| (kind.as_str(), subject.as_str(), &**detail)).collect();
    let [("panic", "held", first), ("panic", "held", second)] = said[..] else { panic!("{said:?}") };
    assert!(first.contains("in an hour: 3;") && second.contains("in an hour: 2;"), "{first} {second}");
}

/// Of one sender the second in ten minutes is called told where the first one is, and not otherwise.
#[tokio::test]
async fn who_cries_again_is_told_what_became_of_it() {
    let house = House::new().await;
    house.says(ANA, "PANIC").await;
    assert!(house.said().await.contains("nobody on call"));
    house.says(ANA, "PANIC").await;
    assert_eq!(house.outcome().await, "panic-limited");
    assert!(house.said().await.contains("NOT passed on"), "{}", house.said().await);
    house.after(600_001);
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    for _ in 0..11 {
        house.says(ANA, "PANIC").await;
    }
    assert_eq!((house.told(&on_call).await.len(), house.outcome().await.as_str()), (10, "panic-limited"));
    assert!(house.said().await.contains("told already"), "{}", house.said().await);
}

/// Who cries confirms nothing, whatever numbers stand in it.
#[tokio::test]
async fn a_cry_comes_before_codes() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "leave fleet").await;
    let code = house.code().await;
    for text in ["accident truck 123456 help".to_owned(), format!("{code} help, I am bleeding")] {
        house.says(ANA, &text).await;
        assert_eq!(house.outcome().await, "panic", "{text}");
    }
    assert_eq!(house.told(&on_call).await.len(), 2);
    house.says(ANA, &code).await;
    assert_eq!(house.outcome().await, "left", "a code alone is no cry");
}

/// HELP is what carriers have for a list, and the commonest English cry.
#[tokio::test]
async fn help_of_who_is_known_is_both() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "Help").await;
    let (told, answers) = (house.told(&on_call).await, house.told(&ana).await);
    assert_eq!((told.len(), house.outcome().await.as_str()), (1, "panic"));
    assert!(
        answers.len() == 2 && answers[0].body.contains("STATUS") && answers[1].body.contains("told to 1"),
        "{answers:?}"
    );
    house.contact(Some("+12025550123"), |_| {}).await;
    for (number, text) in [("+12025550123", "help"), ("+385910000001", "help"), (ANA, "info")] {
        house.says(number, text).await;
        assert_eq!(house.outcome().await, "helped", "{number} {text}");
    }
    assert_eq!(house.told(&on_call).await.len(), 1);
}

/// No table has every cry: a contact who is not understood is asked, and his yes is one, with what he wrote before.
#[tokio::test]
async fn who_is_not_understood_is_asked() {
    let house = House::new().await;
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "1").await;
    house.says(ANA, "there is something odd with the load").await;
    assert!(house.said().await.contains("Do you need help? Answer 1"), "{}", house.said().await);
    house.says(ANA, " 1!").await;
    let told = house.told(&on_call).await;
    assert_eq!((told.len(), house.outcome().await.as_str()), (1, "panic"));
    assert!(told[0].body.contains("something odd"), "{told:?}");
    house.says(ANA, "blabla").await;
    house.after(900_001);
    house.says(ANA, "yes").await;
    assert_eq!(house.outcome().await, "asked-for-help", "a question has its time");
    house.says("+385910000001", "blabla").await;
    assert_eq!(house.outcome().await, "not-understood");
}

/// STOP at one address ends messages to it, and to no other of the same person; the others on call learn it.
#[tokio::test]
async fn stop_takes_one_address_away() {
    let house = House::new().await;
    house.answers(RELAY, |_| taken()).await;
    let on_call = house.on_call(|contact| contact.relay = Some("77".into())).await;
    house.says(BO, "CANCEL").await;
    house.says(BO, "STOP").await;
    let alarms = house.alarms().await;
    assert_eq!(alarms.len(), 1, "{alarms:?}");
    assert_eq!((&*alarms[0].0, &alarms[0].1), ("on-call", &on_call.id));
    house.says(ANA, "PANIC").await;
    assert!(house.said().await.contains("told to 1"));
    house.turn().await;
    let got = house.got().await;
    assert!(got.iter().any(|(to, text, _)| to == "77" && text.contains("PANIC")), "{got:?}");
    assert!(got.iter().all(|(to, ..)| to != BO), "{got:?}");
    // What was queued before goes on by the next way, too.
    house.says(BO, "START").await;
    house.says(ANA, "I am hurt").await;
    house.says("+385910000001", "PANIC").await;
    house.says(BO, "STOP").await;
    house.turn().await;
    assert_eq!(house.got().await.iter().filter(|(to, ..)| to == "77").count(), 2);
    // Who has no other address is not on call any more.
    house.contact(Some(ANA), |contact| contact.on_call = true).await;
    house.says(ANA, "STOP").await;
    house.says("+385910000002", "PANIC").await;
    assert!(house.said().await.contains("told to 1"), "{}", house.said().await);
}

/// An alarm that goes by no way is no further message to those whom none leads to, and who cries hears at once.
#[tokio::test]
async fn without_a_provider_nobody_is_called_told() {
    let house =
        House::with(|config| (config.sms_account, config.sms_token_file, config.sms_from) = (None, None, None)).await;
    let on_call = house.on_call(|_| {}).await;
    house.contact(Some(ANA), |_| {}).await;
    for _ in 0..3 {
        house.says(ANA, "PANIC").await;
        assert!(house.said().await.contains("nobody on call is reached"), "{}", house.said().await);
        super::super::alarms::alarms(&house.app, &house.messaging, house.clock.millis()).await.unwrap();
        house.turn().await;
        unheard::turn(&house.app, &house.messaging).await.unwrap();
    }
    assert!(house.told(&on_call).await.is_empty());
    assert_eq!(house.alarms().await.iter().filter(|(kind, ..)| kind == "panic").count(), 3);
}

/// Every message of a cry ended before it got there: who cried was answered otherwise, and is put right.
#[tokio::test]
async fn who_cried_learns_that_nobody_was_reached() {
    let house = House::whose_on_call_is_not_reached().await;
    let ana = house.contact(Some(ANA), |contact| contact.language = Language::De).await;
    house.says(ANA, "PANIK").await;
    for _ in 0..2 {
        house.turn().await;
        unheard::turn(&house.app, &house.messaging).await.unwrap();
    }
    let said: Vec<_> = house.told(&ana).await.into_iter().map(|out| (out.state, out.body)).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].1.contains("geht jetzt an 1") && said[1].1.contains("niemand in Bereitschaft"), "{said:?}");
    assert!(said.iter().all(|(state, _)| state == "sent"), "{said:?}");
}
