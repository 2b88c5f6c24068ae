//! Lists, a page at a time.

use crate::service::Service;
use platform::config::Config;

const ANA: &str = "ana/native";

#[tokio::test]
async fn pages_give_each_item_once() {
    let service = Service::new(Config::default()).await;
    let (mut path, mut found) = ("/things/a?from=10&limit=200".to_owned(), Vec::new());
    loop {
        let answer = service.get(&path, ANA).await;
        let page = answer.json();
        found.extend(page["items"].as_array().unwrap().iter().map(|item| item.as_u64().unwrap()));
        if page["next"].is_null() {
            assert_eq!(answer.header("link"), "");
            break;
        }
        let link = answer.header("link").strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap();
        assert!(link.contains(page["next"].as_str().unwrap()));
        path = link.to_owned();
    }
    assert_eq!(found, (10..450).rev().collect::<Vec<_>>());
    let whole = service.get("/things/a", ANA).await.json();
    assert_eq!(whole["items"].as_array().unwrap().len(), 50);
    let exact = service.get("/things/a?from=250&limit=200", ANA).await.json();
    assert_eq!((exact["items"].as_array().unwrap().len(), exact["next"].is_null()), (200, true));
}

#[tokio::test]
async fn a_cursor_is_of_one_list_and_caller() {
    let service = Service::new(Config::default()).await;
    let page = service.get("/things/a?from=10", ANA).await.json();
    let next = page["next"].as_str().unwrap();
    let told = |path: String, caller: &'static str| {
        let service = &service;
        async move {
            let answer = service.get(&path, caller).await;
            if answer.status == 200 { "ok".to_owned() } else { answer.json()["errors"][0]["pointer"].to_string() }
        }
    };
    assert_eq!(told(format!("/things/a?from=10&after={next}"), ANA).await, "ok");
    assert_eq!(told(format!("/things/a?limit=7&after={next}&from=10"), "ana/noble").await, "ok");
    for (path, caller) in [
        (format!("/things/a?after={next}"), ANA),
        (format!("/things/a?from=11&after={next}"), ANA),
        (format!("/things/b?from=10&after={next}"), ANA),
        (format!("/things/a?from=10&after={next}"), "bo/native"),
        (format!("/things/a?from=10&after={next}"), "ana/native/decoy"),
        (format!("/things/a?from=10&after={next}&after={next}"), ANA),
        (format!("/things/a?from=10&after={}", &next[..next.len() - 2]), ANA),
        (format!("/things/a?from=10&after={}", "A".repeat(5000)), ANA),
        ("/things/a?from=10&after=".to_owned(), ANA),
        ("/things/a?from=10&after=440".to_owned(), ANA),
    ] {
        assert_eq!(told(path.clone(), caller).await, "\"query/after\"", "{path} {caller}");
    }
    // Another process has the same key.
    let service = service.again(Config::default()).await;
    assert_eq!(service.get(&format!("/things/a?from=10&after={next}"), ANA).await.status, 200);
}

#[tokio::test]
async fn limits_and_filters_are_checked() {
    let service = Service::new(Config::default()).await;
    for limit in ["0", "201", "-1", "+5", "x", "", "1&limit=2"] {
        let told = service.get(&format!("/things/a?limit={limit}"), ANA).await;
        assert_eq!(told.problem().0, 422, "{limit}");
        assert_eq!(told.json()["errors"][0]["pointer"], "query/limit");
    }
    let told = service.get("/things/a?more=1", ANA).await;
    assert_eq!(told.json()["errors"][0]["pointer"], "query/more");
}
