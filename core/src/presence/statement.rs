//! What people, agents and operators state with an Ed25519 key beside proofs of presence: to log in, to know a peer, to
//! be alive, and to have a node delete a shard.

use super::challenge::{Nonce, check_expiry, refused};
use crate::domain::{Domain, Label, Row};
use crate::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use crate::encoding::check_label;
use crate::encoding::hex;
use crate::encoding::time::Timestamp;
use crate::error::{Error, PresenceFault, Problem, Rejected, ThresholdFault};
use crate::hash::Sha3_256;
use crate::id::{IdentityId, SessionId, VaultId};
use crate::shamir::SplitId;
use crate::shard::CoveredSplits;
use crate::threshold::{SessionInForce, SessionShare};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A statement for one audience: the service, node or log that it is made to.
///
/// The signature is over `P::<label>::<audience>::<what is stated>::<nonce>::<expiry>::S` with the presence row's
/// constants, never over the nonce alone. Whoever is asked draws the nonce, and pins the key.
///
/// ```
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::presence::{Nonce, Statement};
/// use dualseal::{Domain, SystemRng};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let login = Statement::login("vault.example", &ana, "noble")?;
/// let key = Ed25519SigningKey::generate(&mut SystemRng)?;
/// let (now, expiry) = ("2026-11-22T09:00:00.000Z".parse()?, "2026-11-22T09:01:00.000Z".parse()?);
/// let nonce = Nonce::draw(&mut SystemRng)?;
/// let signature = login.sign(&domain, &nonce, expiry, &key);
///
/// let mut unused = true;
/// let mut consume = |_: &Nonce| std::mem::replace(&mut unused, false);
/// login.verify(&domain, &nonce, expiry, key.public_key(), &signature, now, &mut consume)?;
/// assert!(login.verify(&domain, &nonce, expiry, key.public_key(), &signature, now, &mut consume).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    label: Label,
    parts: Vec<String>,
}

impl Statement {
    /// That an identity logs in to an audience with a tier: `P::<LOGIN>::<aud>::<identity_id>::<tier>::…`.
    ///
    /// # Errors
    /// For `aud` and `tier` that are no short texts: [`Problem::Range`](crate::error::Problem::Range) unless they have
    /// 1 to 255 bytes, [`Problem::Ambiguous`](crate::error::Problem::Ambiguous),
    /// [`Problem::Control`](crate::error::Problem::Control).
    pub fn login(audience: &str, identity_id: &IdentityId, tier: &str) -> Result<Self, Error> {
        check_label("tier", tier)?;
        Self::new(Label::PresenceLogin, audience, [identity_id.to_hex(), tier.to_string()])
    }

    /// That an agent answers at a URL: `P::<PEER>::<aud>::<H3(agent_id)>::<H3(url)>::…`.
    ///
    /// # Errors
    /// As [`login`](Self::login), for `aud` and `agent_id`.
    pub fn peer(audience: &str, agent_id: &str, url: &str) -> Result<Self, Error> {
        check_label("agent_id", agent_id)?;
        Self::new(Label::PresencePeer, audience, [digest(agent_id), digest(url)])
    }

    /// That an identity's person is alive and says this: `P::<ALIVE>::<aud>::<identity_id>::<H3(statement)>::…`.
    ///
    /// # Errors
    /// As [`login`](Self::login), for `aud`.
    pub fn alive(audience: &str, identity_id: &IdentityId, statement: &str) -> Result<Self, Error> {
        Self::new(Label::PresenceAlive, audience, [identity_id.to_hex(), digest(statement)])
    }

    /// The operator's word to a node that a split is in force, or that the vault was erased, and older shards go:
    /// `P::<DROP>::<aud>::<vault_id>::<split_id or Z64>::…`. Only the operator's own walk under a checkpoint gives it.
    ///
    /// # Errors
    /// As [`login`](Self::login), for `aud`; [`ShardFault::NoSplit`](crate::error::ShardFault::NoSplit) where there is
    /// neither.
    pub fn drop_older(audience: &str, splits: &CoveredSplits) -> Result<Self, Error> {
        let split_id = match splits.splits().erased_at() {
            Some(_) => SplitId::from_bytes([0; 32]),
            None => *splits.in_force()?.split_id(),
        };
        Self::dropping(audience, splits.splits().vault_id(), &split_id)
    }

