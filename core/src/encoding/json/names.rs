//! Where the names of the members begin, of every object that is open.

use alloc::vec::Vec;

/// So many are kept without an allocation, which is more than most texts have.
const FEW: usize = 32;

/// Positions within the 4 GiB that a text may have, four bytes each.
pub(super) struct Names {
    few: [u32; FEW],
    count: usize,
    /// All of them, once they were more than a few.
    many: Vec<u32>,
}

impl Names {
    pub(super) const NONE: Self = Self { few: [0; FEW], count: 0, many: Vec::new() };

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, start: usize) {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        match self.few.get_mut(self.count) {
            Some(free) if self.many.is_empty() => *free = start,
            _ => self.push_beside(start),
        }
        self.count = self.count.saturating_add(1);
    }

    #[cold]
    fn push_beside(&mut self, start: u32) {
        if self.many.is_empty() {
            self.many.extend(self.few);
        }
        // Growing by a quarter: old and new room together are nine bytes for each name, of which a text has one in
        // five bytes (`"":0,`). Doubling would take twelve.
        if self.many.len() == self.many.capacity() {
            self.many.reserve_exact((self.many.len() >> 2).saturating_add(16));
        }
        self.many.push(start);
    }

    /// Those from a place on.
    pub(super) fn since(&mut self, place: usize) -> &mut [u32] {
        let all = if self.many.is_empty() { self.few.get_mut(..self.count) } else { Some(self.many.as_mut_slice()) };
        all.and_then(|all| all.get_mut(place..)).unwrap_or_default()
    }

    /// Forgets those from a place on.
    pub(super) fn truncate(&mut self, place: usize) {
        self.many.truncate(place);
        self.count = self.count.min(place);
    }
}
