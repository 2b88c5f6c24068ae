//! What people are answered, in three languages. Letters that a short message has no room for are spelled without.

use super::intents::{Intent, Language};

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// So many on call are being told.
    PanicTold(usize),
    /// Those on call have one of the same sender, or it is on its way to them.
    PanicToldBefore,
    /// It is passed on to nobody.
    PanicHeld,
    /// Nobody on call is reached.
    PanicUnheard,
    /// Send this code back.
    Code(Intent, String),
    /// That was none of the codes that wait.
    WrongCode,
    /// Too many codes were asked for.
    TooManyCodes,
    /// An enrolment is open.
    Joined,
    /// The number is somebody's already.
    KnownAlready,
    /// Contact has ended.
    Left,
    /// A crossing was noted.
    Reported(Option<&'static str>),
    /// How things stand.
    Status(Vec<String>),
    /// Nothing is known of whoever asks.
    StatusUnknown,
    /// The attachments were filed.
    Filed(usize),
    /// No document came with it.
    NothingAttached,
    /// Documents are filed for identities alone.
    NotFiled,
    /// This needs a number that is registered.
    Unregistered,
    /// Messages come again.
    Started,
    /// Who is this, and what can one say?
    Help,
    /// It was not understood, and may have been a cry for help.
    NeedsHelp,
    /// It was not understood.
    NotUnderstood,
}

impl Reply {
    /// Whether it is of a cry for help, or asks for one: it does not wait.
    pub(crate) fn overtakes(&self) -> bool {
        self.is_of_panic() || *self == Self::NeedsHelp
    }

    /// Whether it answers a cry for help.
    pub(crate) fn is_of_panic(&self) -> bool {
        matches!(self, Self::PanicTold(_) | Self::PanicToldBefore | Self::PanicHeld | Self::PanicUnheard)
    }

    /// In a language.
    pub(crate) fn text(&self, language: Language) -> String {
        let [hr, en, de] = self.texts();
        match language {
            Language::Hr => hr,
            Language::En => en,
            Language::De => de,
        }
    }

    fn texts(&self) -> [String; 3] {
        match self {
            Self::PanicTold(count) => [
                format!("Uzbuna je primljena. Upravo se javlja dežurnima ({count}). U životnoj opasnosti zovi 112."),
                format!("Alarm received. It is being told to {count} on call. If life is in danger, call 112."),
                format!("Alarm empfangen. Er geht jetzt an {count} in Bereitschaft. Bei Lebensgefahr 112 anrufen."),
            ],
            Self::Code(intent, code) => {
                let what = of(*intent);
                [
                    format!(
                        "Za potvrdu ({}) pošalji kod {code} u roku od 15 minuta. Ako to nisi bio ti, ne odgovaraj.",
                        what[0]
                    ),
                    format!(
                        "To confirm ({}) send back {code} within 15 minutes. If this was not you, do not answer.",
                        what[1]
                    ),
                    format!(
                        "Zur Bestätigung ({}) {code} binnen 15 Minuten senden. Warst du es nicht, antworte nicht.",
                        what[2]
                    ),
                ]
            }
            Self::Reported(country) => {
                let at = country.map(|country| format!(" ({country})")).unwrap_or_default();
                [
                    format!("Prelazak je zapisan{at}. Ured ga potvrđuje."),
                    format!("Crossing noted{at}. The office confirms it."),
                    format!("Grenzübertritt notiert{at}. Das Büro bestätigt ihn."),
                ]
            }
            Self::Status(lines) => std::array::from_fn(|_| lines.join("\n")),
            Self::Filed(count) => [
                format!("Pohranjeno dokumenata: {count}."),
                format!("Documents filed: {count}."),
                format!("Abgelegte Dokumente: {count}."),
            ],
            fixed => fixed.fixed().map(str::to_owned),
        }
    }

