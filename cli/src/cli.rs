//! The tree of commands.

use crate::commands::{
    audit, chain, checkpoint, combine, evidence, id, inspect, key, lint, seal, session, share, shell, sign, split,
    vault, verify, witness,
};
use crate::context::Context;
use crate::failure::Failure;
use crate::options::Options;
use crate::output::Report;
use clap::{CommandFactory, Parser, Subcommand};

/// What the library's numbers become in the 8 bits of an exit status.
const STATUSES: &str = "\
Exit status:
  0   done; of a verification: valid
  1   not valid: evidence that does not hold, or a fork
  2   revoked: the signer's key is called back
  3   neither confirmed nor refused: the key is suspended, or more is needed to tell
  4   decoy: a stolen honeypot key signed this
  64  wrong arguments, or they ask for what cannot be done
  66  a file cannot be read, or input has not the form that it must have
  70  a defect of this program, or the random number generator failed
  73  a file cannot be written
  75  another process is writing to the home folder
  77  a secret or passphrase is missing or wrong, or a secret lies in a folder that was audited
  78  the home folder is missing, or not as it must be

With --json the library's own number, which says more, is in the member `code` (docs/ERRORS.md).

The home folder holds home.json (domain and origin), names.json, the log (state.jsonl, ring/, chain.jsonl,
checkpoint.json, records.jsonl and more, see docs/CLI.md), keys/, records/, vaults/ and the secrets ring.key, seal.key
and note.key. Set it with --home or DUALSEAL_HOME; it is made by `key new`.
Whoever only verifies needs none.";

const EXAMPLES: &str = "\
Examples:
  $ dualseal key new ana
  $ dualseal sign contract.pdf --as ana
  $ dualseal key export ana -o ana.pem
  $ dualseal verify contract.pdf.sig.json contract.pdf --key ana.pem
  $ mkdir handed && cp contract.pdf contract.pdf.sig.json handed   # the folder for somebody else
  $ dualseal audit handed --key ana.pem                            # by whoever got it, and the key
  $ dualseal split deed.pdf --threshold 3 --shares 5               # any 3 of 5 shares give it back
  $ dualseal combine deed.pdf.split/share-[135].txt --dealing deed.pdf.split/dealing.json \\
      --wrapped deed.pdf.split/deed.pdf.wrapped -o back.pdf";

/// Signs and seals documents so that anybody can check them years later, offline.
#[derive(Debug, Parser)]
#[command(name = "dualseal", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{STATUSES}"))]
#[command(propagate_version = true, subcommand_required = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, term_width = 120)]
pub(crate) struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Id(id::Args),
    #[command(subcommand)]
    Key(key::Command),
    Sign(sign::Args),
    Verify(Box<verify::Args>),
    Seal(seal::Args),
    Split(split::Args),
    Combine(combine::Args),
    #[command(subcommand)]
    Share(share::Command),
    #[command(subcommand)]
    Session(session::Command),
    #[command(subcommand)]
    Chain(chain::Command),
    #[command(subcommand)]
    Checkpoint(checkpoint::Command),
    #[command(subcommand)]
    Evidence(evidence::Command),
    #[command(subcommand)]
    Vault(vault::Command),
    #[command(subcommand)]
    Witness(witness::Command),
    Audit(audit::Args),
    Inspect(inspect::Args),
    #[command(subcommand)]
    Lint(lint::Command),
    Completions(shell::Completions),
    Man(shell::Man),
}

impl Cli {
    /// Whether the home folder is named by nothing.
    pub(crate) fn has_empty_home(&self) -> bool {
        self.options.home.as_ref().is_some_and(|home| home.as_os_str().is_empty())
    }

    /// As if no home folder were named.
    pub(crate) fn forget_home(&mut self) {
        self.options.home = None;
    }

    /// Runs the command and prints what came of it, beside standard output where that is data. Returns the exit
    /// status.
    pub(crate) fn run(self, data: bool) -> u8 {
        let name = self.command.name();
        let context = Context::new(self.options);
        let answer = self.command.run(&context);
        context.output().print(name, answer, data)
    }
}

impl Command {
    /// The command as it was typed: the `command` of the JSON answer.
    fn name(&self) -> &'static str {
        match self {
            Self::Id(_) => "id",
            Self::Key(command) => command.name(),
            Self::Sign(_) => "sign",
            Self::Verify(_) => "verify",
            Self::Seal(_) => "seal",
            Self::Split(_) => "split",
            Self::Combine(_) => "combine",
            Self::Share(command) => command.name(),
            Self::Session(command) => command.name(),
            Self::Chain(command) => command.name(),
            Self::Checkpoint(command) => command.name(),
            Self::Evidence(command) => command.name(),
            Self::Vault(command) => command.name(),
            Self::Witness(command) => command.name(),
            Self::Audit(_) => "audit",
            Self::Inspect(_) => "inspect",
            Self::Lint(command) => command.name(),
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }

    fn run(&self, context: &Context) -> Result<Report, Failure> {
        match self {
            Self::Id(args) => id::run(args, context),
            Self::Key(command) => key::run(command, context),
            Self::Sign(args) => sign::run(args, context),
            Self::Verify(args) => verify::run(args, context),
            Self::Seal(args) => seal::run(args, context),
            Self::Split(args) => split::run(args, context),
            Self::Combine(args) => combine::run(args, context),
            Self::Share(command) => share::run(command, context),
            Self::Session(command) => session::run(command, context),
            Self::Chain(command) => chain::run(command, context),
            Self::Checkpoint(command) => checkpoint::run(command, context),
            Self::Evidence(command) => evidence::run(command, context),
            Self::Vault(command) => vault::run(command, context),
            Self::Witness(command) => witness::run(command, context),
            Self::Audit(args) => audit::run(args, context),
            Self::Inspect(args) => inspect::run(args, context),
            Self::Lint(command) => lint::run(command, context),
            Self::Completions(args) => shell::completions(args, Cli::command()),
            Self::Man(args) => shell::man(args, Cli::command()),
        }
    }
}
