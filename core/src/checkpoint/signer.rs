//! Signing checkpoints. A signer never blesses a chain that does not go on from what it signed last.

use super::agreement::AgreedChain;
use super::record::{Checkpoint, check_head, statement};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse};
use crate::id::{IdentityId, check_label};
use crate::krunica::Head;
use crate::mldsa::{Hedge, Mu, StatementKey};
use alloc::string::{String, ToString};
use core::fmt;
use rand_core::TryCryptoRng;

/// Signs the checkpoints of one log.
///
/// ```
/// use dualseal::checkpoint::{ChainCheck, CheckpointSigner, CheckpointVerifier, Pins};
/// use dualseal::key::Unprepared;
/// use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp};
///
/// let domain = Domain::default();
/// let log = domain.identity_id(b"", "log", "")?;
/// let key = SigningKey::from_seed(&[5; 32])?;
/// let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
///
/// let mut chain = Krunica::new();
/// chain.append(&domain, &log, "received", Timestamp::MIN)?;
/// let first = signer.sign_first(chain.head(), Timestamp::MIN, &mut SystemRng)?;
///
/// let pins = Pins {
///     origin: "example.org/log".into(),
///     identity_id: log,
///     key_hash: *key.public_key().hash(),
///     least_size: 0,
/// };
/// let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
/// let first = verifier.verify(first).valid().expect("just signed");
///
/// // Later the chain has grown, and the signer sees that it goes on from the first checkpoint.
/// chain.append(&domain, &log, "paid", Timestamp::MIN)?;
/// let mut check = ChainCheck::new(&first);
/// for entry in chain.entries() {
///     check.push(entry)?;
/// }
/// let second = signer.sign_next(&check.finish()?, Timestamp::MIN, &mut SystemRng)?;
/// assert_eq!(second.head().size(), 2);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct CheckpointSigner<'a> {
    domain: &'a Domain,
    origin: String,
    identity_id: IdentityId,
    key: &'a dyn StatementKey,
}

impl<'a> CheckpointSigner<'a> {
    /// A signer for the log named `origin` (1 to 255 bytes, no control characters, no `::`, no leading `:`).
    ///
    /// # Errors
    /// [`Problem`](crate::error::Problem) `Range`, `Ambiguous` or `Control` for `origin`.
    pub fn new(
        domain: &'a Domain,
        origin: &str,
        identity_id: &IdentityId,
        key: &'a dyn StatementKey,
    ) -> Result<Self, Error> {
        check_label("origin", origin)?;
        Ok(Self { domain, origin: origin.to_string(), identity_id: *identity_id, key })
    }

    /// Signs the first checkpoint of a log: once, for there is nothing that the chain could be compared with.
    ///
    /// # Errors
    /// [`Problem::Range`](crate::error::Problem::Range) for `top` or `time_top` when a head of size 0 has another than
    /// zeros; [`Error::Randomness`]; [`Misuse::UnfitKey`].
    pub fn sign_first<R: TryCryptoRng + ?Sized>(
        &self,
        head: &Head,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<Checkpoint, Error> {
        check_head(head)?;
        let statement = statement(self.domain, &self.origin, head, time, &self.identity_id);
        let mu = Mu::of(self.key.public_key(), statement.as_bytes());
        Ok(Checkpoint {
            origin: self.origin.clone(),
            head: *head,
            time,
            identity_id: self.identity_id,
            public_key: self.key.public_key().clone(),
            signature: self.key.sign_mu(mu, &Hedge::draw(rng)?)?,
        })
    }

    /// Signs the head of a chain that was shown to agree with the last checkpoint. After a rotation of the log's key,
    /// the new key signs the same chain again this way.
    ///
    /// # Errors
    /// [`Misuse::OtherOrigin`] when that checkpoint is another log's; [`Error::Randomness`]; [`Misuse::UnfitKey`].
    pub fn sign_next<R: TryCryptoRng + ?Sized>(
        &self,
        chain: &AgreedChain,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<Checkpoint, Error> {
        if chain.origin() != self.origin {
            return Err(Misuse::OtherOrigin.into());
        }
        self.sign_first(chain.head(), time, rng)
    }
}

impl fmt::Debug for CheckpointSigner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckpointSigner")
            .field("origin", &self.origin)
            .field("identity_id", &self.identity_id)
            .field("public_key", self.key.public_key())
            .finish_non_exhaustive()
    }
}
