//! Erasure keys: what was erased opens nowhere again, and what stays does.

use crate::harness::{Keep, Service, identity, keep, services};
use dualseal_operator::secrets::{Place, SecretFault, Vaulted};
use dualseal_operator::step::{Changes, State, Step};
use platform::apart::Apart;
use platform::backup;
use platform::db::Tx;
use platform::log::{Work, verify};
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;

const UNENDED: &str = "UPDATE erasure_owners SET ended = asked - 1";

async fn opens(service: &Service, owner: &str, place: &Place) -> Result<Option<Vec<u8>>, &'static str> {
    let opened = service.keys().open(&service.db().await, &identity(owner), place).await;
    opened.map(|secret| secret.map(|secret| secret.to_vec())).map_err(|problem| problem.kind().code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_from_before_does_not_open_what_was_erased() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        let first = keep(&service, &log, "ana", b"1", b"one").await;
        let second = keep(&service, &log, "ana", b"2", b"two").await;
        let other = keep(&service, &log, "bo", b"3", b"three").await;
        assert_eq!(opens(&service, "ana", &first).await, Ok(Some(b"one".to_vec())));
        assert_eq!(opens(&service, "bo", &first).await, Ok(None), "it is not his");
        let folder = service.path("backup");
        let objects = service.objects().await;
        backup::make(&service.config, &db, &service.clock, &objects, "", &folder).await.unwrap();

        let done = service.keys().destroy(&db, &log, &identity("ana"), vec![first.clone()]).await.unwrap();
        assert_eq!((done.rewrapped, done.keys, done.refused.len()), (1, 1, 0));
        assert_eq!(opens(&service, "ana", &first).await, Ok(None));
        assert_eq!(opens(&service, "ana", &second).await, Ok(Some(b"two".to_vec())));
        assert_eq!(opens(&service, "bo", &other).await, Ok(Some(b"three".to_vec())));
        verify(&db, &service.secrets(), &service.mark()).await.unwrap();

        // The same master, the same mirror of what lies apart, the database of before.
        let mut restored = Service::new("sqlite:trustd.sqlite".into());
        restored.config.keys.master = Some(service.path("master.pem"));
        restored.config.s3 = service.config.s3.clone();
        let apart = service.config.keys.apart.clone();
        restored.config.keys.apart = apart.or_else(|| Some(service.path("apart").display().to_string()));
        if !db.is_file() {
            let address = std::env::var("TRUSTD_TEST_POSTGRES_OWNER").unwrap();
            restored.config.database = crate::harness::postgres(&address).await;
        }
        let placed = backup::place(&restored.config, &restored.clock, &folder).await.unwrap();
        assert_eq!(opens(&restored, "ana", &first).await, Err(kinds::ERASED.code));
        assert_eq!(opens(&restored, "bo", &other).await, Ok(Some(b"three".to_vec())));
        // Nor does it open by hand, under anything that is left.
        let row = stored(&placed.db, &first).await;
        assert!(!row.is_empty());
        let secrets = restored.secrets();
        assert_eq!(secrets.open(&first, row.clone()).unwrap_err(), SecretFault::OtherKey);
        let current = restored.keys().current(&identity("ana")).await.unwrap();
        let sealed = current.wrap(first.clone(), b"new").unwrap();
        assert_ne!(sealed.stored(), row);
        assert!(
            Vaulted::<dualseal_operator::secrets::Master>::read(first, row).unwrap().open(secrets.master()).is_err()
        );
    }
}

async fn stored(db: &platform::db::Db, place: &Place) -> Vec<u8> {
    use sqlx::Row;
    let text = "SELECT stored FROM secrets WHERE tbl = $1 AND line = $2";
    match db {
        platform::db::Db::Sqlite { read, .. } => {
            let row = sqlx::query(text).bind(place.table().to_owned()).bind(place.row().to_vec());
            row.fetch_one(read).await.unwrap().get(0)
        }
        platform::db::Db::Postgres { pool, .. } => {
            let row = sqlx::query(text).bind(place.table().to_owned()).bind(place.row().to_vec());
            row.fetch_one(pool).await.unwrap().get(0)
        }
    }
}

/// Whoever wrapped a secret under a key that is being destroyed wraps it anew: nothing is kept under the old one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_kept_under_a_key_that_goes() {
    for service in services().await {
        let log = service.found().await;
        let (db, keys) = (service.db().await, service.keys());
        let key = keys.current(&identity("ana")).await.unwrap();
        keys.destroy(&db, &log, &identity("ana"), Vec::new()).await.unwrap();
        let size = log.state().await.unwrap().head().size();
        let place = Place::new("vault", b"late", "secret").unwrap();
        let late = Keep { keys: keys.clone(), key, place: place.clone(), secret: b"late".to_vec() };
        let refused = log.submit(late).await.unwrap_err();
        assert_eq!(refused.kind().code, kinds::CONFLICT.code);
        assert_eq!(log.state().await.unwrap().head().size(), size, "its entry is not there either");
        assert_eq!(opens(&service, "ana", &place).await, Ok(None));
    }
}

