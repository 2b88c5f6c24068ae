//! Rows of documents.

use super::rules::{Stanje, date, days_left, zone};
use super::types::{AlarmOut, DocumentOut};
use dualseal::{IdentityId, Timestamp};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::values;
use platform::web::Name;

macro_rules! has_word {
    ($word:literal) => {
        concat!(
            " AND (",
            $word,
            " = '' OR EXISTS (SELECT 1 FROM document_words w \
            WHERE w.identity_id = d.identity_id AND w.world = d.world AND w.word LIKE ",
            $word,
            "))"
        )
    };
}

/// The newest documents, found by kind, end and words. Empty texts are for any; the words are patterns of LIKE.
macro_rules! page {
    ($owner:literal) => {
        concat!(
            "SELECT identity_id, world, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, kontekst, contact, \
            vault_id, version, date_version, told_to, krunica, created FROM documents d \
            WHERE world = $1",
            $owner,
            " AND ($2 = '' OR tip = $2) AND ($3 = '' OR vrijedi_do <= $3) \
            AND (created < $4 OR (created = $4 AND identity_id < $5))",
            has_word!("$6"),
            has_word!("$7"),
            has_word!("$8"),
            has_word!("$9"),
            has_word!("$10"),
            " ORDER BY created DESC, identity_id DESC LIMIT $11"
        )
    };
}

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM documents WHERE identity_id = ''";
    FIND = "SELECT identity_id, world, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, kontekst, contact, \
            vault_id, version, date_version, told_to, krunica, created FROM documents \
            WHERE identity_id = $1 AND world = $2";
    /// Of anybody.
    PAGE = (page!(""));
    /// Of one owner, whose rows alone are read.
    PAGE_OF = (page!(" AND vlasnik_id = $12"));
    ADD = "INSERT INTO documents (identity_id, world, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, kontekst, \
           contact, vault_id, version, date_version, told_to, next_due, plan, krunica, created, changed) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, $14, $15, $16, $17, $17)";
    /// What was told stays told, unless the date is another one.
    CHANGE = "UPDATE documents SET naslov = $3, vrijedi_do = $4, archived = $5, contact = $6, vault_id = $7, \
              version = $8, told_to = CASE WHEN date_version = $9 THEN told_to ELSE NULL END, \
              next_due = CASE WHEN date_version = $9 THEN next_due ELSE $10 END, \
              plan = CASE WHEN date_version = $9 THEN plan ELSE $11 END, date_version = $9, krunica = $12, \
              changed = $13 WHERE identity_id = $1 AND world = $2 AND version = $8 - 1";
    ERASE = "DELETE FROM documents WHERE identity_id = $1 AND world = $2";
    NO_WORDS = "DELETE FROM document_words WHERE identity_id = $1 AND world = $2";
    WORD = "INSERT INTO document_words (identity_id, world, word) VALUES ($1, $2, $3) \
            ON CONFLICT (identity_id, world, word) DO NOTHING";
    ALARMS = "SELECT threshold, state, time FROM document_alarms \
              WHERE identity_id = $1 AND world = $2 AND date_version = $3 ORDER BY threshold DESC";
    NO_ALARMS = "DELETE FROM document_alarms WHERE identity_id = $1 AND world = $2";
    /// What another process has, or a caller changes, is not waited for: it is looked for again.
    DUE = skipping "SELECT identity_id, world, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, kontekst, contact, \
           vault_id, version, date_version, told_to, krunica, created FROM documents \
           WHERE next_due <= $1 AND archived = 0 AND world = 0 ORDER BY next_due, identity_id LIMIT $2";
    LEFT = "SELECT 1 AS one FROM documents WHERE next_due <= $1 AND archived = 0 AND world = 0 LIMIT 1";
    /// Those whose next time was computed by other thresholds than the settings' are looked at now.
    REPLAN = "UPDATE documents SET next_due = 0, plan = $1 WHERE identity_id IN (SELECT identity_id FROM documents \
              WHERE plan <> $1 AND world = 0 ORDER BY identity_id LIMIT $2) AND plan <> $1 AND world = 0";
    RECORD = "INSERT INTO document_alarms (identity_id, world, date_version, threshold, state, time) \
              VALUES ($1, 0, $2, $3, $4, $5) ON CONFLICT (identity_id, world, date_version, threshold) DO NOTHING";
    NEXT = "UPDATE documents SET told_to = $3, next_due = $4 \
            WHERE identity_id = $1 AND world = 0 AND date_version = $2";
    UNHEARD = "UPDATE document_alarms SET state = 'unheard' WHERE identity_id = $1 AND world = 0 AND date_version = $2 \
               AND threshold = $3 AND state = 'sent'";
    OWNER = "SELECT vlasnik_id FROM documents WHERE identity_id = $1 AND world = 0";
    LATER = "UPDATE documents SET next_due = $2 WHERE identity_id = $1 AND world = 0";
    /// Those whose name is no text, which SQLite alone takes: bytes equal no text.
    LATER_NAMELESS = "UPDATE documents SET next_due = $2 \
                      WHERE next_due <= $1 AND world = 0 AND identity_id <> CAST(identity_id AS TEXT)";
    /// Of an owner, those that end from a day on, the next one first.
    ENDING = "SELECT naslov, vrijedi_do, zona FROM documents WHERE vlasnik_id = $1 AND archived = 0 AND world = 0 \
              AND vrijedi_do >= $2 ORDER BY vrijedi_do, identity_id LIMIT 20";
    /// Those that ended before it, the last one first.
    ENDED = "SELECT naslov, vrijedi_do, zona FROM documents WHERE vlasnik_id = $1 AND archived = 0 AND world = 0 \
             AND vrijedi_do < $2 ORDER BY vrijedi_do DESC, identity_id LIMIT 5";
}

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) identity_id: IdentityId,
    pub(crate) world: World,
    pub(crate) vlasnik_id: IdentityId,
    pub(crate) tip: String,
    pub(crate) naslov: String,
    pub(crate) vrijedi_do: Date,
    /// Its zone, by name.
    pub(crate) zona: (String, TimeZone),
    pub(crate) archived: bool,
    pub(crate) kontekst: String,
    pub(crate) contact: Option<String>,
    pub(crate) vault_id: Option<String>,
    pub(crate) version: u64,
    /// Grows with each change of the date.
    pub(crate) date_version: u64,
    /// The tightest threshold of this date that was told or missed.
    pub(crate) told_to: Option<u16>,
    pub(crate) krunica: String,
    pub(crate) created: i64,
}

