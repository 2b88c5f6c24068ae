//! One audit of a folder for each domain of the keys that were named, made one answer.

use super::judgement::{Line, Mark};
use dualseal::inspect::Kind;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What several audits of one folder came to.
#[derive(Default)]
pub(super) struct Merged {
    found: Vec<Line>,
    lines: BTreeMap<PathBuf, Line>,
}

impl Merged {
    /// Adds an audit: what it found outside of the folder, and a line for each file.
    pub(super) fn add(&mut self, found: Vec<Line>, lines: Vec<Line>) {
        self.found.extend(found);
        for line in lines {
            let path = line.path.clone();
            let line = match self.lines.remove(&path) {
                Some(known) => better(known, line),
                None => line,
            };
            self.lines.insert(path, line);
        }
    }

    /// All of it.
    pub(super) fn lines(self) -> Vec<Line> {
        self.found.into_iter().chain(self.lines.into_values()).collect()
    }
}

/// Of two answers on one file the one by keys of its own domain: to the other its signer is nobody. Of two that know it
/// the worse.
fn better(one: Line, other: Line) -> Line {
    // A seal names nobody: in another domain than its signer's it holds for none.
    let is_nobodys = |line: &Line| match line.mark {
        Mark::Unchecked | Mark::Other => true,
        mark => mark == Mark::Invalid && line.identity_id.is_none() && line.kind == Kind::DualSeal.as_str(),
    };
    match (is_nobodys(&one), is_nobodys(&other)) {
        (true, false) => other,
        (false, true) => one,
        _ if other.mark > one.mark => other,
        _ => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, mark: Mark) -> Line {
        Line { mark, ..Line::missing(path.into(), "file", path) }
    }

    /// A file that appears between two audits takes no other one's answer.
    #[test]
    fn answers_are_those_of_one_file() {
        let mut merged = Merged::default();
        merged.add(Vec::new(), vec![line("a", Mark::Unchecked), line("c", Mark::Invalid)]);
        merged.add(Vec::new(), vec![line("a", Mark::Valid), line("b", Mark::Valid), line("c", Mark::Unchecked)]);
        let told: Vec<_> = merged.lines().into_iter().map(|line| (line.text, line.mark)).collect();
        let expected = [("a", Mark::Valid), ("b", Mark::Valid), ("c", Mark::Invalid)];
        assert_eq!(told, expected.map(|(path, mark)| (path.to_owned(), mark)));
    }
}
