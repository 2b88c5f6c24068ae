//! What somebody is answered who asks by message how things stand.

use super::rules::{date, days_left, zone};
use super::{store, texts, watch};
use crate::App;
use crate::messaging::{Facts, Language};
use dualseal::IdentityId;
use futures::future::BoxFuture;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use platform::db::{DbError, Row, Tx};
use platform::problem::Problem;
use platform::values;

/// So many are told of.
const TOLD: usize = 5;

/// The documents of an identity that end next, and behind them those that ended last.
#[derive(Clone, Copy, Debug)]
pub struct Documents;

impl Facts for Documents {
    fn of<'a>(
        &'a self,
        app: &'a App,
        tx: &'a mut Tx,
        identity_id: &'a IdentityId,
        language: Language,
    ) -> BoxFuture<'a, Result<Vec<String>, Problem>> {
        Box::pin(async move {
            let (now, owner) = (app.clock.millis(), identity_id.to_hex());
            let today = nowhere_before(now).to_string();
            let mut rows = tx.list(store::ENDING, values![&owner, &today]).await?;
            rows.extend(tx.list(store::ENDED, values![&owner, &today]).await?);
            let (mut ending, mut ended) = (Vec::new(), Vec::new());
            for row in &rows {
                match read(row, now) {
                    Ok((title, until, left)) if left >= 0 => ending.push(texts::line(&title, until, language)),
                    Ok((title, until, left)) => ended.push(texts::alarm(&title, until, left, language)),
                    // Whoever asks is told of the others.
                    Err(error) => tracing::error!(%error, "a document's row does not read, and is not told of"),
                }
            }
            Ok(ending.into_iter().chain(ended).take(TOLD).collect())
        })
    }

    fn unheard<'a>(&'a self, app: &'a App, tx: &'a mut Tx, told: &'a str) -> BoxFuture<'a, Result<(), Problem>> {
        Box::pin(async move { watch::unheard(app, tx, told).await })
    }
}

/// Title, last day, and the days that are left in the owner's zone.
fn read(row: &Row, now: i64) -> Result<(String, Date, i64), DbError> {
    let until = date(&row.text("vrijedi_do")?).ok_or(DbError::Column("vrijedi_do"))?;
    let (_, zone) = zone(&row.text("zona")?).ok_or(DbError::Column("zona"))?;
    Ok((row.text("naslov")?, until, days_left(until, &zone, now)))
}

/// The day that it is where it is earliest: what ended before it has ended everywhere.
fn nowhere_before(now: i64) -> Date {
    let now = Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH);
    TimeZone::fixed(Offset::constant(-12)).to_datetime(now).date()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::House;
    use platform::db::Statement;

    /// Licences of other years hide none that ends tomorrow, and a row that does not read hides nothing.
    #[tokio::test]
    async fn what_ends_next_is_told_first() {
        const UNREAD: Statement = Statement::new("UPDATE documents SET zona = 'Europe/Nowhere' WHERE naslov = 'lost'");
        let house = House::new().await;
        for year in 2019..2025 {
            house.write(&house.document(&format!("of {year}"), &format!("{year}-05-01"), "Europe/Zagreb")).await;
        }
        for (title, until) in [("lost", "2026-11-22"), ("tomorrow", "2026-11-22"), ("later", "2027-01-01")] {
            house.write(&house.document(title, until, "Europe/Zagreb")).await;
        }
        house.app.db.execute(UNREAD, values![]).await.unwrap();
        let mut tx = house.app.db.begin().await.unwrap();
        let lines = Documents.of(&house.app, &mut tx, &house.ana, Language::En).await.unwrap();
        let expected = [
            "tomorrow: until 22.11.2026",
            "later: until 01.01.2027",
            "of 2024: expired on 01.05.2024.",
            "of 2023: expired on 01.05.2023.",
            "of 2022: expired on 01.05.2022.",
        ];
        assert_eq!(lines, expected);
    }

    /// It ended yesterday here, and is today's still where it is earlier.
    #[tokio::test]
    async fn a_document_ends_where_its_owner_is() {
        let house = House::new().await;
        house.after(-4 * 3_600_000);
        for (title, zona) in [("here", "Europe/Zagreb"), ("there", "Pacific/Honolulu")] {
            house.write(&house.document(title, "2026-11-20", zona)).await;
        }
        let mut tx = house.app.db.begin().await.unwrap();
        let lines = Documents.of(&house.app, &mut tx, &house.ana, Language::En).await.unwrap();
        assert_eq!(lines, ["there: until 20.11.2026", "here: expired on 20.11.2026."]);
    }
}
