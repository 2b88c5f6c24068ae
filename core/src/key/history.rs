//! Every change of one key, in chain order (`povijest`), and the seq from which it counts as compromised
//! (`opozvan_od`).

use super::KeyState;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::Form;
use crate::error::{Error, Problem};
use alloc::vec::Vec;

/// One change of a key: the seq of its entry, and the state since then. On the wire a pair `[seq, state]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) seq: u64,
    pub(crate) state: KeyState,
}

impl Form for Change {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        let mut items = raw.items().ok_or_else(|| Error::malformed(field, Problem::WrongType))?;
        let (Some(seq), Some(state), None) = (items.next(), items.next(), items.next()) else {
            return Err(Error::malformed(field, Problem::Range));
        };
        Ok(Self { seq: u64::read(seq, field)?, state: KeyState::read(state, field)? })
    }

    fn write(value: &Self, out: &mut Writer) {
        out.open("[");
        out.item();
        u64::write(&value.seq, out);
        out.item();
        KeyState::write(&value.state, out);
        out.close("]");
    }
}

/// What became of a key since it was added. A pinned key has no changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    pub(crate) changes: Vec<Change>,
    pub(crate) compromised_from: Option<u64>,
}

impl History {
    /// Of a key that an entry adds, or puts in another's place.
    pub(super) fn new(seq: u64, state: KeyState) -> Self {
        Self { changes: [Change { seq, state }].into(), compromised_from: None }
    }

    /// As it was read, for a key in this state. A key begins in no state that its addition or rotation cannot give, and
    /// only a revocation sets the seq of the compromise, to its own or an earlier one.
    pub(super) fn checked(changes: Vec<Change>, compromised_from: Option<u64>, state: KeyState) -> Result<Self, Error> {
        if !changes.is_sorted_by(|one, other| one.seq < other.seq) {
            return Err(Error::malformed("povijest", Problem::Order));
        }
        if changes.first().is_none_or(|first| first.state == KeyState::Revoked) {
            return Err(Error::malformed("povijest", Problem::Range));
        }
        if changes.last().is_none_or(|last| last.state != state) {
            return Err(Error::malformed("bela_stanje", Problem::Range));
        }
        let revoked = changes.iter().find(|change| change.state == KeyState::Revoked).map(|change| change.seq);
        if compromised_from.is_some() != revoked.is_some() || compromised_from > revoked {
            return Err(Error::malformed("opozvan_od", Problem::Range));
        }
        Ok(Self { changes, compromised_from })
    }

    /// The seq of the entry that brought the key into the ring; 0 of a pinned key.
    pub(super) fn first(&self) -> u64 {
        self.changes.first().map_or(0, |change| change.seq)
    }

    /// The entry at `seq` sets a state. A revocation sets or lowers the seq of the compromise, and nothing raises it.
    pub(super) fn push(&mut self, seq: u64, state: KeyState, compromised_from: Option<u64>) {
        self.changes.push(Change { seq, state });
        if state == KeyState::Revoked {
            let known = [self.compromised_from, compromised_from].map(|earlier| earlier.unwrap_or(seq));
            self.compromised_from = Some(known.into_iter().fold(seq, u64::min));
        }
    }

    /// The entry that began the revoked interval in which a place lies: from a change to `laz` to the next one to
    /// another state, which is no part of it.
    pub(crate) fn revoked_at(&self, place: u64) -> Option<u64> {
        let until = self.changes.partition_point(|change| change.seq <= place);
        let before = self.changes.get(..until)?.iter().rev();
        before.take_while(|change| change.state == KeyState::Revoked).last().map(|change| change.seq)
    }

    /// Up to which entry a key counts that is not in state `istina`: the one since which it is not, or from which it
    /// counts as compromised where it was revoked since; `None` in state `istina`.
    pub(super) fn ended(&self) -> Option<u64> {
        let others = || self.changes.iter().rev().take_while(|change| change.state != KeyState::Valid);
        let is_revoked = others().any(|change| change.state == KeyState::Revoked);
        let compromised = is_revoked.then(|| self.compromised_from.unwrap_or_default());
        others().map(|change| change.seq).chain(compromised).min()
    }

    /// Whether nothing in it tells of a decoy.
    pub(super) fn check_public(&self) -> Result<(), Error> {
        if *self == self.public() { Ok(()) } else { Err(Error::malformed("povijest", Problem::Repeated)) }
    }

    /// As an outsider may see it: `oboje` reads `istina`, and a change to the state before it is none.
    pub(super) fn public(&self) -> Self {
        let shown = self.changes.iter().map(|change| Change { state: change.state.public(), ..*change });
        let mut changes: Vec<Change> = shown.collect();
        changes.dedup_by_key(|change| change.state);
        Self { changes, compromised_from: self.compromised_from }
    }
}
