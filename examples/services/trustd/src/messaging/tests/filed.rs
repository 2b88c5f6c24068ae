//! What comes with a message is filed once, whoever files it and wherever he stops.

use super::super::filing;
use super::*;
use crate::keyed::keyed;

statements! {
    SEALED = "SELECT COUNT(*) AS found FROM vault_records";
    UNREAD = "INSERT INTO confirmations (id, address, message, intent, language, code, tries, created, expires, state) \
              VALUES ('0', 'x', 'x', 'DOC_UPLOAD', 'xx', '', 0, 0, 0, 'filing')";
    LEFT = "SELECT COUNT(*) AS found FROM messages_attached";
    AWAY = "ALTER TABLE vault_records RENAME TO away";
    BACK = "ALTER TABLE away RENAME TO vault_records";
}

impl House {
    async fn filed(&self) -> (u64, u64) {
        let count = async |of| self.app.db.find(of, values![]).await.unwrap().unwrap().size("found").unwrap();
        (count(SEALED).await, count(LEFT).await)
    }

    /// One of whose messages all that came with it is to be filed.
    async fn to_file() -> Self {
        let house = House::new().await;
        let ana = house.identity("ana");
        keyed(&house.app, ana).await.unwrap();
        let address = "ana@acme.example";
        house.contact(None, |contact| (contact.email, contact.identity_id) = (Some(address.into()), Some(ana))).await;
        let says = |text: &str, attached: &[&str]| Inbound {
            channel: Channel::Email,
            provider_id: Uuid::now_v7().to_string(),
            sender: address.into(),
            is_verified: true,
            text: text.into(),
            attached: attached.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec())).collect(),
            is_automatic: false,
        };
        receive(&house.app, &house.messaging, says("upload document", &["cmr.pdf", "invoice.pdf", "photo.jpg"]))
            .await
            .unwrap();
        let code = house.code().await;
        receive(&house.app, &house.messaging, says(&code, &[])).await.unwrap();
        assert_eq!((house.outcomes().await.pop().unwrap().as_str(), house.filed().await), ("filing", (0, 3)));
        house
    }
}

/// Two processes file the same attachments at once, and one of them is too late for each.
#[tokio::test]
async fn what_came_with_a_message_is_filed_once() {
    let house = House::to_file().await;
    // One that does not read keeps none behind it.
    house.app.db.execute(UNREAD, values![]).await.unwrap();
    let (one, other) =
        tokio::join!(filing::turn(&house.app, &house.messaging), filing::turn(&house.app, &house.messaging));
    assert!(one.is_ok() || other.is_ok());
    // Whoever was too late comes again, a moment later.
    house.after(1000);
    filing::turn(&house.app, &house.messaging).await.unwrap();
    assert_eq!(house.filed().await, (3, 0));
    let told = house.out().await.iter().filter(|out| out.body.contains("filed")).count();
    assert_eq!(told, 1, "{:?}", house.out().await);
}

/// What is sealed and cannot be written is sealed anew: after a second, and then twice as long each time.
#[tokio::test]
async fn what_cannot_be_filed_is_not_tried_at_once_again() {
    let house = House::to_file().await;
    let turn = async || filing::turn(&house.app, &house.messaging).await.unwrap();
    house.app.db.execute(AWAY, values![]).await.unwrap();
    turn().await;
    house.after(1000);
    turn().await;
    house.app.db.execute(BACK, values![]).await.unwrap();
    for (millis, filed) in [(0, 0), (1999, 0), (1, 3)] {
        house.after(millis);
        turn().await;
        assert_eq!(house.filed().await, (filed, 3 - filed), "{millis}");
    }
}
