//! The master: which one the rows are under, and from one to the next.

use crate::harness::{Say, Service, Sign, identity, keep, put, run, services};
use dualseal_operator::secrets::{MasterSource, Place, SecretFault};
use platform::db::{Db, Value};
use platform::log::verify;
use platform::secrets::{Kind, MasterCheck, MastersFault, RowTags, Secrets, Tagged, begin_rotation, rotate_master};

async fn check(service: &Service, secrets: &Secrets) -> Result<(), MasterCheck> {
    let mut tx = service.db().await.begin().await.unwrap();
    let checked = secrets.check(&mut tx, service.later(1)).await;
    if checked.is_ok() {
        tx.commit().await.unwrap();
    }
    checked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_under_the_next_master_and_nothing_under_the_last() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        let (ana, secrets) = (identity("ana"), service.secrets());
        log.submit(Sign { identity: ana, secrets: secrets.clone() }).await.unwrap();
        let mut places = Vec::new();
        for number in 1..=150_u8 {
            places.push((put(&service, &db, &[number], &[number]).await, vec![number]));
        }
        // Lines with more secrets than a page has.
        let mut tx = db.begin().await.unwrap();
        for number in 0..70 {
            let place = Place::new("tokens", b"many", &format!("purpose {number}")).unwrap();
            secrets.put(&mut tx, &secrets.seal(place.clone(), b"many").unwrap().into()).await.unwrap();
            places.push((place, b"many".to_vec()));
        }
        tx.commit().await.unwrap();
        let owned = keep(&service, &log, "ana", b"1", b"one").await;
        let tag = tag(&db, &secrets).await;

        let old = MasterSource::file(service.path("master.pem")).open(secrets.domain()).unwrap();
        begin_rotation(&service.config).unwrap();
        let both = service.secrets();
        assert!(both.before().is_some_and(|before| before.key_id() == old.key_id()));
        check(&service, &both).await.unwrap();
        // A process that has both writes meanwhile, under the new one.
        let running = service.open().await;
        places.push((put(&service, &db, b"late", b"late").await, b"late".to_vec()));
        let rotated = rotate_master(&db, &running, &service.keys()).await.unwrap();
        assert!(rotated.is_complete(), "{rotated:?}");
        assert_eq!((rotated.rows.already, rotated.erasure_keys), (1, 1));
        assert!(rotated.rows.rewrapped > 220, "{rotated:?}");
        let again = rotate_master(&db, &running, &service.keys()).await.unwrap();
        assert_eq!((again.rows.rewrapped, again.erasure_keys, again.is_complete()), (0, 0, true));
        verify(&db, &both, &service.mark()).await.unwrap();

        std::fs::rename(service.path("master.pem.before"), service.path("moved-away")).unwrap();
        let alone = service.secrets();
        check(&service, &alone).await.unwrap();
        for (place, secret) in &places {
            assert_eq!(alone.find_in(&db, place).await.unwrap().unwrap().as_slice(), secret, "{place}");
            assert!(Secrets::new(another(&service)).find_in(&db, place).await.is_err());
        }
        assert_eq!(self::tag(&db, &alone).await, tag, "tags of before hold under the next master");
        let secret = service.keys().open(&db, &ana, &owned).await.unwrap();
        assert_eq!(secret.unwrap().as_slice(), b"one");
        service.open().await.submit(Say("under the new one".into())).await.unwrap();
        let refused = check(&service, &Secrets::new(another(&service))).await;
        assert!(matches!(refused, Err(MasterCheck::Other { .. })));
    }
}

/// The tag of a row, as a process makes it that begins now.
async fn tag(db: &Db, secrets: &Secrets) -> Vec<u8> {
    let table = Tagged { table: "some", columns: &[("id", Kind::Text)], tag: "tag" };
    RowTags::open(db, secrets).await.unwrap().tag(&table, &[Value::from("1")])
}

fn another(service: &Service) -> dualseal_operator::secrets::Master {
    MasterSource::file(service.path("moved-away")).open(&crate::harness::domain()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_that_has_not_ended_is_gone_on_with() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        put(&service, &db, b"1", b"one").await;
        // The copy of the master was written, and the next one not drawn: nothing was begun.
        std::fs::copy(service.path("master.pem"), service.path("master.pem.before")).unwrap();
        assert!(service.secrets().before().is_none());
        begin_rotation(&service.config).unwrap();
        assert!(service.secrets().before().is_some());
        assert!(matches!(begin_rotation(&service.config), Err(MastersFault::Left(_))));
        check(&service, &service.secrets()).await.unwrap();
        drop(log);
        // The master before is given no more.
        let before = service.path("master.pem.before");
        std::fs::rename(&before, service.path("away")).unwrap();
        assert!(matches!(check(&service, &service.secrets()).await, Err(MasterCheck::Unended { .. })));
        std::fs::rename(service.path("away"), &before).unwrap();
        let log = service.open().await;
        assert!(rotate_master(&db, &log, &service.keys()).await.unwrap().is_complete());
        std::fs::remove_file(&before).unwrap();
        check(&service, &service.secrets()).await.unwrap();
        assert!(rotate_master(&db, &service.open().await, &service.keys()).await.is_err(), "none was begun");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swapped_row_does_not_open() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        let first = put(&service, &db, b"1", b"one").await;
        let second = put(&service, &db, b"2", b"two").await;
        let owned = keep(&service, &log, "ana", b"\x01", b"one").await;
        keep(&service, &log, "ana", b"\x02", b"two").await;
        for text in [
            "UPDATE secrets SET stored = (SELECT s.stored FROM secrets s WHERE s.tbl = 'tokens' \
             ORDER BY s.line LIMIT 1) WHERE tbl = 'tokens'",
            "UPDATE secrets SET stored = (SELECT s.stored FROM secrets s WHERE s.tbl = 'vault' \
             ORDER BY s.line LIMIT 1) WHERE tbl = 'vault'",
        ] {
            run(&db, text).await;
        }
        let secrets = service.secrets();
        assert!(secrets.find_in(&db, &first).await.unwrap().is_some(), "it stands where it stood");
        let refused = secrets.find_in(&db, &second).await;
        assert_eq!(refused.unwrap_err().status().as_u16(), 500);
        let row = secrets.seal(first, b"one").unwrap().into_stored();
        assert_eq!(secrets.open(&second, row).unwrap_err(), SecretFault::OtherKey);
        let opened = [
            service.keys().open(&db, &identity("ana"), &owned).await,
            service.keys().open(&db, &identity("ana"), &Place::new("vault", b"\x02", "secret").unwrap()).await,
        ];
        assert_eq!(opened.iter().filter(|opened| opened.is_err()).count(), 1, "one of both is the other's");
        let fault = verify(&db, &secrets, &service.mark()).await.unwrap_err();
        assert_eq!(fault.name(), "secret-other", "{fault}");
    }
}
