//! What makes words of a cry none: idioms, questions, what is past or made up, a fire that is out.

use super::pattern::{Item, MOST_GAP, Pattern, Patterns, Said};
use super::words::Words;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The lists of `frames.txt`.
struct Frames {
    /// These take a cry back, wherever they stand.
    takes_back: Patterns,
    /// A question: its clause tells nothing.
    asked: Patterns,
    /// What has words of a cry and is none.
    harmless: Patterns,
    /// Its clause tells of what is past, made up or somebody else's, unless it has one of the next.
    told: Patterns,
    now: Patterns,
    /// Words that are no cry up to where one of the next is said, by a clause that has none of the last.
    fire: Item,
    is_out: Patterns,
    unsure: Item,
    /// All of such a message is told or made up, but for clauses that have one of `now` that is no plea.
    story: Patterns,
    asks: Item,
    /// Who laughs is in no danger, unless he says that he means it.
    laughs: Item,
    means_it: Patterns,
    /// Accidents of others: words that are no cry where a message tells of a queue, and of none that was in it.
    wreck: Item,
    queue: Patterns,
    was_in_it: Patterns,
}

static FRAMES: LazyLock<Frames> = LazyLock::new(|| {
    let mut sections: HashMap<&str, String> = HashMap::new();
    let mut title = "";
    for line in include_str!("frames.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(found) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            title = found;
            continue;
        }
        let text = sections.entry(title).or_default();
        if !text.is_empty() && !text.ends_with('|') {
            text.push(' ');
        }
        text.push_str(line);
    }
    let mut patterns = |title, most_between| -> Vec<Pattern> {
        let text = sections.remove(title).unwrap_or_default();
        let texts = text.split(';').map(str::trim).filter(|text| !text.is_empty());
        texts.map(|text| Pattern::of(text, most_between)).collect()
    };
    let takes_back = Patterns::of(patterns("false", MOST_GAP));
    let asked = Patterns::of(patterns("asked", MOST_GAP));
    let mut harmless = patterns("harmless", MOST_GAP);
    let mut exact = |title| patterns(title, 1).into_iter().map(Pattern::exactly);
    harmless.extend(exact("idioms"));
    let [told, now, is_out, story, means_it, queue, was_in_it] =
        ["told", "now", "out", "story", "earnest", "queue", "in it"].map(|title| Patterns::of(exact(title).collect()));
    let harmless = Patterns::of(harmless);
    let item = |title| Item::of(sections.get(title).map_or("", |text| text.trim()), 0).exactly();
    let [fire, unsure, asks, laughs, wreck] = ["fire", "unsure", "pleas", "laughs", "wreck"].map(item);
    Frames {
        takes_back,
        asked,
        harmless,
        told,
        now,
        fire,
        is_out,
        unsure,
        story,
        asks,
        laughs,
        means_it,
        wreck,
        queue,
        was_in_it,
    }
});

/// Whether a message takes a cry back, or says that it does not.
pub(super) fn takes_back(words: &Words) -> Option<Said> {
    if words.all().any(|word| FRAMES.laughs.fits(word)) && !stand(&FRAMES.means_it, words) {
        return Some(Said::Yes);
    }
    let found: Vec<Said> = FRAMES.takes_back.said(words).map(|(_, said)| said).collect();
    found.iter().copied().find(|said| *said == Said::Denied).or(found.first().copied())
}

/// What of a message may be a cry.
pub(super) fn without_framed(words: &Words) -> Words {
    // What burns behind it, burns.
    let out = words.0.iter().rposition(|clause| is_out(clause));
    let is_story = words.0.iter().any(|clause| FRAMES.story.stand_undenied(clause));
    let is_of_others = stand(&FRAMES.queue, words) && !stand(&FRAMES.was_in_it, words);
    let clauses = words.0.iter().enumerate();
    let clauses = clauses.filter(|(_, clause)| !is_framed(clause) && (!is_story || is_now(clause)));
    let clauses = clauses.flat_map(|(at, clause)| {
        let is_out = out.is_some_and(|last| at <= last);
        without_harmless(clause).into_iter().flat_map(move |clause| {
            let is_none = |word: &String| is_out && FRAMES.fire.fits(word) || is_of_others && FRAMES.wreck.fits(word);
            let parts = clause.split(is_none).map(<[String]>::to_vec);
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>()
        })
    });
    Words(clauses.collect())
}

