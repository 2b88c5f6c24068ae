//! Objects: streamed, held against their names, collected when nobody names them.

use crate::harness::{Service, run, services};
use bytes::Bytes;
use dualseal::hash::Sha3_256;
use futures::{StreamExt, TryStreamExt};
use platform::backup;
use platform::db::Db;
use platform::objects::{Object, ObjectFault, Objects};

const DAY: i64 = 24 * 3600 * 1000;

async fn name(db: &Db, objects: &Objects, object: &Object) {
    let mut tx = db.begin().await.unwrap();
    objects.name(&mut tx, object, "documents", b"1").await.unwrap();
    tx.commit().await.unwrap();
}

async fn leave(db: &Db, objects: &Objects, object: &Object) {
    let mut tx = db.begin().await.unwrap();
    objects.leave(&mut tx, &object.hash, "documents", b"1").await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_large_document_comes_back_as_it_went() {
    for service in services().await {
        let objects = service.objects().await;
        let part = Bytes::from(vec![0xa5; 999_983]);
        let stream = futures::stream::iter(vec![part.clone(); 20]).map(Ok::<_, ObjectFault>);
        let object = objects.put(stream, 64 << 20).await.unwrap();
        assert_eq!((object.bytes, object.hash), (20 * 999_983, Sha3_256::digest(&[0xa5; 20 * 999_983])));
        let (again, mut parts) = objects.get(&object.hash).await.unwrap();
        let (mut bytes, mut most) = (0, 0);
        while let Some(part) = parts.try_next().await.unwrap() {
            assert!(part.iter().all(|byte| *byte == 0xa5));
            (bytes, most) = (bytes + part.len(), most.max(part.len()));
        }
        assert_eq!((again, bytes), (object, 20 * 999_983));
        assert!(most < 8 << 20, "a part of {most} bytes was held in memory");
        assert!(objects.get(&object.hash).await.unwrap().1.next().await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn too_much_is_refused_and_leaves_nothing() {
    for service in services().await {
        let objects = service.objects().await;
        let stream = futures::stream::iter(vec![Bytes::from_static(&[1; 1000]); 3]).map(Ok::<_, ObjectFault>);
        assert!(matches!(objects.put(stream, 2999).await, Err(ObjectFault::Long)));
        let left = std::fs::read_dir(service.path("objects")).unwrap().count();
        assert_eq!((left, std::fs::read_dir(service.path("spool")).unwrap().count()), (0, 0));
        let object = objects.put_bytes(&b""[..]).await.unwrap();
        assert_eq!(objects.read(&object.hash, 0).await.unwrap(), b"");
        let object = objects.put_bytes(&b"four"[..]).await.unwrap();
        assert!(matches!(objects.read(&object.hash, 3).await, Err(ObjectFault::Long)));
        assert!(matches!(objects.read(&[9; 32], 3).await, Err(ObjectFault::Missing)));
    }
}

#[tokio::test]
async fn an_edited_object_is_told() {
    for service in services().await {
        let objects = service.objects().await;
        let object = objects.put_bytes(vec![1; 100_000]).await.unwrap();
        let file = file_of(&service, &object);
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[99_999] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        assert!(matches!(objects.read(&object.hash, 1 << 20).await, Err(ObjectFault::Edited)));
        // One that was cut off is stored anew by whoever has it.
        std::fs::write(&file, &bytes[..10]).unwrap();
        assert_eq!(objects.put_bytes(vec![1; 100_000]).await.unwrap(), object);
        assert_eq!(objects.read(&object.hash, 1 << 20).await.unwrap(), vec![1; 100_000]);
    }
}

fn file_of(service: &Service, object: &Object) -> std::path::PathBuf {
    let name = dualseal::encoding::hex::encode(&object.hash);
    service.path("objects").join(&name[..2]).join(name)
}

#[tokio::test]
async fn what_nobody_names_is_collected_after_a_day() {
    for service in services().await {
        let (db, objects) = (service.db().await, service.objects().await);
        let [waits, named, left, kept] = [b"waits", b"named", b"left!", b"kept!"];
        let [waits, named, left, kept] = [
            objects.put_bytes(&waits[..]).await.unwrap(),
            objects.put_bytes(&named[..]).await.unwrap(),
            objects.put_bytes(&left[..]).await.unwrap(),
            objects.put_bytes(&kept[..]).await.unwrap(),
        ];
        for object in [&named, &left, &kept] {
            name(&db, &objects, object).await;
        }
        leave(&db, &objects, &left).await;
        assert_eq!(objects.collect(service.later(DAY)).await.unwrap().removed, 0, "a day has not passed");
        // What a backup may have is spared, and what was left before it is not.
        let refused =
            backup::make(&service.config, &db, &service.clock, &objects, "", &service.path("refused")).await;
        assert!(refused.is_err() && backup::list(&db).await.unwrap().is_empty(), "no log was founded");
        service.found().await;
        let folder = service.path("a-backup");
        let made = backup::make(&service.config, &db, &service.clock, &objects, "", &folder).await.unwrap();
        assert_eq!((made.objects, made.bytes), (2, 10));
        service.later(1);
        leave(&db, &objects, &kept).await;
        assert_eq!(objects.collect(service.clock.millis()).await.unwrap().removed, 2);
        assert_eq!(objects.collect(service.later(2 * DAY)).await.unwrap().removed, 0, "it is in a backup");
        for (object, is_there) in [(&waits, false), (&named, true), (&left, false), (&kept, true)] {
            assert_eq!(objects.read(&object.hash, 9).await.is_ok(), is_there);
        }
        let kept_backups = backup::list(&db).await.unwrap();
        assert!(backup::forget(&db, &kept_backups[0].id).await.unwrap());
        assert_eq!(objects.collect(service.clock.millis()).await.unwrap().removed, 1);
        // What was collected is not named, and comes back when it is put again.
        let mut tx = db.begin().await.unwrap();
        assert!(objects.name(&mut tx, &kept, "documents", b"2").await.is_err());
        tx.roll_back().await.unwrap();
        objects.put_bytes(&b"kept!"[..]).await.unwrap();
        name(&db, &objects, &kept).await;
        assert_eq!(objects.read(&kept.hash, 9).await.unwrap(), b"kept!");
    }
}

/// Whoever puts an object while it is collected has it afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn putting_meets_collecting() {
    for service in services().await {
        let (db, objects) = (service.db().await, service.objects().await);
        for _ in 0..20 {
            let object = objects.put_bytes(&b"again and again"[..]).await.unwrap();
            run(&db, "UPDATE objects SET made = 0").await;
            let (collected, put) = tokio::join!(objects.collect(DAY + 1), objects.put_bytes(&b"again and again"[..]));
            assert!(collected.unwrap().removed <= 1);
            assert_eq!(put.unwrap(), object);
            name(&db, &objects, &object).await;
            assert_eq!(objects.read(&object.hash, 99).await.unwrap(), b"again and again");
            leave(&db, &objects, &object).await;
        }
    }
}
