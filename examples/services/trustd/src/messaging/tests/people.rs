//! People that are written to, and what the log has of them.

use super::*;
use crate::messaging::changes::Erasing;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use serde_json::json;

statements! {
    PERSONAL = "SELECT e.json, p.salt, p.text FROM personal_entries p JOIN entries e ON e.krunica = p.krunica";
    CONTACTS = "SELECT COUNT(*) AS found FROM contacts";
    COPIES = "SELECT COUNT(*) AS found FROM messages_out WHERE contact = $1";
}

/// The log has a hash over a drawn salt: whoever has the row shows what it says, and nobody guesses it.
#[tokio::test]
async fn the_log_shows_no_number_and_no_hash_of_one() {
    let house = House::new().await;
    house.contact(Some(ANA), |contact| contact.name = "Ana Horvat".into()).await;
    let rows = house.app.db.list(PERSONAL, values![]).await.unwrap();
    let [row] = &rows[..] else { panic!("one") };
    let (entry, salt, text) = (row.text("json").unwrap(), row.text("salt").unwrap(), row.text("text").unwrap());
    let said = json!({"salt": salt, "text": text}).to_string();
    let hash = hex::encode(&Sha3_256::digest(said.as_bytes()));
    assert!(entry.contains(&format!("personal {hash}")), "{entry}");
    for guess in [ANA, "Ana Horvat", &text] {
        assert!(!entry.contains(guess) && !entry.contains(&hex::encode(&Sha3_256::digest(guess.as_bytes()))));
    }
}

#[tokio::test]
async fn what_is_erased_is_gone_but_for_an_entry_of_nobody() {
    let house = House::new().await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    house.says(ANA, "status").await;
    let before = house.app.log.state().await.unwrap().head().size();
    house.app.log.submit(Erasing(ana.id.clone(), World::Real)).await.unwrap();
    assert_eq!(house.app.log.state().await.unwrap().head().size(), before + 1);
    for statement in [CONTACTS, ENTRIES] {
        assert_eq!(house.app.db.find(statement, values![]).await.unwrap().unwrap().size("found").unwrap(), 0);
    }
    assert!(house.outcomes().await.is_empty());
    let copies = house.app.db.find(COPIES, values![&ana.id]).await.unwrap().unwrap();
    assert_eq!(copies.size("found").unwrap(), 0);
}

#[tokio::test]
async fn an_address_is_one_persons() {
    let house = House::new().await;
    let ana = house.contact(Some(ANA), |_| {}).await;
    let other = Contact { id: Uuid::now_v7().to_string(), ..ana };
    let (now, idempotency) = (house.clock.millis(), Idempotency::default());
    let change = Change { contact: other, what: "added", now, world: World::Real, idempotency };
    let problem = house.app.log.submit(Changing(change)).await.unwrap_err();
    assert!(problem.to_string().contains("another contact has this address"), "{problem}");
}
