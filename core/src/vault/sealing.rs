//! Making records: what each layer says is computed in the order L0, L1, L2, L3, L4, L7, L5, L8, L6.

use super::entry::RecordEntry;
use super::keys::VaultMaster;
use super::layers;
use super::record::{Block, Encryption, Fragment, Header, LayerHash, LedgerHead, SessionTag, Tier, VaultRecord};
use super::stored::{StoredHash, StoredHasher};
use crate::domain::Domain;
use crate::ed25519::Ed25519SigningKey;
use crate::encoding::check_label;
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Problem};
use crate::field::Gf2_256;
use crate::id::IdentityId;
use crate::key::KeyRing;
use crate::krunica::{Appended, Entry, Head};
use crate::mldsa::{PublicKey, StatementKey};
use crate::seal::{DualSeal, Sealer};
use crate::secret::Distinct;
use crate::shamir::DrawnSecret;
use crate::stream::{Encryptor, Purpose};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};

/// The type of the records that say that another one was erased.
pub(super) const ERASURE: &str = "ERASURE";

/// Where a record goes, and what is told of it from outside. It is needed when all of the document has been read, so
/// that a long document holds up nobody else.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The head of the ledger.
    pub ledger: &'a LedgerHead,
    /// The head of the chain.
    pub head: &'a Head,
    /// What the network's perimeter reported (L1); empty when there is nothing.
    pub note: &'a str,
    /// The time of the record and its entry.
    pub time: Timestamp,
}

/// A new record with all that belongs to it: stored together, or none of them.
#[derive(Debug)]
pub struct Sealed {
    /// The record. It is kept with its fragment; whatever leaves the store is [`VaultRecord::redacted`].
    pub record: VaultRecord,
    /// The vault secret of an encrypted record, which is split among nodes and kept nowhere else.
    pub secret: Option<DrawnSecret<Gf2_256>>,
    /// The public key of the fragment, which the ring takes as a decoy of the identity, with `entry`
    /// ([`CheckedRing::add_decoy`](crate::key::CheckedRing::add_decoy)).
    pub decoy: PublicKey,
    /// The record's entry in the chain.
    pub entry: Entry,
    /// The head of the chain after it.
    pub head: Head,
    /// The head of the ledger after it.
    pub ledger: LedgerHead,
}

/// A record that is signed and has its place in the ledger, but none in the chain yet: its entry names its seal, so
/// that the signature comes first, and takes its time before anybody waits for the chain.
pub struct Unplaced {
    master: VaultMaster,
    key: PublicKey,
    block: Block,
    seal: DualSeal,
    secret: Option<DrawnSecret<Gf2_256>>,
    decoy: PublicKey,
    fragment: Fragment,
}

/// Seals for one identity, in the domain of the master. One signing key serves one domain.
#[derive(Clone)]
pub struct VaultSealer<'a> {
    master: &'a VaultMaster,
    identity_id: IdentityId,
    signing: &'a dyn StatementKey,
    access: Option<(Tier, &'a Ed25519SigningKey)>,
}

impl<'a> VaultSealer<'a> {
    /// A vault of the tier public, whatever became of its signing key: for who has no ring. Of an operator's own
    /// identities use [`current`](Self::current).
    #[must_use]
    pub fn new(master: &'a VaultMaster, identity_id: &IdentityId, signing: &'a dyn StatementKey) -> Self {
        Self { master, identity_id: *identity_id, signing, access: None }
    }

