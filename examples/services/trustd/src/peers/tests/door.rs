//! How many register.

use super::super::door::enter;
use super::super::pull::turn;
use super::super::rules::{DAILY, MOST_PENDING};
use super::super::sources::Sources;
use super::{peer, register, states};
use crate::testing::House;
use platform::access::World;
use platform::db::Statement;
use platform::rate::Client;
use platform::values;

#[tokio::test]
async fn who_registers_without_end_is_told_to_wait() {
    let house = House::new().await;
    for number in 0..MOST_PENDING {
        register(&house.app, &peer(&format!("a{number}"), 1, None)).await.unwrap();
    }
    assert_eq!(register(&house.app, &peer("more", 1, None)).await.unwrap_err(), "busy");
    // Nobody who lists others takes their room.
    register(&house.app, &peer("heard", 1, Some("a.example"))).await.unwrap();
    house.after(8 * 24 * 3_600_000);
    turn(&house.app, &Sources::default()).await.unwrap();
    assert_eq!(states(&house.app, World::Real).await, Vec::<String>::new());
}

/// Nor does one client close the door to the others in the time for which they wait.
#[tokio::test]
async fn one_client_does_not_close_the_door() {
    const ALARMS: Statement = Statement::new("SELECT detail FROM alarms WHERE kind = 'registrations'");
    let (house, mut number) = (House::new().await, 0);
    let app = &house.app;
    let mut comes = async |client: u8| {
        number += 1;
        let mut tx = app.db.begin().await.unwrap();
        let client = Client::new([192, 0, 2, client].into());
        let done = enter(app, &mut tx, client, &peer(&format!("a{number}"), 1, None)).await;
        tx.commit().await.unwrap();
        done.map(drop).map_err(|problem| problem.kind().code.to_owned())
    };
    for _ in 0..DAILY {
        comes(1).await.unwrap();
    }
    assert_eq!(comes(1).await.unwrap_err(), "rate-limited");
    for client in 2..8 {
        for _ in 0..DAILY {
            comes(client).await.unwrap();
        }
    }
    let alarms = async || app.db.list(ALARMS, values![]).await.unwrap();
    for _ in 140..159 {
        comes(9).await.unwrap();
    }
    assert_eq!(alarms().await.len(), 0);
    comes(9).await.unwrap();
    assert_eq!(alarms().await[0].text("detail").unwrap(), "160 services wait for a native, of 200 that may");
}
