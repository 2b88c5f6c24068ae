//! What the log says of people: tiles are public for ever, so an entry of theirs stands under a pseudonym that is drawn
//! for it alone, over the hash of a drawn salt and the text. Both are in a row that goes with its person; afterwards no
//! guess of a name, a number or a date is confirmed by the log.

use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use dualseal::rand_core::TryRng as _;
use dualseal::{Entry, IdentityId, SystemRng, Timestamp};
use dualseal_operator::step::Step;
use platform::db::{Db, DbError, Row, Statement, Tx, statements};
use platform::problem::Problem;
use platform::values;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

statements! {
    KEEP = "INSERT INTO personal_entries (krunica, tbl, line, salt, text, time) VALUES ($1, $2, $3, $4, $5, $6)";
    OF = "SELECT krunica, salt, text, time FROM personal_entries WHERE tbl = $1 AND line = $2 ORDER BY time, krunica";
    PAGE = "SELECT krunica, salt, text, time FROM personal_entries WHERE tbl = $1 AND line = $2 \
            AND (time < $3 OR (time = $3 AND krunica < $4)) ORDER BY time DESC, krunica DESC LIMIT $5";
    ERASE = "DELETE FROM personal_entries WHERE tbl = $1 AND line = $2";
}

/// All statements.
pub(crate) const STATEMENTS: &[Statement] = ALL;

/// What an entry is to say of somebody.
#[derive(Clone, Debug)]
pub(crate) struct Personal {
    pseudonym: IdentityId,
    salt: String,
    text: String,
}

impl Personal {
    /// Draws pseudonym and salt.
    ///
    /// # Errors
    /// The generator failed.
    pub(crate) fn draw(text: String) -> Result<Self, Problem> {
        let (mut pseudonym, mut salt) = ([0; 32], [0; 32]);
        for drawn in [&mut pseudonym, &mut salt] {
            SystemRng.try_fill_bytes(drawn).map_err(|_| dualseal::Error::Randomness)?;
        }
        Ok(Self { pseudonym: IdentityId::from_bytes(pseudonym), salt: hex::encode(&salt), text })
    }

    /// What stands in the log: SHA3-256 over `{"salt":…,"text":…}` without white space.
    pub(crate) fn message(&self) -> String {
        let said = json!({"salt": self.salt, "text": self.text}).to_string();
        format!("personal {}", hex::encode(&Sha3_256::digest(said.as_bytes())))
    }

    /// Appends it.
    ///
    /// # Errors
    /// As [`Step::append`].
    pub(crate) fn append(&self, step: &mut Step<'_>) -> Result<Entry, Problem> {
        Ok(step.append(&self.pseudonym, &self.message())?)
    }

    /// Keeps what the entry means, in the transaction that writes it.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn keep(&self, tx: &mut Tx, entry: &Entry, (tbl, line): (&str, &str)) -> Result<(), Problem> {
        let krunica = entry.krunica_hash().as_bytes().to_vec();
        tx.execute(KEEP, values![krunica, tbl, line, &self.salt, &self.text, entry.time().as_millis()]).await?;
        Ok(())
    }
}

/// What an entry says, opened: whoever has it shows what the entry is of.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = EntryOut)]
pub(crate) struct Kept {
    /// The entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// What was drawn for it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub salt: String,
    /// What it says: the entry has SHA3-256 over `{"salt":…,"text":…}`.
    pub text: String,
    /// When.
    #[schema(format = DateTime)]
    pub time: String,
}

/// What the log has of a row, the oldest first.
///
/// # Errors
/// The database.
pub(crate) async fn of(db: &Db, (tbl, line): (&str, &str)) -> Result<Vec<Kept>, DbError> {
    let rows = db.list(OF, values![tbl, line]).await?;
    rows.iter().map(|row| read(row).map(|(_, kept)| kept)).collect()
}

/// A page of it, the newest first, each with its time in milliseconds; behind a time and an entry.
///
/// # Errors
/// The database.
pub(crate) async fn page(
    db: &Db,
    (tbl, line): (&str, &str),
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<(i64, Kept)>, DbError> {
    let read_hash = |text: String| hex::decode::<32>("krunica", &text).map_err(|_| DbError::Column("krunica"));
    let (time, krunica) = match after {
        Some((time, krunica)) => (time, read_hash(krunica)?.to_vec()),
        None => (i64::MAX, Vec::new()),
    };
    db.list(PAGE, values![tbl, line, time, krunica, most]).await?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<(i64, Kept), DbError> {
    let (millis, krunica_hash) = (row.number("time")?, hex::encode(&row.bytes("krunica")?));
    let time = Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string();
    Ok((millis, Kept { krunica_hash, salt: row.text("salt")?, text: row.text("text")?, time }))
}

/// Takes away what opens them; what is left is of nobody.
///
/// # Errors
/// The database.
pub(crate) async fn erase(tx: &mut Tx, (tbl, line): (&str, &str)) -> Result<(), DbError> {
    tx.execute(ERASE, values![tbl, line]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two entries of one text share nothing, and the text alone gives neither.
    #[test]
    fn a_guess_is_not_confirmed() {
        let text = "contact active +385911234567".to_owned();
        let (one, other) = (Personal::draw(text.clone()).unwrap(), Personal::draw(text.clone()).unwrap());
        assert_ne!(one.pseudonym, other.pseudonym);
        assert_ne!(one.message(), other.message());
        for guess in [json!({"salt": "", "text": text}).to_string(), text.clone()] {
            assert!(!one.message().contains(&hex::encode(&Sha3_256::digest(guess.as_bytes()))));
        }
    }
}
