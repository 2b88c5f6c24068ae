//! The first part: an honest signature, then one fraud at a time.

use crate::report::Report;
use dualseal::encoding::hex;
use dualseal::seal::{DualSeal, SealKey, Sealer};
use dualseal::secret::Secret;
use dualseal::verdict::InvalidReason;
use dualseal::{
    CheckedRing, Domain, Entry, HashedContent, IdentityId, KeyState, Krunica, RingKey, SignatureRecord, Signer,
    SigningKey, SystemRng, Timestamp, VerdictKind,
};
use dualseal_examples::words::{duration, short, size};
use dualseal_examples::{Fallible, files, now, timed};
use std::path::Path;

/// What the identity is made of.
pub(crate) const CONTENT: &str = "dualseal quickstart";
/// Who made it.
pub(crate) const CREATOR: &str = "quickstart";
/// The name of the log that the chain is.
pub(crate) const ORIGIN: &str = "quickstart.example/log";

/// An operator with one identity: what a service would keep in its store.
pub(crate) struct Operator {
    pub(crate) domain_name: &'static str,
    pub(crate) domain: Domain,
    pub(crate) context: String,
    pub(crate) identity_id: IdentityId,
    pub(crate) key: SigningKey,
    pub(crate) seal_master: Secret<32>,
    pub(crate) ring_key: RingKey,
    pub(crate) ring: CheckedRing,
    pub(crate) chain: Krunica,
}

/// What was made of the file.
pub(crate) struct Made {
    pub(crate) content: HashedContent,
    pub(crate) record: SignatureRecord,
    pub(crate) seal: DualSeal,
}

impl Operator {
    pub(crate) fn new() -> Fallible<Self> {
        let domain_name = "DUALSEAL";
        let domain = Domain::new(domain_name)?;
        // A name alone could be guessed from its identifier by trying names; a drawn context cannot.
        let context = hex::encode(Secret::<32>::random(&mut SystemRng)?.expose());
        let identity_id = domain.identity_id(CONTENT.as_bytes(), CREATOR, &context)?;
        let (key, keygen) = timed(|| SigningKey::generate(&mut SystemRng));
        let key = key?;
        println!("Identity    {}  computed offline (SHA3-256)", short(identity_id));
        println!("Key pair    {}  ML-DSA-65, made in {}", short(key.public_key().hash()), duration(keygen));
        let ring_key = RingKey::generate(&domain, &mut SystemRng)?;
        let seal_master = Secret::random(&mut SystemRng)?;
        let (ring, chain) = (CheckedRing::new(ORIGIN, &ring_key)?, Krunica::new());
        let mut operator = Self { domain_name, domain, context, identity_id, key, seal_master, ring_key, ring, chain };
        let (id, public_key) = (operator.identity_id, operator.key.public_key().clone());
        operator.change(|ring, head| Ok(ring.add(&id, public_key, head, now()?)?.entry))?;
        Ok(operator)
    }

    /// Changes the ring and appends the entry that vouches for the change.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut CheckedRing, &dualseal::Head) -> Fallible<Entry>,
    ) -> Fallible<()> {
        let entry = change(&mut self.ring, self.chain.head())?;
        self.chain.push(entry)?;
        Ok(())
    }

    /// Appends an entry that changes nothing in the ring, which goes on past it: a checkpoint states a ring only where
    /// every entry was looked at.
    pub(crate) fn append(&mut self, entry: Entry) -> Fallible<()> {
        self.ring.follow(&entry, |_| false)?;
        self.chain.push(entry)?;
        Ok(())
    }

    pub(crate) fn set_state(&mut self, state: KeyState) -> Fallible<()> {
        let id = self.identity_id;
        self.change(|ring, head| Ok(ring.set_state(&id, None, state, head, now()?)?.entry))
    }

    /// What the operator's store holds of the ring.
    pub(crate) fn ring_file(&self) -> Fallible<String> {
        Ok(self.ring.to_stored_json(self.chain.head())?)
    }

    pub(crate) fn seal_key(&self, identity_id: &IdentityId) -> SealKey {
        SealKey::derive(&self.domain, &self.seal_master, identity_id)
    }
}

