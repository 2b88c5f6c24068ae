//! The command line; in `kept`, what is done with what the service keeps and shows, in `watched` with its machine.

mod kept;
mod watched;

pub use kept::{Backup, Chain, Checkpoint, Held, Restore, Tiles, Witness};
pub use watched::{Integrity, Mesh, Peers, Sign};

use clap::{Args, Parser, Subcommand};
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use platform::access::{Scope, Tier};
use platform::config::Seconds;
use std::path::PathBuf;
use uuid::Uuid;

/// The trust service: signing, threshold signing, vault secrets among nodes and a vault of nine layers, over one log
/// that strangers verify.
#[derive(Debug, Parser)]
#[command(name = "trustd", version, propagate_version = true)]
pub struct Cli {
    /// The file of settings. Each has a variable in the environment too.
    #[arg(long, global = true, env = "TRUSTD_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What is done; the service is served without it.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What is done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve, and on a fresh machine make what is needed first
    Serve,
    /// Make what a fresh machine has not, and serve nothing
    Init(Init),
    /// Invite an identity, or a node, to enrol a login key
    Invite(Invite),
    /// Tokens
    #[command(subcommand)]
    Token(Token),
    /// Login keys and subjects of outside issuers
    #[command(subcommand)]
    Login(Login),
    /// Nodes that hold shares and shards
    #[command(subcommand)]
    Node(Node),
    /// Authenticators by which people show that they are present
    #[command(subcommand)]
    Presence(Presence),
    /// Read everything that is stored, and hold it against each other
    #[command(subcommand)]
    Chain(Chain),
    /// The log's checkpoint
    #[command(subcommand)]
    Checkpoint(Checkpoint),
    /// The log's tiles
    #[command(subcommand)]
    Tiles(Tiles),
    /// Follow somebody's log, and cosign its note where it only grew
    Witness(Witness),
    /// Copies of all of it
    #[command(subcommand)]
    Backup(Backup),
    /// Take a copy back
    Restore(Restore),
    /// Take an e-mail from a mail server's pipe, and post it to the service here: the message on the input
    InboundEmail {
        /// The domain for which the mail server found that SPF passed
        #[arg(long, value_name = "DOMAIN")]
        spf: Option<String>,
    },
    /// Say how well phrases are told: precision and recall by intent and language
    Corpus {
        /// Phrases, a line each: intent or -, hr, en or de, text, with tabs between them; the service's own without it
        file: Option<PathBuf>,
    },
    /// Fill a service that has no vehicle with a day of a small fleet, for whoever sees it for the first time
    Demo,
    /// Print the OpenAPI document
    Openapi,
    /// What the deployer signed of the files here, and what differs
    #[command(subcommand)]
    Integrity(Integrity),
    /// The monitor, which outlives the service
    #[command(subcommand)]
    Mesh(Mesh),
    /// Other services
    #[command(subcommand)]
    Peers(Peers),
    /// Try whether this release runs under these settings: over a copy of the schema, so that nothing is changed
    Gate,
    /// Ask a running service whether it is well
    Health,
}

/// `init`
#[derive(Debug, Args)]
pub struct Init {
    /// Draw the next master; called again, put everything under it
    #[arg(long)]
    pub rotate_master: bool,
    /// No process of the service runs: do both at once
    #[arg(long, requires = "rotate_master")]
    pub stopped: bool,
}

/// `invite`
#[derive(Debug, Args)]
pub struct Invite {
    /// Whom: 64 hexadecimal characters
    #[arg(long, required_unless_present = "node")]
    pub subject: Option<IdentityId>,
    /// The highest tier of the login
    #[arg(long, required_unless_present = "node")]
    pub tier: Option<Tier>,
    /// The scopes of its tokens, with spaces between them
    #[arg(long, required_unless_present = "node")]
    pub scope: Option<String>,
    /// In their place: the label of a node, whose keeper enrols
    #[arg(long, conflicts_with_all = ["subject", "tier", "scope"])]
    pub node: Option<String>,
}

