//! Who is asked, when, and what is waited for.

use super::*;
use crate::alarms;
use std::time::SystemTime;

#[tokio::test]
async fn the_next_one_is_asked_on_authentication_and_on_quota() {
    let desk = Desk::new().await;
    desk.answer_as(["authentication", "no credit is left", "quota, with a time", "success"]).await;
    let caller = caller(desk.house.ana, World::Real);
    let out = desk.ask_as(&caller).await.unwrap_or_else(|problem| panic!("{problem}"));
    let expected = json!({"content": [{"type": "text", "text": "A tachograph records driving times."}],
        "usage": {"input_tokens": 15, "output_tokens": 9}, "stop_reason": "end_turn", "provider": "mistral",
        "model": "a-model-1"});
    assert_eq!(serde_json::to_value(out).unwrap(), expected);
    assert_eq!(desk.asked().await, [1, 1, 1, 1]);
    // Who is left out is not asked again until his time, and who said none for an hour.
    let turns = [(0, [1, 1, 1, 2]), (47_000, [1, 1, 1, 3]), (2_000, [1, 1, 2, 3]), (3_600_000, [1, 2, 2, 3])];
    for (millis, counts) in turns {
        desk.house.after(millis);
        desk.answer_as(["success"; 4]).await;
        desk.ask().await;
        assert_eq!(desk.asked().await, counts, "{millis}");
    }
    assert!(desk.waits().is_empty());
}

#[tokio::test]
async fn who_failed_on_authentication_is_out_until_his_key_file_changes() {
    let desk = Desk::new().await;
    for (name, change) in [("authentication", true), ("permission", false)] {
        desk.answer_as([name, "success", "success", "success"]).await;
        assert_eq!(desk.ask().await, "openai", "{name}");
        desk.house.after(400 * 86_400_000);
        desk.answers(ModelKind::OpenAi, case(ModelKind::OpenAi, "success"), 1).await;
        assert_eq!(desk.ask().await, "openai", "{name}");
        let file = desk.keys.path().join("anthropic");
        if change {
            fs::write(&file, "another-key\n").unwrap();
        } else {
            // The account was mended there, and the key is the same.
            let later = SystemTime::now() + Duration::from_mins(1);
            fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        }
        desk.answers(ModelKind::Anthropic, case(ModelKind::Anthropic, "success"), 1).await;
        assert_eq!(desk.ask().await, "anthropic", "{name}");
    }
    // A key that is not there is nobody's fault but the operator's: the next one is asked.
    fs::remove_file(desk.keys.path().join("anthropic")).unwrap();
    desk.answers(ModelKind::OpenAi, case(ModelKind::OpenAi, "success"), 1).await;
    assert_eq!(desk.ask().await, "openai");
}

#[tokio::test]
async fn a_page_before_a_provider_says_nothing_of_its_key() {
    let desk = Desk::new().await;
    let first = ModelKind::Anthropic;
    desk.answers(first, ResponseTemplate::new(403).set_body_string("<html>Blocked</html>"), 1).await;
    let refused = desk.ask_as(&caller(desk.house.ana, World::Real)).await;
    assert!(refused.is_err_and(|refused| refused.status().is_server_error()));
    desk.answers(first, case(first, "success"), 1).await;
    assert_eq!(desk.ask().await, "anthropic");
}

#[tokio::test]
async fn a_short_time_is_waited_for_once() {
    let desk = Desk::new().await;
    let first = ModelKind::Anthropic;
    desk.answer_as(["rate", "success", "success", "success"]).await;
    desk.answers(first, case(first, "success"), 1).await;
    assert_eq!(desk.ask().await, "anthropic");
    assert_eq!((desk.waits(), desk.asked().await), (vec![3], vec![2, 0, 0, 0]));
    // A second one in a call is not, and the provider is left out for its time.
    desk.answers(first, case(first, "rate"), 2).await;
    assert_eq!(desk.ask().await, "openai");
    assert_eq!((desk.waits(), desk.asked().await), (vec![3, 3], vec![4, 1, 0, 0]));
    desk.house.after(3_001);
    // Neither is a long one.
    desk.answers(first, case(first, "rate").insert_header("retry-after", "6"), 1).await;
    desk.answers(ModelKind::OpenAi, case(ModelKind::OpenAi, "success"), 1).await;
    assert_eq!(desk.ask().await, "openai");
    assert_eq!((desk.waits().len(), desk.asked().await), (2, vec![5, 2, 0, 0]));
}

