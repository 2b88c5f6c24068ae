//! The log as a folder that any web server serves, for programs that know transparency logs.

use crate::chain_file;
use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::log_folder::{LogFolder, ToShow};
use crate::output::{Report, path_text};
use crate::published::Published;
use crate::store::{CHAIN, disk};
use dualseal_operator::tiles::TilesError;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain export --tiles public";

/// Writes the log as a folder that any web server serves (C2SP tlog-tiles)
///
/// It covers what the last checkpoint covers: the signed note, tiles, bundles of the leaves, and beside them the
/// chain's lines with their index, and the checkpoint. Written again, it goes on from what is there; the note changes
/// last. A folder that shows another log, or more of this one than the home folder has signed, is left as it is.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder
    #[arg(long, value_name = "DIR")]
    tiles: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let ring = home.ring(context.passphrase())?;
    let published = Published::of(&home, &ring, context.passphrase())?;
    let (chain, domain) = (home.present(CHAIN)?, home.domain().domain());
    let (checkpoint, note, key) = (published.checkpoint(), published.note(), published.key());
    let shown = ToShow { domain, checkpoint, note, key };
    let written = LogFolder::new(&args.tiles).write(&disk(), &shown, input::reader(&chain)?);
    let written = written.map_err(|error| match error {
        TilesError::Chain(error) => chain_file::of(&chain)(error),
        error => error.into(),
    })?;
    let body = note.body();
    Ok(Report::new("The log is written.")
        .detail("path", "folder", path_text(&args.tiles))
        .detail("origin", "log", body.origin.as_str())
        .number("size", "entries", body.size)
        .detail("root", "root", body.root.to_hex())
        .number("written", "tiles", written)
        .detail("note_key", "note key", key.to_text())
        .detail("log", "fingerprint", checkpoint.record().fingerprint(domain).to_hex())
        .note(
            "Give others the note key, by which witnesses follow the log, and the fingerprint, by which they verify.",
        ))
}
