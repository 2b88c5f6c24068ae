//! Who acts, and with which key: found out before a document is read, so that nobody waits for the home folder while
//! the document comes slowly, and held against the folder again when it is to be written to.

use super::Home;
use crate::failure::{BUSY, Failure, HOME, status_of};
use crate::input;
use crate::secrets::Passphrase;
use dualseal::{IdentityId, KeyRing, KeyState, PublicKey, SigningKey, VerdictKind};
use dualseal_operator::own::{Unfit, may_sign};
use zeroize::Zeroizing;

/// An identity with its current signing key.
pub(crate) struct Actor {
    pub(crate) identity_id: IdentityId,
    pub(crate) key: SigningKey,
    file: Zeroizing<Vec<u8>>,
}

impl Home {
    /// Reads the signing key of an identity, to use it after the lock on the folder was given up. A key that counts for
    /// nothing is refused.
    pub(crate) fn actor(&self, identity_id: &IdentityId, passphrase: &Passphrase) -> Result<Actor, Failure> {
        let key = self.signing_key(identity_id, passphrase)?;
        Self::may_sign(self.state(passphrase)?.ring(), identity_id, key.public_key())?;
        let file = Zeroizing::new(input::small(&self.key_path(identity_id))?);
        Ok(Actor { identity_id: *identity_id, key, file })
    }

    /// Refuses a key that is not the current one any more, or was called back: what it signs counts for nothing.
    pub(crate) fn still(&self, actor: &Actor, passphrase: &Passphrase) -> Result<(), Failure> {
        let file = Zeroizing::new(input::small(&self.key_path(&actor.identity_id))?);
        if file != actor.file {
            let message = "the signing key was changed while the document was read; nothing was made";
            return Err(Failure::new(BUSY, message, "run the command again, with the document from its beginning"));
        }
        Self::may_sign(self.state(passphrase)?.ring(), &actor.identity_id, actor.key.public_key())
    }

    /// The signing key of an identity, to use it at once.
    pub(crate) fn signer(
        &self,
        ring: &KeyRing,
        identity_id: &IdentityId,
        passphrase: &Passphrase,
    ) -> Result<SigningKey, Failure> {
        let key = self.signing_key(identity_id, passphrase)?;
        Self::may_sign(ring, identity_id, key.public_key())?;
        Ok(key)
    }

    /// Refuses a key that others will not take: one that was called back or suspended, a decoy, and one that is not the
    /// identity's current key. The ring was held against the chain.
    pub(crate) fn may_sign(ring: &KeyRing, identity_id: &IdentityId, key: &PublicKey) -> Result<(), Failure> {
        Ok(may_sign(ring, identity_id, key)?)
    }
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Self {
        let message = match unfit {
            Unfit::NotCurrent(identity_id) => format!("the signing key here is not the current one of {identity_id}"),
            _ => unfit.to_string(),
        };
        let (status, next) = match unfit {
            Unfit::State(_, KeyState::Revoked) => {
                (status_of(VerdictKind::Revoked.code()), "put a new key in its place by `dualseal key rotate`")
            }
            Unfit::State(_, KeyState::Suspended) => {
                let next = "mark it as valid by `dualseal key state`, if it may sign again";
                (status_of(VerdictKind::Suspended.code()), next)
            }
            Unfit::State(_, KeyState::Decoy) => {
                (status_of(VerdictKind::Decoy.code()), "say who signs instead with --as NAME")
            }
            _ => (HOME, "restore its file in keys/ from a copy of the home folder"),
        };
        Self::new(status, format!("{message}; nothing was made"), next).refusing(unfit.name())
    }
}