/// Whether one of them stands in a message, denied or not.
fn stand(patterns: &Patterns, words: &Words) -> bool {
    words.0.iter().any(|clause| patterns.spans(clause).next().is_some())
}

/// Whether a clause of a story tells of now.
fn is_now(clause: &[String]) -> bool {
    let told: Vec<String> = clause.iter().filter(|word| !FRAMES.asks.fits(word)).cloned().collect();
    [&FRAMES.now, &FRAMES.means_it].into_iter().any(|patterns| patterns.spans(&told).next().is_some())
}

/// Whether a clause is a question, or tells of what is past or made up.
fn is_framed(clause: &[String]) -> bool {
    let stands = |patterns: &Patterns| patterns.spans(clause).next().is_some();
    stands(&FRAMES.asked) || FRAMES.told.stand_undenied(clause) && !stands(&FRAMES.now)
}

/// Whether a clause says that a fire is out, and not that somebody tries.
fn is_out(clause: &[String]) -> bool {
    FRAMES.is_out.spans(clause).next().is_some() && !clause.iter().any(|word| FRAMES.unsure.fits(word))
}

/// A clause without what is no cry in it: what stands beside it may be one.
fn without_harmless(clause: &[String]) -> Vec<Vec<String>> {
    let mut is_kept = vec![true; clause.len()];
    for (start, end) in FRAMES.harmless.spans(clause) {
        is_kept[start..=end].fill(false);
    }
    let kept = clause.iter().zip(is_kept).map(|(word, is_kept)| is_kept.then(|| word.clone())).collect::<Vec<_>>();
    kept.split(Option::is_none)
        .filter(|part| !part.is_empty())
        .map(|part| part.iter().flatten().cloned().collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<Vec<String>> {
        without_framed(&Words::of(text)).0
    }

    #[test]
    fn what_is_harmless_is_left_out_and_what_stands_beside_it_is_not() {
        assert!(left("traffic is murder").is_empty());
        assert_eq!(left("my phone died, driver died"), [vec!["my"], vec!["driver", "died"]]);
        assert_eq!(left("fire in the cab help me"), [["fire", "in", "the", "cab", "help", "me"]]);
    }

    #[test]
    fn what_is_past_or_asked_is_left_out_unless_it_is_now() {
        for text in ["robbery here last year", "what do i do if there is a fire", "a movie about hijackers"] {
            assert!(left(text).is_empty(), "{text}");
        }
        for text in ["no help since last week", "what do i do he is not breathing", "this is no movie"] {
            assert!(!left(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_story_is_left_out_and_what_somebody_calls_out_in_one_is_not() {
        assert!(left("evacuation drill today, they shout fire").is_empty());
        assert_eq!(left("please send the claim form for the slashed tarp, nothing taken").len(), 0);
        assert!(left("fire drill, somebody really fell, help").concat().contains(&"fell".to_owned()));
    }

    #[test]
    fn who_laughs_takes_it_back_unless_he_means_it() {
        let takes_back = |text| takes_back(&Words::of(text));
        assert_eq!(takes_back("my wife will kill me haha"), Some(Said::Yes));
        assert_eq!(takes_back("haha no joke he has a knife"), None);
        assert_eq!(takes_back("he has a knife"), None);
    }

    #[test]
    fn an_accident_of_others_is_left_out_of_a_queue_and_ones_own_is_not() {
        assert!(!left("accident on the A1, I stand in the queue").concat().contains(&"accident".to_owned()));
        assert!(left("I had an accident, there is a queue now").concat().contains(&"accident".to_owned()));
        assert!(left("accident, queue, people are bleeding").concat().contains(&"bleeding".to_owned()));
    }

    #[test]
    fn a_fire_that_is_out_is_none_and_one_that_somebody_tries_to_put_out_is() {
        assert!(!left("fire in the engine, it was put out").concat().contains(&"fire".to_owned()));
        assert!(left("fire in the engine, it cant be put out").concat().contains(&"fire".to_owned()));
    }
}
