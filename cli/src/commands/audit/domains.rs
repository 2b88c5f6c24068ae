//! One audit of a folder for each domain of the keys that were named, made one answer.

use super::judgement::{Line, Mark};
use dualseal::inspect::Kind;
use std::collections::BTreeMap;

/// What several audits of one folder came to.
#[derive(Default)]
pub(super) struct Merged {
    found: Vec<Line>,
    lines: BTreeMap<usize, Line>,
}

impl Merged {
    /// Adds an audit: what it found outside of the folder, and a line for each file.
    pub(super) fn add(&mut self, found: Vec<Line>, lines: Vec<Line>) {
        self.found.extend(found);
        for (index, line) in lines.into_iter().enumerate() {
            let line = match self.lines.remove(&index) {
                Some(known) => better(known, line),
                None => line,
            };
            self.lines.insert(index, line);
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
