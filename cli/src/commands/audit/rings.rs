//! Public rings that were named, held against the largest checkpoint of their log that lies here.

use super::judgement::{Judgement, Line, Mark};
use super::kinds::What;
use super::known::Audit;
use crate::chain_file::unverified_changes;
use crate::evidence::unverified_value;
use crate::output::{integer, object, path_text, text};
use dualseal::checkpoint::AttestedRing;
use dualseal::encoding::json::Value;
use dualseal::error::{EvidenceFault, Rejected, RingFault};
use dualseal::{Error, IdentityId, KeyRing, PublicKey};
use std::borrow::Cow;

/// The number of a checkpoint that states another ring than its chain does.
const MISSTATED: u16 = 209;

impl Audit<'_> {
    /// What a ring says of its keys does not count where a checkpoint that holds is here and does not state it: whoever
    /// edits one gives it a higher number, or another log's name.
    pub(super) fn check_rings(&mut self) {
        let trusted = self.trusted;
        self.tell_false_rings();
        let is_false = self.standing.false_rings().any(|(place, _)| place == 0);
        let unverified = self.standing.unverified().cloned();
        for (path, ring) in trusted.given() {
            let checkpoint = self.standing.newest();
            let attested = checkpoint.map(|checkpoint| (checkpoint, AttestedRing::new(ring.clone(), checkpoint)));
            let (word, outcome) = match attested {
                None => ("unattested", unattested("no checkpoint of its log that holds is here")),
                Some((checkpoint, Ok(_))) if is_false => {
                    let size = checkpoint.record().tree_head().size;
                    let error = Error::from(RingFault::Misstated { size });
                    self.distrusted.extend(ring.identities().copied());
                    let text = format!("it was made up, and nothing that it says counts: {error}");
                    ("refused", Judgement { text, ..Judgement::error(&error) })
                }
                Some((checkpoint, Ok(_))) => {
                    let size = checkpoint.record().tree_head().size;
                    let changes = unverified.as_ref().and_then(unverified_changes);
                    let outcome = Judgement::new(Mark::Noted, format!("attested, as of {size} entries of its log"));
                    ("attested", outcome.and(changes.map(|changes| format!("beware of {changes}"))))
                }
                Some((_, Err(_))) if is_false => {
                    self.unproven.extend(ring.identities().copied());
                    ("unattested", unproven("the newest checkpoint here states a false ring"))
                }
                Some((_, Err(Error::Rejected(Rejected::NotShown(EvidenceFault::ForeignRing))))) => {
                    self.unproven.extend(ring.identities().copied());
                    ("unattested", unproven("the checkpoints here are of another log"))
                }
                Some((
                    _,
                    Err(Error::Rejected(Rejected::NotShown(EvidenceFault::RingMismatch { ring: own, stated }))),
                )) if own > stated => {
                    self.unproven.extend(ring.identities().copied());
                    ("unattested", unproven("it is newer than every checkpoint here"))
                }
                Some((_, Err(error))) => {
                    self.distrusted.extend(ring.identities().copied());
                    let outcome = Judgement::error(&error);
                    let old = matches!(error, Error::Rejected(Rejected::Ring(RingFault::Rollback { .. })));
                    let what = if old { "it is an old one" } else { "it was edited" };
                    let text = format!("{what}, and nothing that it says counts: {}", outcome.text);
                    ("refused", Judgement { text, ..outcome })
                }
            };
            self.rings.push((path.clone(), ring.revision(), word));
            self.found.push(Line {
                path: path.clone(),
                is_inside: false,
                kind: "key ring".to_owned(),
                mark: outcome.mark,
                code: outcome.code,
                text: outcome.text,
                of: None,
                identity_id: None,
                key_hash: None,
                entered: Value::Null,
            });
        }
    }

    /// A checkpoint that states a false ring holds by its signature alone.
    fn tell_false_rings(&mut self) {
        let told: Vec<_> = self.standing.false_rings().map(|(place, text)| (place, text.to_owned())).collect();
        for (place, text) in told {
            let outcome = Judgement { code: Some(MISSTATED), ..Judgement::new(Mark::Invalid, text) };
            for file in self.standing.files(place).collect::<Vec<_>>() {
                let signer = if let What::Checkpoint(checkpoint) = &self.whats[file] {
                    Some(*checkpoint.identity_id())
                } else {
                    None
                };
                self.tell(file, None, signer, outcome.clone());
            }
        }
    }

    /// The ring to ask about an identity.
    pub(super) fn ring(&self, identity_id: &IdentityId) -> Cow<'_, KeyRing> {
        self.nobody(identity_id).unwrap_or_else(|| self.trusted.ring(identity_id))
    }

    /// For whom no ring counts.
    fn nobody(&self, identity_id: &IdentityId) -> Option<Cow<'_, KeyRing>> {
        if self.distrusted.contains(identity_id) || self.unproven.contains(identity_id) {
            return Some(Cow::Owned(KeyRing::nobody()));
        }
        None
    }

    /// The ring to ask about a record that carries its key.
    pub(super) fn ring_of(&self, identity_id: &IdentityId, key: &PublicKey) -> Cow<'_, KeyRing> {
        self.nobody(identity_id).unwrap_or_else(|| self.trusted.ring_of(identity_id, key))
    }

    /// What came of something that does not hold by the ring that is asked about these: where that ring does not count,
    /// nobody can tell.
    pub(super) fn told_by<'i>(&self, mut by: impl Iterator<Item = &'i IdentityId>, outcome: Judgement) -> Judgement {
        if outcome.mark == Mark::Invalid && by.any(|identity_id| self.unproven.contains(identity_id)) {
            return Judgement::new(Mark::Unchecked, "no checkpoint here states the ring of its signer");
        }
        outcome
    }

    /// For scripts: each ring that was named, and whether a checkpoint attests it.
    pub(super) fn told_rings(&self) -> Vec<Value> {
        let told = |(path, revision, word): &(std::path::PathBuf, u64, &str)| {
            let unverified = self.standing.unverified().filter(|_| *word == "attested");
            object([
                ("path", text(path_text(path))),
                ("revision", integer(*revision)),
                ("ring", text(*word)),
                ("unverified", unverified_value(unverified)),
            ])
        };
        self.rings.iter().map(told).collect()
    }
}

fn unproven(why: &str) -> Judgement {
    let text =
        format!("unattested: {why}; nothing that it says counts: it may be edited, or ask for a newer checkpoint");
    Judgement::new(Mark::Unchecked, text)
}

fn unattested(why: &str) -> Judgement {
    Judgement::new(Mark::Noted, format!("unattested: {why}; nothing shows that it is neither edited nor an old one"))
}
