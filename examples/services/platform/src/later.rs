//! What is told once its cause was answered: it waits in memory for a moment, each of a kind and subject once, so that
//! no answer takes longer for it.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// What there is to tell, by its kind and whom it is of, in words.
pub type Told = BTreeMap<(&'static str, String), String>;

/// What waits to be told.
#[derive(Clone, Debug, Default)]
pub struct Later(Arc<Mutex<Told>>);

impl Later {
    /// Puts it with what waits. True for the first since all was [taken](Self::take): who put that one takes it.
    #[must_use]
    pub fn put(&self, kind: &'static str, subject: String, detail: String) -> bool {
        let mut waits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = waits.is_empty();
        waits.entry((kind, subject)).or_insert(detail);
        is_first
    }

    /// All that waits.
    #[must_use]
    pub fn take(&self) -> Told {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_takes_what_the_others_put() {
        let later = Later::default();
        let put = |kind, subject: &str, detail: &str| later.put(kind, subject.to_owned(), detail.to_owned());
        assert!(put("decoy", "ana", "signs"));
        assert!(!put("decoy", "ana", "seals"));
        assert!(!put("fragment", "ana", "leaked"));
        let told = later.take();
        assert_eq!(told.len(), 2);
        assert_eq!(told[&("decoy", "ana".to_owned())], "signs");
        assert!(later.take().is_empty() && put("decoy", "bo", "signs"));
    }
}
