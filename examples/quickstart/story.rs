//! The story: one honest signature, then one fraud at a time.

use dualseal::key::{InvalidReason, Unprepared};
use dualseal::secret::Secret;
use dualseal::{
    ContentHash, Domain, IdentityId, KeyRing, KeyState, Krunica, RingKey, SignatureRecord, Signed, Signer, SigningKey,
    SystemRng, Verdict, VerdictKind, VerificationResult, Verifier,
};
use dualseal_examples::words::{duration, short, size};
use dualseal_examples::{Outcome, files, now};
use std::path::Path;
use std::time::{Duration, Instant};

/// What the identity is made of.
pub(crate) const CONTENT: &str = "dualseal quickstart";
/// Who made it.
pub(crate) const CREATOR: &str = "quickstart";

/// Everything that happened.
pub(crate) struct Told {
    pub(crate) domain_name: &'static str,
    pub(crate) context: String,
    pub(crate) identity_id: IdentityId,
    pub(crate) key: SigningKey,
    pub(crate) ring_key: RingKey,
    pub(crate) ring: KeyRing,
    pub(crate) chain: Krunica,
    pub(crate) record: SignatureRecord,
    pub(crate) results: Vec<Case>,
    pub(crate) surprises: usize,
}

/// One verification and what came of it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) kind: VerdictKind,
    pub(crate) internal: VerificationResult,
    pub(crate) public: VerificationResult,
}

/// Runs the story and prints it.
pub(crate) fn tell(path: &Path) -> Outcome<Told> {
    let domain_name = "DUALSEAL";
    let domain = Domain::new(domain_name)?;
    // A name alone could be guessed from its identifier by trying names; a drawn context cannot.
    let context = dualseal::encoding::hex::encode(Secret::<32>::random(&mut SystemRng)?.expose());
    let identity_id = domain.identity_id(CONTENT.as_bytes(), CREATOR, &context)?;
    let (key, keygen) = timed(|| SigningKey::generate(&mut SystemRng));
    let key = key?;
    println!("Identity    {}  computed offline (SHA3-256)", short(identity_id));
    println!("Key pair    {}  ML-DSA-65, made in {}", short(key.public_key().hash()), duration(keygen));

    let ring_key = RingKey::generate(&domain, &mut SystemRng)?;
    let mut chain = Krunica::new();
    let mut ring = KeyRing::new("quickstart.example/log")?;
    chain.push(ring.add(&identity_id, key.public_key().clone(), chain.head(), now()?, &ring_key)?.entry)?;

    let (hashed, hashing) = timed(|| hash_file(path, &domain, &identity_id));
    let Hashed { bytes, honest, changed } = hashed?;
    println!("File        {}  {}, hashed in {}", path.display(), size(bytes), duration(hashing));

    let signer = Signer::new(&domain, &identity_id, &key);
    let (signed, signing) = timed(|| signer.sign(&honest, chain.head(), now()?, &mut SystemRng).map_err(Fail::from));
    let Signed { record, entry, .. } = signed?;
    chain.push(entry)?;
    println!("Signature   {}  3309 bytes in {}", short(hex_start(&record)), duration(signing));
    println!("Chain       {}  {} entries", short(chain.head().top()), chain.head().size());

    let mut story = Story { domain: &domain, results: Vec::new(), surprises: 0 };
    println!();
    let ((), verifying) = timed(|| story.case("the file as signed", &ring, &honest, &record, VerdictKind::Valid, None));
    println!("            verified in {} without a prepared key\n", duration(verifying));

    println!("Now one thing is changed at a time:");
    story.case(
        "one byte of the file changed",
        &ring,
        &changed,
        &record,
        VerdictKind::Invalid,
        Some(InvalidReason::Content),
    );
    let mut set_state = |ring: &mut KeyRing, state| -> Outcome<()> {
        chain.push(ring.set_state(&identity_id, None, state, chain.head(), now()?, &ring_key)?.entry)?;
        Ok(())
    };
    set_state(&mut ring, KeyState::Revoked)?;
    story.case("the key revoked (laz)", &ring, &honest, &record, VerdictKind::Revoked, None);
    set_state(&mut ring, KeyState::Suspended)?;
    story.case("the key suspended (nijedno)", &ring, &honest, &record, VerdictKind::Suspended, None);
    set_state(&mut ring, KeyState::Valid)?;

    // A thief who found the bait and signs with it, on a chain that nobody else keeps.
    let bait = SigningKey::generate(&mut SystemRng)?;
    ring.add_decoy(&identity_id, bait.public_key(), now()?)?;
    let stolen = Signer::new(&domain, &identity_id, &bait).sign(&honest, chain.head(), now()?, &mut SystemRng)?.record;
    story.case("signed with a stolen decoy key (oboje)", &ring, &honest, &stolen, VerdictKind::Decoy, None);

    let stranger = SigningKey::generate(&mut SystemRng)?;
    let forged = Signer::new(&domain, &identity_id, &stranger);
    let forged = forged.sign(&honest, chain.head(), now()?, &mut SystemRng)?.record;
    let reason = Some(InvalidReason::ForeignKey);
    story.case("a stranger's public key in the record", &ring, &honest, &forged, VerdictKind::Invalid, reason);
    story.altered_chain(&chain, &record);

    let Story { results, surprises, .. } = story;
    Ok(Told { domain_name, context, identity_id, key, ring_key, ring, chain, record, results, surprises })
}

