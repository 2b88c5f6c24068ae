//! What a verification is made with: what was asked, whose keys count, and in which domain.

use super::asked::Bundle;
use super::verdict::outward;
use super::who::{ShownBy, Who};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::evidence::{Evidence, OfLog, Shown};
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::input::{self, stripped};
use crate::trust::{self, Trust};
use dualseal::mldsa::KeyHash;
use dualseal::{Entry, IdentityId, KeyRing, Located, PublicKey, VerdictKind};
use dualseal_operator::paths::Show;
use dualseal_operator::trust::TrustError;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal verify contract.pdf.sig.json contract.pdf --key ana.pem
  $ dualseal verify contract.pdf --key ana.pem   # every record and seal that lies beside it
  $ dualseal verify contract.pdf.seal contract.pdf --key ana.pem
  $ dualseal verify contract.pdf.sig.json --key \"$(cat ana.fingerprint)\"   # told over another channel
  $ dualseal verify contract.pdf.sig.json --ring ring.json
  $ dualseal verify contract.pdf.sig.json contract.pdf --key ana.pem \\
      --chain chain.jsonl --checkpoint checkpoint.json --log-key log.pem
  $ dualseal verify contract.pdf --evidence contract.pdf.sig.evidence.json --key ana.pem \\
      --log \"$(cat log.fingerprint)\"
  $ dualseal verify old.pdf.sig.json old.pdf   # by the operator, with the home folder's ring";

/// Verifies a document by its signature record, its seal or a file of evidence
///
/// Needs the record, the document, and the signer's public key or ring: nothing else, and no network. Without --key and
/// --ring the home folder's ring is asked, for which its chain must vouch. A record by a retired key is valid only
/// where the chain proves that it is older than the retirement: --chain, --checkpoint, --log-key.
///
/// A file of evidence (--evidence) brings record, key, place and witnesses. What counts is the log's fingerprint
/// (--log), which its operator tells over another channel, and whose record it must be (--key, --identity or
/// --any-signer): whoever has a key in a log can sign any document. The document is the only argument then.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The signature record or the seal; the document alone, where its records lie beside it, or with --evidence; `-`
    /// is standard input
    #[arg(value_name = "RECORD|DOCUMENT")]
    pub(super) record: PathBuf,

    /// The document; `-` is standard input [default: the record's name without .sig.json or .seal, and without the
    /// signer's name before that]
    pub(super) document: Option<PathBuf>,

    /// The signer's public key file, or the fingerprint of the key (64 characters), which a record carries; no
    /// passphrase of the home folder is asked for. May be given several times where a document has several signers:
    /// each of them must have made something that holds
    #[arg(long, value_name = "FILE|HEX")]
    pub(super) key: Vec<PathBuf>,

    /// A ring, as its operator gave it out; without a checkpoint of its log it is unattested. With --key it tells the
    /// state of that key
    #[arg(long, value_name = "FILE")]
    pub(super) ring: Option<PathBuf>,

    #[command(flatten)]
    pub(super) signer: Signer,

    /// A document of JSON counts in its canonical form as well (RFC 8785), in any spacing and member order
    #[arg(long)]
    pub(super) canonical: bool,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    pub(super) public: bool,

    /// Which layers of a seal are asked for [default: both where the seal key is here, else b]
    #[arg(long)]
    pub(super) policy: Option<Layers>,

    /// Accepts a legacy seal under --policy a
    #[arg(long)]
    pub(super) legacy: bool,

    #[command(flatten)]
    pub(super) evidence: Evidence,

    #[command(flatten)]
    pub(super) bundle: Bundle,
}

/// Whose signature is asked for.
#[derive(clap::Args, Debug)]
pub(crate) struct Signer {
    /// Whose signature it must be [default: whose key the key file says it is]
    #[arg(long, visible_alias = "signer", value_name = "NAME")]
    pub(crate) identity: Option<String>,

    /// Anybody of the ring may have signed: the answer says who, and that is for the reader to judge
    #[arg(long, conflicts_with = "identity")]
    pub(crate) any_signer: bool,
}

impl Signer {
    /// Whether the caller said anything of it.
    pub(crate) fn is_said(&self) -> bool {
        self.any_signer || self.identity.is_some()
    }

    /// The identity that the caller names, if any: as the home folder names it, or in hexadecimal.
    pub(crate) fn asked(&self, home: Option<&Home>) -> Result<Option<IdentityId>, Failure> {
        let Some(name) = &self.identity else { return Ok(None) };
        match home {
            Some(home) => home.identity(name).map(Some),
            None => Ok(Some(name.parse().map_err(|error| Failure::from(error).about("--identity"))?)),
        }
    }
}

/// Layers of a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Layers {
    /// The whole dual seal; needs the seal key
    Both,
    /// The HMAC alone; needs the seal key, and asks for no key's state
    A,
    /// The signature alone
    B,
}

/// How the names of records end.
pub(super) const RECORDS: [&str; 2] = [".sig.json", ".seal"];

/// One record that is verified.
pub(super) struct Named<'a> {
    pub(super) record: &'a Path,
    pub(super) document: PathBuf,
    /// The key that is pinned for it.
    pub(super) key: Option<&'a Path>,
}

/// What a verification is made with.
pub(super) struct Bench<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) document: PathBuf,
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

