//! Words as the lists have them, of several that say the same: "nemogu" is two, "do not" is one, "ned" is "nicht".

use super::words::Words;

/// Words of dialects, or of those who type in a hurry.
const OTHERS: [(&str, &[&str]); 7] = [
    ("nicht", &["ned", "nich", "nit", "nimmer", "nimma", "nimmermehr"]),
    ("ne moze", &["nemre"]),
    ("ne mogu", &["nemrem"]),
    ("kein", &["koa", "koan", "kane"]),
    ("kann", &["kan", "konn"]),
    ("haben sie", &["hams", "habns", "hamse"]),
    ("unter", &["unta", "untam", "untern", "unterm"]),
];
/// Behind `ne` in one word.
const DENIED: [&str; 39] = [
    "mogu",
    "moze",
    "mozemo",
    "mozes",
    "znam",
    "zna",
    "znamo",
    "dise",
    "disem",
    "disu",
    "radi",
    "rade",
    "mice",
    "micu",
    "odgovara",
    "reagira",
    "reaguje",
    "reagiraju",
    "vidim",
    "vidi",
    "cujem",
    "smijem",
    "smem",
    "smije",
    "sme",
    "ide",
    "koci",
    "koce",
    "drzi",
    "drze",
    "daju",
    "pusta",
    "pustaju",
    "prica",
    "govori",
    "javlja",
    "staje",
    "osjecam",
    "osecam",
];
/// With an `s` for "es" or "sie" behind them.
const WITH_IT: [&str; 20] = [
    "brennt", "kracht", "blutet", "stinkt", "riecht", "raucht", "qualmt", "steht", "geht", "kommt", "liegt", "hilft",
    "schickt", "ruft", "holt", "tropft", "spritzt", "fliegt", "schiesst", "zischt",
];
/// Before a participle in one word.
const BEFORE_PARTICIPLES: [&str; 19] = [
    "", "ab", "an", "auf", "aus", "ein", "um", "nieder", "zusammen", "zsamm", "runter", "rein", "raus", "weg", "hin",
    "los", "fest", "durch", "tot",
];
/// With `not` behind them they are one word.
const WITH_NOT: [(&str, &str); 7] = [
    ("can", "cannot"),
    ("do", "dont"),
    ("does", "doesnt"),
    ("did", "didnt"),
    ("could", "couldnt"),
    ("will", "wont"),
    ("would", "wouldnt"),
];

/// Words, each in the one form.
pub(super) fn in_one_form(words: Words) -> Words {
    Words(words.0.into_iter().map(clause_in_one_form).collect())
}

fn clause_in_one_form(clause: Vec<String>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(clause.len());
    for word in clause {
        let before = words.last().map(String::as_str);
        let with_not = WITH_NOT.iter().find(|(verb, _)| word == "not" && before == Some(verb));
        if let Some((_, joined)) = with_not {
            words.pop();
            words.push((*joined).to_owned());
        } else if let Some((form, _)) = OTHERS.iter().find(|(_, others)| others.contains(&word.as_str())) {
            words.extend(form.split(' ').map(str::to_owned));
        } else if let Some(verb) = word.strip_prefix("ne").filter(|verb| DENIED.contains(verb)) {
            words.extend(["ne".to_owned(), verb.to_owned()]);
        } else if let Some(verb) = word.strip_suffix('s').filter(|verb| WITH_IT.contains(verb)) {
            words.push(verb.to_owned());
        } else {
            words.push(participle(&word).unwrap_or(word));
        }
    }
    words
}

/// A participle as it is written: "gschlagn" is "geschlagen".
fn participle(word: &str) -> Option<String> {
    if word.len() < 6 || !word.ends_with(['n', 't']) {
        return None;
    }
    BEFORE_PARTICIPLES.iter().find_map(|before| {
        let rest = word.strip_prefix(before)?.strip_prefix('g')?;
        rest.starts_with(['b', 'd', 'f', 'h', 'k', 'm', 'p', 's', 't', 'v', 'w', 'z']).then_some(())?;
        let stem = rest.strip_suffix('n').filter(|stem| !stem.ends_with('e'));
        let rest = stem.map_or_else(|| rest.to_owned(), |stem| format!("{stem}en"));
        Some(format!("{}ge{rest}", before.replace("zsamm", "zusammen")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_the_same_is_one() {
        for (text, form) in [
            ("nemogu disat", "ne mogu disat"),
            ("do not shoot", "dont shoot"),
            ("er atmet ned", "er atmet nicht"),
            ("nemam vode", "nemam vode"),
            ("not now", "not now"),
            ("da brennts", "da brennt"),
            ("sie hams niedergschlagn", "sie haben sie niedergeschlagen"),
            ("ghost gdje gefallen", "ghost gdje gefallen"),
        ] {
            assert_eq!(in_one_form(Words::of(text)).0.concat().join(" "), form, "{text}");
        }
    }
}
