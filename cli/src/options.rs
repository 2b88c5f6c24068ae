//! The options that every command takes.

use crate::output::Colour;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use dualseal::Timestamp;
use std::path::PathBuf;

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Options {
    /// The home folder [default: ~/.dualseal]
    #[arg(long, global = true, value_name = "FOLDER", env = "DUALSEAL_HOME", hide_env_values = true)]
    #[arg(value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) home: Option<PathBuf>,

    /// The signer's mark, which no backup of the home folder may bring back [default: the folder's name and `.mark`]
    #[arg(long, global = true, value_name = "FILE", env = "DUALSEAL_MARK", hide_env_values = true)]
    #[arg(value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) mark: Option<PathBuf>,

    /// The name of the signer's domain [default: that of the key file or of the home folder, else DUALSEAL]
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "domain_file")]
    pub(crate) domain: Option<String>,

    /// A domain whose constants were set by hand, as JSON
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) domain_file: Option<PathBuf>,

    /// Prints one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Prints nothing where all went well: the exit status says it
    #[arg(short, long, global = true, conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Reads the passphrase of secret files from the first line of a file (/dev/fd/3 for a descriptor)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,

    /// The time to write down, such as 2026-11-21T09:00:00.000Z [default: the clock]
    #[arg(long, global = true, value_name = "TIME")]
    pub(crate) time: Option<Timestamp>,

    /// Colours in the answer
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,

    /// How long to wait for another writer of the home folder
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) lock_wait: u64,
}
