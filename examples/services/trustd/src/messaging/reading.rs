//! How the table of patterns is read.

use super::denial::{denies, is_denied};
use super::intents::{Found, Intent, Language};
use super::patterns::rows;
use super::words::{CRIES, Words, begins_like, is_typed_for, without_umlauts};
use std::sync::LazyLock;

/// What a text is for; `None` where it says nothing of any intent.
#[must_use]
pub fn intent_of(text: &str) -> Option<Found> {
    let words = Words::of(&cries(text)).unglued();
    let told = Words(words.0.iter().filter(|clause| !asks(clause)).cloned().collect());
    let is_false_alarm = FALSE_ALARMS.iter().filter_map(|pattern| pattern.said(&words)).collect::<Vec<_>>();
    // "This is no false alarm" is an alarm.
    if is_false_alarm.contains(&Said::Denied) {
        return Some(Found { intent: Intent::Panic, language: Language::En });
    }
    let skips_panic = is_false_alarm.contains(&Said::Yes);
    let not_asked = words.0.iter().filter(|clause| !ASKED.iter().any(|one| one.is_in(clause)));
    let alarming = Words(not_asked.flat_map(|clause| without_harmless(clause)).collect());
    let found = PATTERNS.iter().filter(|(intent, ..)| !(skips_panic && *intent == Intent::Panic));
    found
        .filter(|(intent, _, pattern)| {
            let of = match intent {
                Intent::Panic => &alarming,
                // A question reports nothing: "when do I have to be back home".
                Intent::ReportTrip => &told,
                _ => &words,
            };
            pattern.said(of) == Some(Said::Yes)
        })
        .map(|(intent, language, _)| Found { intent: *intent, language: *language })
        .next()
}

/// A text with each cry as it is said whose letters were written by digits: "H3LP", "p@nic".
fn cries(text: &str) -> String {
    let plain = |word: &str| {
        let core = word.trim_matches(|one: char| one.is_ascii_punctuation() && one != '@' && one != '$');
        let said: String = core.chars().map(letter).collect();
        if CRIES.contains(&said.as_str()) { word.replace(core, &said) } else { word.to_owned() }
    };
    let spaced = |word: &str| match word.strip_suffix(char::is_whitespace) {
        Some(said) => format!("{}{}", plain(said), word.get(said.len()..).unwrap_or_default()),
        None => plain(word),
    };
    text.split_inclusive(char::is_whitespace).map(spaced).collect()
}

fn letter(one: char) -> char {
    match one {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        one => one.to_ascii_lowercase(),
    }
}

/// What a question begins with, if need be behind one word of the second list.
const QUESTIONS: &[&str] = &[
    "when", "how", "where", "which", "what", "whats", "why", "should", "must", "does", "wann", "wie", "wieviel",
    "wieviele", "wo", "welche", "welches", "warum", "muss", "soll", "darf", "kad", "kada", "koliko", "kolko", "gdje",
    "kako", "koji", "koje", "koja", "moram", "trebam", "smijem", "zasto",
];
const BEFORE_QUESTIONS: &[&str] =
    &["do", "bis", "od", "until", "by", "till", "a", "i", "und", "and", "ab", "hej", "hey"];

/// Whether a clause begins as a question does.
fn asks(clause: &[String]) -> bool {
    let mut words = clause.iter().map(String::as_str);
    let Some(first) = words.next() else { return false };
    let second = words.next().unwrap_or_default();
    QUESTIONS.contains(&first)
        || BEFORE_QUESTIONS.contains(&first) && QUESTIONS.contains(&second)
        || first == "do" && ["i", "we"].contains(&second)
}

/// How a pattern stands in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Yes,
    /// It stands there, and is denied wherever it does.
    Denied,
}

static PATTERNS: LazyLock<Vec<(Intent, Language, Pattern)>> =
    LazyLock::new(|| rows().iter().map(|(intent, language, text)| (*intent, *language, Pattern::of(text))).collect());
static FALSE_ALARMS: LazyLock<Vec<Pattern>> = LazyLock::new(|| FALSE.iter().map(|text| Pattern::of(text)).collect());

