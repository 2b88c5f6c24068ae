//! Signing checkpoints. A signer never blesses a chain that does not go on from what it signed last.

use super::high_water::HighWaterMark;
use super::record::{Checkpoint, Stated, statement};
use crate::domain::Domain;
use crate::ed25519::Ed25519PublicKey;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse};
use crate::id::{IdentityId, check_label};
use crate::key::KeyRing;
use crate::mldsa::{Hedge, Statement, StatementKey};
use alloc::string::{String, ToString};
use core::fmt;
use rand_core::TryCryptoRng;

/// Signs the checkpoints of one log.
///
/// ```
/// use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
/// use dualseal::key::Unprepared;
/// use dualseal::reader::{ChainReader, TrustedHead};
/// use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp};
///
/// let domain = Domain::default();
/// let log = domain.identity_id(b"", "log", "")?;
/// let key = SigningKey::from_seed(&[5; 32])?;
/// let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
///
/// let mut chain = Krunica::new();
/// chain.append(&domain, &log, "received", Timestamp::MIN)?;
/// let mark = HighWaterMark::first("example.org/log", chain.head(), None)?;
/// // The mark is written to a place of its own, and then:
/// let first = signer.sign(&mark, Timestamp::MIN, &mut SystemRng)?;
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
/// // Later the chain has grown, and is shown to go on from the first checkpoint.
/// chain.append(&domain, &log, "paid", Timestamp::MIN)?;
/// let mut reader = ChainReader::new(&domain, &TrustedHead::beginning()).under(&first)?;
/// for entry in chain.entries() {
///     reader.push(entry)?;
/// }
/// let proofs = reader.finish()?;
/// let agreed = proofs.agreed().expect("read under a checkpoint");
/// let mark = mark.next(&agreed.growth(), None)?;
/// let second = signer.sign(&mark, Timestamp::MIN, &mut SystemRng)?;
/// assert_eq!(second.tree_head().size, 2);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct CheckpointSigner<'a> {
    domain: &'a Domain,
    origin: String,
    identity_id: IdentityId,
    key: &'a dyn StatementKey,
    note_key: Option<Ed25519PublicKey>,
}

impl<'a> CheckpointSigner<'a> {
    /// A signer for the log named `origin` (1 to 255 bytes, no control characters, no `::`, no leading `:`), whatever
    /// became of its key: for who has no ring. The log's own operator uses [`current`](Self::current).
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
        Ok(Self { domain, origin: origin.to_string(), identity_id: *identity_id, key, note_key: None })
    }

    /// A signer whose key is the identity's current one in the log's ring, and valid: a checkpoint by a key that was
    /// retired covers nothing beyond its retirement, and one by a key that was called back is refused by everybody.
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`]; as [`new`](Self::new).
    pub fn current(
        domain: &'a Domain,
        ring: &KeyRing,
        origin: &str,
        identity_id: &IdentityId,
        key: &'a dyn StatementKey,
    ) -> Result<Self, Error> {
        ring.check_signer(identity_id, key.public_key())?;
        Self::new(domain, origin, identity_id, key)
    }

    /// The same for a log that also signs notes, by this key: each checkpoint states it.
    #[must_use]
    pub fn with_note_key(self, note_key: &Ed25519PublicKey) -> Self {
        Self { note_key: Some(*note_key), ..self }
    }

    /// Signs the state of a log, once its mark is where a restored backup does not take it back. The same mark may be
    /// signed again, at another time, and by the next key after a rotation of the log's.
    ///
    /// # Errors
    /// [`Misuse::OtherOrigin`] when the mark is another log's; [`Error::Randomness`]; [`Misuse::UnfitKey`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        mark: &HighWaterMark,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<Checkpoint, Error> {
        if mark.origin != self.origin {
            return Err(Misuse::OtherOrigin.into());
        }
        let stated = Stated { head: &mark.head, ring: mark.ring.as_ref(), note_key: self.note_key.as_ref() };
        let statement = statement(self.domain, &self.origin, &stated, time, &self.identity_id);
        Ok(Checkpoint {
            origin: self.origin.clone(),
            head: mark.head,
            ring: mark.ring,
            note_key: self.note_key,
            time,
            identity_id: self.identity_id,
            public_key: self.key.public_key().clone(),
            signature: self.key.sign_statement(&Statement::Whole(statement.as_bytes()), &Hedge::draw(rng)?)?,
        })
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
