//! `dualseal vault`: a ledger of sealed documents in the home folder.

mod check;
mod erased;
mod erasures;
mod keys;
mod ledger;
mod list;
mod made;
mod taken;
mod tier;
mod trace;
mod verified;

use crate::commands::Target;
use crate::commands::chain::evidence::Evidence;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use dualseal::shamir::SplitId;
use std::path::PathBuf;

const INIT: &str = "\
Examples:
  $ dualseal vault init
  $ dualseal vault init --as ana --ledger deeds --tier native";

const SEAL: &str = "\
Examples:
  $ dualseal vault seal contract.pdf --type CONTRACT
  $ dualseal vault seal order.json --plain
  $ cat contract.pdf | dualseal vault seal - --note 'received at the front desk'";

const VERIFY: &str = "\
Examples:
  $ dualseal vault verify
  $ dualseal vault verify 0
  $ dualseal vault verify --policy public
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem \\
      --tier-key ana.tier.pem --least-tier native
  $ dualseal vault verify --file deed.vault.json --stored deed.stored --key ana.pem \\
      --chain vaulted.jsonl --checkpoint vaulted.json --log-key log.pem";

const UNSEAL: &str = "\
Examples:
  $ dualseal vault unseal 0 -o copy.pdf
  $ dualseal vault unseal 0 -o - > copy.pdf";

const LIST: &str = "\
Examples:
  $ dualseal vault list";

const TRACE: &str = "\
Examples:
  $ dualseal vault trace leaked.txt
  $ dualseal vault trace contract.pdf.thief.json contract.pdf";

const ERASE: &str = "\
Examples:
  $ dualseal vault erase 0 --yes
  $ dualseal vault erase 0 --yes \\
      --split 6f1d7c0e5b2a49388d6e0f9a1b3c5d7e9f02468ace13579bdf0123456789abcd";

const TIER_KEY: &str = "\
Examples:
  $ dualseal vault tier-key -o tier.pem";

const REDACT: &str = "\
Examples:
  $ dualseal vault redact 0 -o copy.vault.json --stored copy.stored
  $ dualseal vault redact -o ledger.jsonl";

/// Keeps documents sealed in nine layers, in a ledger whose records vouch for one another
///
/// Everything is in the home folder, under vaults/. A record's place counts under a checkpoint, which every change
/// signs anew.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Makes a ledger and its secrets
    #[command(after_help = INIT)]
    Init(InitArgs),
    /// Seals a document of any size into the ledger
    ///
    /// The document is encrypted under a secret of its own, unless --plain is given. Its record, its entry in the
    /// chain, the decoy key of its trap and a checkpoint over it are written together, or none of them.
    #[command(after_help = SEAL)]
    Seal(SealArgs),
    /// Verifies the ledger or one of its records, layer by layer
    ///
    /// The operator's policy asks for every layer, with the secrets of the ledger and its place in the chain. The
    /// public one is what anybody can check, also of files that left the ledger (--file).
    #[command(after_help = VERIFY)]
    Verify(VerifyArgs),
    /// Takes a document out, if every layer of its record holds
    #[command(after_help = UNSEAL)]
    Unseal(UnsealArgs),
    /// Shows the records
    #[command(after_help = LIST)]
    List(ListArgs),
    /// Names the record from which a secret leaked
    ///
    /// Each kept record holds a trap: a fragment that looks and works like a signing key. Give the fragment that was
    /// found, the record that holds it, or what somebody signed with it.
    #[command(after_help = TRACE)]
    Trace(TraceArgs),
    /// Destroys the secret of an encrypted document, and says so in the ledger
    ///
    /// The encrypted bytes stay, which nobody can read any more: so every other record still verifies, and this one as
    /// well. Nothing is destroyed unless every layer of the record holds and the secret opens it. Where the secret is
    /// lost already, the ledger gets the record of it; where it came back, it is destroyed again. Copies of the secret
    /// or the document elsewhere are not destroyed, and nobody can prove that there are none. The ledger does not know
    /// who has shares of the secret: destroy them as well, and name their splits, which the erasure then records.
    #[command(after_help = ERASE)]
    Erase(EraseArgs),
    /// Writes the copy of a record that may leave: without its trap
    ///
    /// Without a record, writes the whole ledger as JSON lines.
    #[command(after_help = REDACT)]
    Redact(RedactArgs),
    /// Writes the public key that shows the ledger's tier (layer L4), for whoever verifies records that left it
    #[command(after_help = TIER_KEY)]
    TierKey(TierKeyArgs),
}

