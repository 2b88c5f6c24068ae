//! `dualseal verify`: a signature record or a seal, for whoever received one.

mod record;
mod seal;
pub(crate) mod verdict;

use crate::commands::chain::evidence::{self, Evidence, OfLog};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, READ, USAGE};
use crate::home::Home;
use crate::input;
use crate::output::Report;
use crate::trust::Trust;
use dualseal::error::{Malformed, Problem};
use dualseal::inspect::{Kind, inspect};
use dualseal::seal::Seal;
use dualseal::{Entry, Error, IdentityId, KeyRing, Located, SignatureRecord};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal verify contract.pdf.sig.json contract.pdf --key ana.pem
  $ dualseal verify contract.pdf.seal contract.pdf --key ana.pem
  $ dualseal verify contract.pdf.sig.json --ring ring.json
  $ dualseal verify contract.pdf.sig.json contract.pdf --key ana.pem \\
      --chain chain.jsonl --checkpoint checkpoint.json --log-key log.pem
  $ dualseal verify old.pdf.sig.json old.pdf   # by the operator, with the home folder's ring";

/// Verifies a document by its signature record or its seal
///
/// Needs the record, the document, and the signer's public key or ring: nothing else, and no network. Without --key and
/// --ring the home folder's ring is asked, for which its chain must vouch. A record by a retired key is valid only
/// where the chain proves that it is older than the retirement: --chain, --checkpoint, --log-key.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The signature record or the seal; `-` is standard input
    record: PathBuf,

    /// The document; `-` is standard input [default: the record's name without .sig.json or .seal]
    document: Option<PathBuf>,

    /// The signer's public key file; with it a signature needs no passphrase of the home folder
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// A ring, as its operator gave it out
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    ring: Option<PathBuf>,

    /// Whose signature it must be [default: whose key the key file says it is]
    #[arg(long, value_name = "NAME")]
    identity: Option<String>,

    /// A document of JSON counts in its canonical form as well (RFC 8785), in any spacing and member order
    #[arg(long)]
    canonical: bool,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    /// Which layers of a seal are asked for [default: both where the seal key is here, else b]
    #[arg(long)]
    policy: Option<Layers>,

    /// Accepts a legacy seal under --policy a
    #[arg(long)]
    legacy: bool,

    #[command(flatten)]
    evidence: Evidence,
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
const RECORDS: [&str; 2] = [".sig.json", ".seal"];

/// What a verification is made with.
struct Bench<'a> {
    args: &'a Args,
    context: &'a Context,
    document: PathBuf,
    /// Whether the home folder's keys count: not for a stranger, who named a key or a ring. The folder itself is opened
    /// where it is asked, and not locked while the document is read: that may come slowly.
    own: bool,
    trust: Trust,
    domain: DomainFile,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let bytes = input::small(&args.record)?;
    let bench = Bench::new(args, context)?;
    let about = |failure: Failure| failure.about(args.record.display());
    // The line end of its file is no part of a seal.
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.starts_with("SEAL-")) {
        let seal = text.strip_suffix('\n').unwrap_or(text).parse().map_err(|error| about(Failure::from(error)))?;
        return seal::verify(&bench, &seal);
    }
    match inspect(&bytes).kind {
        Kind::SignatureRecord => {
            let record = SignatureRecord::from_json(&bytes).map_err(|error| about(error.into()))?;
            record::verify(&bench, &record)
        }
        Kind::Unknown if args.record.as_os_str().as_encoded_bytes().ends_with(b".seal") => {
            Err(about(no_seal(&bytes).into()))
        }
        Kind::Unknown => {
            let message = format!("{} is neither a signature record nor a seal", args.record.display());
            Err(Failure::new(READ, message, record_first(&args.record)))
        }
        kind => {
            let message = format!("{} is a {kind}, not a signature record or a seal", args.record.display());
            Err(Failure::new(READ, message, "see `dualseal --help` for the command that checks it"))
        }
    }
}

