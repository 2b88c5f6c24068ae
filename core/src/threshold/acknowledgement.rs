//! What a custodian says when a prepared share has arrived.

use super::quorum::Committed;
use super::session::Session;
use super::share::SessionShare;
use crate::domain::Domain;
use crate::encoding::record::{self, record};
use crate::error::{Error, ThresholdFault};
use crate::shamir::{Commitments, Index, SplitId};
use alloc::string::String;
use subtle::ConstantTimeEq;

/// That a custodian has a share: `{split_id, udio_sidra}`, of which the second is the commitment to it. It holds no
/// secret, and every custodian could say it of every share: whoever counts it authenticated the node that said it, by
/// the channel or by its key, and puts the number of that node's share beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    pub(super) split_id: SplitId,
    pub(super) commitment: [u8; 64],
}

impl SessionShare {
    /// Says that this share has arrived and is what the record commits to.
    ///
    /// # Errors
    /// [`ThresholdFault::NotCommitted`] when it is not: the dealer's fault, or the channel's, and not the custodian's.
    pub fn acknowledge(&self, domain: &Domain, session: &Session) -> Result<Acknowledgement, Error> {
        let committed = Committed { domain, session };
        let held = session
            .commitment(self.index())
            .filter(|_| committed.belongs(self) && bool::from(committed.share_holds(self)));
        let commitment = held.ok_or(ThresholdFault::NotCommitted { index: self.index().get() })?;
        Ok(Acknowledgement { split_id: self.split_id, commitment: *commitment })
    }
}

impl Acknowledgement {
    /// Whether it is what the custodian of this number says of a record.
    pub(super) fn is_of(&self, index: Index, session: &Session) -> bool {
        let is_his = session.commitment(index).is_some_and(|commitment| commitment.ct_eq(&self.commitment).into());
        self.split_id == session.split_id && is_his
    }

    /// The split of the share.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |said: Acknowledgement| "acknowledgement" {
        "split_id" split_id: SplitId,
        "udio_sidra" commitment: [u8; 64],
    }
}
