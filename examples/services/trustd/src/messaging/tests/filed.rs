//! What comes with a message is filed once, whoever files it and wherever he stops.

use super::super::filing;
use super::*;
use crate::keyed::keyed;

statements! {
    SEALED = "SELECT COUNT(*) AS found FROM vault_records";
    UNREAD = "INSERT INTO confirmations (id, address, message, intent, language, code, tries, created, expires, state) \
              VALUES ('0', 'x', 'x', 'DOC_UPLOAD', 'xx', '', 0, 0, 0, 'filing')";
    LEFT = "SELECT COUNT(*) AS found FROM messages_attached";
}

impl House {
    async fn filed(&self) -> (u64, u64) {
        let count = async |of| self.app.db.find(of, values![]).await.unwrap().unwrap().size("found").unwrap();
        (count(SEALED).await, count(LEFT).await)
    }
}

/// Two processes file the same attachments at once, and one of them is too late for each.
#[tokio::test]
async fn what_came_with_a_message_is_filed_once() {
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
    // One that does not read keeps none behind it.
    house.app.db.execute(UNREAD, values![]).await.unwrap();
    let (one, other) =
        tokio::join!(filing::turn(&house.app, &house.messaging), filing::turn(&house.app, &house.messaging));
    assert!(one.is_ok() || other.is_ok());
    // Whoever was too late comes again.
    filing::turn(&house.app, &house.messaging).await.unwrap();
    assert_eq!(house.filed().await, (3, 0));
    let told = house.out().await.iter().filter(|out| out.body.contains("filed")).count();
    assert_eq!(told, 1, "{:?}", house.out().await);
}
