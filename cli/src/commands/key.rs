//! `dualseal key`: signing keys and the ring that says what state they are in.

mod made;
mod show;

use crate::commands::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use dualseal::KeyState;
use dualseal::mldsa::KeyHash;
use std::path::PathBuf;

const NEW: &str = "\
Examples:
  $ dualseal key new ana
  $ dualseal key new log --origin acme.example/log --domain ACME
  $ dualseal key new ana --passphrase-file passphrase.txt";

const SHOW: &str = "\
Examples:
  $ dualseal key show
  $ dualseal key show ana";

const IMPORT: &str = "\
Examples:
  $ dualseal key import ana ana-secret.pem";

const EXPORT: &str = "\
Examples:
  $ dualseal key export ana -o ana.pem
  $ dualseal key export --ring -o ring.json
  $ dualseal key export ana --secret -o ana-secret.pem";

const ROTATE: &str = "\
Examples:
  $ dualseal key rotate ana";

const STATE: &str = "\
Examples:
  $ dualseal key state ana suspended
  $ dualseal key state ana revoked";

/// Makes and keeps signing keys
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Makes an identity and its key, and the home folder if there is none
    ///
    /// Without a passphrase the key is protected by the mode of its file alone (0600).
    #[command(after_help = NEW)]
    New(NewArgs),
    /// Shows the keys and their states
    ///
    /// They are shown as ring.json has them; `chain check --with-ring` tells whether the chain vouches for it.
    #[command(after_help = SHOW)]
    Show(ShowArgs),
    /// Takes over a signing key that was made elsewhere (PKCS#8, PEM)
    #[command(after_help = IMPORT)]
    Import(ImportArgs),
    /// Writes what others need: the public key, or the ring without its secrets
    ///
    /// The public key file is PEM that any program reads; lines before it say whose key it is and in which domain. The
    /// passphrase of the home folder is asked for, because its own key vouches for the ring.
    #[command(after_help = EXPORT)]
    Export(ExportArgs),
    /// Puts a new key in place of the current one, which is retired
    #[command(after_help = ROTATE)]
    Rotate(RotateArgs),
    /// Sets the state of a key
    #[command(after_help = STATE)]
    State(StateArgs),
}

#[derive(clap::Args, Debug)]
pub(crate) struct NewArgs {
    /// A short name for the identity, or an identity of 64 characters that `id` computed
    name: String,

    /// The name of the log that the home folder's chain is, for a new home folder [default: drawn]
    #[arg(long)]
    origin: Option<String>,

    /// Asks for a passphrase that protects the secret files
    #[arg(long)]
    protect: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ShowArgs {
    /// One identity, by its name or its 64 characters [default: all]
    name: Option<String>,

    /// Shows what an outsider may see: a decoy reads as valid
    #[arg(long)]
    public: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ImportArgs {
    /// A short name for the identity, or its 64 characters
    name: String,

    /// The signing key
    file: PathBuf,

    /// Asks for a passphrase that protects the secret files here
    #[arg(long)]
    protect: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ExportArgs {
    /// Whose key [default: the only identity there is]
    name: Option<String>,

    /// The ring, as it may leave its operator
    #[arg(long, conflicts_with_all = ["name", "secret"])]
    ring: bool,

    /// The signing key itself
    #[arg(long, requires = "out")]
    secret: bool,

    #[command(flatten)]
    target: Target,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RotateArgs {
    /// Whose key
    name: String,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StateArgs {
    /// Whose key
    name: String,

    /// The new state
    state: State,

    /// SHA3-256 of a retired key [default: the current key]
    #[arg(long, value_name = "HASH")]
    key: Option<KeyHash>,
}

/// The states of a key, by the words of people or of the wire.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum State {
    /// Signatures are valid
    #[value(alias = "istina")]
    Valid,
    /// Signatures are refused
    #[value(alias = "laz")]
    Revoked,
    /// A honeypot: outsiders see a pass, the operator sees a thief
    #[value(alias = "oboje")]
    Decoy,
    /// Signatures are neither confirmed nor refused
    #[value(alias = "nijedno")]
    Suspended,
}

impl From<State> for KeyState {
    fn from(state: State) -> Self {
        match state {
            State::Valid => Self::Valid,
            State::Revoked => Self::Revoked,
            State::Decoy => Self::Decoy,
            State::Suspended => Self::Suspended,
        }
    }
}

/// The word for a state.
pub(crate) fn word(state: KeyState) -> &'static str {
    match state {
        KeyState::Valid => "valid",
        KeyState::Revoked => "revoked",
        KeyState::Decoy => "decoy",
        KeyState::Suspended => "suspended",
    }
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::New(_) => "key new",
            Self::Show(_) => "key show",
            Self::Import(_) => "key import",
            Self::Export(_) => "key export",
            Self::Rotate(_) => "key rotate",
            Self::State(_) => "key state",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::New(args) => made::new(args, context),
        Command::Show(args) => show::show(args, context),
        Command::Import(args) => made::import(args, context),
        Command::Export(args) => show::export(args, context),
        Command::Rotate(args) => made::rotate(args, context),
        Command::State(args) => made::state(args, context),
    }
}
