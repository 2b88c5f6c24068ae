//! What a verification is made with: whose keys count, and in which domain.

use super::args::{Args, agrees};
use super::verdict::outward;
use super::who::{ShownBy, Who};
use crate::commands::sign::MANIFEST;
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::evidence::{OfLog, Shown};
use crate::failure::Failure;
use crate::home::Home;
use crate::input;
use crate::trust::{Given, Trust};
use dualseal::mldsa::KeyHash;
use dualseal::{Domain, Entry, IdentityId, KeyRing, Located, PublicKey, VerdictKind};
use dualseal_operator::trust::TrustError;
use std::path::{Path, PathBuf};

/// One record that is verified.
pub(super) struct Named<'a> {
    pub(super) record: &'a Path,
    pub(super) document: PathBuf,
    /// The key that is pinned for it.
    pub(super) key: Option<&'a Given>,
    /// The ring that tells its state.
    pub(super) ring: Option<&'a Given>,
}

/// The keys and the ring that were named, read once.
pub(super) struct Keys {
    pub(super) keys: Vec<Given>,
    pub(super) ring: Option<Given>,
}

impl Keys {
    pub(super) fn read(args: &Args) -> Result<Self, Failure> {
        input::one_stream(args.key.iter().chain(&args.ring))?;
        let keys = args.key.iter().map(|key| Given::read(key)).collect::<Result<_, _>>()?;
        Ok(Self { keys, ring: args.ring.as_deref().map(Given::read).transpose()? })
    }
}

/// What a verification is made with.
pub(super) struct Means<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) document: PathBuf,
    /// The document, where it is a folder's manifest: what is verified is what the folder is held against.
    pub(super) manifest: Option<Vec<u8>>,
    /// Whether the home folder's keys count: not for a stranger, who named a key or a ring. The folder itself is opened
    /// where it is asked, and not locked while the document is read: that may come slowly.
    own: bool,
    pub(super) trust: Trust,
    pub(super) domain: DomainFile,
    /// Whether anything says that it is the signer's.
    pub(super) is_domain_told: bool,
    /// The key that it must be, where a ring tells its state.
    pinned: Option<Trust>,
}

impl<'a> Means<'a> {
    pub(super) fn new(args: &'a Args, named: &Named<'_>, context: &'a Context) -> Result<Self, Failure> {
        let document = named.document.clone();
        let (home, trust) = match named.ring.or(named.key) {
            Some(given) => (None, given.trust()?),
            None => context.trust(None, "signer")?,
        };
        let pinned = named.key.filter(|_| named.ring.is_some()).map(Given::trust).transpose()?;
        let manifest = manifest(&document)?;
        let of_log = args.evidence.domain()?;
        let of_file = pinned.as_ref().and_then(Trust::domain).or_else(|| trust.domain()).or(of_log.as_ref());
        let (domain, is_domain_told) = context.domain_told(of_file, home.as_ref())?;
        let trust = args.evidence.attested(trust, &domain)?;
        // A checkpoint that holds is of this domain.
        let is_domain_told = is_domain_told || matches!(trust, Trust::Attested(_));
        Ok(Self { args, context, document, manifest, own: home.is_some(), trust, domain, is_domain_told, pinned })
    }

    /// The document, in parts.
    pub(super) fn parts(&self, mut each: impl FnMut(&[u8])) -> Result<(), Failure> {
        match &self.manifest {
            Some(manifest) => each(manifest),
            None => _ = input::parts(&self.document, each)?,
        }
        Ok(())
    }

    /// The document, whole.
    pub(super) fn whole(&self) -> Result<Vec<u8>, Failure> {
        self.manifest.as_ref().map_or_else(|| input::small(&self.document), |manifest| Ok(manifest.clone()))
    }

    /// With the key that a record carries, where its fingerprint was given. It must be that key, also where a ring
    /// tells its state.
    pub(super) fn carried(mut self, key: &PublicKey) -> Result<Self, Failure> {
        self.trust = self.trust.carried(key)?;
        if let Some(pinned) = self.pinned.take() {
            let pinned = pinned.carried(key)?;
            let is_it = matches!(&pinned, Trust::Pinned(file) if file.key.hash() == key.hash());
            if !is_it {
                return Err(TrustError::OtherKey.into());
            }
            self.pinned = Some(pinned);
        }
        Ok(self)
    }

    /// What is known of whoever made a record, and what shows it. Of a seal the key file says which key it is.
    pub(super) fn who(&self, identity_id: &IdentityId, key: Option<&KeyHash>) -> Result<Who, Failure> {
        // A file says nothing of anybody but whose it is.
        let is_anothers = |trust: &Trust| trust.identity_id().is_some_and(|of_file| of_file != *identity_id);
        let of_file = |trust: &Trust| match trust {
            Trust::Pinned(file) if !is_anothers(trust) => {
                Some((*file.key.hash(), file.creator.clone().map(|creator| creator.name)))
            }
            _ => None,
        };
        let file = of_file(&self.trust).or_else(|| self.pinned.as_ref().and_then(of_file));
        let creator = file.as_ref().and_then(|(_, creator)| creator.clone());
        let creator = match self.home()? {
            Some(home) => home.creator_of(identity_id)?,
            None => creator,
        };
        let shown_by = match ShownBy::of(&self.trust) {
            ShownBy::KeyFile if is_anothers(&self.trust) => ShownBy::Nothing,
            ShownBy::Nothing if self.args.signer.identity.is_some() => ShownBy::Caller,
            shown_by => shown_by,
        };
        let key = key.copied().or_else(|| file.map(|(key, _)| key));
        // Outsiders are not told what changes with a decoy.
        let known = self.trust.known().filter(|_| !self.args.public);
        Ok(Who { key, creator, shown_by, revision: known.map(KeyRing::revision) })
    }

