//! A document and its file: both are there, or neither.

use super::super::fields::File;
use super::super::work::written;
use super::*;
use crate::keyed::keyed;
use crate::testing::vault;
use crate::vault::Vault;
use platform::access::{Caller, Scope, Tier};
use platform::problem::{Problem, kinds};
use std::sync::Arc;
use uuid::Uuid;

statements! {
    SEALED = "SELECT vault_id FROM vault_records ORDER BY vault_id";
    NAMED = "SELECT vault_id FROM documents WHERE vault_id IS NOT NULL ORDER BY vault_id";
}

async fn names(house: &House, statement: platform::db::Statement) -> Vec<String> {
    let rows = house.app.db.list(statement, values![]).await.unwrap();
    rows.iter().map(|row| row.text("vault_id").unwrap()).collect()
}

async fn files(house: &House, vault: &Arc<Vault>, document: Document) -> Result<String, Problem> {
    let (scopes, client, subject) = ([Scope::Fleet].into(), "test".to_owned(), house.ana);
    let (tier, token, world) = (Tier::Native, Uuid::now_v7(), World::Real);
    let caller = Caller { subject, tier, scopes, node: None, token, client, world };
    let (now, idempotency) = (house.clock.millis(), Idempotency::default());
    let work = Written { app: house.app.clone(), document, now, idempotency };
    let answer = written(vault, &caller, work, File::New(b"a scan".to_vec())).await?;
    Ok(answer.vault_id.unwrap())
}

/// What comes when the document is there already, or was changed meanwhile, seals nothing; nor does what stops between
/// its steps: then either both are there, or the same request does all of it.
#[tokio::test]
async fn a_document_and_its_file_are_there_or_neither_is() {
    let house = House::new().await;
    let vault = vault(&house.app).await;
    keyed(&house.app, house.ana).await.unwrap();
    let licence = house.document("licence", "2027-05-31", ZAGREB);
    let first = files(&house, &vault, licence.clone()).await.unwrap();
    assert_eq!(names(&house, SEALED).await, [first.as_str()]);
    // Another version than the next one, and one that was never registered.
    let stale = Document { version: 3, ..licence.clone() };
    let unknown = Document { version: 2, ..house.document("unknown", "2027-05-31", ZAGREB) };
    for document in [licence.clone(), stale, unknown] {
        assert_eq!(files(&house, &vault, document).await.unwrap_err().kind(), &kinds::CONFLICT);
        assert_eq!(names(&house, SEALED).await, [first.as_str()]);
    }
    let second = files(&house, &vault, Document { version: 2, ..licence.clone() }).await.unwrap();
    assert_eq!(names(&house, NAMED).await, [second.as_str()], "the document names the newer one");
    // Its entry of the log says which.
    let said = house.app.db.list(ENTRIES, values![]).await.unwrap();
    assert!(said.iter().any(|row| row.text("text").unwrap().contains(&second)));
    let (mut named, mut steps) = (vec![second], 0);
    loop {
        let document = house.document(&format!("stopped {steps}"), "2027-05-31", ZAGREB);
        let ended = Dies(Box::pin(files(&house, &vault, document.clone())), steps).await;
        // Whatever the writer had taken it has done, or not.
        let again = files(&house, &vault, document).await;
        if let Some(made) = ended {
            named.push(made.unwrap());
            break;
        }
        match again {
            Ok(made) => named.push(made),
            Err(problem) => {
                assert_eq!(problem.kind(), &kinds::CONFLICT, "{problem:?}");
                let there = names(&house, NAMED).await;
                named.extend(there.into_iter().filter(|one| !named.contains(one)).collect::<Vec<_>>());
            }
        }
        steps += 1;
    }
    let mut sealed = names(&house, SEALED).await;
    sealed.retain(|one| *one != first);
    named.sort();
    assert_eq!((names(&house, NAMED).await, sealed), (named.clone(), named));
    assert!(steps > 2, "it was stopped {steps} times");
}