static ASKED: LazyLock<Vec<Pattern>> = LazyLock::new(|| ABOUT.iter().map(|text| Pattern::of(text)).collect());
static HARMLESS: LazyLock<Vec<Pattern>> = LazyLock::new(|| NO_CRY.iter().map(|text| Pattern::of(text)).collect());

/// A clause without what is no cry in it: what stands beside it may be one.
fn without_harmless(clause: &[String]) -> Vec<Vec<String>> {
    let ends = |start: usize| HARMLESS.iter().filter_map(move |one| one.end(clause, start)).map(|(end, _)| end).max();
    let Some((start, end)) = (0..clause.len()).find_map(|start| ends(start).map(|end| (start, end))) else {
        return vec![clause.to_vec()];
    };
    let before = clause.get(..start).unwrap_or_default().to_vec();
    let mut rest = without_harmless(clause.get(end + 1..).unwrap_or_default());
    rest.insert(0, before);
    rest.retain(|clause| !clause.is_empty());
    rest
}

/// What takes a cry for help back, wherever it stands.
const FALSE: &[&str] = &[
    "false alarm|emergency|panic|alert",
    "fehlalarm*|falschalarm",
    "falscher|falsches alarm|notruf",
    "lazna|lazni|lazno|krivi uzbun*|alarm|panik*",
    "=slucajno|greskom|pogreskom|nehotice|zabunom stisn*|poslao|poslala|poslan*|pritisn*",
    "stisn*|poslao|poslala|pritisn* =slucajno|greskom|pogreskom|nehotice|zabunom",
    "pressed|sent|pushed|triggered|hit|by accidentally|mistake|accident",
    "accidentally|mistakenly pressed|sent|pushed|triggered",
    "=versehentlich|aus versehen gedruckt|gesendet|geschickt|ausgelost",
    "gedruckt|gesendet|geschickt|ausgelost versehentlich|versehen",
];
/// A question of what the button is for: nobody cries by it.
const ABOUT: &[&str] = &[
    "how|what =does|do panic|sos|button|alarm work|=do|mean",
    "when|how =to|=do|should use|press panic|sos|button",
    "wie|was|wozu|wofur funktioniert|macht|bedeutet|=ist panik*|panic|sos|knopf|panikknopf|notrufknopf",
    "sto|sta|kako|cemu =radi|funkcionira|koristi|sluzi|znaci panik*|panic|sos|gumb",
    "sto|sta|kako|cemu panik*|panic|sos|gumb =radi|funkcionira|koristi|sluzi|znaci",
];
/// What has the words of a cry and is none: somebody else's accident ahead, help with papers, a price.
const NO_CRY: &[&str] = &[
    "traffic|jam|queue|queues|tailback|delay|delayed|late|congestion|standstill because|due|caused =of|=to|=by \
     accident|accidents|crash|collision",
    "traffic|jam|queue|queues|tailback|congestion after|behind|from accident|accidents|crash|collision",
    "stau|verspatung|verspatet|spater wegen|nach|durch|aufgrund =unfall|=unfalls|=unfalle|=crash|karambolage|~unfall",
    "guzva|guzve|zastoj|kolona|kolone|kasnim|kasnimo|kasnjenje zbog|radi|iza|nakon|poslije =sudar*|nesrec*|nezgod*",
    "ambulance|police =overtook|=overtakes|=overtaking|passed|passes|passing me|us|by",
    "=hitna|policija =prestigla|=pretekla|prosla me|nas|pored|mimo",
    "krankenwagen|polizei|rettungswagen =uberholt|=uberholte|vorbei",
    "wash|price|prices|toll|tolls|bill|fee|diesel =is|=was|=are robbery",
    "help|assistance|hand =with|=about|filling|finding|uploading tacho*|document*|paper*|form|forms|app|registration|\
     login|upload*|card|invoice|cmr|permit|parking|reversing|loading|unloading|paperwork|phone|password|account",
    "pomoc|pomozi|pomozite|pomognite =oko|=s|=sa|=pri|=za|=kod tahograf*|papir*|dokument*|obras*|formular*|aplikacij*|\
     prijav*|registracij*|kartic*|cmr|racun*|istovar*|utovar*|parkiranj*|lozink*",
    "hilfe|helft|helfen|hilf =bei|=beim|=mit|=zum|=fur tacho*|fahrtenschreiber*|papier*|dokument*|formular*|app|\
     anmeldung|registrierung|karte*|cmr|rechnung*|entladen|ausladen|beladen|parken|rangieren|passwort",
];
/// Between two words of a pattern.
const MOST_GAP: usize = 3;

