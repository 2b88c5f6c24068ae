//! What an audit does not check, because it does not stand after the checkpoint at which it begins.

use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::Audit;
use super::since::{After, Since};
use super::vaults::with_trap;
use dualseal::IdentityId;
use dualseal::seal::Seal;
use dualseal::threshold::ThresholdResult;

impl Audit<'_> {
    /// Puts aside what has no place after the checkpoint: it is neither valid nor forged.
    pub(super) fn put_aside(&mut self, since: &Since, after: After) {
        for index in 0..self.whats.len() {
            let outcome = match &self.whats[index] {
                What::Signature(record) if after.handles.contains(record.krunica_hash()) => continue,
                What::Seal(Seal::Dual(seal)) => {
                    let message = seal.chain_message(self.domain());
                    let is_after = |who: &IdentityId| after.messages.contains(&(*who, message.clone()));
                    if self.trusted.identities().iter().any(is_after) {
                        continue;
                    }
                    since.before()
                }
                What::Record(record) if after.handles.contains(record.krunica_hash()) => continue,
                What::Record(record) => with_trap(since.before(), record.fragment().is_some()),
                What::Result(result) => match &**result {
                    ThresholdResult::Signed(result) if !after.handles.contains(result.krunica_hash()) => since.before(),
                    _ => continue,
                },
                // It is checked as a whole.
                What::Ledger | What::Records => self.ledger_unchecked(index, since.before()),
                What::Chain => {
                    Judgement::new(Mark::Unchecked, "with --since the home folder's own chain is read, and no other")
                }
                What::Signature(_) | What::Seal(_) => since.before(),
                _ => continue,
            };
            self.whats[index] = What::Told(self.kinds[index], outcome);
        }
        self.after = after;
    }
}
