//! What is denied: "no panic", "pomoć nije potrebna", "kein Notfall". A denial stands before what it denies, with words
//! between that it goes through, or behind it. Any other word ends it: "not ok, help" is a cry.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

type Words = HashSet<&'static str>;

/// The lists of `denials.txt`.
struct Lists {
    /// Words that deny what they stand before.
    deny: Words,
    /// The same of persons: nobody is hurt. "Nobody helps me" is a cry.
    nobody: Words,
    /// Words that take back what follows, unless they are denied themselves.
    take_back: Words,
    /// Through these a denial reaches what it denies.
    through: Words,
    /// Through these, too, where they are of what kind it is and stand next to it: "no heart attack".
    kinds: Words,
    /// Through these only one of persons does: "nobody here is hurt", and "police not here, he has a knife".
    people: Words,
    /// Words that deny persons before one of the last: "no driver is hurt".
    none_of: Words,
    /// Behind what is denied stands one of these, through words of the second list: "help is not needed any more".
    needed: Words,
    between: Words,
    /// Whatever was cried for is over.
    over: Words,
    /// Whatever cries was sent by mistake; whoever drank poison by mistake is in need.
    mistaken: Words,
    signals: Words,
    joins: Words,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut sections: HashMap<&str, Words> = HashMap::new();
    let mut title = "";
    for line in include_str!("denials.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(found) => title = found,
            None => sections.entry(title).or_default().extend(line.split_whitespace()),
        }
    }
    let mut take = |title| sections.remove(title).unwrap_or_default();
    Lists {
        deny: take("deny"),
        nobody: take("nobody"),
        take_back: take("take_back"),
        through: take("through"),
        kinds: take("kinds"),
        people: take("people"),
        none_of: take("none_of"),
        needed: take("needed"),
        between: take("between"),
        over: take("over"),
        mistaken: take("mistaken"),
        signals: take("signals"),
        joins: take("joins"),
    }
});

const MOST_THROUGH: usize = 6;
/// Behind these `ne` is the German article.
const HAS: [&str; 10] = ["hat", "hab", "habe", "haben", "hatte", "mit", "so", "gibt", "is", "wie"];

/// Who says that he, or whoever it is, is in need.
const SUBJECTS: [&str; 12] = ["i", "im", "ive", "we", "weve", "they", "he", "she", "ich", "wir", "ja", "er"];

/// Whether a word says that nobody is there: "nema nikoga".
fn is_nowhere(clause: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| clause.get(at));
    clause[at] == "nikoga" && before.is_some_and(|word| word.starts_with("nema"))
}

/// "Nema ovdje požara", and not "policija nije ovdje, gori".
fn is_none_here(clause: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| clause.get(at));
    ["ovdje", "ovde", "tu"].contains(&&*clause[at]) && before.is_some_and(|word| word.starts_with("nema"))
}

/// Whether a word denies.
pub(super) fn denies(word: &str) -> bool {
    LISTS.deny.contains(word) || LISTS.nobody.contains(word)
}

/// Whether what stands from `start` to `end` is denied before it, or behind it.
pub(super) fn is_denied(clause: &[String], start: usize, end: usize) -> bool {
    denied_before(clause, start) || denied_behind(clause, start, end)
}

/// Whether what begins at `start` is denied before it.
pub(super) fn denied_before(clause: &[String], start: usize) -> bool {
    let (mut is_denied, mut takes_back) = (false, false);
    let mut skipped_need = false;
    let mut joined = false;
    let is_help = is_help(clause.get(start));
    let (mut is_next, mut of_people, mut has_subject) = (!is_help, false, false);
    for (at, word) in clause.iter().map(String::as_str).enumerate().take(start).rev().take(MOST_THROUGH) {
        // "Hat ne Waffe" has one.
        if word == "ne" && at.checked_sub(1).and_then(|at| clause.get(at)).is_some_and(|word| HAS.contains(&&**word)) {
            break;
        }
        // "No police or ambulance" denies both.
        if !denies(word) && (std::mem::take(&mut joined) || LISTS.joins.contains(word)) {
            joined = LISTS.joins.contains(word);
            continue;
        }
        let is_kind = is_next && LISTS.kinds.contains(word);
        is_next &= is_kind;
        has_subject |= SUBJECTS.contains(&word);
        if LISTS.take_back.contains(word) {
            takes_back = true;
        } else if LISTS.nobody.contains(word) && (has_subject || is_nowhere(clause, at)) {
            // "Nobody here, we crashed", and there is nobody: where no comma was typed.
            break;
        } else if of_people && denies(word) {
            is_denied = LISTS.nobody.contains(word) || LISTS.none_of.contains(word);
            break;
        } else if denies_here(word, clause.get(start), skipped_need) {
            is_denied = true;
        } else if LISTS.through.contains(word) || is_kind || is_none_here(clause, at) {
            skipped_need |= word.starts_with("need") || word.starts_with("treba") || word.starts_with("brauch");
        } else if !is_help && at + 1 < start && LISTS.people.contains(word) {
            of_people = true;
        } else {
            break;
        }
    }
    takes_back != is_denied
}

