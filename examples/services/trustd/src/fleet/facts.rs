//! What somebody is answered who asks by message how things stand.

use super::policy::Policy;
use super::store::{self, Vehicle};
use super::texts;
use super::told::{INSPECTION, LEVEL};
use crate::App;
use crate::alarms::{self, Alarm};
use crate::messaging::{Facts, Language};
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::db::Tx;
use platform::problem::Problem;
use platform::values;

/// The clocks of an identity's vehicles.
#[derive(Clone, Copy, Debug)]
pub struct Clocks;

impl Facts for Clocks {
    fn of<'a>(
        &'a self,
        app: &'a App,
        tx: &'a mut Tx,
        identity_id: &'a IdentityId,
        language: Language,
    ) -> BoxFuture<'a, Result<Vec<String>, Problem>> {
        Box::pin(async move {
            let (now, weeks) = (app.clock.millis(), Policy::held_in(app, tx).await?.weeks);
            let mut lines = Vec::new();
            for row in &tx.list(store::OF, values![identity_id.to_hex()]).await? {
                match Vehicle::of(row) {
                    Ok(vehicle) => {
                        let clock = vehicle.status(now, weeks);
                        lines.push(texts::line(&clock.registracija, clock.status, clock.tjedni_odsutni, language));
                    }
                    // Whoever asks is told of the others.
                    Err(error) => tracing::error!(%error, "a vehicle's row does not read, and is not told of"),
                }
            }
            Ok(lines)
        })
    }

    fn unheard<'a>(&'a self, app: &'a App, tx: &'a mut Tx, told: &'a str) -> BoxFuture<'a, Result<(), Problem>> {
        Box::pin(async move {
            let level = "the vehicle is at another level, and no message of it reached anybody";
            let stays = "an inspection says NO_GO, and no message of it reached anybody";
            for (about, alarm, detail) in [(LEVEL, Alarm::Vehicle, level), (INSPECTION, Alarm::Inspection, stays)] {
                if let Some((id, _)) = told.strip_prefix(about).and_then(|rest| rest.split_once(':')) {
                    alarms::write_in(app, tx, alarm.as_str(), id, detail).await?;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::rules::WEEK;
    use crate::fleet::{Vehicles, turn};
    use crate::lifecycle::Documents;
    use crate::messaging::{Messaging, ended, hand_over};
    use crate::testing::{self, House};
    use futures::future::try_join_all;
    use platform::access::World;
    use platform::db::Statement;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    const EMAIL: Statement = Statement::new("UPDATE contacts SET email = 'ana@acme.example', phone = NULL");
    /// Less than whoever waits for a connection waits.
    const SOON: Duration = Duration::from_secs(8);

    /// More who ask at once than there are connections to a server: none waits for what another has.
    #[tokio::test]
    async fn who_asks_waits_for_nobody_who_asks() {
        let house = House::new().await;
        house.app.db.execute(EMAIL, values![]).await.unwrap();
        house.vehicle("ZG1", house.ana).await;
        let vault = testing::vault(&house.app).await;
        let messaging = Messaging::open(&house.app, vault, vec![Arc::new(Clocks), Arc::new(Documents)]).unwrap();
        let mails: Vec<String> = (0..8)
            .map(|number| {
                let date = httpdate::fmt_http_date(std::time::SystemTime::now());
                format!(
                    "From: ana@acme.example\r\nTo: fleet@acme.example\r\nSubject: status\r\nDate: {date}\r\n\
                     Message-ID: <{number}@acme.example>\r\n\r\nstatus\r\n"
                )
            })
            .collect();
        let begun = Instant::now();
        let all = mails.iter().map(|mail| hand_over(&house.app, &messaging, mail.as_bytes(), Some("acme.example")));
        try_join_all(all).await.unwrap();
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        assert_eq!(house.sent().await, vec!["ZG1: in order, 0 weeks"; 8]);
    }

    /// A level whose message no provider takes is an alarm to natives.
    #[tokio::test]
    async fn a_level_that_reached_nobody_is_an_alarm() {
        const FAILED: Statement = Statement::new("UPDATE messages_out SET state = 'failed'");
        const ALARMS: Statement = Statement::new("SELECT kind, subject FROM alarms");
        let house = House::new().await;
        let id = house.vehicle("ZG1", house.ana).await;
        house.cross(&id, "AT", house.clock.millis() - 7 * WEEK).await.unwrap();
        turn(&house.app).await.unwrap();
        let vault = testing::vault(&house.app).await;
        let messaging = Messaging::open(&house.app, vault, vec![Arc::new(Clocks)]).unwrap();
        house.app.db.execute(FAILED, values![]).await.unwrap();
        ended(&house.app, &messaging).await.unwrap();
        let rows = house.app.db.list(ALARMS, values![]).await.unwrap();
        assert_eq!(
            (rows.len(), rows[0].text("kind").unwrap(), rows[0].text("subject").unwrap()),
            (1, "vehicle".into(), id.clone())
        );
        // Nor does an inspection go unheard by which it stays, a moment later.
        let mut tx = house.app.db.begin().await.unwrap();
        Vehicles::stays(&house.app, &mut tx, &id, World::Real, ("a document", house.clock.millis())).await.unwrap();
        tx.commit().await.unwrap();
        house.app.db.execute(FAILED, values![]).await.unwrap();
        ended(&house.app, &messaging).await.unwrap();
        let rows = house.app.db.list(ALARMS, values![]).await.unwrap();
        let mut kinds: Vec<_> = rows.iter().map(|row| row.text("kind").unwrap()).collect();
        kinds.sort();
        assert_eq!(kinds, ["inspection", "vehicle"]);
    }

    /// A cry for help that no provider takes is one to natives, and a message that does not read hides none of it.
    #[tokio::test]
    async fn a_cry_that_reached_nobody_is_an_alarm() {
        const ON_CALL: Statement = Statement::new("UPDATE contacts SET on_call = 1");
        const LOST: Statement = Statement::new("UPDATE messages_out SET state = 'dead', once = CAST(once AS BLOB)");
        const ALARMS: Statement = Statement::new("SELECT kind FROM alarms");
        const FAILED: Statement = Statement::new("UPDATE messages_out SET state = 'dead' WHERE state = 'queued'");
        let house = House::of_file().await;
        for change in [EMAIL, ON_CALL] {
            house.app.db.execute(change, values![]).await.unwrap();
        }
        let messaging = Messaging::open(&house.app, testing::vault(&house.app).await, Vec::new()).unwrap();
        for (number, after) in [(1, LOST), (2, FAILED)] {
            let date = httpdate::fmt_http_date(std::time::SystemTime::now());
            let mail = format!(
                "From: ana@acme.example\r\nTo: fleet@acme.example\r\nSubject: x\r\nDate: {date}\r\n\
                 Message-ID: <panic-{number}@acme.example>\r\n\r\nHelp! I am being robbed\r\n"
            );
            hand_over(&house.app, &messaging, mail.as_bytes(), Some("acme.example")).await.unwrap();
            house.app.db.execute(after, values![]).await.unwrap();
        }
        ended(&house.app, &messaging).await.unwrap();
        let rows = house.app.db.list(ALARMS, values![]).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.text("kind").unwrap()).collect::<Vec<_>>(), ["panic"]);
    }
}
