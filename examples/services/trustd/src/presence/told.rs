//! What somebody is told of his authenticators, in three languages. The label is left out: whoever enrols writes it,
//! and would speak to the one who is to object.

use crate::messaging::Language;
use dualseal::Timestamp;

/// What it is about.
pub(super) fn subject(language: Language) -> String {
    match language {
        Language::Hr => "Novi autentifikator",
        Language::En => "A new authenticator",
        Language::De => "Ein neuer Authentifikator",
    }
    .to_owned()
}

/// That one was enrolled for him, which counts from a time on.
pub(super) fn enrolled(counts_from: i64, language: Language) -> String {
    let from = Timestamp::from_millis(counts_from).unwrap_or(Timestamp::MIN).to_string();
    match language {
        Language::Hr => format!("Novi autentifikator na tvoje ime vrijedi od {from}. Nisi ti? Javi se uredu."),
        Language::En => format!("A new authenticator in your name counts from {from}. Not you? Tell the office."),
        Language::De => {
            format!("Ein neuer Authentifikator auf deinen Namen gilt ab {from}. Nicht du? Sage es dem Büro.")
        }
    }
}
