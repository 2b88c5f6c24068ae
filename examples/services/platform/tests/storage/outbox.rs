//! The outbox: written with what causes it, on lease to one sender at a time.

use crate::harness::{run, services};
use platform::db::Db;
use platform::outbox::{Message, Outbox};
use std::collections::BTreeSet;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(30);

/// Hands a message on.
async fn sent(db: &Db, message: &Message) -> bool {
    let mut tx = db.begin().await.unwrap();
    let is_ours = Outbox::sent(&mut tx, message).await.unwrap();
    tx.commit().await.unwrap();
    is_ours
}

#[tokio::test]
async fn what_is_taken_back_is_not_sent_and_what_is_once_is_sent_once() {
    for service in services().await {
        let (db, now) = (service.db().await, service.clock.millis());
        let outbox = Outbox::new(db.clone());
        let mut tx = db.begin().await.unwrap();
        assert!(Outbox::put(&mut tx, "alarms", None, "never", now).await.unwrap());
        tx.roll_back().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        assert!(Outbox::put(&mut tx, "alarms", Some("ana 1"), "first", now).await.unwrap());
        assert!(!Outbox::put(&mut tx, "alarms", Some("ana 1"), "second", now).await.unwrap());
        assert!(Outbox::put(&mut tx, "other", Some("ana 1"), "elsewhere", now).await.unwrap());
        assert!(Outbox::put(&mut tx, "alarms", None, "third", now).await.unwrap());
        tx.commit().await.unwrap();
        let taken = outbox.lease("alarms", now, LEASE, 10).await.unwrap();
        assert_eq!(taken.iter().map(|message| message.body.as_str()).collect::<Vec<_>>(), ["first", "third"]);
        assert!(outbox.lease("alarms", now + 29_999, LEASE, 10).await.unwrap().is_empty());
        assert!(sent(&db, &taken[0]).await);
        let again = outbox.lease("alarms", now + 30_000, LEASE, 10).await.unwrap();
        assert_eq!((again.len(), again[0].attempts, &again[0].id), (1, 2, &taken[1].id));
        // Who took it before has no say any more.
        assert!(!sent(&db, &taken[1]).await);
        assert!(sent(&db, &again[0]).await && !sent(&db, &again[0]).await);
        assert!(outbox.lease("alarms", now + 900_000, LEASE, 10).await.unwrap().is_empty());
        // What nobody ever takes goes as well.
        assert_eq!(outbox.sweep(now).await.unwrap(), 0);
        assert_eq!(outbox.sweep(now + 1).await.unwrap(), 3);
        assert!(outbox.lease("other", now, LEASE, 10).await.unwrap().is_empty());
    }
}

/// A clock that was ahead wrote it or took it, or a row says so. One that does not read keeps no other back.
#[tokio::test]
async fn no_message_waits_for_a_time_to_come() {
    for service in services().await {
        let (db, now) = (service.db().await, service.clock.millis());
        let outbox = Outbox::new(db.clone());
        let mut tx = db.begin().await.unwrap();
        Outbox::put(&mut tx, "alarms", None, "ahead", now + 86_400_000).await.unwrap();
        Outbox::put(&mut tx, "alarms", None, "near", now + 60_000).await.unwrap();
        tx.commit().await.unwrap();
        let bodies = async || -> Vec<String> {
            let taken = outbox.lease("alarms", now, LEASE, 10).await.unwrap();
            taken.into_iter().map(|message| message.body).collect()
        };
        assert_eq!(bodies().await, ["ahead"]);
        assert!(bodies().await.is_empty(), "it is leased");
        run(&db, "UPDATE outbox SET leased_until = 9000000000000000000 WHERE body = 'ahead'").await;
        assert_eq!(bodies().await, ["ahead"]);
        run(&db, "UPDATE outbox SET leased_until = 0, due_at = 9000000000000000000").await;
        if db.is_file() {
            run(&db, "UPDATE outbox SET created = 'x' WHERE body = 'ahead'").await;
            assert_eq!(bodies().await, ["near"]);
        }
    }
}

#[tokio::test]
async fn a_lease_that_ran_out_is_another_senders() {
    for service in services().await {
        let (db, now) = (service.db().await, service.clock.millis());
        let outbox = Outbox::new(db.clone());
        let mut tx = db.begin().await.unwrap();
        Outbox::put(&mut tx, "alarms", None, "once", now).await.unwrap();
        tx.commit().await.unwrap();
        let first = outbox.lease("alarms", now, LEASE, 1).await.unwrap().remove(0);
        let second = outbox.lease("alarms", now + 30_000, LEASE, 1).await.unwrap().remove(0);
        assert!(!sent(&db, &first).await);
        assert!(sent(&db, &second).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_senders_each_has_others() {
    for service in services().await {
        let (db, now) = (service.db().await, service.clock.millis());
        let mut tx = db.begin().await.unwrap();
        for number in 0..64 {
            Outbox::put(&mut tx, "alarms", None, &number.to_string(), now).await.unwrap();
        }
        tx.commit().await.unwrap();
        let mut tasks = Vec::new();
        for _ in 0..8 {
            let outbox = Outbox::new(service.db().await);
            tasks.push(tokio::spawn(async move {
                let mut bodies = Vec::new();
                loop {
                    let taken = outbox.lease("alarms", now, LEASE, 5).await.unwrap();
                    if taken.is_empty() {
                        return bodies;
                    }
                    bodies.extend(taken.into_iter().map(|message| message.body));
                }
            }));
        }
        let bodies: Vec<_> =
            futures::future::join_all(tasks).await.into_iter().flat_map(|bodies| bodies.unwrap()).collect();
        // A sender may find nothing while another has what it looked at; the rest is there for the next one.
        let rest = Outbox::new(db).lease("alarms", now, LEASE, 64).await.unwrap();
        let all: BTreeSet<_> = bodies.iter().cloned().chain(rest.iter().map(|message| message.body.clone())).collect();
        assert_eq!((all.len(), bodies.len() + rest.len()), (64, 64));
    }
}
