//! Backups: taken while a service runs, placed on another host, judged before anything is written.

use crate::harness::{ORIGIN, Say, Service, Sign, domain, identity, keep, postgres, run, services};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, HighWaterMark};
use dualseal::{SigningKey, SystemRng, Timestamp};
use platform::apart::Apart;
use platform::backup::{self, BackupFault, Placed};
use platform::log::{Accepted, Judged, Log, Restored, judge, verify, voids};
use platform::objects::Object;
use std::path::PathBuf;

/// A log with entries, a signed record, an object, a secret, and a backup of it.
struct Made {
    service: Service,
    log: Log,
    folder: PathBuf,
    object: Object,
    /// What somebody outside has seen when the backup was made.
    seen: Checkpoint,
}

impl Made {
    async fn new(service: Service) -> Self {
        let log = service.found().await;
        let (db, objects) = (service.db().await, service.objects().await);
        log.submit(Sign { identity: identity("ana"), secrets: service.secrets() }).await.unwrap();
        log.submit(Say("before".into())).await.unwrap();
        keep(&service, &log, "ana", b"1", b"one").await;
        let object = objects.put_bytes(vec![3; 3 << 20]).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        objects.name(&mut tx, &object, "documents", b"1").await.unwrap();
        tx.commit().await.unwrap();
        log.checkpoint().await.unwrap();
        let folder = service.path("backup");
        let made = backup::make(&service.config, &db, &service.clock, &objects, "m", &folder).await.unwrap();
        assert_eq!((made.origin.as_str(), made.objects, made.bytes), (ORIGIN, 1, 3 << 20));
        let seen = seen(&log).await;
        Self { service, log, folder, object, seen }
    }

    /// Another host, with the master, and the mirror of what lies apart where it has one.
    async fn host(&self, has_mirror: bool) -> Service {
        let mut host = Service::new("sqlite:trustd.sqlite".into());
        host.clock.set(self.service.clock.now());
        if !self.service.db().await.is_file() {
            host.config.database = postgres(&std::env::var("TRUSTD_TEST_POSTGRES_OWNER").unwrap()).await;
        }
        std::fs::copy(self.service.path("master.pem"), host.path("master.pem")).unwrap();
        if has_mirror {
            mirror(&self.service, &host).await;
        }
        host
    }

    async fn place(&self, host: &Service) -> Placed {
        backup::place(&host.config, &host.clock, &self.folder).await.unwrap()
    }
}