impl<'a> Bench<'a> {
    pub(super) fn new(args: &'a Args, named: &Named<'_>, context: &'a Context) -> Result<Self, Failure> {
        let document = named.document.clone();
        let (home, trust) = context.trust(args.ring.as_deref().or(named.key), "signer")?;
        let pinned = named.key.filter(|_| args.ring.is_some()).map(trust::read).transpose()?;
        let of_log = args.evidence.domain()?;
        let of_file = pinned.as_ref().and_then(Trust::domain).or_else(|| trust.domain()).or(of_log.as_ref());
        let (domain, is_domain_told) = context.domain_told(of_file, home.as_ref())?;
        let trust = args.evidence.attested(trust, &domain)?;
        // A checkpoint that holds is of this domain.
        let is_domain_told = is_domain_told || matches!(trust, Trust::Attested(_));
        Ok(Self { args, context, document, own: home.is_some(), trust, domain, is_domain_told, pinned })
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
        let of_file = |trust: &Trust| match trust {
            Trust::Pinned(file) => Some((*file.key.hash(), file.creator.clone().map(|creator| creator.name))),
            _ => None,
        };
        let file = of_file(&self.trust).or_else(|| self.pinned.as_ref().and_then(of_file));
        let creator = file.as_ref().and_then(|(_, creator)| creator.clone());
        let creator = match self.home()? {
            Some(home) => home.creator_of(identity_id)?,
            None => creator,
        };
        let shown_by = match &self.trust {
            Trust::Own(_) | Trust::Unattested(_) | Trust::Attested(_) => ShownBy::Ring,
            Trust::Pinned(file) if file.identity_id.is_some() => ShownBy::KeyFile,
            _ if self.args.signer.identity.is_some() => ShownBy::Caller,
            Trust::Pinned(_) | Trust::Fingerprint(_) => ShownBy::Nothing,
        };
        let key = key.copied().or_else(|| file.map(|(key, _)| key));
        // Outsiders are not told what changes with a decoy.
        let known = self.trust.known().filter(|_| !self.args.public);
        Ok(Who { key, creator, shown_by, revision: known.map(KeyRing::revision) })
    }

    /// The ring of a home folder that is here, where it knows the key that a stranger pinned: it tells its state. No
    /// passphrase is asked for: what nobody vouches for makes no key valid here, it only refuses.
    pub(super) fn better(&self, identity_id: &IdentityId, key: Option<&PublicKey>) -> Option<KeyRing> {
        let Trust::Pinned(file) = &self.trust else { return None };
        let key = key.unwrap_or(&file.key);
        let ask = || -> Result<Option<KeyRing>, Failure> {
            let home = self.context.home_if_any()?;
            let Some(home) = home.filter(|home| home.domain().domain() == self.domain.domain()) else {
                return Ok(None);
            };
            let rows = home.ring_file()?;
            let ring = rows.unchecked();
            let is_known = ring.has_key(identity_id, key) || ring.is_trap(key);
            Ok(is_known.then(|| ring.clone()))
        };
        // Whoever pinned a key needs no home folder: one that is broken knows nothing.
        ask().unwrap_or_else(|failure| {
            self.context.output().warn(&format!("the home folder here was not asked: {}", failure.message()));
            None
        })
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
        if asked.zip(of_file.as_ref()).is_some_and(|(asked, named)| asked != named) {
            let hint = "ask the signer for the key file of the identity that you mean";
            return Err(Failure::new(USAGE, "the key file is another identity's than --identity says", hint));
        }
        Ok(self.trust.ring(asked.or(claimed))?)
    }
}

/// The document of the record that was named.
pub(super) fn document(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(document) = &args.document {
        if input::is_standard(document) && input::is_standard(&args.record) {
            let hint = "give one of them as a file";
            return Err(Failure::new(USAGE, "the record and the document cannot both be standard input", hint));
        }
        return Ok(document.clone());
    }
    // Bytes, because a name need not be UTF-8.
    let name = args.record.as_os_str().as_encoded_bytes();
    let stem = RECORDS.iter().find_map(|suffix| name.strip_suffix(suffix.as_bytes()));
    let none = || {
        let message = "the record's name does not say which document it is of";
        Failure::new(USAGE, message, record_first(&args.record))
    };
    let document = stripped(&args.record, name.len() - stem.ok_or_else(none)?.len()).ok_or_else(none)?;
    Ok(without_signer(document))
}

/// Of a second signer's record the document, whose name comes before the signer's.
pub(super) fn without_signer(document: PathBuf) -> PathBuf {
    let is_signed = |document: &Path| beside(document).into_iter().any(|record| record.is_file());
    let mut without = document.clone();
    while !(without.exists() && (without == document || is_signed(&without))) {
        if without.extension().is_none() {
            return document;
        }
        without.set_extension("");
    }
    without
}

/// The names of a document's first record and seal.
fn beside(document: &Path) -> [PathBuf; 2] {
    RECORDS.map(|suffix| {
        let mut name = document.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// What to give instead of a document: its record beside it, if there is one.
pub(super) fn record_first(document: &Path) -> String {
    match beside(document).into_iter().find(|record| record.is_file()) {
        Some(record) => format!("give its record first: {}", record.shown()),
        None => "give the record first (.sig.json or .seal), then the document; `dualseal inspect` says what a file is"
            .to_owned(),
    }
}