/// Which ledger.
#[derive(clap::Args, Debug)]
pub(crate) struct Which {
    /// The name of the ledger
    #[arg(long, value_name = "NAME", default_value = "main")]
    ledger: String,
}

#[derive(clap::Args, Debug)]
pub(crate) struct InitArgs {
    /// Whose documents it keeps [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// The tier of whoever seals
    #[arg(long, value_name = "TIER", default_value = "native")]
    tier: Tier,

    /// Asks for a passphrase that protects the secret files
    #[arg(long)]
    protect: bool,

    #[command(flatten)]
    which: Which,
}

/// The tiers.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Tier {
    /// Shown by no key
    Public,
    /// Shown by a key of its own
    Noble,
    /// The highest, shown by a key of its own
    Native,
}

#[derive(clap::Args, Debug)]
pub(crate) struct SealArgs {
    /// The document; `-` is standard input
    document: PathBuf,

    /// What kind of document it is
    #[arg(long = "type", value_name = "TYPE", default_value = "DOCUMENT")]
    kind: String,

    /// Stores it as it is, for everybody who can read the home folder. It cannot be erased
    #[arg(long)]
    plain: bool,

    /// What was reported from outside (layer L1): recorded, and never checked
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,

    /// Signs no checkpoint: sign one by `checkpoint sign` after several documents
    #[arg(long)]
    no_checkpoint: bool,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// A record, by its place in the ledger or its vault id [default: the whole ledger]
    record: Option<String>,

    /// Whose checks [default: operator for the ledger, public for a file]
    #[arg(long, conflicts_with = "file")]
    policy: Option<Policy>,

    /// A record that left the ledger
    #[arg(long, value_name = "FILE", requires = "stored", conflicts_with = "record")]
    file: Option<PathBuf>,

    /// Its stored bytes
    #[arg(long, value_name = "FILE", requires = "file")]
    stored: Option<PathBuf>,

    /// The sealer's public key file, for the public policy [default: the home folder's ring]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// A ring, as its operator gave it out, for the public policy
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    ring: Option<PathBuf>,

    /// A file of the key that shows the sealer's tier; may be given several times
    #[arg(long, value_name = "FILE", requires = "file")]
    tier_key: Vec<PathBuf>,

    /// The least tier that is good enough, shown by one of these keys [default: any]
    #[arg(long, value_name = "TIER", requires = "tier_key")]
    least_tier: Option<Tier>,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    evidence: Evidence,

    #[command(flatten)]
    which: Which,
}

/// Whose checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Policy {
    /// All layers; needs the secrets of the ledger and a checkpoint
    Operator,
    /// What anybody can check
    Public,
}

#[derive(clap::Args, Debug)]
pub(crate) struct UnsealArgs {
    /// The record, by its place in the ledger or its vault id
    record: String,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct TraceArgs {
    /// What was found: a fragment of 64 characters, a record that holds one, or a signature record; `-` is standard
    /// input
    found: PathBuf,

    /// The document that was signed, for a signature record
    document: Option<PathBuf>,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct EraseArgs {
    /// The record, by its place in the ledger or its vault id
    record: String,

    /// Does it: it cannot be undone
    #[arg(long)]
    yes: bool,

    /// A split of the secret whose shares were destroyed as well, by its 64 characters; may be given several times
    #[arg(long = "split", value_name = "ID")]
    splits: Vec<SplitId>,

    /// Signs no checkpoint
    #[arg(long)]
    no_checkpoint: bool,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RedactArgs {
    /// The record, by its place in the ledger or its vault id [default: the whole ledger]
    record: Option<String>,

    /// Writes the stored bytes there as well
    #[arg(long, value_name = "FILE", requires = "record")]
    stored: Option<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct TierKeyArgs {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "vault init",
            Self::Seal(_) => "vault seal",
            Self::Verify(_) => "vault verify",
            Self::Unseal(_) => "vault unseal",
            Self::List(_) => "vault list",
            Self::Trace(_) => "vault trace",
            Self::Erase(_) => "vault erase",
            Self::Redact(_) => "vault redact",
            Self::TierKey(_) => "vault tier-key",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Init(args) => made::init(args, context),
        Command::Seal(args) => made::seal(args, context),
        Command::Verify(args) => check::verify(args, context),
        Command::Unseal(args) => taken::unseal(args, context),
        Command::List(args) => list::list(args, context),
        Command::Trace(args) => trace::trace(args, context),
        Command::Erase(args) => erased::erase(args, context),
        Command::Redact(args) => taken::redact(args, context),
        Command::TierKey(args) => tier::export(args, context),
    }
}