    /// The same of a threshold session, to a custodian's node: `P::<DROP>::<aud>::<session_id>::<split_id>::…`, with
    /// the full record of that generation beside it. It names the generation in force, as
    /// [`SessionInForce::quorum`] of the same shares does; where the chain alone does not tell which that is, k shares
    /// of it are needed: anybody may write a record that claims to be one.
    ///
    /// # Errors
    /// As [`login`](Self::login), for `aud`; [`Problem::AllZero`] for a `split_id` that nobody drew: to a node of a
    /// vault of that identifier it would say that the vault was erased;
    /// [`ThresholdFault::StaleGeneration`](crate::error::ThresholdFault::StaleGeneration) where nothing tells which
    /// generation is in force.
    pub fn drop_older_shares(audience: &str, session: &SessionInForce, shares: &[SessionShare]) -> Result<Self, Error> {
        let quorum = session.quorum(shares);
        if !quorum.in_force {
            return Err(Error::Rejected(Rejected::Threshold(ThresholdFault::StaleGeneration)));
        }
        Self::dropping_shares(audience, session.founder().session_id(), &quorum.split_id)
    }

    pub(super) fn dropping_shares(audience: &str, session_id: &SessionId, split_id: &SplitId) -> Result<Self, Error> {
        // The statement does not say of which kind its identifier is, and whoever founds a session writes its record.
        if *split_id.as_bytes() == [0; 32] {
            return Err(Error::malformed("split_id", Problem::AllZero));
        }
        Self::new(Label::PresenceDrop, audience, [session_id.to_hex(), split_id.to_hex()])
    }

    pub(super) fn dropping(audience: &str, vault_id: &VaultId, split_id: &SplitId) -> Result<Self, Error> {
        Self::new(Label::PresenceDrop, audience, [vault_id.to_hex(), split_id.to_hex()])
    }

    fn new(label: Label, audience: &str, stated: [String; 2]) -> Result<Self, Error> {
        check_label("aud", audience)?;
        let [first, second] = stated;
        Ok(Self { label, parts: [audience.to_string(), first, second].into() })
    }

    /// Signs it, for a nonce that the audience drew and an expiry at most 300 seconds ahead.
    #[must_use]
    pub fn sign(&self, domain: &Domain, nonce: &Nonce, expiry: Timestamp, key: &Ed25519SigningKey) -> Ed25519Signature {
        key.sign(self.text(domain, nonce, expiry).as_bytes())
    }

    /// Verifies a signature, strictly, by the key that the audience pinned. `consume` marks the nonce as used and says
    /// whether it was unused until then, in one step that nobody can come between; it is asked last.
    ///
    /// # Errors
    /// [`PresenceFault::Expired`], [`PresenceFault::ExpiryTooFar`], [`PresenceFault::Signature`],
    /// [`PresenceFault::NonceUsed`].
    #[allow(clippy::too_many_arguments, reason = "all of them are what is verified, and none belongs to another")]
    pub fn verify(
        &self,
        domain: &Domain,
        nonce: &Nonce,
        expiry: Timestamp,
        public_key: &Ed25519PublicKey,
        signature: &Ed25519Signature,
        now: Timestamp,
        consume: &mut dyn FnMut(&Nonce) -> bool,
    ) -> Result<(), Error> {
        check_expiry(expiry, now)?;
        if !public_key.accepts(self.text(domain, nonce, expiry).as_bytes(), signature) {
            return Err(refused(PresenceFault::Signature));
        }
        if consume(nonce) { Ok(()) } else { Err(refused(PresenceFault::NonceUsed)) }
    }

    fn text(&self, domain: &Domain, nonce: &Nonce, expiry: Timestamp) -> String {
        let (nonce, expiry) = (nonce.to_hex(), expiry.to_string());
        let mut parts = Vec::from([domain.label(self.label)]);
        parts.extend(self.parts.iter().map(String::as_str));
        parts.extend([nonce.as_str(), expiry.as_str()]);
        domain.join(Row::Presence, &parts)
    }
}

fn digest(text: &str) -> String {
    hex::encode(&Sha3_256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever founds a session writes its record, and may name in it a vault and no split. Signed by the operator,
    /// that would be the word on which a node of the vault deletes all that it has.
    #[test]
    fn no_word_about_a_session_erases_a_vault() {
        let (erased, drawn) = ([0; 32], [8; 32]);
        let of_session =
            |split| Statement::dropping_shares("node", &SessionId::from_bytes([7; 32]), &SplitId::from_bytes(split));
        let of_vault = |split| Statement::dropping("node", &VaultId::from_bytes([7; 32]), &SplitId::from_bytes(split));
        assert_eq!(of_session(erased), Err(Error::malformed("split_id", Problem::AllZero)));
        assert!(of_vault(erased).is_ok());
        // Of other splits both kinds say the same bytes: drawn identifiers alone keep them apart.
        assert_eq!(of_session(drawn), of_vault(drawn));
    }
}