    /// The ring of a home folder that is here, where it knows the key that a stranger pinned: it tells its state. No
    /// passphrase is asked for: what nobody vouches for makes no key valid here, it only refuses.
    pub(super) fn better(&self, identity_id: &IdentityId, key: Option<&PublicKey>) -> Option<KeyRing> {
        known_here(self.context, self.domain.domain(), &self.trust, identity_id, key)
    }

    /// Whether a verdict of what the home folder here knows is another than that of the key that was pinned, in the
    /// eyes of whoever is answered: to outsiders a decoy is as good as any.
    pub(super) fn is_worse(&self, known: VerdictKind) -> bool {
        (if self.args.public { outward(known) } else { known }) != VerdictKind::Valid
    }

    /// The key that a seal must be by, where a ring tells its state. A seal carries none.
    pub(super) fn pinned_key(&self) -> Result<Option<&PublicKey>, Failure> {
        match &self.pinned {
            None => Ok(None),
            Some(Trust::Pinned(file)) => Ok(Some(&file.key)),
            Some(_) => Err(TrustError::OnlyFingerprint.into()),
        }
    }

    /// Whether the home folder's own ring is asked.
    pub(super) fn is_own(&self) -> bool {
        self.own
    }

    /// The operator's home folder.
    pub(super) fn home(&self) -> Result<Option<Home>, Failure> {
        if self.own { self.context.home().map(Some) } else { Ok(None) }
    }

    /// The same for names: it is another value than the one whose ring was read, and names count where the ring key
    /// sealed them.
    pub(super) fn home_with_names(&self) -> Result<Option<Home>, Failure> {
        let home = self.home()?;
        if let Some(home) = &home {
            home.authority(self.context.passphrase())?;
        }
        Ok(home)
    }

    /// The identity that the caller names, if any.
    pub(super) fn asked(&self) -> Result<Option<IdentityId>, Failure> {
        match &self.pinned {
            _ if self.args.signer.identity.is_some() => self.args.signer.asked(self.home_with_names()?.as_ref()),
            Some(pinned) => Ok(pinned.identity_id()),
            None => Ok(None),
        }
    }

    /// The place in a chain that the caller gave.
    pub(super) fn place(&self, of: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Shown, Failure> {
        let home = self.home()?;
        if let Some(home) = home.as_ref().filter(|home| self.args.evidence.chain().is_some() && home.has_ring_key()) {
            // It is another value than the one whose ring was read.
            home.authority(self.context.passphrase())?;
        }
        self.args.evidence.place(&self.domain, OfLog { home: home.as_ref(), ring: self.trust.known() }, of)
    }

    /// The place in the operator's own chain.
    pub(super) fn own_place(&self, of: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Option<Located>, Failure> {
        match (self.home()?, &self.trust) {
            (Some(home), Trust::Own(ring)) => home.own_place(ring, of),
            _ => Ok(None),
        }
    }

    /// The ring to verify with. Whom the caller names stands above what a file says.
    pub(super) fn ring(&self, asked: Option<&IdentityId>, claimed: Option<&IdentityId>) -> Result<KeyRing, Failure> {
        let of_file = self.pinned.as_ref().unwrap_or(&self.trust).identity_id();
        agrees(asked, of_file.as_ref())?;
        Ok(self.trust.ring(asked.or(claimed))?)
    }
}

/// The ring of a home folder that is here, where it knows the key that was pinned, or the one that a record carries.
pub(crate) fn known_here(
    context: &Context,
    domain: &Domain,
    trust: &Trust,
    identity_id: &IdentityId,
    key: Option<&PublicKey>,
) -> Option<KeyRing> {
    let Trust::Pinned(file) = trust else { return None };
    let key = key.unwrap_or(&file.key);
    ring_here(context, domain).filter(|ring| ring.has_key(identity_id, key) || ring.is_trap(key))
}

/// The rows of the ring of a home folder that is here, where it is of this domain: nobody vouches for them. Whoever
/// pinned a key needs no home folder: one that is broken knows nothing.
pub(crate) fn ring_here(context: &Context, domain: &Domain) -> Option<KeyRing> {
    let ask = || -> Result<Option<KeyRing>, Failure> {
        match context.home_if_any()?.filter(|home| home.domain().domain() == domain) {
            Some(home) => Ok(Some(home.ring_file()?.unchecked().clone())),
            None => Ok(None),
        }
    };
    ask().unwrap_or_else(|failure| {
        context.output().warn(&format!("the home folder here was not asked: {}", failure.message()));
        None
    })
}

/// The document, where its name is that of a folder's manifest.
fn manifest(document: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let is_named = document.as_os_str().as_encoded_bytes().ends_with(MANIFEST.as_bytes());
    if is_named { input::small(document).map(Some) } else { Ok(None) }
}
