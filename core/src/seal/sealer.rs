//! Making seals.

use super::SealKey;
use super::stream::Layers;
use super::text::{DualSeal, LegacySeal};
use crate::domain::Domain;
use crate::encoding::hex;
use crate::error::{Error, Misuse};
use crate::id::IdentityId;
use crate::key::KeyRing;
use crate::mldsa::{Hedge, Kept, PublicKey, Statement, StatementKey};
use core::fmt;
use rand_core::TryCryptoRng;

/// Seals for one identity in one domain.
///
/// ```
/// use dualseal::key::Unprepared;
/// use dualseal::seal::{Conclusion, Legacy, Policy, SealKey, SealVerifier, Sealer};
/// use dualseal::secret::Secret;
/// use dualseal::{Domain, KeyRing, SigningKey, SystemRng, Verdict};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let signing = SigningKey::from_seed(&[7; 32])?;
/// let key = SealKey::derive(&domain, &Secret::from_slice("master", &[9; 32])?, &ana);
/// let seal = Sealer::new(&domain, &ana, &key, &signing).seal(b"one contract", &mut SystemRng)?;
///
/// let ring = KeyRing::pinned(&ana, signing.public_key().clone());
/// let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
/// let report = verifier.verify(&seal.into(), b"one contract", &ana, Policy::Both(&key), Legacy::Refused, None);
/// assert!(matches!(report.conclusion, Conclusion::Verdict(Verdict::Valid(_))));
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct Sealer<'a> {
    domain: &'a Domain,
    identity_id: IdentityId,
    key: &'a SealKey,
    signing: &'a dyn StatementKey,
}

impl<'a> Sealer<'a> {
    /// A sealer for `identity_id`, whatever became of its signing key: for who has no ring. Of an operator's own
    /// identities use [`current`](Self::current).
    #[must_use]
    pub fn new(domain: &'a Domain, identity_id: &IdentityId, key: &'a SealKey, signing: &'a dyn StatementKey) -> Self {
        Self { domain, identity_id: *identity_id, key, signing }
    }

