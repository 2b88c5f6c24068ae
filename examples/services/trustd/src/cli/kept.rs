//! Commands about what the service keeps and shows: the chain, checkpoints, tiles, witnesses, backups.

use clap::{Args, Subcommand};
use platform::config::Seconds;
use std::path::PathBuf;
use url::Url;

/// `chain`
#[derive(Debug, Subcommand)]
pub enum Chain {
    /// All of it: 0 where it holds, 1 where it does not, 2 where it cannot be read
    Verify,
}

/// `checkpoint`
#[derive(Debug, Subcommand)]
pub enum Checkpoint {
    /// Print the last one: as JSON, or as a signed note
    Export {
        /// As a signed note with its witnesses' lines
        #[arg(long)]
        note: bool,
    },
    /// Sign checkpoints by a new key: whoever follows the log pins it anew
    RotateKey,
    /// Print the key of the log's notes, which witnesses pin
    Key,
}

/// `tiles`
#[derive(Debug, Subcommand)]
pub enum Tiles {
    /// Write the log as a folder that any web server serves (C2SP tlog-tiles)
    Export {
        /// The folder
        folder: PathBuf,
    },
}

/// `witness`
#[derive(Debug, Args)]
pub struct Witness {
    /// The address of the service whose log it is
    #[arg(long, value_name = "URL")]
    pub address: Url,
    /// The key of the log's notes, from its operator: NAME+ID+KEY
    #[arg(long, value_name = "KEY")]
    pub log: String,
    /// The witness's name, such as ivo.example
    #[arg(long)]
    pub name: String,
    /// Where it keeps its key, and where it saw the log end
    #[arg(long = "in", value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the key that the log's operator pins, and do nothing else
    #[arg(long)]
    pub show_key: bool,
    /// Look again and again, so often; once without it
    #[arg(long, value_name = "DURATION")]
    pub every: Option<Seconds>,
}

/// `backup`
#[derive(Debug, Subcommand)]
pub enum Backup {
    /// Make one, into a folder that there is not yet
    Make {
        /// The folder
        folder: PathBuf,
    },
    /// List those whose objects are spared
    List,
    /// Spare the objects of one no longer
    Forget {
        /// Its name
        id: String,
    },
}

/// `restore`
#[derive(Debug, Args)]
pub struct Restore {
    /// The folder of a backup
    pub folder: PathBuf,
    #[command(flatten)]
    /// What it is held against
    pub against: Held,
}

/// What a backup is held against.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Held {
    /// A checkpoint that somebody outside has kept, as JSON
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Entries may be lost: begin a new log
    #[arg(long)]
    pub accept_loss: bool,
}
