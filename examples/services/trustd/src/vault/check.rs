//! Verifying a record of this service: with its master, and with the place that the last checkpoint proves.

use super::Vault;
use crate::App;
use dualseal::key::Unprepared;
use dualseal::vault::{
    Operator, OperatorRecord, Public, Standing, StoredHash, Tier, TierPolicy, VaultRecord, VaultReport, VaultVerifier,
};
use dualseal::verdict::VerificationResult;
use dualseal::{IdentityId, Located, VerdictKind};
use dualseal_operator::step::State;
use platform::log::Ended;
use platform::problem::Problem;
use std::sync::Arc;

/// What came of a record.
#[derive(Debug)]
pub(crate) struct Checked {
    /// By the operator's policy. Without a place its last layers are not checked.
    pub(crate) report: VaultReport<OperatorRecord>,
    /// What a stranger finds, who needs no place.
    public: Option<VaultReport<VaultRecord>>,
    /// Whether the answer may tell what only the master shows.
    by_master: bool,
}

impl Checked {
    /// Whether it holds, and why not: for natives.
    pub(crate) fn internal(&self) -> VerificationResult {
        self.told(self.public.as_ref().map_or_else(|| self.report.verdict().internal(), |one| one.verdict().internal()))
    }

    /// The same for everybody else.
    pub(crate) fn public(&self) -> VerificationResult {
        let public = self.public.as_ref();
        let result = public.map_or_else(|| self.report.verdict().public(), |one| one.verdict().public());
        let mut told = self.told(result.as_ref().clone());
        told.reason = match told.valid {
            Some(true) => None,
            Some(false) => Some("rejected".to_owned()),
            None => Some("suspended".to_owned()),
        };
        told
    }

    /// Where only the master shows that a layer does not hold, a stranger's yes is none.
    fn told(&self, mut result: VerificationResult) -> VerificationResult {
        if let (true, Some(layer), Some(true)) = (self.by_master, self.report.failed(), result.valid) {
            (result.valid, result.reason) = (Some(false), Some(layer.as_str().to_owned()));
        }
        result
    }

    /// Whether a honeypot key signed it.
    pub(crate) fn is_decoy(&self) -> bool {
        let public = self.public.as_ref().map(|public| public.verdict().kind());
        [public, Some(self.report.verdict().kind())].contains(&Some(VerdictKind::Decoy))
    }
}

/// Verifies the record of an identity against the hash of what is stored of it. Without `by_master` the verdict is a
/// stranger's, so that nobody else learns by asking what only the operator can check.
pub(crate) fn check(
    app: &App,
    vault: &Vault,
    state: &State,
    record: &VaultRecord,
    stored: &StoredHash,
    (identity_id, place, by_master): (&IdentityId, Option<&Place>, bool),
) -> Result<Checked, Problem> {
    let keys = vault.keys.tiers(identity_id)?;
    let tiers = TierPolicy::new(Some(&keys), Tier::Public)?;
    let of = |ring| VaultVerifier::new(app.log.domain(), ring, &Unprepared);
    let unplaced = Standing { place: None, after: None };
    // The ring of a log that has ended says nothing of keys that were called back since.
    let is_called_back = || {
        let now = of(state.ring()).verify(record.redacted(), stored, identity_id, &Public { tiers }, unplaced);
        matches!(now.verdict().kind(), VerdictKind::Revoked | VerdictKind::Suspended | VerdictKind::Decoy)
    };
    let (verifier, standing) = match place {
        Some(Place { ended: Some(_), .. }) if is_called_back() => (of(state.ring()), unplaced),
        Some(Place { ended: Some(ended), located }) => {
            (of(ended.state.ring()), Standing { place: Some(located), after: None })
        }
        Some(Place { ended: None, located }) => (of(state.ring()), Standing { place: Some(located), after: None }),
        None => (of(state.ring()), unplaced),
    };
    let policy = Operator { master: &vault.keys.master, tiers };
    let report = verifier.verify(record.duplicate(), stored, identity_id, &policy, standing);
    let stranger = || verifier.verify(record.redacted(), stored, identity_id, &Public { tiers }, standing);
    let public = (place.is_none() || !by_master).then(stranger);
    Ok(Checked { report, public, by_master })
}

/// Where a record's entry stands.
#[derive(Debug)]
pub(crate) struct Place {
    located: Located,
    /// The log where that is, if it has ended: its ring is the one of that place.
    ended: Option<Arc<Ended>>,
}

/// The place of a record's entry; `None` where no log has this entry, or its last checkpoint does not cover it.
pub(crate) async fn place(app: &App, state: &State, record: &VaultRecord) -> Result<Option<Place>, Problem> {
    let reader = app.log.reader();
    let Some(found) = reader.by_handle(record.krunica_hash()).await? else { return Ok(None) };
    if found.entry != *record.entry() {
        return Ok(None);
    }
    let ended = reader.ended(found.log).await?;
    // One that is no evidence of anything proves no place: the record is then not covered.
    let Some(own) = reader.own_checkpoint(found.log, state).await? else { return Ok(None) };
    let Some(proof) = reader.place(own.record(), found).await? else { return Ok(None) };
    Ok(Some(Place { located: proof.verify(&own)?, ended }))
}

/// The place of a record that stands here, under a checkpoint that is signed for it where none covers it yet.
pub(crate) async fn covered(app: &App, state: &State, record: &VaultRecord) -> Result<Option<Place>, Problem> {
    if let Some(place) = place(app, state, record).await? {
        return Ok(Some(place));
    }
    app.log.checkpoint().await?;
    let state = app.log.state().await?;
    place(app, &state, record).await
}