    /// A sealer whose signing key is the identity's current one in a ring, and valid.
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`].
    pub fn current(
        domain: &'a Domain,
        ring: &KeyRing,
        identity_id: &IdentityId,
        key: &'a SealKey,
        signing: &'a dyn StatementKey,
    ) -> Result<Self, Error> {
        ring.check_signer(identity_id, signing.public_key())?;
        Ok(Self::new(domain, identity_id, key, signing))
    }

    /// Makes a dual seal over a payload in memory. Layer B is hedged (FIPS 204, section 3.4).
    ///
    /// # Errors
    /// [`Misuse::ReservedPayload`] for a payload that begins with the vault or shard prefix and `::`;
    /// [`Misuse::LegacySealKey`]; [`Misuse::UnfitKey`]; [`Error::Randomness`].
    pub fn seal<R: TryCryptoRng + ?Sized>(&self, payload: &[u8], rng: &mut R) -> Result<DualSeal, Error> {
        let mut stream = self.begin()?;
        stream.update(payload);
        stream.finish(rng)
    }

    /// As [`seal`](Self::seal), with whose seal it is: for who appends its entry.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    pub fn seal_unplaced<R: TryCryptoRng + ?Sized>(&self, payload: &[u8], rng: &mut R) -> Result<UnplacedSeal, Error> {
        let mut stream = self.begin()?;
        stream.update(payload);
        stream.finish_unplaced(rng)
    }

    /// As [`seal`](Self::seal), for a reserved payload, which only the library itself builds.
    pub(crate) fn seal_reserved<R: TryCryptoRng + ?Sized>(
        &self,
        payload: &[u8],
        rng: &mut R,
    ) -> Result<DualSeal, Error> {
        let mut stream = self.begin()?;
        stream.update(payload);
        stream.sign(&Hedge::draw(rng)?)
    }

    /// As [`seal`](Self::seal), with randomness that was drawn before.
    pub(crate) fn seal_hedged(&self, payload: &[u8], hedge: &Hedge) -> Result<DualSeal, Error> {
        let mut stream = self.begin()?;
        stream.update(payload);
        stream.refuse_reserved()?;
        stream.sign(hedge)
    }

    /// As [`seal`](Self::seal), for a payload that comes in parts.
    ///
    /// # Errors
    /// [`Misuse::LegacySealKey`].
    pub fn begin(&self) -> Result<SealStream<'a>, Error> {
        if self.key.is_legacy() {
            return Err(Misuse::LegacySealKey.into());
        }
        let layers = Layers::new(self.domain, Some(self.key), [self.signing.public_key()], Kept::begin());
        Ok(SealStream { sealer: self.clone(), layers })
    }

    /// Makes a legacy seal, layer A alone, for those who read nothing else yet.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    pub fn seal_legacy(&self, payload: &[u8]) -> Result<LegacySeal, Error> {
        let mut stream = self.begin()?;
        stream.update(payload);
        stream.refuse_reserved()?;
        Ok(LegacySeal { hmac: stream.finish_mac()? })
    }
}

impl fmt::Debug for Sealer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("domain", self.domain)
            .field("identity_id", &self.identity_id)
            .finish_non_exhaustive()
    }
}

/// A dual seal with whose it is, as its sealer made it, which has no place in the chain yet. The seal names no key: who
/// appends its entry has nothing else to hold against the ring. Nothing but a sealer makes one.
#[derive(Clone, Debug)]
pub struct UnplacedSeal {
    seal: DualSeal,
    domain: Domain,
    identity_id: IdentityId,
    public_key: PublicKey,
}

impl UnplacedSeal {
    /// The seal.
    #[must_use]
    pub fn seal(&self) -> &DualSeal {
        &self.seal
    }

    /// Whose it is.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The domain that it holds in.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The key that made it.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }
}

/// A seal in the making; see [`Sealer::begin`].
pub struct SealStream<'a> {
    sealer: Sealer<'a>,
    layers: Layers,
}

impl SealStream<'_> {
    /// Takes the next part of the payload.
    pub fn update(&mut self, payload: &[u8]) {
        self.layers.update(payload);
    }

    /// The dual seal over all parts.
    ///
    /// # Errors
    /// As [`Sealer::seal`].
    pub fn finish<R: TryCryptoRng + ?Sized>(self, rng: &mut R) -> Result<DualSeal, Error> {
        self.refuse_reserved()?;
        self.sign(&Hedge::draw(rng)?)
    }

    /// The same, with whose seal it is: for who appends its entry.
    ///
    /// # Errors
    /// As [`Sealer::seal`].
    pub fn finish_unplaced<R: TryCryptoRng + ?Sized>(self, rng: &mut R) -> Result<UnplacedSeal, Error> {
        let Sealer { domain, identity_id, signing, .. } = self.sealer;
        let (domain, public_key) = (domain.clone(), signing.public_key().clone());
        Ok(UnplacedSeal { seal: self.finish(rng)?, domain, identity_id, public_key })
    }

    fn sign(mut self, hedge: &Hedge) -> Result<DualSeal, Error> {
        let hmac = self.finish_mac()?;
        let Sealer { domain, identity_id, signing, .. } = self.sealer;
        let (mus, kept) = self.layers.finish(domain, &hex::encode(&hmac), &identity_id);
        let statement = Statement::Parts(mus.first().ok_or(Misuse::UnfitKey)?, &kept);
        Ok(DualSeal { hmac, signature: signing.sign_statement(&statement, hedge)? })
    }

    fn refuse_reserved(&self) -> Result<(), Error> {
        if self.layers.is_reserved() { Err(Misuse::ReservedPayload.into()) } else { Ok(()) }
    }

    fn finish_mac(&mut self) -> Result<[u8; 64], Error> {
        // `begin` gave the layers a key.
        self.layers.finish_mac().ok_or(Error::Misuse(Misuse::LegacySealKey))
    }
}

impl fmt::Debug for SealStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealStream").field("sealer", &self.sealer).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl std::io::Write for SealStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
