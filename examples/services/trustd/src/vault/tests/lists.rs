//! Pages of records.

use super::*;

#[tokio::test]
async fn pages_follow_each_other_newest_first() {
    let service = Service::new().await;
    let native = service.native();
    let mut expected = Vec::new();
    for number in 0..7_u8 {
        // Two at a time are of one millisecond.
        let time = 1_796_000_000_000 + i64::from(number / 2);
        service.app.clock.set(dualseal::Timestamp::from_millis(time).unwrap());
        let sealed = service.seal(&native, if number < 5 { service.ana } else { service.bo }, &[number]).await;
        expected.push((sealed["created_at"].as_str().unwrap().to_owned(), id(&sealed).to_owned()));
    }
    expected.sort();
    expected.reverse();
    let expected: Vec<_> = expected.into_iter().map(|(_, id)| id).collect();
    let (mut found, mut path) = (Vec::new(), "?limit=3".to_owned());
    loop {
        let answer = service.get(Some(&native), &path).await.is(200);
        let page = answer.json();
        found.extend(page["items"].as_array().unwrap().iter().map(|item| id(item).to_owned()));
        let Some(next) = page["next"].as_str() else {
            assert!(!answer.headers.contains_key(header::LINK));
            break;
        };
        path = format!("?limit=3&after={next}");
        assert_eq!(answer.headers[header::LINK], format!("</api/v1/vault/{path}>; rel=\"next\""));
    }
    assert_eq!(found, expected);

    let listed = async |caller: &Caller, query: &str| {
        let page = service.get(Some(caller), query).await.is(200).json();
        page["items"].as_array().unwrap().len()
    };
    let (ana, bo) =
        (Service::caller(service.ana, Tier::Noble, World::Real), Service::caller(service.bo, Tier::Noble, World::Real));
    assert_eq!((listed(&native, "").await, listed(&ana, "").await, listed(&bo, "").await), (7, 5, 2));
    assert_eq!(listed(&native, &format!("?identity_id={}", service.bo)).await, 2);
    assert_eq!((listed(&native, "?type=CONTRACT").await, listed(&native, "?type=OTHER").await), (7, 0));
    let time = |millis: i64| dualseal::Timestamp::from_millis(1_796_000_000_000 + millis).unwrap();
    assert_eq!(listed(&native, &format!("?from={}&to={}", time(1), time(3))).await, 4);
    assert_eq!(listed(&native, &format!("?from={}", time(3))).await, 1);
    let others = format!("?identity_id={}", service.ana);
    assert_eq!(service.get(Some(&bo), &others).await.is(404).code(), "unknown-id");
}

#[tokio::test]
async fn a_query_that_breaks_a_rule_is_named() {
    let service = Service::new().await;
    let unknown = format!("?after={}", "0".repeat(64));
    for (query, pointer) in [
        ("?limit=0", "query/limit"),
        ("?limit=201", "query/limit"),
        ("?limit=x", "query/limit"),
        ("?identity_id=00", "query/identity_id"),
        ("?from=yesterday", "query/from"),
        ("?after=x", "query/after"),
        (&unknown, "query/after"),
        ("?more=1", "query/more"),
    ] {
        let answer = service.get(Some(&service.native()), query).await.is(422).json();
        assert_eq!(answer["errors"][0]["pointer"], pointer, "{answer}");
    }
}
