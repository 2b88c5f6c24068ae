//! Whose keys count: those that were named, else those of the home folder.

use super::Args;
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::trust::Trust;
use dualseal::{IdentityId, KeyRing};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The keys that count.
pub(super) struct Trusted {
    /// `None` for a stranger, who named keys or rings.
    pub(super) home: Option<Home>,
    pub(super) domain: DomainFile,
    rings: Vec<KeyRing>,
    /// A key whose file does not say whose it is: it is tried for everybody whom the others do not know.
    nameless: Option<Trust>,
    nobody: KeyRing,
}

impl Trusted {
    pub(super) fn new(args: &Args, context: &Context) -> Result<Self, Failure> {
        let (mut rings, mut nameless, mut domain) = (Vec::new(), None, None::<DomainFile>);
        for path in args.key.iter().chain(&args.ring) {
            let trust = Trust::read(path)?;
            if let Some(named) = trust.domain() {
                if domain.as_ref().is_some_and(|domain| domain.to_words() != named.to_words()) {
                    let message = format!("{} is of another domain than the keys before it", path.display());
                    return Err(Failure::new(USAGE, message, "audit the folder once for each domain"));
                }
                domain = Some(named.clone());
            }
            match (&trust, trust.identity_id()) {
                (Trust::Pinned(_), None) if nameless.is_none() => nameless = Some(trust),
                (Trust::Pinned(_), None) => {
                    let hint = "ask for files that `dualseal key export` wrote, with their first lines";
                    return Err(Failure::new(USAGE, "several key files do not say whose keys they are", hint));
                }
                _ => rings.push(trust.ring(None)?),
            }
        }
        let home = if rings.is_empty() && nameless.is_none() {
            let none = || {
                let hint = "ask the signers for their public key files and give them with --key";
                Failure::new(USAGE, "nothing says whose keys to trust", hint)
            };
            let home = context.home_if_any()?.ok_or_else(none)?;
            rings.push(home.ring()?);
            Some(home)
        } else {
            None
        };
        let domain = context.domain(domain.as_ref(), home.as_ref())?;
        Ok(Self { home, domain, rings, nameless, nobody: KeyRing::new("nobody")? })
    }

    /// The ring to ask about an identity. One that knows nobody of that name refuses, as it should.
    pub(super) fn ring(&self, identity_id: &IdentityId) -> Cow<'_, KeyRing> {
        let knows = |ring: &&KeyRing| ring.identities().any(|known| known == identity_id);
        if let Some(ring) = self.rings.iter().find(knows) {
            return Cow::Borrowed(ring);
        }
        let pinned = self.nameless.as_ref().and_then(|trust| trust.ring(Some(identity_id)).ok());
        pinned.map_or_else(|| Cow::Borrowed(self.rings.first().unwrap_or(&self.nobody)), Cow::Owned)
    }

    /// Everybody who is known by name.
    pub(super) fn identities(&self) -> BTreeSet<IdentityId> {
        self.rings.iter().flat_map(KeyRing::identities).copied().collect()
    }
}