#[tokio::test]
async fn a_fault_is_tried_once_more_and_ends_it_unless_the_setting_says_otherwise() {
    for (advances, ended, counts) in [(false, "provider-failed", [4, 0, 0, 0]), (true, "openai", [4, 1, 0, 0])] {
        let desk = Desk::with(|models| models.advance_on_faults = advances).await;
        let first = ModelKind::Anthropic;
        desk.answer_as(["outage", "success", "success", "success"]).await;
        desk.answers(first, case(first, "success"), 1).await;
        assert_eq!(desk.ask().await, "anthropic");
        desk.answers(first, case(first, "outage"), 2).await;
        assert_eq!(desk.ask().await, ended);
        assert_eq!(desk.asked().await, counts);
        // It is left out by nothing, and what does not read is paid for once.
        desk.answers(first, case(first, "malformed: no usage"), 1).await;
        desk.answers(ModelKind::OpenAi, case(ModelKind::OpenAi, "success"), 1).await;
        assert_eq!(desk.ask().await, ended);
        assert_eq!(desk.asked().await[0], 5);
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_question_goes_back() {
    let desk = Desk::new().await;
    let caller = caller(desk.house.ana, World::Real);
    desk.answers(ModelKind::Anthropic, case(ModelKind::Anthropic, "a request that is wrong"), 1).await;
    let refused = desk.ask_as(&caller).await.err().unwrap();
    assert_eq!(refused.kind().code, "model-refused");
    assert!(refused.to_string().contains("prompt is too long"), "{refused}");
    let quoting = json!({"error": {"message": "nothing comes of key-of-anthropic"}});
    desk.answers(ModelKind::Anthropic, ResponseTemplate::new(422).set_body_json(quoting), 1).await;
    let refused = desk.ask_as(&caller).await.err().unwrap();
    assert!(refused.to_string().contains("nothing comes of …"), "{refused}");
    let in_escapes = r#"{"error": {"message": "nothing comes of \u006bey-of-anthropic"}}"#;
    let quoting = ResponseTemplate::new(422).set_body_raw(in_escapes, "application/json");
    desk.answers(ModelKind::Anthropic, quoting, 1).await;
    let refused = desk.ask_as(&caller).await.err().unwrap();
    assert!(refused.to_string().contains("nothing comes of …"), "{refused}");
    assert_eq!(desk.asked().await, [3, 0, 0, 0]);
}

#[tokio::test]
async fn natives_hear_that_nobody_is_left() {
    let desk = Desk::new().await;
    desk.answer_as(["authentication", "quota", "quota, with a time", "payment"]).await;
    let caller = caller(desk.house.ana, World::Real);
    let refused = desk.ask_as(&caller).await.err().unwrap();
    // OpenAI's is two seconds.
    assert_eq!((refused.kind().code, refused.comes_back_after()), ("providers-out", Some(2)));
    assert_eq!(desk.ask().await, "providers-out");
    assert_eq!(desk.asked().await, [1, 1, 1, 1]);
    let mut found = Vec::new();
    for _ in 0..100 {
        found = alarms::page(&desk.house.app.db, World::Real, None, 10).await.unwrap();
        if !found.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let found: Vec<_> = found.iter().map(|alarm| (alarm.kind.as_str(), alarm.subject.as_str())).collect();
    assert_eq!(found, [("models", "models")]);
    let none = Desk::with(|models| models.providers.clear()).await;
    assert_eq!(none.ask().await, "no-provider");
}

#[tokio::test]
async fn no_more_are_under_way_than_the_setting_says() {
    let desk = Desk::with(|models| models.at_once = 1).await;
    let slow = case(ModelKind::Anthropic, "success").set_delay(Duration::from_secs(1));
    desk.answers(ModelKind::Anthropic, slow, 2).await;
    let mut ended = [desk.ask(), desk.ask()].into_iter().collect::<futures::stream::FuturesUnordered<_>>();
    let mut told = Vec::new();
    while let Some(one) = futures::StreamExt::next(&mut ended).await {
        told.push(one);
    }
    assert_eq!(told, ["busy", "anthropic"]);
}
