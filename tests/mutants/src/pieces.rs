//! Text put between the text of a file, and where in the woven text each change then stands.

use std::ops::Range;

/// What one place of a file can be instead.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) range: Range<usize>,
    /// The changes, each with the text that is its alone.
    pub(crate) changes: Vec<(u32, Range<usize>)>,
}

/// Where a place begins and where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Begin(usize),
    End(usize),
    None,
}

/// In front of `at`, instead of `removed` bytes.
struct Piece {
    at: usize,
    removed: usize,
    text: String,
    mark: Mark,
}

/// What is put into one file. What encloses something is begun before it and ended after it.
#[derive(Default)]
pub(crate) struct Pieces {
    list: Vec<Piece>,
    places: Vec<Place>,
}

impl Pieces {
    /// Begins a place; the ranges of its changes are those in `text`.
    pub(crate) fn begin(&mut self, at: usize, text: String, changes: Vec<(u32, Range<usize>)>) -> usize {
        let place = self.places.len();
        self.list.push(Piece { at, removed: 0, text, mark: Mark::Begin(place) });
        self.places.push(Place { range: 0..0, changes });
        place
    }

    pub(crate) fn end(&mut self, at: usize, text: &str, place: usize) {
        self.list.push(Piece { at, removed: 0, text: text.to_owned(), mark: Mark::End(place) });
    }

    pub(crate) fn remove(&mut self, range: Range<usize>) {
        self.list.push(Piece { at: range.start, removed: range.len(), text: String::new(), mark: Mark::None });
    }

    /// The woven text, and its places.
    pub(crate) fn into_text(mut self, original: &str) -> (String, Vec<Place>) {
        // What stands at the same byte stays in the order in which it was put there.
        self.list.sort_by_key(|piece| piece.at);
        let (mut text, mut done) = (String::new(), 0);
        for piece in self.list {
            text.push_str(&original[done..piece.at]);
            done = piece.at + piece.removed;
            if let Mark::Begin(place) = piece.mark {
                let place = &mut self.places[place];
                for (_, range) in &mut place.changes {
                    *range = range.start + text.len()..range.end + text.len();
                }
                place.range = text.len()..text.len() + piece.text.len();
            }
            text.push_str(&piece.text);
            if let Mark::End(place) = piece.mark {
                self.places[place].range.end = text.len();
            }
        }
        text.push_str(&original[done..]);
        (text, self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pieces, Place};

    #[test]
    fn each_place_is_found_in_the_woven_text() {
        let mut pieces = Pieces::default();
        let outer = pieces.begin(0, "<A".to_owned(), vec![(7, 1..2)]);
        let inner = pieces.begin(0, "<B".to_owned(), vec![(8, 1..2)]);
        pieces.end(1, ">", inner);
        pieces.end(2, ">", outer);
        pieces.remove(2..4);
        let (text, places) = pieces.into_text("xy--z");
        assert_eq!(text, "<A<Bx>y>z");
        let [outer, inner] = &places[..] else { panic!("two places") };
        assert_eq!((&text[outer.range.clone()], &text[inner.range.clone()]), ("<A<Bx>y>", "<Bx>"));
        assert_eq!(places[0].changes, [(7, 1..2)]);
        assert_eq!(places[1], Place { range: 2..6, changes: vec![(8, 3..4)] });
    }
}