impl Document {
    pub(crate) fn of(row: &Row) -> Result<Self, DbError> {
        let name = |column: &'static str| row.text(column)?.parse().map_err(|_| DbError::Column(column));
        let told_to = row.maybe_number("told_to")?.map(u16::try_from).transpose();
        Ok(Self {
            identity_id: name("identity_id")?,
            world: World::of_number(row.number("world")?),
            vlasnik_id: name("vlasnik_id")?,
            tip: row.text("tip")?,
            naslov: row.text("naslov")?,
            vrijedi_do: date(&row.text("vrijedi_do")?).ok_or(DbError::Column("vrijedi_do"))?,
            zona: zone(&row.text("zona")?).ok_or(DbError::Column("zona"))?,
            archived: row.number("archived")? == 1,
            kontekst: row.text("kontekst")?,
            contact: row.maybe_text("contact")?,
            vault_id: row.maybe_text("vault_id")?,
            version: row.size("version")?,
            date_version: row.size("date_version")?,
            told_to: told_to.map_err(|_| DbError::Column("told_to"))?,
            krunica: row.text("krunica")?,
            created: row.number("created")?,
        })
    }

    /// As lists have it.
    pub(crate) fn out(&self, now: i64, thresholds: &[u16]) -> DocumentOut {
        let left = days_left(self.vrijedi_do, &self.zona.1, now);
        DocumentOut {
            identity_id: Name(self.identity_id),
            vlasnik_id: Name(self.vlasnik_id),
            tip: self.tip.clone(),
            naslov: self.naslov.clone(),
            vrijedi_do: self.vrijedi_do.to_string(),
            zona: self.zona.0.clone(),
            stanje: Stanje::of(left, self.archived, thresholds),
            dana: left,
            kontekst: self.kontekst.clone(),
            contact_id: self.contact.clone(),
            vault_id: self.vault_id.clone(),
            verzija: self.version,
            krunica_hash: self.krunica.clone(),
            alarmi: None,
            zapisi: None,
        }
    }
}

/// One document.
pub(crate) async fn find(db: &Db, id: &IdentityId, world: World) -> Result<Option<Document>, DbError> {
    db.find(FIND, values![id.to_hex(), world.number()]).await?.as_ref().map(Document::of).transpose()
}

/// What is looked for; empty texts are for any.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) world: World,
    pub(crate) owner: String,
    pub(crate) tip: String,
    pub(crate) until: String,
    pub(crate) words: [String; 5],
    pub(crate) after: Option<(i64, String)>,
    pub(crate) most: u32,
}

/// A page, the newest first.
pub(crate) async fn page(db: &Db, asked: Asked) -> Result<Vec<Document>, DbError> {
    let Asked { world, owner, tip, until, words, after, most } = asked;
    let (created, id) = after.unwrap_or((i64::MAX, String::new()));
    let mut values = values![world.number(), tip, until, created, id];
    values.extend(words.into_iter().map(Into::into));
    values.extend(values![most]);
    let statement = if owner.is_empty() { PAGE } else { PAGE_OF };
    if !owner.is_empty() {
        values.extend(values![owner]);
    }
    db.list(statement, values).await?.iter().map(Document::of).collect()
}

/// What was told of a document's date.
pub(crate) async fn alarms(db: &Db, document: &Document) -> Result<Vec<AlarmOut>, DbError> {
    let values = values![document.identity_id.to_hex(), document.world.number(), document.date_version];
    let read = |row: &Row| {
        Ok(AlarmOut {
            prag: u16::try_from(row.number("threshold")?).map_err(|_| DbError::Column("threshold"))?,
            stanje: row.text("state")?,
            vrijeme: Timestamp::from_millis(row.number("time")?).unwrap_or(Timestamp::MIN).to_string(),
        })
    };
    db.list(ALARMS, values).await?.iter().map(read).collect()
}

/// Writes its words anew.
pub(crate) async fn index(tx: &mut Tx, document: &Document) -> Result<(), DbError> {
    let (id, world) = (document.identity_id.to_hex(), document.world.number());
    tx.execute(NO_WORDS, values![&id, world]).await?;
    for word in crate::messaging::words_of(&format!("{} {}", document.naslov, document.tip.replace('_', " "))) {
        tx.execute(WORD, values![&id, world, word]).await?;
    }
    Ok(())
}

/// Takes all of a document away but its entries of the log.
pub(crate) async fn erase(tx: &mut Tx, id: &str, world: World) -> Result<u64, DbError> {
    for statement in [NO_WORDS, NO_ALARMS] {
        tx.execute(statement, values![id, world.number()]).await?;
    }
    tx.execute(ERASE, values![id, world.number()]).await
}
