//! The signer's high-water mark, in a place that no backup of the database reaches.
//!
//! A log is founded in two places, the mark's and the database's, and a crash may come between any two writes. So a
//! founding puts both marks there before its transaction: the new log's first one, and the one that stood there until
//! then. Which of them counts the database says alone: the first where that log was written down, since only its own
//! ring key shows that it is its mark, and else the one before. When the log is opened the one that counts is put there
//! alone, before anything is signed or answered: from then on a database without that log, or without any, is a loss.

use crate::apart::{Apart, ApartError};
use dualseal::RingKey;
use dualseal::store::mark_from_json;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use zeroize::Zeroizing;

const NAME: &str = "high-water-mark";
/// How often it is put there alone, where another process does the same at once.
const TRIES: usize = 4;

/// Where the mark is kept, for every process of the service.
#[derive(Clone, Debug)]
pub enum MarkPlace {
    /// A file.
    File(PathBuf),
    /// With what else lies apart.
    Apart(Apart),
}

/// What a founding puts there, until the log is opened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Founding {
    /// The mark that stood there.
    before: Option<String>,
    /// That of the new log.
    first: String,
}

/// What stands there.
#[derive(Debug)]
pub(super) struct Standing {
    text: Option<Zeroizing<Vec<u8>>>,
    founding: Option<Founding>,
}

impl Standing {
    /// As it is written.
    pub(super) fn text(&self) -> Option<&[u8]> {
        self.text.as_deref().map(Vec::as_slice)
    }

    /// The mark of a log that stands in the database.
    pub(super) fn of(&self, origin: &str, authority: &RingKey) -> Option<&[u8]> {
        let Some(Founding { first, .. }) = &self.founding else { return self.text() };
        let is_its_own = matches!(mark_from_json(first.as_bytes(), origin, authority), Ok(Some(_)));
        if is_its_own { Some(first.as_bytes()) } else { self.before() }
    }

    /// The mark where no log stands in the database: of a founding that came to nothing the one before it.
    pub(super) fn before(&self) -> Option<&[u8]> {
        match &self.founding {
            Some(founding) => founding.before.as_ref().map(String::as_bytes),
            None => self.text(),
        }
    }
}

impl MarkPlace {
    /// What stands there.
    ///
    /// # Errors
    /// [`ApartError`].
    pub(super) async fn read(&self) -> Result<Standing, ApartError> {
        let (apart, name) = self.place();
        let text = apart.read(&name).await?;
        let founding = text.as_ref().and_then(|text| serde_json::from_slice(text).ok());
        Ok(Standing { text, founding })
    }

    /// Puts the next mark in the place of the last text, and of no other.
    ///
    /// # Errors
    /// [`ApartError::Moved`].
    pub(super) async fn replace(&self, last: Option<&[u8]>, next: &str) -> Result<(), ApartError> {
        let (apart, name) = self.place();
        apart.put(&name, last, next.as_bytes()).await
    }

    /// Begins a founding: the first mark of the new log beside the one that counts until its transaction is written.
    ///
    /// # Errors
    /// [`ApartError::Moved`].
    pub(super) async fn begin(&self, found: &Standing, before: Option<&[u8]>, first: &str) -> Result<(), ApartError> {
        let before = before.map(|before| String::from_utf8_lossy(before).into_owned());
        let founding = Founding { before, first: first.to_owned() };
        // Of two texts nothing fails to be written.
        let text = serde_json::to_string(&founding).unwrap_or_default();
        self.replace(found.text(), &text).await
    }

    /// Ends a founding: the mark of the log that stands in the database is there alone.
    ///
    /// # Errors
    /// [`ApartError`].
    pub(super) async fn end(&self, origin: &str, authority: &RingKey) -> Result<(), ApartError> {
        for _ in 0..TRIES {
            let found = self.read().await?;
            let Some(mark) = found.of(origin, authority).filter(|_| found.founding.is_some()) else { return Ok(()) };
            match self.replace(found.text(), &String::from_utf8_lossy(mark)).await {
                Err(ApartError::Moved) => {}
                ended => return ended,
            }
        }
        Err(ApartError::Moved)
    }

    fn place(&self) -> (Apart, String) {
        match self {
            Self::Apart(apart) => (apart.clone(), NAME.to_owned()),
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Apart::folder(path.parent().unwrap_or(path)), name)
            }
        }
    }
}