    /// Those in which nothing varies.
    fn fixed(&self) -> [&'static str; 3] {
        match self {
            Self::PanicUnheard => [
                "Uzbuna je zapisana, ali nitko dežuran nije dostupan. ZOVI 112.",
                "Alarm noted, but nobody on call is reached. CALL 112.",
                "Alarm notiert, aber niemand in Bereitschaft ist erreichbar. 112 ANRUFEN.",
            ],
            Self::PanicHeld => [
                "Uzbuna je zapisana, ali NIJE nikome proslijeđena. ZOVI 112.",
                "Alarm noted, but it was NOT passed on to anybody. CALL 112.",
                "Alarm notiert, aber an NIEMANDEN weitergegeben. 112 ANRUFEN.",
            ],
            Self::PanicToldBefore => [
                "Tvoja je uzbuna već javljena, ova im se ne javlja posebno. U životnoj opasnosti zovi 112.",
                "Your alarm is told already; this one is not told again. If life is in danger, call 112.",
                "Dein Alarm ist schon weitergegeben, dieser nicht noch einmal. Bei Lebensgefahr 112 anrufen.",
            ],
            Self::WrongCode => [
                "Taj kod ne vrijedi. Pošalji poruku ponovno i dobit ćeš novi.",
                "That code does not count. Send your message again for a new one.",
                "Dieser Code gilt nicht. Sende deine Nachricht noch einmal für einen neuen.",
            ],
            Self::TooManyCodes => [
                "Previše zahtjeva. Pokušaj ponovno za jedan sat.",
                "Too many requests. Try again in an hour.",
                "Zu viele Anfragen. Versuche es in einer Stunde wieder.",
            ],
            Self::Joined => [
                "Prijava je zaprimljena. Javit ćemo se kad je potvrđena.",
                "Your request to join was received. You will hear from us once it is approved.",
                "Deine Anmeldung ist eingegangen. Wir melden uns, sobald sie bestätigt ist.",
            ],
            Self::KnownAlready => [
                "Ovaj je broj već prijavljen.",
                "This address is registered already.",
                "Diese Adresse ist schon angemeldet.",
            ],
            Self::Left => [
                "Odjavljen si. Više nećeš dobivati poruke.",
                "You have left. You will get no more messages.",
                "Du bist abgemeldet. Du bekommst keine Nachrichten mehr.",
            ],
            Self::StatusUnknown => [
                "O tebi ovdje nema ni rokova ni dokumenata.",
                "There are no deadlines and no documents of yours here.",
                "Von dir gibt es hier weder Fristen noch Dokumente.",
            ],
            Self::NothingAttached => [
                "Uz poruku nema dokumenta. Pošalji ga e-poštom, kao prilog.",
                "No document came with it. Send it by e-mail, attached.",
                "Es war kein Dokument dabei. Sende es per E-Mail, als Anhang.",
            ],
            Self::NotFiled => [
                "Dokument nije pohranjen: za tebe još nema identiteta s ključem. Javi se uredu.",
                "The document was not filed: there is no identity with a key for you yet. Ask the office.",
                "Das Dokument wurde nicht abgelegt: du hast noch keine Identität mit Schlüssel. Frage das Büro.",
            ],
            Self::Unregistered => [
                "Ova adresa nije prijavljena. Za prijavu pošalji PRIJAVA.",
                "This address is not registered. To register send JOIN.",
                "Diese Adresse ist nicht angemeldet. Zum Anmelden ANMELDEN senden.",
            ],
            Self::Started => [
                "Opet ćeš dobivati poruke. Za prekid pošalji STOP.",
                "You will get messages again. To end that send STOP.",
                "Du bekommst wieder Nachrichten. Zum Beenden STOP senden.",
            ],
            Self::Help => [
                "Pošalji: STATUS, PREŠAO GRANICU, DOKUMENT (e-poštom), PRIJAVA, ODJAVA. U nuždi: PANIKA. Prekid: STOP.",
                "Send: STATUS, BORDER CROSSED, DOCUMENT (by e-mail), JOIN, LEAVE FLEET. In need: PANIC. End: STOP.",
                "Sende: STATUS, GRENZE PASSIERT, DOKUMENT (per E-Mail), ANMELDEN, ABMELDEN. In Not: PANIK. Ende: STOP.",
            ],
            Self::NeedsHelp => [
                "Poruka nije razumljiva. Trebaš li pomoć? Odgovori 1 i javljamo dežurnima. INFO za popis.",
                "That was not understood. Do you need help? Answer 1, and those on call are told. INFO for a list.",
                "Das wurde nicht verstanden. Brauchst du Hilfe? Mit 1 antworten, dann geht Alarm. INFO: Liste.",
            ],
            Self::NotUnderstood => [
                "Poruka nije razumljiva. Pošalji INFO za popis. U nuždi: PANIKA.",
                "That was not understood. Send INFO for a list. In need: PANIC.",
                "Das wurde nicht verstanden. INFO senden für eine Liste. In Not: PANIK.",
            ],
            Self::PanicTold(_) | Self::Code(..) | Self::Reported(_) | Self::Status(_) | Self::Filed(_) => [""; 3],
        }
    }
}

/// What a code confirms.
fn of(intent: Intent) -> [&'static str; 3] {
    match intent {
        Intent::JoinFleet => ["prijava", "join", "Anmeldung"],
        Intent::LeaveFleet => ["odjava", "leave", "Abmeldung"],
        Intent::ReportTrip => ["prelazak granice", "border crossing", "Grenzübertritt"],
        Intent::DocUpload => ["dokument", "document", "Dokument"],
        Intent::Panic | Intent::QueryStatus => ["poruka", "message", "Nachricht"],
    }
}

/// What those on call are told.
pub(crate) fn panic_told(who: &str, address: &str, is_verified: bool, text: &str, language: Language) -> String {
    let said: String = text.chars().take(300).collect();
    match (language, is_verified) {
        (Language::Hr, true) => format!("UZBUNA: {who} ({address}): {said}"),
        (Language::Hr, false) => format!("UZBUNA, NEPROVJERENO, nepoznat pošiljatelj {address}: {said}"),
        (Language::En, true) => format!("PANIC: {who} ({address}): {said}"),
        (Language::En, false) => format!("PANIC, UNVERIFIED, unknown sender {address}: {said}"),
        (Language::De, true) => format!("ALARM: {who} ({address}): {said}"),
        (Language::De, false) => format!("ALARM, UNBESTÄTIGT, unbekannter Absender {address}: {said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is in three languages, none of which is another's, and none is understood as an intent of whoever sends it
    /// back.
    #[test]
    fn each_is_said_in_three_languages() {
        let all = [
            Reply::PanicTold(2),
            Reply::PanicToldBefore,
            Reply::PanicHeld,
            Reply::PanicUnheard,
            Reply::Code(Intent::LeaveFleet, "123456".into()),
            Reply::WrongCode,
            Reply::TooManyCodes,
            Reply::Joined,
            Reply::KnownAlready,
            Reply::Left,
            Reply::Reported(Some("AT")),
            Reply::StatusUnknown,
            Reply::Filed(1),
            Reply::NothingAttached,
            Reply::NotFiled,
            Reply::Unregistered,
            Reply::Started,
            Reply::Help,
            Reply::NeedsHelp,
            Reply::NotUnderstood,
        ];
        for reply in all {
            let texts = Language::ALL.map(|language| reply.text(language));
            assert!(texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2], "{texts:?}");
            assert!(texts.iter().all(|text| text.chars().count() <= 160), "{texts:?}");
        }
    }
}