struct Story<'a> {
    domain: &'a Domain,
    results: Vec<Case>,
    surprises: usize,
}

impl Story<'_> {
    fn case(
        &mut self,
        name: &'static str,
        ring: &KeyRing,
        content: &ContentHash,
        record: &SignatureRecord,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        let verdict = Verifier::new(self.domain, ring, &Unprepared).verify(content, record.clone(), None);
        let seen = if let Verdict::Invalid(rejection) = &verdict { Some(rejection.reason()) } else { None };
        let as_expected = verdict.kind() == expected && seen == reason;
        let why = seen.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
        self.line(name, &format!("{}{why}", verdict.kind().as_str().to_uppercase()), as_expected);
        let (kind, internal, public) = (verdict.kind(), verdict.internal(), verdict.public());
        self.results.push(Case { name, kind, internal, public });
    }

    /// The message of the signature's entry is written anew, as somebody with the database might.
    fn altered_chain(&mut self, chain: &Krunica, record: &SignatureRecord) {
        let message = record.content_hash().to_hex();
        let altered = chain.to_json().replace(&message, &message.chars().rev().collect::<String>());
        let result = Krunica::from_json(altered.as_bytes());
        let seen = result.map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
        self.line("an entry of the chain altered", &seen, seen == "chain entry 1 was altered: its hash does not match");
    }

    fn line(&mut self, name: &str, seen: &str, as_expected: bool) {
        let mark = if as_expected { "as expected" } else { "SURPRISE" };
        println!("  {name:<40} {seen}  — {mark}");
        self.surprises += usize::from(!as_expected);
    }
}

struct Hashed {
    bytes: u64,
    honest: ContentHash,
    /// The same content with its first byte flipped; for an empty file, with a byte where there is none.
    changed: ContentHash,
}

/// One pass over the file, in constant memory.
fn hash_file(path: &Path, domain: &Domain, identity_id: &IdentityId) -> Outcome<Hashed> {
    let (mut honest, mut changed) = (domain.content_hasher(identity_id), domain.content_hasher(identity_id));
    let mut first = true;
    let bytes = files::stream(path, |part| {
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
    Ok(Hashed { bytes, honest: honest.finish(), changed: changed.finish() })
}

type Fail = Box<dyn std::error::Error>;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}

fn hex_start(record: &SignatureRecord) -> String {
    dualseal::encoding::hex::encode(&record.signature().as_bytes()[..16])
}
