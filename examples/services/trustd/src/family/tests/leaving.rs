//! A child goes as a whole, whatever becomes of whoever asked for it.

use super::super::erase::{What, go_on, piece, remove};
use super::super::leaving::Leaving;
use super::super::listed::shown;
use super::super::profile::own;
use super::super::store::Guardian;
use super::super::work::{Kept, remember};
use super::House;
use crate::testing::Backup;
use futures::poll;
use platform::access::World;
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::problem::kinds;
use platform::values;
use std::pin::pin;
use std::time::Duration;

statements! {
    LEAVING = "SELECT child FROM family_erasing";
    FORGED = "INSERT INTO family_erasing (child, guardian, world, asked, tag) VALUES ($1, $2, 0, 0, $3)";
    UNENDED = "SELECT owner FROM erasure_owners WHERE asked > ended";
    TOLD = "SELECT subject, detail FROM alarms WHERE kind = 'child-row'";
}

impl House {
    async fn leaving(&self) -> usize {
        self.app.db.list(LEAVING, values![]).await.unwrap().len()
    }

    async fn listed(&self) -> usize {
        let found = self.ana.children(&self.app, None, 9).await.unwrap();
        shown(&self.app, &found).await.unwrap().len()
    }

    async fn unended(&self) -> usize {
        self.app.db.list(UNENDED, values![]).await.unwrap().len()
    }
}

#[tokio::test]
async fn who_hangs_up_while_a_child_is_erased_has_it_erased() {
    let house = House::new().await;
    house.keep_many(0..100).await;
    let backup = Backup::make(&house.app, &["family"]).await;
    assert_eq!(backup.of("family"), 101);
    {
        let mut asked = pin!(remove(&house.app, house.ana, house.child));
        assert!(poll!(&mut asked).is_pending());
    }
    let mut looks = 0..1500;
    while house.child().await.is_some() || house.leaving().await > 0 || house.unended().await > 0 {
        assert!(looks.next().is_some(), "nobody goes on with it");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(house.read().await.is_empty());
    // The keys of the last memories go behind that of the child, under which they are.
    while !backup.opens(&house.app).await.is_empty() {
        assert!(looks.next().is_some(), "keys of memories stay");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    house.holds().await;
}

/// The process died behind the first piece.
#[tokio::test]
async fn a_child_that_is_erased_in_part_is_told_as_gone_and_a_job_goes_on() {
    let house = House::new().await;
    house.keep_many(0..100).await;
    let (backup, id) = (Backup::make(&house.app, &["family"]).await, house.child.to_hex());
    let leaving = Leaving { child: house.child, guardian: house.ana };
    assert!(!piece(&house.app, leaving, What::Child).await.unwrap());
    assert_eq!((house.leaving().await, house.read().await.len()), (1, 36));
    assert!(house.child().await.is_none());
    assert_eq!(house.listed().await, 0);
    assert_eq!(own(&house.app, house.ana, &id).await.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
    assert_eq!(remove(&house.app, house.ana, house.child).await.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
    let kept = remember(&house.app, house.ana, house.child, &Kept::Text("kasno".into()), Idempotency::default()).await;
    assert_eq!(kept.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
    go_on(&house.app).await.unwrap();
    assert_eq!((house.leaving().await, house.read().await.len()), (0, 0));
    assert!(backup.opens(&house.app).await.is_empty());
    house.holds().await;
}

/// Whoever writes the database alone has nobody erased, whose keys lie apart from it, and hides nobody from being.
#[tokio::test]
async fn a_row_that_somebody_else_wrote_erases_nobody_and_hides_none() {
    let house = House::new().await;
    let (Guardian { id, world }, name) = (house.ana, house.child.to_hex());
    assert_eq!(world, World::Real);
    let forge = async || {
        house.app.db.execute(FORGED, values![&name, id.to_hex(), vec![7_u8; 32]]).await.unwrap();
    };
    forge().await;
    assert!(own(&house.app, house.ana, &name).await.unwrap().1.is_some());
    house.keep("jedno").await;
    assert_eq!((house.listed().await, house.leaving().await), (1, 1));
    // The job erases nobody by it, and takes it away.
    go_on(&house.app).await.unwrap();
    assert_eq!((house.listed().await, house.leaving().await), (1, 0));
    let told = house.app.db.list(TOLD, values![]).await.unwrap();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].text("subject").unwrap(), name);
    // What its guardian asks is done all the same.
    forge().await;
    house.keep_many(0..100).await;
    remove(&house.app, house.ana, house.child).await.unwrap();
    assert!(house.child().await.is_none() && house.read().await.is_empty());
    assert_eq!(house.leaving().await, 0);
}
