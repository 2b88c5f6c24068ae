//! What the link of a document says: what record and seal say, whatever stands beside them.

use super::*;

statements! {
    EDIT = "UPDATE driver_documents SET odluka = $2 WHERE dokument_id = $1";
    MOVE = "UPDATE driver_documents SET world = $2 WHERE dokument_id = $1";
    LINK = "SELECT link FROM driver_documents WHERE dokument_id = $1";
    RELINK = "UPDATE driver_documents SET link = $2 WHERE dokument_id = $1";
    RESEAL = "UPDATE driver_documents SET seal = $2 WHERE dokument_id = $1";
    TIMED = "UPDATE driver_documents SET vrijeme = $2, created = $3 WHERE dokument_id = $1";
    RERECORD = "UPDATE driver_documents SET record = $2 WHERE dokument_id = $1";
    KIND = "UPDATE driver_documents SET tip = $2 WHERE dokument_id = $1";
}

/// Of a row that somebody changed in the database the link says that it does not hold, and which layer does not.
#[tokio::test]
async fn a_link_says_what_record_and_seal_say() {
    let house = House::new().await;
    let (document, _) = house.files(house.ana, &house.inspection(&[])).await.unwrap();
    let (other, _) = house.files(house.ana, &house.inspection(&[Stavka::Oil])).await.unwrap();
    let layers = async || {
        let said = house.verdict(&document).await.unwrap();
        (said.validan, said.potpis, said.pecat)
    };
    let execute = async |statement, values| assert_eq!(house.app.db.execute(statement, values).await.unwrap(), 1);
    let (id, all) = (&document.dokument_id, (Some(true), Some(true), Some(true)));
    assert_eq!(layers().await, all);
    execute(EDIT, values![id, "NO_GO"]).await;
    assert_eq!(layers().await, (Some(false), Some(false), Some(true)));
    execute(EDIT, values![id, "GO"]).await;
    for seal in [other.seal.as_str(), ""] {
        execute(RESEAL, values![id, seal]).await;
        assert_eq!(layers().await, (Some(false), Some(true), Some(false)));
    }
    execute(RESEAL, values![id, &document.seal]).await;
    assert_eq!(layers().await, all);
    // Each column beside the record is what it signs, and the record is that of this document.
    let not_signed = (Some(false), Some(false), Some(true));
    let times = [(document.vrijeme + 1, document.created), (document.vrijeme, document.created + 1)];
    for (vrijeme, created) in times {
        execute(TIMED, values![id, vrijeme, created]).await;
        assert_eq!(layers().await, not_signed, "{vrijeme} {created}");
    }
    execute(TIMED, values![id, document.vrijeme, document.created]).await;
    execute(RERECORD, values![id, &other.record]).await;
    assert_eq!(layers().await, not_signed);
    execute(RERECORD, values![id, &document.record]).await;
    execute(KIND, values![id, "ODOMETER"]).await;
    assert_eq!(layers().await, not_signed);
    execute(KIND, values![id, document.tip.as_str()]).await;
    assert_eq!(layers().await, all);
    // Another world's rows are under other keys.
    execute(MOVE, values![id, 1_i64]).await;
    assert_eq!(house.verdict(&document).await.unwrap_err().kind().code, "unknown-id");
    execute(MOVE, values![id, 0_i64]).await;
    // A link that leads to another document says so.
    for (id, link) in [(id, "a while"), (&other.dokument_id, &document.link), (id, &other.link)] {
        execute(RELINK, values![id, link]).await;
    }
    assert_eq!(layers().await, (Some(false), Some(false), Some(true)));
    assert_eq!(house.verdict(&other).await.unwrap().validan, Some(false));
}

/// Whoever reads the database opens no link.
#[tokio::test]
async fn no_row_has_the_token_of_a_link() {
    let house = House::new().await;
    let (document, _) = house.files(house.ana, &house.inspection(&[])).await.unwrap();
    let row = house.app.db.find(LINK, values![&document.dokument_id]).await.unwrap().unwrap();
    let token = store::token(&house.app, &house.ana, &document.dokument_id, World::Real);
    assert_ne!(row.text("link").unwrap(), token);
    let problem =
        crate::driver::routes::verdict(&house.app, &house.vault, &row.text("link").unwrap()).await.unwrap_err();
    assert_eq!(problem.kind().code, "unknown-id");
    assert_eq!(house.verdict(&document).await.unwrap().validan, Some(true));
}
