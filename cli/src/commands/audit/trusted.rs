//! Whose keys count: those that were named, else those of the home folder.

use super::args::Args;
use super::judgement::{Line, Mark};
use crate::commands::verify::{believed, ring_here};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::trust::{Given, PublicKeyFile, Trust};
use dualseal::checkpoint::LogFingerprint;
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;
use dualseal::note::Witnesses;
use dualseal::{Domain, IdentityId, KeyRing, PublicKey, PublicRing, VerdictKind};
use dualseal_operator::paths::Show;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The keys that count.
pub(super) struct Trusted {
    pub(super) domain: DomainFile,
    /// Whether anything says that it is the signers': what does not hold in another one is no forgery.
    pub(super) is_domain_told: bool,
    /// Of each log the newest.
    rings: Vec<KeyRing>,
    /// What outsiders are told of the home folder's own ring, where they are the ones who ask.
    public: Option<KeyRing>,
    /// The same as they were given, where they were.
    given: Vec<(PathBuf, PublicRing)>,
    /// The logs whose files of evidence count.
    logs: Vec<KnownLog>,
    /// Who must have seen the log of each file of evidence.
    pub(super) witnesses: Witnesses,
    /// Keys of identities that no ring knows.
    pinned: Pinned,
    /// A key whose file does not say whose it is: it is tried for everybody whom the others do not know.
    nameless: Option<Trust>,
    /// Keys of which the fingerprint is known: they count for whomever a record that carries one claims to be by.
    hashes: BTreeSet<KeyHash>,
    /// Key files that contradict a ring: nothing counts that such an identity signed.
    disputed: Disputed,
    nobody: KeyRing,
    /// What a home folder that is here has of keys that were named: it tells their state, and makes none valid.
    here: Option<KeyRing>,
    /// From whom identities were computed, where a key file or the home folder says so.
    creators: BTreeMap<String, String>,
}

/// A log whose files of evidence count.
pub(super) struct KnownLog {
    pub(super) fingerprint: LogFingerprint,
    /// The entry up to which its key counts, where a ring knows of one.
    pub(super) until: Option<u64>,
}

type Pinned = BTreeMap<IdentityId, KeyRing>;
type Disputed = BTreeMap<IdentityId, PathBuf>;

