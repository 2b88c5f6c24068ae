//! A witness's folder and key.

use super::kept::{ABOUT, KEY};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::{Report, canonical, object, path_text, text};
use crate::secrets;
use crate::store::{self, Readers};
use dualseal::SystemRng;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::note::{NoteKey, NoteKind, NoteName};
use dualseal::secret::Secret;
use dualseal_operator::paths::Show;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal witness new watch --name witness.example";

/// Makes a folder for a witness, with his key
///
/// Give the key that it prints to whoever is to count this witness. The folder is what he remembers: whoever restores
/// it from an old copy has forgotten what he saw since.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder, which is made
    folder: PathBuf,

    /// The name that he cosigns under, such as a host name
    #[arg(long)]
    name: String,

    /// Asks for a passphrase that protects the key
    #[arg(long)]
    protect: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let name = NoteName::new(&args.name)?;
    if args.folder.exists() {
        let message = format!("there is a {} already", args.folder.shown());
        return Err(Failure::new(USAGE, message, "name a folder that is not there"));
    }
    let passphrase = context.passphrase().for_new(args.protect)?;
    let seed = Secret::<32>::random(&mut SystemRng)?;
    let key = Ed25519SigningKey::from_seed(seed.expose())?;
    let mut folder = store::new_folder(&args.folder)?;
    folder.write(
        KEY,
        Readers::Owner,
        secrets::seed_file(&seed, passphrase.as_deref().map(String::as_str))?.as_bytes(),
    )?;
    let about = object([("name", text(name.as_str())), ("version", text("1"))]);
    folder.write(ABOUT, Readers::All, canonical(&about).as_bytes())?;
    let path = store::publish(folder)?;
    let published = NoteKey::new(name, NoteKind::Witness, key.public_key());
    Ok(Report::new("The witness has a key.").detail("path", "folder", path_text(&path)).detail(
        "key",
        "key",
        published.to_text(),
    ))
}
