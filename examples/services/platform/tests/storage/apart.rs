//! What lies apart, over what the settings name: a folder, and a real bucket.

use crate::harness::services;
use platform::apart::{Apart, ApartError};

/// Eight processes replace the mark that all of them have read: one does, and the others are told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_processes_one_replaces_the_mark() {
    for service in services().await {
        let apart = Apart::open(&service.config).unwrap();
        apart.put("mark", None, b"0").await.unwrap();
        for round in 0..5_u8 {
            let last = apart.read("mark").await.unwrap().unwrap();
            let writers = (0..8_u8).map(|number| {
                let (apart, last) = (Apart::open(&service.config).unwrap(), last.clone());
                tokio::spawn(async move {
                    let next = [round + 1, number];
                    match apart.put("mark", Some(&last), &next).await {
                        Ok(()) => Some(next),
                        Err(ApartError::Moved) => None,
                        Err(error) => panic!("{error}"),
                    }
                })
            });
            let done = futures::future::join_all(writers).await;
            let first: Vec<_> = done.into_iter().filter_map(Result::unwrap).collect();
            let [first] = first.as_slice() else { panic!("{first:?}") };
            assert_eq!(apart.read("mark").await.unwrap().unwrap().as_slice(), first);
        }
        // A new name has one maker, too.
        let makers = (0..8_u8).map(|number| {
            let apart = Apart::open(&service.config).unwrap();
            tokio::spawn(async move { apart.put("keys/1", None, &[number]).await.is_ok() })
        });
        let made = futures::future::join_all(makers).await;
        assert_eq!(made.into_iter().filter(|made| *made.as_ref().unwrap()).count(), 1);
        assert!(apart.destroy("keys/1").await.unwrap());
        assert_eq!(apart.names("keys").await.unwrap(), [""; 0], "{:?}", service.config.keys.apart);
    }
}