/// Secrets that are kept while keys are destroyed again and again: each that was acknowledged opens.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_opens_after_any_number_of_erasures() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        let writes = async {
            let mut kept = Vec::new();
            for number in 0..40_u8 {
                let (keys, place) = (service.keys(), Place::new("vault", &[number + 1], "secret").unwrap());
                let key = keys.current(&identity("ana")).await.unwrap();
                let work = Keep { keys, key, place: place.clone(), secret: vec![number] };
                match log.submit(work).await {
                    Ok(()) => kept.push((place, number)),
                    Err(problem) => assert_eq!(problem.kind().code, kinds::CONFLICT.code),
                }
            }
            kept
        };
        let erasures = async {
            let mut destroyed = 0;
            for _ in 0..8 {
                destroyed += service.keys().destroy(&db, &log, &identity("ana"), Vec::new()).await.unwrap().keys;
            }
            destroyed
        };
        let (kept, destroyed) = tokio::join!(writes, erasures);
        assert!(kept.len() >= 20 && destroyed >= 7, "{} {destroyed}", kept.len());
        for (place, number) in kept {
            assert_eq!(opens(&service, "ana", &place).await, Ok(Some(vec![number])), "{place}");
        }
        verify(&db, &service.secrets(), &service.mark()).await.unwrap();
    }
}

/// A crash before the old key was destroyed: the start ends it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_erasure_is_ended_later() {
    for service in services().await {
        let log = service.found().await;
        let db = service.db().await;
        let first = keep(&service, &log, "ana", b"1", b"one").await;
        let second = keep(&service, &log, "ana", b"2", b"two").await;
        let apart = Apart::open(&service.config).unwrap();
        let name = format!("erasure-keys/{}/1", identity("ana").to_hex());
        let old = apart.read(&name).await.unwrap().unwrap();
        service.keys().destroy(&db, &log, &identity("ana"), vec![first]).await.unwrap();
        assert!(apart.read(&name).await.unwrap().is_none());
        assert_eq!(service.keys().end_erasures(&db, &log).await.unwrap(), 0);
        apart.put(&name, None, &old).await.unwrap();
        crate::harness::run(&db, UNENDED).await;
        assert_eq!(service.keys().end_erasures(&db, &log).await.unwrap(), 1);
        assert!(apart.read(&name).await.unwrap().is_none());
        assert_eq!(opens(&service, "ana", &second).await, Ok(Some(b"two".to_vec())));
    }
}

/// One whose key does not open any more keeps no other's from being destroyed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erasure_that_cannot_be_ended_keeps_no_other_from_it() {
    for service in services().await {
        let log = service.found().await;
        let (db, keys) = (service.db().await, service.keys());
        let apart = Apart::open(&service.config).unwrap();
        let name = |who: &str| format!("erasure-keys/{}/1", identity(who).to_hex());
        let mut who = ["ana", "bo"];
        who.sort_by_key(|who| identity(who).to_hex());
        for who in who {
            keep(&service, &log, who, b"1", b"one").await;
            let erased = keep(&service, &log, who, who.as_bytes(), b"two").await;
            let old = apart.read(&name(who)).await.unwrap().unwrap();
            keys.destroy(&db, &log, &identity(who), vec![erased]).await.unwrap();
            apart.put(&name(who), None, &old).await.unwrap();
        }
        crate::harness::run(&db, UNENDED).await;
        let of_first = apart.read(&name(who[0])).await.unwrap().unwrap();
        apart.put(&name(who[0]), Some(&of_first), b"no key").await.unwrap();
        assert!(keys.end_erasures(&db, &log).await.is_err());
        assert!(apart.read(&name(who[1])).await.unwrap().is_none());
    }
}

/// The step of a module that erases: its rows are forgotten with its entry, and a crash comes before anything else.
struct Erase {
    keys: ErasureKeys,
    place: Place,
}

impl Work for Erase {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&identity("ana"), "erased")?;
        step.forget(self.place.clone());
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        self.keys.erase(tx, &identity("ana"), std::slice::from_ref(&self.place)).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erasure_that_was_written_is_ended_after_a_crash() {
    for service in services().await {
        let log = service.found().await;
        let (db, keys) = (service.db().await, service.keys());
        let first = keep(&service, &log, "ana", b"1", b"one").await;
        let second = keep(&service, &log, "ana", b"2", b"two").await;
        let name = format!("erasure-keys/{}/1", identity("ana").to_hex());
        log.submit(Erase { keys: keys.clone(), place: first.clone() }).await.unwrap();
        let apart = Apart::open(&service.config).unwrap();
        assert!(apart.read(&name).await.unwrap().is_some(), "the key of before is there still");
        assert_eq!(opens(&service, "ana", &first).await, Ok(None));
        let log = service.open().await;
        assert_eq!(keys.end_erasures(&db, &log).await.unwrap(), 1);
        assert_eq!(keys.end_erasures(&db, &log).await.unwrap(), 0);
        assert!(apart.read(&name).await.unwrap().is_none());
        assert_eq!(opens(&service, "ana", &second).await, Ok(Some(b"two".to_vec())));
        verify(&db, &service.secrets(), &service.mark()).await.unwrap();
    }
}
