//! The signer's high-water mark, in a place that no backup of the database reaches.

use crate::apart::{Apart, ApartError};
use std::path::PathBuf;
use zeroize::Zeroizing;

const NAME: &str = "high-water-mark";

/// Where the mark is kept, for every process of the service.
#[derive(Clone, Debug)]
pub enum MarkPlace {
    /// A file.
    File(PathBuf),
    /// With what else lies apart.
    Apart(Apart),
}

impl MarkPlace {
    /// Its text.
    ///
    /// # Errors
    /// [`ApartError`].
    pub async fn read(&self) -> Result<Option<Zeroizing<Vec<u8>>>, ApartError> {
        let (apart, name) = self.place();
        apart.read(&name).await
    }

    /// Puts the next mark in the place of the last one, and of no other.
    ///
    /// # Errors
    /// [`ApartError::Moved`].
    pub async fn replace(&self, last: Option<&[u8]>, next: &str) -> Result<(), ApartError> {
        let (apart, name) = self.place();
        apart.put(&name, last, next.as_bytes()).await
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
