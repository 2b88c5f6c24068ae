//! Shares, and what they are held against.

use crate::shares::read::Given;
use std::path::PathBuf;

/// Shares with the record that they are held against.
#[derive(clap::Args, Debug)]
pub(crate) struct Against {
    #[command(flatten)]
    pub(super) given: Given,

    /// The record that was written with the shares (dealing.json)
    #[arg(long, value_name = "FILE")]
    pub(super) dealing: PathBuf,
}
