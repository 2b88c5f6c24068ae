//! The states of messages on their way out, and the statements that change them.

use super::super::outbox::{self, given_up};
use super::super::rules::{Event, State};
use super::House;
use platform::db::statements;
use platform::values;

statements! {
    ROW = "INSERT INTO messages_out (id, recipient, rank, ways, way, subject, body, created, due_at, expires, \
           leased_until, attempts, state, changed, world) \
           VALUES ($1, 'r', 1, '[]', 0, 's', 'b', 0, 0, $2, 0, 1, $3, 0, 0)";
    STATE = "SELECT state FROM messages_out WHERE id = $1";
    EMPTY = "DELETE FROM messages_out";
}

/// Each statement changes the states that the table says, to those that it says, and no other.
#[tokio::test]
async fn the_statements_keep_the_table_of_states() {
    let house = House::new().await;
    let (db, now) = (&house.app.db, house.clock.millis());
    for state in State::ALL {
        for event in Event::ALL {
            let expires = if event == Event::Late { now } else { now + 60_000 };
            db.execute(ROW, values!["m", expires, state.as_str()]).await.unwrap();
            let (statement, values) = match event {
                Event::Leased => (outbox::LEASE, values![now, now + 1000, 9_u32, i64::MAX, i64::MAX]),
                Event::Accepted => (outbox::SENT, values!["m", 1_i64, "p", now, 0_i64]),
                Event::Again => (outbox::AGAIN, values!["m", 1_i64, "fault", now, now]),
                Event::Refused => (outbox::GIVEN_UP, values!["m", 1_i64, given_up(true), "fault", now]),
                Event::Exhausted => (outbox::GIVEN_UP, values!["m", 1_i64, given_up(false), "fault", now]),
                Event::Late => (outbox::EXPIRE, values![now]),
                Event::Arrived => (outbox::ARRIVED, values!["m", now]),
                Event::Lost => (outbox::LOST, values!["m", now, "fault"]),
                Event::LostOnThisWay => (outbox::LOST_WAY, values!["m", now, "fault"]),
            };
            let changed = db.execute(statement, values).await.unwrap();
            let found = db.find(STATE, values!["m"]).await.unwrap().unwrap().text("state").unwrap();
            let after = state.after(event);
            assert_eq!(
                (changed == 1, found.as_str()),
                (after.is_some(), after.unwrap_or(state).as_str()),
                "{state:?} {event:?}"
            );
            db.execute(EMPTY, values![]).await.unwrap();
        }
        // The next way is one more attempt.
        db.execute(ROW, values!["m", now, state.as_str()]).await.unwrap();
        let changed = db.execute(outbox::NEXT_WAY, values!["m", 1_i64, "fault", now]).await.unwrap();
        assert_eq!(changed == 1, state.after(Event::Again).is_some(), "{state:?}");
        db.execute(EMPTY, values![]).await.unwrap();
    }
}
