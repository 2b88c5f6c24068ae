//! A custodian's share.

use crate::encoding::record::{self, SecretText, record};
use crate::error::Error;
use crate::field::Fp521;
use crate::id::{IdentityId, SessionId};
use crate::shamir::{Index, Share, SplitId};
use alloc::string::String;
use core::fmt;
use zeroize::Zeroizing;

/// A share (UdioInfo): `{indeks, session_id, split_id, vlasnik, vrijednost_hex}`. Its value is wiped when it is
/// dropped.
pub struct SessionShare {
    pub(super) session_id: SessionId,
    pub(super) split_id: SplitId,
    pub(super) owner: IdentityId,
    pub(super) share: Share<Fp521>,
}

impl SessionShare {
    /// Puts a share together from a store that keeps its parts apart.
    #[must_use]
    pub fn new(session_id: SessionId, split_id: SplitId, owner: IdentityId, share: Share<Fp521>) -> Self {
        Self { session_id, split_id, owner, share }
    }

    /// A copy for a call that takes a list of its own.
    pub(super) fn copy(&self) -> Self {
        Self { share: Share::new(self.share.index(), self.share.value()), ..*self }
    }

    /// The session that it says it is of.
    #[must_use]
    pub fn session_id(&self) -> &SessionId {
        &self.session_id
    }

    /// The splitting that it says it is of.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// The custodian (`vlasnik`).
    #[must_use]
    pub fn owner(&self) -> &IdentityId {
        &self.owner
    }

    /// Which share it is (`indeks`).
    #[must_use]
    pub fn index(&self) -> Index {
        self.share.index()
    }

    /// The value (`vrijednost_hex`), 132 characters: whoever has k of them can sign.
    #[must_use]
    pub fn value_hex(&self) -> Zeroizing<String> {
        self.share.to_hex()
    }

    /// The share as canonical JSON, wiped when dropped.
    #[must_use]
    pub fn to_json(&self) -> Zeroizing<String> {
        Zeroizing::new(record::to_json::<Self>(self))
    }

    /// What a node that pulls the share gets: the pair `[indeks, vrijednost_hex]`, wiped when dropped.
    #[must_use]
    pub fn to_pair_json(&self) -> Zeroizing<String> {
        self.share.to_pair_json()
    }

    /// Reads what a node answered that was asked for share `index` of this session: the pair
    /// `[indeks, vrijednost_hex]`, and beside it the split that the node says it is of. Whatever the answer is, it
    /// becomes a share of the one who sent it: one that is no pair, or names another number, does not hold, and its
    /// sender is the culprit. The caller wipes its own copy of the text.
    #[must_use]
    pub fn pulled(session_id: SessionId, split_id: SplitId, owner: IdentityId, index: Index, answer: &[u8]) -> Self {
        Self { session_id, split_id, owner, share: Share::pulled(index, answer) }
    }

    /// Reads the JSON. The caller wipes its own copy of the text.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form;
    /// [`Problem::Range`](crate::error::Problem::Range) for `indeks` outside 1 to 255;
    /// [`Problem::NotCanonical`](crate::error::Problem::NotCanonical) for a value of p or more.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |share: SessionShare| "share" {
        "indeks" index: Index = share.index(),
        "session_id" session_id: SessionId,
        "split_id" split_id: SplitId,
        "vlasnik" owner: IdentityId,
        "vrijednost_hex" value: SecretText<66> = share.value_hex(),
    } => {
        Ok(Self { session_id, split_id, owner, share: Share::from_hex(index, &value)? })
    }
}

impl AsRef<Share<Fp521>> for SessionShare {
    fn as_ref(&self) -> &Share<Fp521> {
        &self.share
    }
}

impl fmt::Debug for SessionShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionShare")
            .field("session_id", &self.session_id)
            .field("split_id", &self.split_id)
            .field("owner", &self.owner)
            .field("share", &self.share)
            .finish()
    }
}