/// What was named, before one is held against the other.
#[derive(Default)]
struct Named<'a> {
    rings: BTreeMap<String, (&'a Path, PublicRing)>,
    keys: Vec<(&'a Path, IdentityId, PublicKeyFile)>,
    nameless: Option<PublicKeyFile>,
    hashes: BTreeSet<KeyHash>,
    domain: Option<DomainFile>,
}

impl Trusted {
    /// For each domain of the keys that were named, those of it; what names none counts in each. With the home folder,
    /// where its keys are the ones that count: not for a stranger, who named keys or rings.
    pub(super) fn all(given: &[Given], args: &Args, context: &Context) -> Result<(Vec<Self>, Option<Home>), Failure> {
        let of = |trust: &Trust| trust.domain().map(DomainFile::to_words);
        let trusts =
            || given.iter().map(|given| Ok((given.path(), given.trust()?))).collect::<Result<Vec<_>, Failure>>();
        let named = trusts()?;
        let domains: BTreeSet<String> = named.iter().filter_map(|(_, trust)| of(trust)).collect();
        if domains.len() < 2 {
            let (trusted, home) = Self::new(args, context, named)?;
            return Ok((vec![trusted], home));
        }
        if context.asked_domain()?.is_some() {
            let hint = "leave --domain out: each key file says its own";
            return Err(Failure::new(USAGE, "the keys are of several domains, and the options say one", hint));
        }
        let mut all = Vec::new();
        for domain in domains {
            let mut kept = trusts()?;
            kept.retain(|(_, trust)| of(trust).is_none_or(|of| of == domain));
            all.push(Self::new(args, context, kept)?.0);
        }
        Ok((all, None))
    }

    fn new(args: &Args, context: &Context, read: Vec<(&Path, Trust)>) -> Result<(Self, Option<Home>), Failure> {
        let witnesses = believed(&args.witness, args.witnesses)?;
        let mut named = Named::default();
        let mut creators = BTreeMap::new();
        for (path, trust) in read {
            if let Trust::Pinned(PublicKeyFile { creator: Some(creator), identity_id: Some(id), .. }) = &trust {
                creators.insert(id.to_hex(), creator.name.clone());
            }
            named.add(path, trust)?;
        }
        let mut rings = named.one_ring_each()?;
        let (pinned, disputed) = named.pins(&rings)?;
        let (nameless, domain, hashes) =
            (named.nameless.take(), named.domain.take(), std::mem::take(&mut named.hashes));
        let mut public = None;
        let home = if rings.is_empty() && named.keys.is_empty() && nameless.is_none() && hashes.is_empty() {
            let none = || {
                let hint = "ask the signers for their public key files and give them with --key";
                Failure::new(USAGE, "nothing says whose keys to trust", hint)
            };
            let home = context.home_if_any()?;
            if let Some(home) = &home {
                let passphrase = context.passphrase();
                let own = home.ring(passphrase)?;
                for identity_id in own.identities() {
                    creators.extend(home.creator_of(identity_id)?.map(|name| (identity_id.to_hex(), name)));
                }
                public = args.public.then(|| KeyRing::clone(&own.public()));
                rings.push(KeyRing::clone(&own));
            } else if args.fingerprints.is_empty() {
                return Err(none());
            }
            home
        } else {
            None
        };
        let (domain, is_domain_told) = context.domain_told(domain.as_ref(), home.as_ref())?;
        // What an outsider is answered tells of no decoy.
        let telling = public.as_ref().map_or(rings.as_slice(), std::slice::from_ref);
        let mut logs = match (&home, rings.first(), telling.first()) {
            (Some(home), Some(own), Some(ring)) => own_logs(home, own, ring)?,
            _ => Vec::new(),
        };
        logs.extend(args.fingerprints.iter().map(|log| named_log(*log, domain.domain(), telling)));
        let given = named.rings.into_values().map(|(path, ring)| (path.to_owned(), ring)).collect();
        let (nameless, nobody) = (nameless.map(Trust::Pinned), KeyRing::nobody());
        let is_stateless = !pinned.is_empty() || nameless.is_some() || !hashes.is_empty();
        let here = if is_stateless { ring_here(context, domain.domain()) } else { None };
        let keys = Self {
            domain,
            is_domain_told,
            rings,
            public,
            given,
            logs,
            witnesses,
            pinned,
            nameless,
            hashes,
            disputed,
            nobody,
            here,
            creators,
        };
        Ok((keys, home))
    }

    /// The ring to ask about an identity. One that knows nobody of that name refuses, as it should.
    pub(super) fn ring(&self, identity_id: &IdentityId) -> Cow<'_, KeyRing> {
        if self.disputed.contains_key(identity_id) {
            return Cow::Borrowed(&self.nobody);
        }
        if let Some(ring) = self.known(identity_id).or_else(|| self.pinned.get(identity_id)) {
            return Cow::Borrowed(ring);
        }
        let pinned = self.nameless.as_ref().and_then(|trust| trust.ring(Some(identity_id)).ok());
        pinned.map_or_else(|| Cow::Borrowed(self.rings.first().unwrap_or(&self.nobody)), Cow::Owned)
    }

    /// The rows of the home folder here, where they have a key that was named without its state: of what such a key
    /// made they refuse some, and vouch for nothing. Without a key, whichever was named for the identity.
    pub(super) fn here(&self, identity_id: &IdentityId, key: Option<&PublicKey>) -> Option<&KeyRing> {
        let ring = self.here.as_ref()?;
        if self.is_disputed(identity_id) || self.known(identity_id).is_some() {
            return None;
        }
        let nameless = match &self.nameless {
            Some(Trust::Pinned(file)) => Some(&file.key),
            _ => None,
        };
        let pinned = self.pinned.get(identity_id).into_iter().flat_map(|pinned| pinned.keys(identity_id));
        let mut named = pinned.map(|(key, _)| key).chain(nameless);
        let is_known = |key: &PublicKey| ring.has_key(identity_id, key) || ring.is_trap(key);
        let is_here = match key {
            Some(key) => is_known(key) && (self.hashes.contains(key.hash()) || named.any(|named| named == key)),
            None => named.any(is_known),
        };
        is_here.then_some(ring)
    }

    /// Whether anything here says that a key is an identity's: a ring, a key file or the home folder.
    pub(super) fn shows(&self, identity_id: &str, key: &str) -> bool {
        let Ok(identity_id) = identity_id.parse::<IdentityId>() else { return false };
        let has = |ring: &KeyRing| ring.keys(&identity_id).any(|(known, _)| known.hash().to_hex() == key);
        let here = self.here.as_ref().filter(|_| !self.is_disputed(&identity_id));
        self.rings.iter().chain(self.pinned.get(&identity_id)).chain(here).any(has)
    }

    /// Whether somebody here tells the state of an identity's keys: a ring, or a home folder where it is heard.
    pub(super) fn tells_state(&self, identity_id: &IdentityId, is_heard: bool) -> bool {
        let by_hash = |ring: &KeyRing| ring.keys(identity_id).any(|(key, _)| self.hashes.contains(key.hash()));
        self.known(identity_id).is_some()
            || is_heard && (self.here(identity_id, None).is_some() || self.here.as_ref().is_some_and(by_hash))
    }

    /// The ring to ask about a record that carries its key.
    pub(super) fn ring_of(&self, identity_id: &IdentityId, key: &PublicKey) -> Cow<'_, KeyRing> {
        let is_named = self.disputed.contains_key(identity_id)
            || self.known(identity_id).is_some()
            || self.pinned.contains_key(identity_id);
        // It is that key alone, of which the rows can only say worse.
        if let Some(ring) = self.here(identity_id, Some(key)) {
            return Cow::Borrowed(ring);
        }
        if !is_named && self.hashes.contains(key.hash()) {
            return Cow::Owned(KeyRing::pinned(identity_id, key.clone()));
        }
        self.ring(identity_id)
    }

    /// The ring that tells the state of an identity's keys.
    pub(super) fn known(&self, identity_id: &IdentityId) -> Option<&KeyRing> {
        ring_of(&self.rings, identity_id)
    }

    /// The same as whoever asks is told it: to outsiders a stolen key that was put out as bait is as good as any.
    pub(super) fn told(&self, identity_id: &IdentityId) -> Option<&KeyRing> {
        self.public
            .as_ref()
            .filter(|ring| ring.identities().any(|known| known == identity_id))
            .or_else(|| self.known(identity_id))
    }

    /// The rings that were named.
    pub(super) fn given(&self) -> &[(PathBuf, PublicRing)] {
        &self.given
    }

    /// The logs whose files of evidence count.
    pub(super) fn logs(&self) -> &[KnownLog] {
        &self.logs
    }

    /// Whether anything says whose keys to trust, beside a log's fingerprint.
    pub(super) fn has_keys(&self) -> bool {
        let has_named = !self.rings.is_empty() || !self.pinned.is_empty() || !self.disputed.is_empty();
        has_named || self.nameless.is_some() || !self.hashes.is_empty()
    }

    /// The home folder's ring, where its keys are the ones that count.
    pub(super) fn own(&self) -> Option<&KeyRing> {
        self.rings.first()
    }

    /// Whether a key is known that this identity could have signed with.
    pub(super) fn knows(&self, identity_id: &IdentityId) -> bool {
        self.nameless.is_some() || self.identities().contains(identity_id)
    }

    /// From whom an identity was computed, where that is known.
    pub(super) fn creator(&self, identity_id: &str) -> Option<String> {
        self.creators.get(identity_id).cloned()
    }

    /// Whether the fingerprint of this key was given.
    pub(super) fn has_fingerprint(&self, key: &KeyHash) -> bool {
        self.hashes.contains(key)
    }

    /// Whether a key file contradicts a ring about this identity.
    pub(super) fn is_disputed(&self, identity_id: &IdentityId) -> bool {
        self.disputed.contains_key(identity_id)
    }

    /// Whether this identity is known by name.
    pub(super) fn names(&self, identity_id: &IdentityId) -> bool {
        self.identities().contains(identity_id)
    }

    /// Everybody who is known by name.
    pub(super) fn identities(&self) -> BTreeSet<IdentityId> {
        self.rings.iter().flat_map(KeyRing::identities).chain(self.pinned.keys()).copied().collect()
    }

    /// A finding for each key file that contradicts a ring.
    pub(super) fn findings(&self) -> Vec<Line> {
        let line = |(identity_id, path): (&IdentityId, &PathBuf)| Line {
            path: path.clone(),
            is_inside: false,
            kind: "public key file".to_owned(),
            mark: Mark::Invalid,
            code: Some(VerdictKind::Invalid.code()),
            text: "the ring knows its identity, and has no such key of it: nothing that it signed counts".to_owned(),
            of: None,
            identity_id: Some(identity_id.to_hex()),
            key_hash: None,
            entered: Value::Null,
        };
        self.disputed.iter().map(line).collect()
    }
}

