//! A checkpoint of the log itself.

use super::Unowned;
use crate::evidence::own_pins;
use dualseal::checkpoint::{Checkpoint, CheckpointVerifier};
use dualseal::key::Unprepared;
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, KeyRing, Verdict, Verified};

/// A checkpoint by a key of the log's own ring, be it a retired one, which counts nowhere else: what the log's chain
/// must go on from, whatever became of the key since.
///
/// ```
/// # use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
/// # use dualseal::key::CheckedRing;
/// # use dualseal::store::StoredState;
/// # use dualseal::{Domain, Head, RingKey, SigningKey, SystemRng};
/// # use dualseal_operator::step::{Batch, State};
/// # let (domain, time) = (Domain::default(), "2026-11-21T09:00:00.000Z".parse()?);
/// # let (ana, key) = (domain.identity_id(b"", "ana", "")?, SigningKey::from_seed(&[5; 32])?);
/// # let authority = RingKey::generate(&domain, &mut SystemRng)?;
/// # let empty = State::new(&domain, CheckedRing::new("example.org/log", &authority)?, StoredState::new(Head::EMPTY))?;
/// # let mut batch = Batch::new(empty);
/// # batch.step(time, |step| step.add_key(&ana, key.public_key()))?;
/// # let (state, _) = batch.place().0.finish(vec![])?;
/// # let first = HighWaterMark::first("example.org/log", state.head(), Some(state.ring()))?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &ana, &key)?;
/// # let signed = signer.sign(&first, time, &mut SystemRng)?;
/// # let stranger = SigningKey::from_seed(&[6; 32])?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &ana, &stranger)?;
/// # let forged = signer.sign(&first, time, &mut SystemRng)?;
/// use dualseal_operator::own::OwnCheckpoint;
///
/// let own = OwnCheckpoint::judge(signed, &domain, "example.org/log", state.ring())?;
/// assert!(own.counts());
/// assert_eq!(own.as_evidence()?.record().tree_head().size, 1);
/// assert!(OwnCheckpoint::judge(forged, &domain, "example.org/log", state.ring()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnCheckpoint {
    checkpoint: Verified<Checkpoint>,
    /// Why it is no evidence of anything.
    discounted: Option<Unowned>,
}

impl OwnCheckpoint {
    /// Of the log that has this name, by its ring.
    ///
    /// # Errors
    /// [`Unowned::Honeypot`], [`Unowned::Invalid`] and [`Unowned::Signature`].
    pub fn judge(checkpoint: Checkpoint, domain: &Domain, origin: &str, ring: &KeyRing) -> Result<Self, Unowned> {
        let pins = own_pins(origin, &checkpoint);
        let verify = |ring, checkpoint| CheckpointVerifier::new(domain, &pins, ring, &Unprepared).verify(checkpoint);
        let counts = match verify(Some(ring), checkpoint.clone()) {
            Verdict::Valid(_) => true,
            Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::RetiredKey => true,
            // A honeypot key, which the ring knows by its hash alone, never signs a checkpoint.
            Verdict::Decoy(ticket)
                if ring.info(&pins.identity_id).is_none_or(|info| info.public_key.hash() != ticket.key_hash()) =>
            {
                return Err(Unowned::Honeypot);
            }
            Verdict::Invalid(rejection) => return Err(Unowned::Invalid(rejection.reason())),
            Verdict::Revoked(_) | Verdict::Suspended(_) | Verdict::Decoy(_) => false,
        };
        let checkpoint = verify(None, checkpoint).valid().ok_or(Unowned::Signature)?;
        let size = checkpoint.record().tree_head().size;
        let is_late = ring.retired_at(&pins.identity_id, &pins.key_hash).is_some_and(|retired| size > retired);
        let discounted = match counts {
            true if is_late => Some(Unowned::Late),
            true => None,
            false => Some(Unowned::Discounted),
        };
        Ok(Self { checkpoint, discounted })
    }

    /// Whether it is evidence: its key counts, or did when it signed it.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.discounted.is_none()
    }

    /// What was signed, whatever became of the key since: it is no evidence of anything else.
    #[must_use]
    pub fn into_signed(self) -> Verified<Checkpoint> {
        self.checkpoint
    }

    /// The same as evidence.
    ///
    /// # Errors
    /// [`Unowned::Late`] and [`Unowned::Discounted`].
    pub fn as_evidence(self) -> Result<Verified<Checkpoint>, Unowned> {
        self.discounted.map_or(Ok(self.checkpoint), Err)
    }
}