    /// The same, whose signing key is the identity's current one in a ring, and valid: a record by another one is
    /// invalid for good, and its place in the ledger is taken.
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`].
    pub fn current(
        master: &'a VaultMaster,
        ring: &KeyRing,
        identity_id: &IdentityId,
        signing: &'a dyn StatementKey,
    ) -> Result<Self, Error> {
        ring.check_signer(identity_id, signing.public_key())?;
        Ok(Self::new(master, identity_id, signing))
    }

    /// The same, of the tier noble.
    #[must_use]
    pub fn noble(self, key: &'a Ed25519SigningKey) -> Self {
        Self { access: Some((Tier::Noble, key)), ..self }
    }

    /// The same, of the tier native.
    #[must_use]
    pub fn native(self, key: &'a Ed25519SigningKey) -> Self {
        Self { access: Some((Tier::Native, key)), ..self }
    }

    /// Seals a document in memory, and returns the record and the bytes to be stored beside it.
    ///
    /// # Errors
    /// As [`begin`](Self::begin) and [`Sealing::finish`].
    pub fn seal<R: TryCryptoRng + ?Sized>(
        &self,
        payload: &[u8],
        kind: &str,
        encryption: Encryption,
        destination: &Destination<'_>,
        rng: &mut R,
    ) -> Result<(Sealed, Vec<u8>), Error> {
        let mut stored = Vec::with_capacity(stored_length(payload.len(), encryption));
        let mut sealing = self.begin_sized(kind, encryption, rng, &mut stored, payload.len())?;
        sealing.update(payload, &mut stored)?;
        let sealed = sealing.finish(destination, rng, &mut stored)?;
        Ok((sealed, stored))
    }

    /// Begins a record of this type (1 to 255 bytes of text without `::`, leading `:` and control characters), and
    /// writes the first bytes to be stored, if any, to the end of `out`. An encrypted record draws its secret.
    ///
    /// # Errors
    /// [`Misuse::ReservedType`] for `ERASURE`; [`Problem`](crate::error::Problem) `Range`, `Ambiguous` or `Control` for
    /// `type`; [`Error::Randomness`].
    pub fn begin<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        encryption: Encryption,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Sealing<'a>, Error> {
        self.begin_sized(kind, encryption, rng, out, usize::MAX)
    }

    /// As [`begin`](Self::begin), for at most so many bytes.
    fn begin_sized<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        encryption: Encryption,
        rng: &mut R,
        out: &mut Vec<u8>,
        payload: usize,
    ) -> Result<Sealing<'a>, Error> {
        if kind == ERASURE {
            return Err(Misuse::ReservedType.into());
        }
        self.begin_any(kind, encryption, rng, out, payload)
    }

    pub(super) fn begin_any<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        encryption: Encryption,
        rng: &mut R,
        out: &mut Vec<u8>,
        payload: usize,
    ) -> Result<Sealing<'a>, Error> {
        check_label("type", kind)?;
        let domain = self.master.domain();
        let mut hasher = StoredHasher::new(domain);
        let mut cipher = None;
        if encryption == Encryption::Stream {
            let purpose = Purpose::of_checked(domain, self.identity_id.as_bytes(), kind);
            let rng = &mut Distinct::new(rng);
            let secret = DrawnSecret::draw(rng)?;
            let before = out.len();
            let encryptor = Encryptor::with_room(&secret, &purpose, rng, out, payload)?;
            hasher.update(out.get(before..).unwrap_or_default());
            cipher = Some((encryptor, secret));
        }
        Ok(Sealing { vault: self.clone(), kind: kind.to_string(), hasher, cipher })
    }

    pub(super) fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    pub(super) fn master(&self) -> &VaultMaster {
        self.master
    }
}

/// How many bytes a payload of this length takes in the store.
fn stored_length(payload: usize, encryption: Encryption) -> usize {
    match encryption {
        Encryption::None => payload,
        Encryption::Stream => crate::stream::stored_length(payload),
    }
}

/// A record in the making; see [`VaultSealer::begin`]. What it writes is worth nothing until [`finish`](Self::finish).
pub struct Sealing<'a> {
    vault: VaultSealer<'a>,
    kind: String,
    hasher: StoredHasher,
    cipher: Option<(Encryptor, DrawnSecret<Gf2_256>)>,
}

impl Sealing<'_> {
    /// Takes the next part of the document, and writes bytes to be stored to the end of `out`.
    ///
    /// # Errors
    /// [`Misuse::StreamTooLong`] after 256 TiB.
    pub fn update(&mut self, payload: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let before = out.len();
        match &mut self.cipher {
            None => out.extend_from_slice(payload),
            Some((encryptor, _)) => encryptor.update(payload, out)?,
        }
        self.hasher.update(out.get(before..).unwrap_or_default());
        Ok(())
    }

    /// Writes the last bytes to be stored to the end of `out`, and makes the record at its place.
    ///
    /// # Errors
    /// [`Misuse::CounterExhausted`], [`Misuse::UnfitKey`], [`Error::Randomness`]; [`Problem::Range`] for `prev` where
    /// the head of the ledger has zeros and records, or neither.
    pub fn finish<R: TryCryptoRng + ?Sized>(
        self,
        destination: &Destination<'_>,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Sealed, Error> {
        let Destination { ledger, head, note, time } = *destination;
        self.finish_unplaced(ledger, note, time, rng, out)?.place(head)
    }

    /// As [`finish`](Self::finish), without the place in the chain: nobody else seals for the ledger until the record
    /// is [placed](Unplaced::place).
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_unplaced<R: TryCryptoRng + ?Sized>(
        self,
        ledger: &LedgerHead,
        note: &str,
        time: Timestamp,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Unplaced, Error> {
        let vault = self.vault.clone();
        let Enclosed { kind, stored, secret, .. } = self.enclose(out)?;
        vault.make(&kind, &stored, secret, (ledger, note, time), rng)
    }

    /// Writes the last bytes to be stored to the end of `out`, and ends the document without its record: for who stores
    /// it first, and [seals](VaultSealer::seal_enclosed) it when its place in the ledger is known.
    ///
    /// ```
    /// use dualseal::vault::{Encryption, LedgerHead, LedgerId, VaultMaster, VaultSealer};
    /// use dualseal::{Domain, Head, SigningKey, SystemRng};
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let (master, key) = (VaultMaster::generate(&domain, &mut SystemRng)?, SigningKey::generate(&mut SystemRng)?);
    /// let vault = VaultSealer::new(&master, &ana, &key);
    /// let mut stored = Vec::new();
    /// let mut sealing = vault.begin("CONTRACT", Encryption::Stream, &mut SystemRng, &mut stored)?;
    /// sealing.update(b"one contract", &mut stored)?;
    /// let enclosed = sealing.enclose(&mut stored)?;
    /// assert_eq!(enclosed.stored().length(), stored.len() as u64);
    ///
    /// // Somebody else was first at the end of the ledger: the same bytes are sealed behind him.
    /// let (time, mut secrets) = ("2026-11-21T09:00:00.000Z".parse()?, Vec::new());
    /// let mut ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng)?);
    /// for seq in 0..2 {
    ///     let unplaced = vault.seal_enclosed(&enclosed, &ledger, "", time, &mut SystemRng)?;
    ///     let sealed = unplaced.place(&Head::EMPTY)?;
    ///     assert_eq!((sealed.record.header().seq, sealed.record.baseline()), (seq, enclosed.stored().baseline()));
    ///     ledger = sealed.ledger;
    ///     secrets.extend(sealed.secret.map(|secret| secret.to_bytes().as_slice().to_vec()));
    /// }
    /// assert_eq!(secrets[0], secrets[1]);
    ///
    /// // Nobody else's: its bytes are encrypted for ana.
    /// let eve = domain.identity_id(b"", "eve", "")?;
    /// let other = VaultSealer::new(&master, &eve, &key);
    /// assert!(other.seal_enclosed(&enclosed, &ledger, "", time, &mut SystemRng).is_err());
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Misuse::StreamTooLong`].
    pub fn enclose(mut self, out: &mut Vec<u8>) -> Result<Enclosed, Error> {
        let before = out.len();
        let secret = match self.cipher {
            None => None,
            Some((encryptor, secret)) => {
                encryptor.finish(out)?;
                self.hasher.update(out.get(before..).unwrap_or_default());
                Some(secret)
            }
        };
        let Self { vault: VaultSealer { identity_id, .. }, kind, hasher, .. } = self;
        Ok(Enclosed { identity_id, kind, stored: hasher.finish(), secret })
    }
}

/// A document that was read to its end: all that is stored of it is known, and it has no record yet. It is sealed as
/// often as its place in the ledger moves, and each time it is the same stored bytes under the same secret.
pub struct Enclosed {
    identity_id: IdentityId,
    kind: String,
    stored: StoredHash,
    secret: Option<DrawnSecret<Gf2_256>>,
}

impl Enclosed {
    /// What the layers need of the stored bytes.
    #[must_use]
    pub fn stored(&self) -> &StoredHash {
        &self.stored
    }
}

impl VaultSealer<'_> {
    /// Seals a document that was [enclosed](Sealing::enclose) for this identity, at its place in the ledger.
    ///
    /// # Errors
    /// [`Misuse::ForeignLedger`] for a document of another identity or domain: its bytes are encrypted for those.
    /// Otherwise as [`Sealing::finish_unplaced`].
    pub fn seal_enclosed<R: TryCryptoRng + ?Sized>(
        &self,
        enclosed: &Enclosed,
        ledger: &LedgerHead,
        note: &str,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<Unplaced, Error> {
        if enclosed.identity_id != self.identity_id || enclosed.stored.domain() != self.master.domain() {
            return Err(Misuse::ForeignLedger.into());
        }
        let secret = enclosed.secret.as_ref().map(|secret| DrawnSecret::from_element(secret.element()));
        self.make(&enclosed.kind, &enclosed.stored, secret, (ledger, note, time), rng)
    }

    fn make<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        stored: &StoredHash,
        secret: Option<DrawnSecret<Gf2_256>>,
        (head, note, time): (&LedgerHead, &str, Timestamp),
        rng: &mut R,
    ) -> Result<Unplaced, Error> {
        let Self { master, identity_id, signing, access } = self.clone();
        let encryption = if secret.is_some() { Encryption::Stream } else { Encryption::None };
        let (domain, ledger, seq) = (master.domain(), *head.ledger(), head.size());
        if seq >= MAX_INTEGER.unsigned_abs() {
            return Err(Misuse::CounterExhausted.into());
        }
        let prev = *head.top();
        // The record would never verify, and its entry would be in the chain for good.
        if (seq == 0) != (prev == LayerHash::ZERO) {
            return Err(Error::malformed("prev", Problem::Range));
        }
        let vault_id = stored.vault_id(&identity_id, kind, seq);
        let hash = stored.chained(&prev);
        let drawn = secret.as_ref().map(DrawnSecret::to_bytes);
        let rng = &mut Distinct::beside(rng, drawn.as_ref().map_or(&[], |bytes| bytes.as_slice()));
        let mut tag = [0; 16];
        rng.try_fill_bytes(&mut tag).map_err(|_| Error::Randomness)?;
        let tag = SessionTag::from_bytes(tag);
        let tier = access.map_or(Tier::Public, |(tier, _)| tier);
        let access = access.map(|(tier, key)| {
            let statement = layers::access_statement(domain, tier, &ledger, &vault_id, &hash);
            (*key.public_key(), key.sign(statement.as_bytes()))
        });
        let fragment = layers::fragment(master, &identity_id, &ledger, &vault_id);
        let decoy = fragment.decoy_key()?;
        let block = Block {
            hash,
            prev,
            note: note.to_string(),
            tag,
            hmac: layers::session_mac(&master.session_key(&identity_id), &tag, &hash),
            baseline: *stored.baseline(),
            tier,
            access,
            digest: fragment.digest(),
            header: Header {
                created_at: time,
                encryption,
                identity_id,
                key_id: *master.key_id(),
                ledger,
                length: stored.length(),
                seq,
                kind: kind.to_string(),
                vault_id,
            },
        };
        let seal_key = master.seal_key(&identity_id);
        let sealer = Sealer::new(domain, &identity_id, &seal_key, signing);
        let seal = sealer.seal_reserved(layers::sealed_payload(domain, &block).as_bytes(), rng)?;
        Ok(Unplaced {
            master: master.shared(),
            key: signing.public_key().clone(),
            block,
            seal,
            secret,
            decoy,
            fragment,
        })
    }
}

impl Unplaced {
    /// The ledger where the record belongs, as it must end when the record is placed.
    #[must_use]
    pub fn before(&self) -> LedgerHead {
        let Header { ledger, seq, .. } = &self.block.header;
        LedgerHead::from_parts(ledger, *seq, self.block.prev)
    }

    /// Whose record it is.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.block.header.identity_id
    }

    /// The domain of its master: that of the log where it is placed.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        self.master.domain()
    }

    /// The key that signed it.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Appends the record's entry to the chain.
    ///
    /// # Errors
    /// [`Misuse::CounterExhausted`].
    pub fn place(self, head: &Head) -> Result<Sealed, Error> {
        let Self { master, key: _, block, seal, secret, decoy, fragment } = self;
        let Header { ledger, seq, identity_id, created_at, .. } = &block.header;
        let seal_id = seal.seal_id();
        let said = RecordEntry { ledger: *ledger, seq: *seq, seal: *seal_id.hash() };
        let message = said.message(&master, identity_id, head.top());
        let Appended { entry, head } = head.append_own(identity_id, &message, *created_at)?;
        let handle = entry.krunica_hash();
        let record = VaultRecord {
            block,
            seal_id,
            seal,
            handle,
            fragment: Some(fragment),
            entry: entry.clone(),
            krunica_hash: handle,
        };
        let ledger = record.ledger_head();
        Ok(Sealed { record, secret, decoy, entry, head, ledger })
    }
}

impl fmt::Debug for Enclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enclosed").field("kind", &self.kind).field("stored", &self.stored).finish_non_exhaustive()
    }
}

impl fmt::Debug for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unplaced").field("before", &self.before()).finish_non_exhaustive()
    }
}

impl fmt::Debug for VaultSealer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultSealer")
            .field("master", self.master)
            .field("identity_id", &self.identity_id)
            .field("tier", &self.access.map_or(Tier::Public, |(tier, _)| tier))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Sealing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealing").field("vault", &self.vault).field("kind", &self.kind).finish_non_exhaustive()
    }
}
