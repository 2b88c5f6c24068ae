//! The text that is signed: what was filed, by whom, with the hash of each photo, and a salt, so that nobody who
//! guesses what it says finds its hash in the public log.

use super::rules::{Odluka, Tip};
use super::types::DocumentIn;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::rand_core::TryRng as _;
use dualseal::{IdentityId, SystemRng};
use platform::problem::Problem;
use serde_json::json;
use std::collections::BTreeMap;

/// A document, checked.
#[derive(Clone, Debug)]
pub(crate) struct Filing {
    pub(crate) asked: DocumentIn,
    pub(crate) vozac: IdentityId,
    pub(crate) odluka: Option<Odluka>,
}

impl Filing {
    /// Whether a text that was signed is of the same request.
    pub(crate) fn is_of(&self, text: &str) -> bool {
        let says = serde_json::from_str(text).unwrap_or(serde_json::Value::Null);
        serde_json::to_value(&self.asked).is_ok_and(|asked| asked == says["dokument"])
    }

    /// The photos that it names, each once.
    pub(crate) fn photos(&self) -> Vec<&str> {
        let items = self.asked.stavke.iter().flat_map(BTreeMap::values);
        let mut all: Vec<_> = items.flat_map(|item| &item.fotografije).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The text that is signed, in its canonical form: with the hash of the token of its link, so that no link leads to
    /// another document.
    ///
    /// # Errors
    /// The generator failed.
    pub(crate) fn text(
        &self,
        registracija: &str,
        photos: &[(String, String)],
        (link, now): (&str, &str),
    ) -> Result<String, Problem> {
        let mut salt = [0; 32];
        SystemRng.try_fill_bytes(&mut salt).map_err(|_| dualseal::Error::Randomness)?;
        let photos: BTreeMap<_, _> = photos.iter().cloned().collect();
        let text = json!({"dokument": self.asked, "vozac": self.vozac.to_hex(), "registracija": registracija,
            "odluka": self.odluka, "fotografije": photos, "zaprimljeno": now, "poveznica": link,
            "salt": hex::encode(&salt)});
        Ok(Value::parse(text.to_string().as_bytes())?.to_canonical()?)
    }

    /// Whether whoever files it signs it with his own key.
    pub(crate) fn is_his(&self) -> bool {
        self.asked.tip == Tip::Repair
    }
}
