//! Reading everything: what holds is counted, and what was edited is named.

use crate::harness::{Say, Service, Sign, identity, keep, run, services};
use platform::db::Db;
use platform::log::{VerifyFault, verify, verify_recent};

async fn fault(service: &Service, db: &Db) -> &'static str {
    verify(db, &service.secrets(), &service.mark()).await.err().map_or("none", |fault: VerifyFault| fault.name())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_edited_is_named() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        for number in 0..300 {
            log.submit(Say(format!("say {number};"))).await.unwrap();
            if number % 70 == 0 {
                log.checkpoint().await.unwrap();
            }
        }
        log.submit(Sign { identity: identity("ana"), secrets: service.secrets() }).await.unwrap();
        keep(&service, &log, "ana", b"1", b"one").await;
        keep(&service, &log, "ana", b"2", b"two").await;
        let found = verify(&db, &service.secrets(), &service.mark()).await.unwrap();
        let [only] = found.logs.as_slice() else { panic!("{found:?}") };
        assert_eq!((only.entries, only.records, only.checkpoints, only.covered), (305, 1, 5, 282));
        assert_eq!(found.secrets, 2);
        // Only what came since the last checkpoint is read at a start.
        assert_eq!(verify_recent(&db, &service.secrets(), &service.mark()).await.unwrap(), 305 - 282);

        for (edit, undo, expected) in [
            (
                "UPDATE entries SET json = REPLACE(json, 'say 77;', 'say XX;') WHERE seq = 78",
                "UPDATE entries SET json = REPLACE(json, 'say XX;', 'say 77;') WHERE seq = 78",
                "entry",
            ),
            (
                "UPDATE entries SET seq = 100000 WHERE seq = 40",
                "UPDATE entries SET seq = 40 WHERE seq = 100000",
                "chain-cut",
            ),
            (
                "UPDATE tree SET place = 90000 WHERE place = 17",
                "UPDATE tree SET place = 17 WHERE place = 90000",
                "tree",
            ),
            (
                "INSERT INTO tree (log, place, hash) SELECT log, 90000, hash FROM tree WHERE place = 17",
                "DELETE FROM tree WHERE place = 90000",
                "tree",
            ),
            (
                "UPDATE checkpoints SET size = 73 WHERE size = 72",
                "UPDATE checkpoints SET size = 72 WHERE size = 73",
                "entry-columns",
            ),
            (
                "UPDATE checkpoints SET json = REPLACE(json, '2026-11', '2026-12') WHERE size = 72",
                "UPDATE checkpoints SET json = REPLACE(json, '2026-12', '2026-11') WHERE size = 72",
                "not-own",
            ),
            (
                "UPDATE secret_list SET number = 7 WHERE number = 0",
                "UPDATE secret_list SET number = 0 WHERE number = 7",
                "secret-list",
            ),
            (
                "UPDATE secrets SET purpose = 'moved' WHERE tbl = 'vault' AND purpose = 'secret'",
                "UPDATE secrets SET purpose = 'secret' WHERE purpose = 'moved'",
                "secret-missing",
            ),
            (
                "UPDATE records SET json = REPLACE(json, 'sadrzaj', 'sadrzai')",
                "UPDATE records SET json = REPLACE(json, 'sadrzai', 'sadrzaj')",
                "record",
            ),
            (
                "INSERT INTO records (krunica, kind, identity_id, time, json) \
                 SELECT prev, 'potpis', 'x', 0, 'x' FROM entries WHERE seq = 3",
                "DELETE FROM records WHERE json = 'x'",
                "records",
            ),
        ] {
            run(&db, edit).await;
            assert_eq!(fault(&service, &db).await, expected, "{edit}");
            run(&db, undo).await;
            assert_eq!(fault(&service, &db).await, "none", "{undo}");
        }
        // What is there and is not what was written is found, and not only unread.
        for (edit, undo) in [
            (
                "ALTER TABLE secret_list RENAME COLUMN listed TO gone",
                "ALTER TABLE secret_list RENAME COLUMN gone TO listed",
            ),
            ("ALTER TABLE tree RENAME TO gone", "ALTER TABLE gone RENAME TO tree"),
        ] {
            run(&db, edit).await;
            let found = verify(&db, &service.secrets(), &service.mark()).await.unwrap_err();
            assert!(!found.is_unread(), "{edit}: {found}");
            run(&db, undo).await;
            assert_eq!(fault(&service, &db).await, "none", "{undo}");
        }
        // A list whose end was cut off would have its last secret be nobody's.
        run(&db, "DELETE FROM secret_list WHERE number = 1").await;
        assert_eq!(fault(&service, &db).await, "secret-list");
        run(&db, "DELETE FROM records").await;
        assert_eq!(fault(&service, &db).await, "record");
        run(&db, "UPDATE secret_list SET listed = '\\x00'").await;
        let found = verify(&db, &service.secrets(), &service.mark()).await.unwrap_err();
        assert!(!found.is_unread() && found.name() != "none", "{found}");
    }
}

/// An entry that was exchanged after the last checkpoint is found before anything is served.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_reads_what_no_checkpoint_covers() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        for number in 0..20 {
            log.submit(Say(format!("say {number};"))).await.unwrap();
            if number == 9 {
                log.checkpoint().await.unwrap();
            }
        }
        let recent = || async { verify_recent(&db, &service.secrets(), &service.mark()).await };
        assert_eq!(recent().await.unwrap(), 10);
        run(&db, "UPDATE entries SET json = REPLACE(json, 'say 15;', 'say 51;') WHERE seq = 16").await;
        assert_eq!(recent().await.unwrap_err().name(), "entry");
        run(&db, "UPDATE entries SET json = REPLACE(json, 'say 51;', 'say 15;') WHERE seq = 16").await;
        run(&db, "UPDATE entries SET json = REPLACE(json, 'say 5;', 'say 6;') WHERE seq = 6").await;
        assert_eq!(recent().await.unwrap(), 10, "what a checkpoint covers is read in the background");
        assert_eq!(fault(&service, &db).await, "entry");
    }
}