/// What is wrong with a file that its name says to be a seal, and that begins as none does.
pub(crate) fn no_seal(bytes: &[u8]) -> Error {
    let parsed: Result<Seal, Error> = String::from_utf8_lossy(bytes).parse();
    parsed.err().unwrap_or_else(|| Malformed::new("seal", None, Problem::UnknownValue).into())
}

impl<'a> Bench<'a> {
    fn new(args: &'a Args, context: &'a Context) -> Result<Self, Failure> {
        let document = document(args)?;
        let (home, trust) = if let Some(path) = args.key.as_ref().or(args.ring.as_ref()) {
            (None, Trust::read(path)?)
        } else {
            let Some(home) = context.home_if_any()? else {
                let hint = "ask the signer for the public key file and give it with --key";
                return Err(Failure::new(USAGE, "nothing says whose keys to trust", hint));
            };
            let ring = home.ring(context)?;
            (Some(home), Trust::Ring(ring))
        };
        let domain = context.domain(trust.domain(), home.as_ref())?;
        Ok(Self { args, context, document, own: home.is_some(), trust, domain })
    }

    /// The operator's home folder.
    fn home(&self) -> Result<Option<Home>, Failure> {
        if self.own { self.context.home().map(Some) } else { Ok(None) }
    }

    /// The identity that the caller names, if any.
    fn asked(&self) -> Result<Option<IdentityId>, Failure> {
        let Some(name) = &self.args.identity else { return Ok(None) };
        match self.home()? {
            Some(home) => home.identity(name).map(Some),
            None => Ok(Some(name.parse().map_err(|error| Failure::from(error).about("--identity"))?)),
        }
    }

    /// The place in a chain that the caller gave.
    fn place(&self, of: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Option<Located>, Failure> {
        let home = self.home()?;
        self.args.evidence.place(&self.domain, OfLog { home: home.as_ref(), ring: self.trust.known() }, of)
    }

    /// The place in the operator's own chain.
    fn own_place(&self, of: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Option<Located>, Failure> {
        match (self.home()?, &self.trust) {
            (Some(home), Trust::Ring(ring)) => evidence::own_place(&home, ring, of),
            _ => Ok(None),
        }
    }

    /// The ring to verify with. Whom the caller names stands above what a file says.
    fn ring(&self, asked: Option<&IdentityId>, claimed: Option<&IdentityId>) -> Result<KeyRing, Failure> {
        if asked.zip(self.trust.identity_id().as_ref()).is_some_and(|(asked, named)| asked != named) {
            let hint = "ask the signer for the key file of the identity that you mean";
            return Err(Failure::new(USAGE, "the key file is another identity's than --identity says", hint));
        }
        self.trust.ring(asked.or(claimed))
    }
}

fn document(args: &Args) -> Result<PathBuf, Failure> {
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
    stripped(&args.record, name.len() - stem.ok_or_else(none)?.len()).ok_or_else(none)
}

/// What to give instead of a document: its record beside it, if there is one.
fn record_first(document: &Path) -> String {
    let beside = RECORDS.iter().map(|suffix| {
        let mut name = document.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    });
    match beside.into_iter().find(|record| record.is_file()) {
        Some(record) => format!("give its record first: {}", record.display()),
        None => "give the record first (.sig.json or .seal), then the document; `dualseal inspect` says what a file is"
            .to_owned(),
    }
}

/// A path without so many bytes of ASCII at its end.
#[cfg(unix)]
pub(crate) fn stripped(path: &Path, bytes: usize) -> Option<PathBuf> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let name = path.as_os_str().as_bytes();
    let stem = name.get(..name.len().checked_sub(bytes)?)?;
    (!stem.is_empty()).then(|| std::ffi::OsString::from_vec(stem.to_vec()).into())
}

#[cfg(not(unix))]
pub(crate) fn stripped(path: &Path, bytes: usize) -> Option<PathBuf> {
    let name = path.to_str()?;
    name.get(..name.len().checked_sub(bytes)?).filter(|stem| !stem.is_empty()).map(PathBuf::from)
}
