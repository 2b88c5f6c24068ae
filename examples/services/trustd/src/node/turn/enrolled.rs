//! Authenticators: who a person is the node does not take from the service's list alone. Each that it does not know has
//! an entry in the log whose key it pinned, which whoever follows the log sees as well; and it waits here.

use crate::node::{ClientError, Node, NodeError};
use crate::presence::verify::{Authenticators, enrolled};
use crate::qt::types::PollAuthenticator;
use dualseal::checkpoint::PlaceProof;
use dualseal::note::{LogProof, Note, NoteKey};

impl Node {
    /// The authenticators that this node has known long enough.
    pub(super) async fn known(&self, told: &[PollAuthenticator]) -> Result<Authenticators, NodeError> {
        let (now, before) = (self.clock.millis(), self.keeper.known()?);
        let mut placed = Vec::with_capacity(told.len());
        for one in told {
            if before.iter().any(|known| known.is(one)) || self.is_placed(one).await {
                placed.push(one.clone());
            }
        }
        let mut counting = Authenticators::new(self.config.page());
        for known in self.keeper.authenticators(&placed, now)? {
            let one = &known.authenticator;
            if known.since.saturating_add(self.config.authenticators_count_after.millis()) <= now {
                counting.add(&one.identity_id.0, one.kind, &one.material);
            }
        }
        Ok(counting)
    }

    /// Whether the log says, under a checkpoint, that it was enrolled. What cannot be asked now is asked again.
    async fn is_placed(&self, one: &PollAuthenticator) -> bool {
        let shown = match one.entry {
            Some(seq) => self.client.place(seq).await,
            None => Err(ClientError::Answer("entry of the log")),
        };
        let (identity, kind, material) = (one.identity_id.0, one.kind.as_str(), &*one.material);
        match shown {
            Ok((proof, note)) => {
                let is_said = says(&self.pinned.log, one, &proof, note);
                if !is_said {
                    tracing::warn!(%identity, kind, material, "the log does not say that an authenticator is enrolled");
                }
                is_said
            }
            Err(error) => {
                tracing::info!(%identity, kind, material, %error, "an authenticator has no place in the log yet");
                false
            }
        }
    }
}

/// Whether an entry of the log, under a note by its key, says that an authenticator was enrolled.
fn says(log: &NoteKey, one: &PollAuthenticator, proof: &PlaceProof, note: Note) -> bool {
    let (entry, path) = (proof.entry(), proof.path().to_vec());
    let is_of = *entry.identity_id() == one.identity_id.0
        && enrolled(one.kind, &one.material).is_some_and(|said| said == entry.message());
    is_of && LogProof::new(entry.seq(), path, note).verify(&entry.leaf_hash(), log).is_ok()
}