impl<'a> Named<'a> {
    fn add(&mut self, path: &'a Path, trust: Trust) -> Result<(), Failure> {
        if let Some(domain) = trust.domain() {
            if self.domain.as_ref().is_some_and(|known| known.to_words() != domain.to_words()) {
                let message = format!("{} is of another domain than the keys before it", path.shown());
                return Err(Failure::new(USAGE, message, "audit the folder once for each domain"));
            }
            self.domain = Some(domain.clone());
        }
        match (trust.identity_id(), trust) {
            (_, Trust::Unattested(ring)) => self.ring(path, ring)?,
            // A file is neither.
            (_, Trust::Fingerprint(hash)) => _ = self.hashes.insert(hash),
            (_, Trust::Own(_) | Trust::Attested(_)) => {}
            (Some(identity_id), Trust::Pinned(file)) => self.keys.push((path, identity_id, file)),
            // The same file, once to trust and once to require.
            (None, Trust::Pinned(file)) if self.nameless.as_ref().is_none_or(|known| known.key == file.key) => {
                self.nameless = Some(file);
            }
            (None, Trust::Pinned(_)) => {
                let hint = "ask for files that `dualseal key export` wrote, with their first lines";
                return Err(Failure::new(USAGE, "several key files do not say whose keys they are", hint));
            }
        }
        Ok(())
    }