/// `token`
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Issue a token, and print it alone
    Issue(Issue),
    /// Revoke a token, or all of a subject
    Revoke(Revoke),
    /// List the tokens that live
    List {
        /// Of this identity alone
        #[arg(long)]
        subject: Option<IdentityId>,
        /// At most so many
        #[arg(long, default_value_t = 1000)]
        most: u64,
    },
    /// Sign tokens by a new key
    RotateKey,
}

/// `token issue`
#[derive(Debug, Args)]
pub struct Issue {
    /// Who calls with it: 64 hexadecimal characters
    #[arg(long, required_unless_present = "node")]
    pub subject: Option<IdentityId>,
    /// native or noble
    #[arg(long, required_unless_present = "node")]
    pub tier: Option<Tier>,
    /// The scopes, with spaces between them
    #[arg(long, required_unless_present = "node")]
    pub scope: Option<String>,
    /// In their place: the label of a node, whose token it is
    #[arg(long, conflicts_with_all = ["subject", "tier", "scope"])]
    pub node: Option<String>,
    /// How long it lives, such as 10m
    #[arg(long = "for", value_name = "DURATION")]
    pub life: Option<Seconds>,
}

/// `token revoke`
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Revoke {
    /// The token's `jti`
    #[arg(long)]
    pub jti: Option<Uuid>,
    /// All of this identity that were issued until now
    #[arg(long)]
    pub subject: Option<IdentityId>,
}

/// `login`
#[derive(Debug, Subcommand)]
pub enum Login {
    /// List them
    List {
        /// Of this identity alone
        #[arg(long)]
        subject: Option<IdentityId>,
    },
    /// Remove one, and with it every token that came of it
    Remove {
        /// Its name
        id: Uuid,
    },
    /// List the invitations that may still be used
    Invitations,
    /// Withdraw one
    Withdraw {
        /// Its name, as the list has it
        id: String,
    },
    /// Take a subject of an outside issuer for an identity
    Outside {
        /// `iss`
        #[arg(long)]
        issuer: String,
        /// `sub`
        #[arg(long)]
        outside: String,
        /// The identity
        #[arg(long)]
        subject: IdentityId,
        /// The scopes of its tokens, with spaces between them
        #[arg(long)]
        scope: String,
    },
}

/// `node`
#[derive(Debug, Subcommand)]
pub enum Node {
    /// Add a node, and print what it pins of this service
    Add {
        /// Its label, such as an address; nobody dials it
        #[arg(long)]
        label: String,
        /// Its identity
        #[arg(long)]
        subject: IdentityId,
        /// Its Ed25519 key, 64 hexadecimal characters
        #[arg(long)]
        key: Option<Ed25519PublicKey>,
    },
    /// Remove a node, and end its logins and tokens
    Remove {
        /// Its label
        #[arg(long)]
        label: String,
        /// It is gone with what it holds, which is missing from now on
        #[arg(long)]
        lost: bool,
    },
    /// List nodes
    List,
    /// Print what nodes pin of this service, again
    Pins,
    /// Enrol a login key that the node draws: the invitation on the input
    Enrol {
        /// The node's own settings
        #[arg(long, value_name = "FILE")]
        settings: PathBuf,
    },
    /// Be a node: pull, keep, acknowledge, release
    Run {
        /// The node's own settings
        #[arg(long, value_name = "FILE")]
        settings: PathBuf,
    },
}

/// `presence`
#[derive(Debug, Subcommand)]
pub enum Presence {
    /// Invite an identity to enrol its first authenticator
    Invite {
        /// The identity
        #[arg(long)]
        subject: IdentityId,
    },
    /// Agree to an invitation of a native, in a second one's place
    Agree {
        /// The invitation
        id: String,
    },
}

/// Scopes with spaces between them.
///
/// # Errors
/// The one that there is not.
pub fn scopes(text: &str) -> Result<std::collections::BTreeSet<Scope>, String> {
    text.split_whitespace().map(str::parse).collect()
}
