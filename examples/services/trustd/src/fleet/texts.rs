//! What is said of a vehicle, in three languages.

use super::rules::Level;
use crate::messaging::Language;

/// What a message is about.
pub(super) fn subject(plate: &str, language: Language) -> String {
    match language {
        Language::Hr => format!("Vozilo {plate}"),
        Language::En => format!("Vehicle {plate}"),
        Language::De => format!("Fahrzeug {plate}"),
    }
}

/// That another level is reached.
pub(super) fn reached(plate: &str, level: Level, weeks: f64, language: Language) -> String {
    let (name, is_ok, weeks) = (name(level, language), level == Level::Ok, number(weeks, language));
    let (said, more) = match language {
        Language::Hr => (format!("{plate}: {name}, {weeks} tjedana izvan matične države."), " Vrati vozilo."),
        Language::En => (format!("{plate}: {name}, {weeks} weeks away from its home state."), " Bring it home."),
        Language::De => {
            (format!("{plate}: {name}, {weeks} Wochen außerhalb des Heimatstaats."), " Fahrzeug zurückbringen.")
        }
    };
    if is_ok { said } else { said + more }
}

/// That an inspection keeps it where it is.
pub(super) fn stays(plate: &str, language: Language) -> String {
    match language {
        Language::Hr => format!("{plate}: NO_GO, vozilo prema pregledu ne kreće."),
        Language::En => format!("{plate}: NO_GO, by its inspection the vehicle stays where it is."),
        Language::De => format!("{plate}: NO_GO, das Fahrzeug bleibt nach der Kontrolle stehen."),
    }
}

/// A line for somebody who asks.
pub(super) fn line(plate: &str, level: Level, weeks: f64, language: Language) -> String {
    let unit = match language {
        Language::Hr => "tjedana",
        Language::En => "weeks",
        Language::De => "Wochen",
    };
    format!("{plate}: {}, {} {unit}", name(level, language), number(weeks, language))
}

fn number(weeks: f64, language: Language) -> String {
    match language {
        Language::En => weeks.to_string(),
        Language::Hr | Language::De => weeks.to_string().replace('.', ","),
    }
}

fn name(level: Level, language: Language) -> &'static str {
    match (language, level) {
        (Language::Hr, Level::Ok) => "u redu",
        (Language::Hr, Level::Warning) => "upozorenje",
        (Language::Hr, Level::Critical) => "kritično",
        (Language::Hr, Level::Violation) => "prekršaj",
        (Language::En, Level::Ok) => "in order",
        (Language::En, Level::Warning) => "warning",
        (Language::En, Level::Critical) => "critical",
        (Language::En, Level::Violation) => "violation",
        (Language::De, Level::Ok) => "in Ordnung",
        (Language::De, Level::Warning) => "Warnung",
        (Language::De, Level::Critical) => "kritisch",
        (Language::De, Level::Violation) => "Verstoß",
    }
}