    /// The newest of a log's rings counts, in whichever order they were named: an old one has not heard of a key that
    /// was called back since.
    fn ring(&mut self, path: &'a Path, ring: PublicRing) -> Result<(), Failure> {
        let origin = ring.origin().unwrap_or_default().to_owned();
        if let Some((known_path, known)) = self.rings.get(&origin) {
            if known.revision() == ring.revision() && *known != ring {
                return Err(conflict(path, known_path, "contradict each other: they are one revision of one log's"));
            }
            if known.revision() >= ring.revision() {
                return Ok(());
            }
        }
        self.rings.insert(origin, (path, ring));
        Ok(())
    }

    /// The rings, of which no two speak of one identity: which of them is right, nobody can tell.
    fn one_ring_each(&self) -> Result<Vec<KeyRing>, Failure> {
        let mut whose: BTreeMap<&IdentityId, &Path> = BTreeMap::new();
        for (path, ring) in self.rings.values() {
            for identity_id in ring.identities() {
                if let Some(known) = whose.insert(identity_id, path) {
                    return Err(conflict(path, known, "are of two logs, and speak of one identity"));
                }
            }
        }
        Ok(self.rings.values().map(|(_, ring)| KeyRing::clone(ring)).collect())
    }

    /// A key only pins its identity where a ring knows it: it must be one of the ring's, which gives its state.
    fn pins(&self, rings: &[KeyRing]) -> Result<(Pinned, Disputed), Failure> {
        let (mut pinned, mut disputed) = (BTreeMap::new(), BTreeMap::new());
        for (path, identity_id, file) in &self.keys {
            if let Some(ring) = ring_of(rings, identity_id) {
                if !ring.has_key(identity_id, &file.key) {
                    disputed.insert(*identity_id, path.to_path_buf());
                }
                continue;
            }
            let ring = KeyRing::pinned(identity_id, file.key.clone());
            if pinned.insert(*identity_id, ring.clone()).is_some_and(|known| known != ring) {
                let message = format!("{} is another key of an identity than the one before it", path.shown());
                return Err(Failure::new(USAGE, message, "give the signer's ring with --ring, which tells of both"));
            }
        }
        Ok((pinned, disputed))
    }
}

/// A home folder's own log by the key that signs it, and by those that did before, in whatever state they are now.
fn own_logs(home: &Home, own: &KeyRing, ring: &KeyRing) -> Result<Vec<KnownLog>, Failure> {
    let Some(checkpoint) = home.last_checkpoint(own)? else { return Ok(Vec::new()) };
    Ok(logs_of(home.domain().domain(), ring, checkpoint.record().identity_id()).collect())
}

/// A log that was named. A ring knows more of its own log's keys than whoever names one: a key that the ring has counts
/// no further than the ring says.
fn named_log(fingerprint: LogFingerprint, domain: &Domain, rings: &[KeyRing]) -> KnownLog {
    let identities = rings.iter().flat_map(|ring| ring.identities().map(move |identity_id| (ring, identity_id)));
    let mut logs = identities.flat_map(|(ring, identity_id)| logs_of(domain, ring, identity_id));
    logs.find(|log| log.fingerprint == fingerprint).unwrap_or(KnownLog { fingerprint, until: None })
}

/// A ring's log, as each key of one of its identities would sign it.
fn logs_of<'a>(domain: &'a Domain, ring: &'a KeyRing, signer: &'a IdentityId) -> impl Iterator<Item = KnownLog> + 'a {
    let keys = ring.origin().into_iter().flat_map(|origin| ring.keys(signer).map(move |(key, _)| (origin, key)));
    keys.map(|(origin, key)| KnownLog {
        fingerprint: LogFingerprint::of(domain, origin, signer, key),
        until: ring.counts_until(signer, key.hash()),
    })
}

fn conflict(path: &Path, known: &Path, what: &str) -> Failure {
    let message = format!("{} and {} {what}", known.shown(), path.shown());
    Failure::new(USAGE, message, "ask the operator for the newest ring, and give that one alone")
}

fn ring_of<'r>(rings: &'r [KeyRing], identity_id: &IdentityId) -> Option<&'r KeyRing> {
    rings.iter().find(|ring| ring.identities().any(|known| known == identity_id))
}
