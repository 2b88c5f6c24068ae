//! The text that is signed, by kind. It holds its evidence, and no sentence: what a page says is computed from it, so
//! that a title cannot say more than what is shown.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The version of the text.
pub const VERSION: &str = "1";
/// The name of the text among the attachments of a page.
pub const TEXT: &str = "dokaz.json";
/// The name of its evidence, by which it is found beside it.
pub const EVIDENCE: &str = "dokaz.json.sig.evidence.json";
/// The most records of one journey.
pub const MOST: usize = 24;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A journey.
    #[serde(rename = "PUT")]
    Put,
    /// A signature.
    #[serde(rename = "ISTINA")]
    Istina,
    /// That somebody was present.
    #[serde(rename = "ZIVOT")]
    Zivot,
    /// That witnesses saw the log.
    #[serde(rename = "D9_SVJEDOK")]
    Svjedok,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Put, Self::Istina, Self::Zivot, Self::Svjedok];

    /// As the text has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Put => "PUT",
            Self::Istina => "ISTINA",
            Self::Zivot => "ZIVOT",
            Self::Svjedok => "D9_SVJEDOK",
        }
    }
}

/// The text that is signed. Its members have no order: it is signed in its canonical form.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// [`VERSION`].
    pub verzija: String,
    /// What is shown.
    pub vrsta: Kind,
    /// Its name, a UUID.
    pub dokaz_id: String,
    /// Of whom it is, 64 hexadecimal characters.
    pub identity_id: String,
    /// When it was made, by the service's clock: UTC, with milliseconds.
    pub vrijeme: String,
    /// The log that it stands in.
    pub log: Log,
    /// Drawn, so that nobody who guesses the rest finds its hash in the log: 64 hexadecimal characters.
    pub salt: String,
    /// What is shown, with its evidence, by kind: [`Put`], [`Istina`], [`Zivot`] or [`Svjedok`].
    pub tvrdnja: Box<RawValue>,
}

/// A log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Where it is read.
    pub adresa: String,
    /// Its name.
    pub origin: String,
    /// Its fingerprint, 64 hexadecimal characters.
    pub otisak: String,
}

/// A journey: all that a driver filed of a vehicle in a time, in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Put {
    /// From when.
    pub od: String,
    /// Until when.
    #[serde(rename = "do")]
    pub until: String,
    /// What was filed.
    pub zapisi: Vec<Zapis>,
}

/// What was filed and signed, with its evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zapis {
    /// The text that is signed, in its canonical form.
    pub dokument: Box<RawValue>,
    /// Its evidence.
    pub dokaz: Box<RawValue>,
}

/// A signature that holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Istina {
    /// Its evidence.
    pub dokaz: Box<RawValue>,
    /// When it was verified.
    pub provjereno: String,
}

/// An answer to a challenge.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zivot {
    /// What was to be answered.
    pub izazov: Izazov,
    /// What answered it, which names its `kind`: `ed25519` or `webauthn`.
    pub odgovor: Box<RawValue>,
    /// When it came.
    pub zaprimljeno: String,
    /// The place of the entry by which its authenticator was enrolled.
    pub upis: Box<RawValue>,
}

/// A challenge of `P::ALIVE`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Izazov {
    /// To whom it is answered.
    pub aud: String,
    /// The statement whose hash is signed.
    pub izjava: String,
    /// Drawn for it.
    pub nonce: String,
    /// When it was drawn.
    pub izdano: String,
    /// Until when it could be answered.
    pub istjece: String,
}

/// What witnesses saw.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Svjedok {
    /// The checkpoint.
    pub kontrolna_tocka: Box<RawValue>,
    /// The note over it, with their lines.
    pub nota: String,
    /// Those whose lines hold.
    pub svjedoci: Vec<Vidio>,
}

/// Who saw it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vidio {
    /// Its name.
    pub ime: String,
    /// Its key, as it is pinned: 64 hexadecimal characters.
    pub kljuc: String,
    /// When, as it says.
    pub vrijeme: String,
}
