//! The text that is signed: what was filed, by whom, with the hash of each photo, and a salt, so that nobody who
//! guesses what it says finds its hash in the public log.

use super::rules::{Odluka, Tip};
use super::types::DocumentIn;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::hash::Sha3_256;
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
    /// What the same request has once more.
    ///
    /// # Errors
    /// None: what was read is written.
    pub(crate) fn fingerprint(&self) -> Result<Vec<u8>, Problem> {
        let text = serde_json::to_vec(&self.asked).map_err(|error| Problem::internal("driver", &error))?;
        Ok(Sha3_256::digest(&text).to_vec())
    }

    /// The photos that it names, each once.
    pub(crate) fn photos(&self) -> Vec<&str> {
        let items = self.asked.stavke.iter().flat_map(BTreeMap::values);
        let mut all: Vec<_> = items.flat_map(|item| &item.fotografije).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The text that is signed, in its canonical form.
    ///
    /// # Errors
    /// The generator failed.
    pub(crate) fn text(&self, registracija: &str, photos: &[(String, String)], now: &str) -> Result<String, Problem> {
        let mut salt = [0; 32];
        SystemRng.try_fill_bytes(&mut salt).map_err(|_| dualseal::Error::Randomness)?;
        let photos: BTreeMap<_, _> = photos.iter().cloned().collect();
        let text = json!({"dokument": self.asked, "vozac": self.vozac.to_hex(), "registracija": registracija,
            "odluka": self.odluka, "fotografije": photos, "zaprimljeno": now, "salt": hex::encode(&salt)});
        Ok(Value::parse(text.to_string().as_bytes())?.to_canonical()?)
    }

    /// Whether whoever files it signs it with his own key.
    pub(crate) fn is_his(&self) -> bool {
        self.asked.tip == Tip::Repair
    }
}
