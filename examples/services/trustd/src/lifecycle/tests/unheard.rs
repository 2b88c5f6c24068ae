//! Owners whom no message reaches: what is recorded says so, and natives hear of it.

use super::super::facts::Documents;
use super::*;
use crate::messaging::{Messaging, ended};
use crate::testing::vault;
use std::sync::Arc;

statements! {
    STOP = "INSERT INTO opt_outs (address, since) VALUES ('+385911234567', 0)";
    SECOND = "INSERT INTO contacts (id, name, identity_id, email, language, on_call, state, version, changed, world) \
              VALUES ($1, 'Ana', $2, 'ana@acme.example', 'en', 0, 'active', 1, 0, 0)";
    STATE = "UPDATE messages_out SET state = $1 WHERE id = (SELECT MAX(id) FROM messages_out WHERE state = 'queued')";
    LANGUAGE = "UPDATE contacts SET language = 'xx' WHERE name = 'Ana'";
}

impl House {
    async fn alarms(&self) -> Vec<(String, String)> {
        let rows = self.app.db.list(UNHEARD, values![]).await.unwrap();
        rows.iter().map(|row| (row.text("kind").unwrap(), row.text("subject").unwrap())).collect()
    }
}

/// A contact that said STOP is nobody who is told.
#[tokio::test]
async fn who_said_stop_has_not_heard() {
    let house = House::new().await;
    house.app.db.execute(STOP, values![]).await.unwrap();
    let document = house.document("licence", "2026-12-01", ZAGREB);
    house.write(&document).await;
    turn(&house.app).await.unwrap();
    assert_eq!(house.told(&document).await, [(30, "unheard".into())]);
    assert_eq!(house.alarms().await, [("document".into(), house.ana.to_hex())]);
}

/// Messages that were refused, or that expired: when the last one of a threshold ends so, it was not heard.
#[tokio::test]
async fn what_no_provider_takes_was_not_heard() {
    let house = House::new().await;
    let second = "0192f0c1-2345-7abc-8def-0123456789ac";
    house.app.db.execute(SECOND, values![second, house.ana.to_hex()]).await.unwrap();
    let messaging = Messaging::open(&house.app, vault(&house.app).await, vec![Arc::new(Documents)]).unwrap();
    let document = house.document("licence", "2026-12-01", ZAGREB);
    house.write(&document).await;
    turn(&house.app).await.unwrap();
    for (state, told, alarms) in [("failed", "sent", 0), ("expired", "unheard", 1), ("none", "unheard", 1)] {
        house.app.db.execute(STATE, values![state]).await.unwrap();
        ended(&house.app, &messaging).await.unwrap();
        assert_eq!(house.told(&document).await, [(30, told.into())], "{state}");
        assert_eq!(house.alarms().await.len(), alarms, "{state}");
        house.after(3_600_000);
    }
    assert_eq!(house.alarms().await, [("document".into(), house.ana.to_hex())]);
}

/// Whoever changed the row of one contact keeps no other owner from hearing.
#[tokio::test]
async fn a_contact_that_does_not_read_silences_no_other() {
    let house = House::new().await;
    let bo = house.app.log.domain().identity_id(b"", "bo", "").unwrap();
    house.app.db.execute(LANGUAGE, values![]).await.unwrap();
    house.app.db.execute(SECOND, values!["0192f0c1-2345-7abc-8def-0123456789ac", bo.to_hex()]).await.unwrap();
    let of_ana = house.document("licence of Ana", "2026-11-30", ZAGREB);
    let of_bo = Document { vlasnik_id: bo, ..house.document("licence of Bo", "2026-12-01", ZAGREB) };
    for document in [&of_ana, &of_bo] {
        house.write(document).await;
    }
    turn(&house.app).await.unwrap();
    assert_eq!(house.told(&of_bo).await, [(30, "sent".into())]);
    assert_eq!(house.told(&of_ana).await, [(30, "unheard".into())]);
    assert_eq!(house.alarms().await, [("document".into(), house.ana.to_hex())]);
}