/// One word of a pattern.
#[derive(Debug)]
struct Item(Vec<Alternative>);

#[derive(Debug)]
struct Alternative {
    text: String,
    is_stem: bool,
    is_exact: bool,
}

/// A row of the table.
#[derive(Debug)]
struct Pattern {
    /// A clause of its own.
    is_clause: bool,
    /// All of the message.
    is_whole: bool,
    items: Vec<Item>,
    not_before: Vec<Alternative>,
}

impl Alternative {
    fn list(text: &str) -> Vec<Self> {
        let of = |text: &str| {
            let (text, is_exact) = text.strip_prefix('=').map_or((text, false), |text| (text, true));
            let (text, is_stem) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
            Self { text: text.to_owned(), is_stem, is_exact }
        };
        text.split('|').map(of).collect()
    }

    fn fits(&self, word: &str) -> bool {
        self.is(word) || without_umlauts(word).is_some_and(|word| self.is(&word))
    }

    fn is(&self, word: &str) -> bool {
        if let Some(end) = self.text.strip_prefix('~') {
            return word.ends_with(end);
        }
        match (self.is_stem, self.is_exact) {
            (true, true) => word.starts_with(&self.text),
            (true, false) => begins_like(word, &self.text),
            (false, true) => word == self.text,
            (false, false) => is_typed_for(word, &self.text),
        }
    }
}

impl Item {
    fn fits(&self, word: &str) -> bool {
        self.0.iter().any(|one| one.fits(word))
    }
}

impl Pattern {
    fn of(text: &str) -> Self {
        let (text, is_clause) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
        let (text, is_whole) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
        let (mut items, mut not_before) = (Vec::new(), Vec::new());
        for part in text.split(' ') {
            match part.strip_prefix('!') {
                Some(after) => not_before = Alternative::list(after),
                None => items.push(Item(Alternative::list(part))),
            }
        }
        Self { is_clause, is_whole, items, not_before }
    }

    /// Where it stands in a message, and is not denied in at least one place.
    fn said(&self, words: &Words) -> Option<Said> {
        if self.is_whole && words.count() != self.items.len() {
            return None;
        }
        let mut said = None;
        for clause in words.0.iter().filter(|clause| !self.is_clause || clause.len() == self.items.len()) {
            for start in 0..clause.len() {
                let Some((end, denied_within)) = self.end(clause, start) else { continue };
                if !denied_within && !is_denied(clause, start, end) {
                    return Some(Said::Yes);
                }
                said = Some(Said::Denied);
            }
        }
        said
    }

    /// Whether it stands in a clause, denied or not.
    fn is_in(&self, clause: &[String]) -> bool {
        (0..clause.len()).any(|start| self.end(clause, start).is_some())
    }

    /// Where it ends that begins here, and whether a denial stands between its words.
    fn end(&self, clause: &[String], start: usize) -> Option<(usize, bool)> {
        let (first, rest) = self.items.split_first()?;
        if !first.fits(clause.get(start)?) {
            return None;
        }
        let (mut at, mut denied) = (start, false);
        for item in rest {
            let next = clause.iter().enumerate().skip(at + 1).take(MOST_GAP + 1).find(|(_, word)| item.fits(word))?.0;
            denied |= clause.get(at + 1..next).is_some_and(|between| between.iter().any(|word| denies(word)));
            at = next;
        }
        let after = clause.get(at + 1);
        let is_barred = after.is_some_and(|word| self.not_before.iter().any(|one| one.fits(word)));
        (!is_barred).then_some((at, denied))
    }
}