async fn seen(log: &Log) -> Checkpoint {
    let current = log.reader().current().await.unwrap();
    log.reader().checkpoint(current).await.unwrap().unwrap().0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_that_broke_off_is_done_again() {
    let made = Made::new(Service::new("sqlite:trustd.sqlite".into())).await;
    let host = made.host(true).await;
    // Cut off when it was placed, and had not been judged.
    drop(made.place(&host).await);
    std::fs::write(host.path("trustd.sqlite"), b"half of it").unwrap();
    assert!(backup::is_begun(&host.config).unwrap());
    let placed = made.place(&host).await;
    judged(&host, &placed, checkpoint(&made.seen)).await.unwrap();
    placed.take().await.unwrap();
    assert_eq!(host.open().await.submit(Say("after".into())).await.unwrap(), 6);
}

/// What lies apart, as it is now: the mark, and the newest key of each owner.
async fn mirror(service: &Service, host: &Service) {
    let (from, to) = (Apart::open(&service.config).unwrap(), Apart::open(&host.config).unwrap());
    let mut names = vec!["high-water-mark".to_owned()];
    for owner in from.names("erasure-keys").await.unwrap() {
        let keys = from.names(&format!("erasure-keys/{owner}")).await.unwrap();
        names.extend(keys.into_iter().map(|key| format!("erasure-keys/{owner}/{key}")));
    }
    for name in names {
        to.put(&name, None, &from.read(&name).await.unwrap().unwrap()).await.unwrap();
    }
}

async fn judged(host: &Service, placed: &Placed, accepted: Accepted) -> Result<Judged, Restored> {
    judge(&placed.db, &host.clock, &host.secrets(), &host.mark(), accepted).await
}

fn checkpoint(seen: &Checkpoint) -> Accepted {
    Accepted::Checkpoint(Box::new(seen.clone()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_is_rebuilt_from_backup_and_mirror() {
    for service in services().await {
        let made = Made::new(service).await;
        for has_mirror in [true, false] {
            let host = made.host(has_mirror).await;
            let placed = made.place(&host).await;
            assert_eq!(placed.objects, 1);
            assert!(backup::is_begun(&host.config).unwrap(), "nobody has judged it yet");
            let found = judged(&host, &placed, checkpoint(&made.seen)).await.unwrap();
            assert_eq!((found.origin.as_str(), found.entries, found.began), (ORIGIN, 5, None));
            assert_eq!(voids(&placed.db, "tokens").await.unwrap(), Some(host.clock.millis()));
            assert_eq!(voids(&placed.db, "nonces").await.unwrap(), Some(host.clock.millis()));
            let bytes = host.objects().await.read(&made.object.hash, 4 << 20).await.unwrap();
            assert!(bytes == vec![3; 3 << 20]);
            placed.take().await.unwrap();
            assert!(!backup::is_begun(&host.config).unwrap());
            assert!(matches!(
                backup::place(&host.config, &host.clock, &made.folder).await,
                Err(BackupFault::There(_) | BackupFault::Other(_))
            ));
            assert!(!backup::is_begun(&host.config).unwrap(), "what is served is served on");
            // It goes on where the old one ended.
            let (log, db) = (host.open().await, host.db().await);
            assert_eq!(log.submit(Say("after".into())).await.unwrap(), 6);
            log.checkpoint().await.unwrap();
            verify(&db, &host.secrets(), &host.mark()).await.unwrap();
            let place = dualseal_operator::secrets::Place::new("vault", b"1", "secret").unwrap();
            let opened = host.keys().open(&db, &identity("ana"), &place).await;
            assert_eq!(opened.is_ok(), has_mirror, "the erasure keys are in no backup");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_state_is_refused_and_a_loss_begins_a_new_log() {
    for service in services().await {
        let made = Made::new(service).await;
        made.log.submit(Say("lost".into())).await.unwrap();
        made.log.checkpoint().await.unwrap();
        let later = seen(&made.log).await;
        // The mark says that more was signed, or the checkpoint does.
        for (has_mirror, seen) in [(true, &made.seen), (true, &later), (false, &later)] {
            let host = made.host(has_mirror).await;
            let placed = made.place(&host).await;
            let refused = judged(&host, &placed, checkpoint(seen)).await.unwrap_err();
            assert!(matches!(refused, Restored::Older { signed: 6, found: 5 }), "{refused}");
            assert_eq!(voids(&placed.db, "tokens").await.unwrap(), None);
            let file = host.path("trustd.sqlite");
            placed.take_away().await.unwrap();
            assert!(!file.exists());
        }
        let host = made.host(true).await;
        let placed = made.place(&host).await;
        let found = judged(&host, &placed, Accepted::Loss).await.unwrap();
        let origin = format!("{ORIGIN}/2");
        assert_eq!((found.origin.as_str(), found.began), (origin.as_str(), Some((origin.clone(), 1))));
        let log = host.open().await;
        let first = log.reader().by_seq(2, 0).await.unwrap().unwrap().entry;
        let told: serde_json::Value = serde_json::from_str(first.message()).unwrap();
        assert_eq!(told["after"]["origin"], ORIGIN);
        assert_eq!(told["after"]["size"], 5);
        assert_eq!(told["after"]["root"], made.seen.tree_head().root.to_hex());
        // Ana's key was taken over, and signs.
        let state = log.state().await.unwrap();
        assert_eq!(state.ring().identities().count(), 2);
        log.submit(Say("goes on".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        let whole = verify(&placed.db, &host.secrets(), &host.mark()).await.unwrap();
        assert_eq!(whole.logs.iter().map(|log| log.entries).collect::<Vec<_>>(), [5, 4]);
        // The checkpoint of the old log is none of the new one's.
        let refused = judged(&host, &placed, checkpoint(&later)).await.unwrap_err();
        assert!(matches!(refused, Restored::Checkpoint(_)), "{refused}");
        // A second loss begins a third.
        let third = judged(&host, &placed, Accepted::Loss).await.unwrap();
        assert_eq!(third.origin, format!("{ORIGIN}/3"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_or_foreign_backup_is_refused() {
    for service in services().await {
        let made = Made::new(service).await;
        let host = made.host(true).await;
        let placed = made.place(&host).await;
        let other = Service::new("sqlite:trustd.sqlite".into());
        let foreign = other.found().await;
        foreign.checkpoint().await.unwrap();
        let refused = judged(&host, &placed, checkpoint(&seen(&foreign).await)).await.unwrap_err();
        assert!(matches!(refused, Restored::Checkpoint(_)), "{refused}");
        // Ana's key is in the ring, and signs no checkpoint of the log.
        let refused = judged(&host, &placed, checkpoint(&by_ana(&made.log).await)).await.unwrap_err();
        assert!(matches!(refused, Restored::Checkpoint(_)), "{refused}");
        run(&placed.db, "UPDATE entries SET json = REPLACE(json, 'before', 'behind') WHERE seq = 3").await;
        for accepted in [checkpoint(&made.seen), Accepted::Loss] {
            let refused = judged(&host, &placed, accepted).await.unwrap_err();
            assert!(matches!(refused, Restored::Verify(_)), "{refused}");
        }
        // An object that was edited in the backup.
        let name = dualseal::encoding::hex::encode(&made.object.hash);
        let file = made.folder.join("objects").join(&name[..2]).join(name);
        std::fs::write(file, b"edited").unwrap();
        let host = made.host(true).await;
        assert!(matches!(backup::place(&host.config, &host.clock, &made.folder).await, Err(BackupFault::Object(_))));
        // Nothing of it stays in a file; a server's has to be emptied, and is not served before.
        assert!(!host.path("trustd.sqlite").exists());
        assert_eq!(backup::is_begun(&host.config).unwrap(), !placed.db.is_file());
        // Without its manifest it is none.
        std::fs::remove_file(made.folder.join("backup.json")).unwrap();
        let host = made.host(true).await;
        assert!(matches!(backup::place(&host.config, &host.clock, &made.folder).await, Err(BackupFault::Other(_))));
    }
}

async fn by_ana(log: &Log) -> Checkpoint {
    let state = log.state().await.unwrap();
    let (domain, key) = (domain(), SigningKey::from_seed(&[7; 32]).unwrap());
    let mark = HighWaterMark::first(ORIGIN, state.head(), Some(state.ring())).unwrap();
    let ana = identity("ana");
    let signer = CheckpointSigner::new(&domain, ORIGIN, &ana, &key).unwrap();
    signer.sign(&mark, Timestamp::MIN, &mut SystemRng).unwrap()
}