/// Signs and seals the file, and tells the first part.
pub(crate) fn tell(path: &Path, operator: &mut Operator, report: &mut Report) -> Fallible<Made> {
    let (hashed, hashing) = timed(|| read_file(path, operator));
    let Hashed { bytes, honest, changed, seal } = hashed?;
    println!("File        {}  {}, hashed and sealed in {}", path.display(), size(bytes), duration(hashing));

    let (signed, signing) = timed(|| sign(operator, &operator.key, &honest, now()?));
    let (record, entry) = signed?;
    operator.append(entry)?;
    println!("Signature   {}  3309 bytes in {}", short(hex::encode(record.signature().as_bytes())), duration(signing));
    println!("Seal        {}  HMAC-SHA3-512 and ML-DSA-65, joined", short(seal.seal_id().to_hex()));
    println!("Chain       {}  {} entries", short(operator.chain.head().top()), operator.chain.head().size());

    println!("\nThe file as signed:");
    let domain = operator.domain.clone();
    report.verify("by the key of its identity", &domain, &operator.ring, &honest, &record, VerdictKind::Valid, None);
    println!("  verified in {}, with a key that was not prepared", duration(report.last_took()));

    println!("\nNow one thing is changed at a time:");
    let invalid = VerdictKind::Invalid;
    let reason = Some(InvalidReason::Content);
    report.verify("one byte of the file changed", &domain, &operator.ring, &changed, &record, invalid, reason);
    operator.set_state(KeyState::Revoked)?;
    let name = "the key revoked (laz)";
    report.verify(name, &domain, &operator.ring, &honest, &record, VerdictKind::Revoked, None);
    operator.set_state(KeyState::Suspended)?;
    let name = "the key suspended (nijedno)";
    report.verify(name, &domain, &operator.ring, &honest, &record, VerdictKind::Suspended, None);
    operator.set_state(KeyState::Valid)?;

    // A thief who found the bait and signs with it, on a chain that nobody else keeps.
    let bait = SigningKey::generate(&mut SystemRng)?;
    let sealed = operator.chain.append(&operator.domain, &operator.identity_id, "a document was sealed", now()?)?;
    operator.ring.add_decoy(bait.public_key(), &sealed)?;
    let (stolen, _) = sign(operator, &bait, &honest, now()?)?;
    let name = "signed with a stolen decoy key (oboje)";
    report.verify(name, &domain, &operator.ring, &honest, &stolen, VerdictKind::Decoy, None);

    let (forged, _) = sign(operator, &SigningKey::generate(&mut SystemRng)?, &honest, now()?)?;
    let (name, reason) = ("a stranger's public key in the record", Some(InvalidReason::ForeignKey));
    report.verify(name, &domain, &operator.ring, &honest, &forged, invalid, reason);

    // The message of the signature's entry is written anew, as somebody with the database might.
    let message = record.content_hash().to_hex();
    let altered = operator.chain.to_json().replace(&message, &message.chars().rev().collect::<String>());
    let expected = "chain entry 1 was altered: its hash does not match";
    report.told.refused("an entry of the chain altered", Krunica::from_json(altered.as_bytes()), expected);
    Ok(Made { content: honest, record, seal })
}

/// A record by some key in the operator's identity, at the head of the chain. The caller appends the entry, or not.
pub(crate) fn sign(
    operator: &Operator,
    key: &SigningKey,
    content: &HashedContent,
    time: Timestamp,
) -> Fallible<(SignatureRecord, Entry)> {
    let signer = Signer::new(&operator.domain, &operator.identity_id, key);
    let signed = signer.sign(content, operator.chain.head(), time, &mut SystemRng)?;
    Ok((signed.record, signed.entry))
}

struct Hashed {
    bytes: u64,
    honest: HashedContent,
    /// The same content with its first byte flipped; for an empty file, with a byte where there is none.
    changed: HashedContent,
    seal: DualSeal,
}

/// One pass over the file, in constant memory.
fn read_file(path: &Path, operator: &Operator) -> Fallible<Hashed> {
    let Operator { domain, identity_id, key, .. } = operator;
    let seal_key = operator.seal_key(identity_id);
    let mut seal = Sealer::new(domain, identity_id, &seal_key, key).begin()?;
    let (mut honest, mut changed) = (domain.content_hasher(identity_id), domain.content_hasher(identity_id));
    let mut first = true;
    let bytes = files::stream(path, |part| {
        seal.update(part);
        honest.update(part);
        if first {
            changed.update(&[part[0] ^ 1]);
            changed.update(&part[1..]);
        } else {
            changed.update(part);
        }
        first = false;
    })?;
    if first {
        changed.update(&[0]);
    }
    let seal = seal.finish(&mut SystemRng)?;
    Ok(Hashed { bytes, honest: honest.finish(), changed: changed.finish(), seal })
}
