//! The country that a report says was entered, beyond doubt: where it names another one, too, a preposition tells them
//! apart, and what somebody left he did not enter. Where nothing does, whoever takes the report names it.

use super::words::Words;

/// What a text says of a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// Somebody goes into it, or is there.
    To,
    /// Somebody came from there.
    From,
    /// Its name, and nothing more.
    Named,
}

/// In front of where somebody goes or is; in Croatian also what is entered without a preposition.
const TO: &[&str] = &["to", "into", "in", "u", "nach", "entered", "entering", "enter", "reached", "reaching", "ins"];
/// The same of where somebody came from.
const FROM: &[&str] = &["from", "iz", "aus", "von", "od"];
/// Where somebody is on his way to he is not yet.
const TOWARDS: &[&str] = &["for", "towards", "toward", "za", "prema", "richtung", "gen"];
/// As the words of leaving begin.
const LEAVING: &[&str] = &[
    "left",
    "leav",
    "exit",
    "depart",
    "napust",
    "izas",
    "izlaz",
    "odlaz",
    "otis",
    "verlass",
    "verlies",
    "ausgereist",
    "ausreis",
];
/// Between a preposition and a name.
const BETWEEN: &[&str] = &["the", "republic", "of", "die", "der", "den", "dem", "das"];

/// The country that was entered, ISO 3166-1 alpha-2.
pub(crate) fn entered(text: &str) -> Option<&'static str> {
    let mut found: Vec<(Said, &'static str)> = Vec::new();
    for clause in Words::of(&spelt(text)).0 {
        let is_leaving = clause.iter().any(|word| LEAVING.iter().any(|stem| word.starts_with(stem)));
        for (at, word) in clause.iter().enumerate() {
            let Some(code) = named(word) else { continue };
            let before = clause.iter().take(at).rev().find(|word| !BETWEEN.contains(&word.as_str()));
            let before = before.map_or("", String::as_str);
            let said = if FROM.contains(&before) || TOWARDS.contains(&before) {
                Said::From
            } else if TO.contains(&before) {
                // Of "left in": nobody knows.
                if is_leaving && before == "in" { Said::From } else { Said::To }
            } else if is_leaving {
                Said::From
            } else {
                Said::Named
            };
            found.push((said, code));
        }
    }
    let of = |kind: Said| {
        let mut codes: Vec<_> = found.iter().filter(|(said, _)| *said == kind).map(|(_, code)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let (to, from, named) = (of(Said::To), of(Said::From), of(Said::Named));
    match (to.as_slice(), from.is_empty(), named.as_slice()) {
        ([code], ..) | ([], true, [code]) => Some(code),
        _ => None,
    }
}

fn named(word: &str) -> Option<&'static str> {
    let found = COUNTRIES.iter().find(|(_, names)| names.iter().any(|name| word.starts_with(name)));
    found.map(|(code, _)| *code)
}

/// Two capital letters behind a preposition are a country's, spelt out: "in AT", and not "at the border".
fn spelt(text: &str) -> String {
    let (mut whole, mut last) = (String::with_capacity(text.len()), String::new());
    for part in text.split_inclusive(|one: char| !one.is_alphanumeric()) {
        let word = part.trim_end_matches(|one: char| !one.is_alphanumeric());
        let code = COUNTRIES.iter().find(|(code, _)| *code == word);
        let is_behind = [TO, FROM, TOWARDS].iter().any(|all| all.contains(&last.as_str()));
        match code.and_then(|(_, names)| names.first()).filter(|_| is_behind) {
            Some(name) => whole.extend([name, part.get(word.len()..).unwrap_or_default()]),
            None => whole.push_str(part),
        }
        if !word.is_empty() {
            last = word.to_lowercase();
        }
    }
    whole
}

/// As the words of the three languages begin.
const COUNTRIES: &[(&str, &[&str])] = &[
    ("AT", &["austri", "osterreich", "oesterreich"]),
    ("BA", &["bosni", "bosn", "bih"]),
    ("BE", &["belgi"]),
    ("CH", &["svicarsk", "switzerland", "schweiz"]),
    ("CZ", &["cesk", "czech", "tschech"]),
    ("DE", &["njemack", "german", "deutschland"]),
    ("FR", &["francusk", "france", "frankreich"]),
    ("HR", &["hrvatsk", "croatia", "kroatien"]),
    ("HU", &["madarsk", "madzarsk", "hungar", "ungarn"]),
    ("IT", &["italij", "italy", "italien"]),
    ("NL", &["nizozemsk", "netherlands", "niederlande"]),
    ("PL", &["poljsk", "poland", "polen"]),
    ("RO", &["rumunjsk", "romania", "rumanien"]),
    ("RS", &["srbij", "serbia", "serbien"]),
    ("SI", &["slovenij", "slovenia", "slowenien"]),
    ("SK", &["slovack", "slovakia", "slowakei"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_where_somebody_goes() {
        for (text, code) in [
            ("from Slovenia to Austria", "AT"),
            ("entered Austria from Slovenia", "AT"),
            ("entered Austria from Croatia", "AT"),
            ("ušao u Austriju iz Slovenije", "AT"),
            ("in Österreich, aus Slowenien", "AT"),
            ("prešao granicu, u Njemačkoj sam", "DE"),
            ("Grenze nach Österreich überquert", "AT"),
            ("crossed the border into the Czech Republic", "CZ"),
            ("crossed into Austria", "AT"),
            ("Grenze Österreich überquert", "AT"),
            ("izašao iz Slovenije u Austriju", "AT"),
            ("left Hungary, now in Croatia", "HR"),
            ("arrived in AT", "AT"),
            ("ušli smo u HR iz SI", "HR"),
        ] {
            assert_eq!(entered(text), Some(code), "{text}");
        }
    }

    /// What somebody left, where he is on his way to, and which of two, nobody knows of the text alone.
    #[test]
    fn what_is_in_doubt_is_none() {
        for text in [
            "leaving Austria",
            "left Austria",
            "napustio Austriju",
            "izašao iz Austrije",
            "Österreich verlassen",
            "aus Österreich ausgereist",
            "krenuo za Austriju",
            "leaving for Austria",
            "unterwegs Richtung Österreich",
            "crossed the border Austria Slovenia",
            "back from Austria",
            "crossed the border",
            "I am AT the border",
            "in Austria, in Slovenia",
        ] {
            assert_eq!(entered(text), None, "{text}");
        }
    }
}
