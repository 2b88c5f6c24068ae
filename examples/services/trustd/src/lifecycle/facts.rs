//! What somebody is answered who asks by message how things stand.

use super::rules::date;
use super::{store, texts};
use crate::App;
use crate::messaging::{Facts, Language};
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::db::{DbError, Row};
use platform::problem::Problem;
use platform::values;

/// The documents of an identity that end next.
#[derive(Clone, Copy, Debug)]
pub struct Documents;

impl Facts for Documents {
    fn of<'a>(
        &'a self,
        app: &'a App,
        identity_id: &'a IdentityId,
        language: Language,
    ) -> BoxFuture<'a, Result<Vec<String>, Problem>> {
        Box::pin(async move {
            let rows = app.db.list(store::ENDING, values![identity_id.to_hex()]).await?;
            let line = |row: &Row| -> Result<String, Problem> {
                let until = date(&row.text("vrijedi_do")?).ok_or(DbError::Column("vrijedi_do"))?;
                Ok(texts::line(&row.text("naslov")?, until, language))
            };
            rows.iter().map(line).collect()
        })
    }
}
