//! What is said of a document that ends, in three languages.

use crate::messaging::Language;
use jiff::civil::Date;

/// What a message is about.
pub(super) fn subject(language: Language) -> String {
    match language {
        Language::Hr => "Dokument istječe",
        Language::En => "A document expires",
        Language::De => "Ein Dokument läuft ab",
    }
    .to_owned()
}

/// That it ends.
pub(super) fn alarm(title: &str, until: Date, left: i64, language: Language) -> String {
    let day = day(until);
    match (language, left) {
        (Language::Hr, ..0) => format!("{title}: istekao {day}."),
        (Language::En, ..0) => format!("{title}: expired on {day}."),
        (Language::De, ..0) => format!("{title}: abgelaufen am {day}."),
        (Language::Hr, _) => format!("{title}: vrijedi do {day}. Preostalo dana: {left}."),
        (Language::En, _) => format!("{title}: valid until {day}. Days left: {left}."),
        (Language::De, _) => format!("{title}: gültig bis {day}. Verbleibende Tage: {left}."),
    }
}

/// A line for somebody who asks.
pub(super) fn line(title: &str, until: Date, language: Language) -> String {
    let day = day(until);
    match language {
        Language::Hr => format!("{title}: do {day}"),
        Language::En => format!("{title}: until {day}"),
        Language::De => format!("{title}: bis {day}"),
    }
}

fn day(date: Date) -> String {
    format!("{:02}.{:02}.{}", date.day(), date.month(), date.year())
}
