//! What is asked of a verification.

use super::asked::Bundle;
use crate::evidence::Evidence;
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use dualseal::IdentityId;
use std::path::PathBuf;

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

/// Whether whom the caller asks for is whom a key file names, where both say something.
pub(super) fn agrees(asked: Option<&IdentityId>, named: Option<&IdentityId>) -> Result<(), Failure> {
    if asked.zip(named).is_none_or(|(asked, named)| asked == named) {
        return Ok(());
    }
    let hint = "ask the signer for the key file of the identity that you mean";
    Err(Failure::new(USAGE, "the key file is another identity's than --identity says", hint))
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

impl Layers {
    /// What is said where layer A is asked for and the seal key is not here.
    pub(crate) fn without_key() -> Failure {
        let hint = "ask for --policy b, the signature alone, which needs no seal key";
        Failure::new(USAGE, "only the operator, who holds the seal key, can check layer A", hint)
    }
}