/// Whether a word denies what begins with `first`. "Nobody helps me" is a cry, and "nobody needs help" is none.
fn denies_here(word: &str, first: Option<&String>, skipped_need: bool) -> bool {
    let is_panic = first.is_some_and(|first| first.starts_with("pani"));
    LISTS.nobody.contains(word) && (skipped_need || !is_help(first))
        || LISTS.deny.contains(word)
        || is_panic && ["stop", "quit", "prestani", "prestanite", "kakva"].contains(&word)
}

/// "The fire is out" is over, "help me out" is not.
fn is_fire(word: &str) -> bool {
    ["fire", "flames", "blaze"].contains(&word)
}

fn is_help(word: Option<&String>) -> bool {
    word.is_some_and(|word| {
        ["help", "pomo", "pomaz", "pomag", "hilf", "helf"].iter().any(|stem| word.starts_with(stem))
    })
}

fn denied_behind(clause: &[String], start: usize, end: usize) -> bool {
    let is_signal = clause[start..=end].iter().any(|word| LISTS.signals.iter().any(|one| is_one(word, one)));
    let mut behind = clause.iter().skip(end + 1).map(String::as_str).peekable();
    let mut left = MOST_THROUGH;
    while let Some(word) = behind.next() {
        let is_out = word == "out" && clause.get(end).is_some_and(|fire| is_fire(fire)) && behind.peek() != Some(&"of");
        // "The fire is over", and not "he hangs over the wheel".
        let is_over = LISTS.over.contains(word)
            && (word != "over"
                || behind
                    .peek()
                    .is_none_or(|next| LISTS.between.contains(*next) && !["the", "a", "an"].contains(next)));
        if is_out || is_over || is_signal && LISTS.mistaken.contains(word) {
            return true;
        }
        if LISTS.deny.contains(word) {
            // "No signal" tells why nobody is called.
            let next = behind.find(|word| *word == "signal" || !LISTS.between.contains(*word));
            return next.is_none_or(|word| LISTS.needed.iter().any(|one| is_one(word, one)));
        }
        if !LISTS.between.contains(word) || left == 0 {
            return false;
        }
        left -= 1;
    }
    false
}

fn is_one(word: &str, one: &str) -> bool {
    one.strip_suffix('*').map_or_else(|| word == one, |stem| word.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(text: &str, at: usize) -> bool {
        is_denied(&text.split(' ').map(str::to_owned).collect::<Vec<_>>(), at, at)
    }

    #[test]
    fn what_is_over_is_not_what_lies_over_something() {
        assert!(denied("fire over", 0) && denied("fire is over now", 0));
        assert!(!denied("slumped over the wheel", 0) && !denied("knife over a spot", 0));
        assert!(denied("sos was a mistake", 0) && !denied("poison was a mistake", 0));
    }

    #[test]
    fn persons_are_denied_through_who_they_are_and_what_follows_them_is_not() {
        assert!(denied("nobody here is hurt", 3) && denied("no driver is hurt", 3));
        assert!(!denied("nobody here fire", 2) && !denied("police not here is fire", 4));
        assert!(denied("nema ovdje pozara", 2) && !denied("policija nije ovdje gori", 3));
        assert!(!denied("we crashed no signal", 1) && denied("fire no", 0));
    }

    #[test]
    fn a_german_article_denies_nothing() {
        assert!(denied("ne gori", 1));
        assert!(!denied("er hat ne pistole", 3));
    }
}
