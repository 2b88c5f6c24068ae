//! The log as a folder that any web server serves, for programs that know transparency logs.

use crate::chain_file::{agreed, entries, under};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::input;
use crate::log_folder::{CHECKPOINT, INDEX, LINES, SIGNED, STEP, write};
use crate::output::{Report, path_text};
use crate::published::Published;
use crate::store::{CHAIN, Readers, Unpublished};
use dualseal::note::{Note, NoteBody};
use dualseal::reader::ChainReader;
use dualseal::tree::{EntryBundle, Tile, TileGrowth, TreeHash};
use dualseal::verdict::VerdictKind;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    let chain = home.present(CHAIN)?;
    let domain = home.domain().domain();
    let (body, note) = (published.note().body(), published.note().to_text());
    let old = shown(&args.tiles, &published)?;
    let lines = args.tiles.join(LINES);
    write::folder(&args.tiles)?;
    let (unpublished, (written, index)) = Unpublished::streamed(&lines, Readers::All, true, |out| {
        let mut export = Export::new(&args.tiles, body, old.as_ref());
        let mut reader = under(domain, published.checkpoint())?;
        let mut failed = Ok(());
        entries(&chain, |json| {
            if failed.is_ok() {
                failed = export.push(&mut reader, json, out);
            }
            Ok(())
        })?;
        failed?;
        // Tiles are written before it shows that the chain is the checkpoint's: nobody looks at what no note covers.
        let proofs = reader.finish().map_err(|error| Failure::from(error).about(chain.display()))?;
        agreed(&proofs)?;
        export.finish()?;
        Ok((export.written, export.index))
    })?;
    unpublished.publish()?;
    write::file(&args.tiles.join(INDEX), &index)?;
    write::file(&args.tiles.join(SIGNED), format!("{}\n", published.checkpoint().record().to_json()).as_bytes())?;
    // One of the same size may have cosignatures.
    if old.as_ref().is_none_or(|old| old != body) {
        write::file(&args.tiles.join(CHECKPOINT), note.as_bytes())?;
    }
    // Written at the end of the chain, it goes on from there: a proof from the folder reads no entry before.
    let mut step = Step::begin(&home)?;
    step.ring(&ring)?;
    step.commit()?;
    Ok(Report::new("The log is written.")
        .detail("path", "folder", path_text(&args.tiles))
        .detail("origin", "log", body.origin.as_str())
        .number("size", "entries", body.size)
        .detail("root", "root", body.root.to_hex())
        .number("written", "tiles", written)
        .detail("note_key", "note key", published.key().to_text())
        .detail("log", "fingerprint", published.checkpoint().record().fingerprint(domain).to_hex())
        .note(
            "Give others the note key, by which witnesses follow the log, and the fingerprint, by which they verify.",
        ))
}

/// What the folder shows now.
fn shown(folder: &Path, published: &Published) -> Result<Option<NoteBody>, Failure> {
    let path = folder.join(CHECKPOINT);
    if !path.exists() {
        return Ok(None);
    }
    let text = input::small(&path)?;
    let read = || -> Result<NoteBody, dualseal::Error> {
        let note = Note::from_text(&String::from_utf8_lossy(&text))?;
        note.verify(published.key())?;
        Ok(note.body().clone())
    };
    let body = read().map_err(|error| {
        Failure::from(error).about(path.display()).hint("name another folder: this one shows another log")
    })?;
    let ours = published.note().body();
    if body.size > ours.size || (body.size == ours.size && body != *ours) {
        return Err(forked(&path));
    }
    Ok(Some(body))
}

fn forked(path: &Path) -> Failure {
    let message = format!("FORK: {} does not lead to what this home folder has signed", path.display());
    let hint = "keep both; restore the home folder from a copy that is as new as the folder, or name another one";
    Failure::new(crate::failure::status_of(VerdictKind::Invalid.code()), message, hint)
}

/// The folder's files, as far as they are not there yet.
struct Export<'a> {
    folder: &'a Path,
    body: &'a NoteBody,
    old: Option<&'a NoteBody>,
    growth: TileGrowth,
    /// The leaves of the last bundle.
    leaves: Vec<String>,
    /// The bytes of the lines so far, and of how many of them each step of them begins behind.
    length: u64,
    index: Vec<u8>,
    written: u64,
}

impl<'a> Export<'a> {
    fn new(folder: &'a Path, body: &'a NoteBody, old: Option<&'a NoteBody>) -> Self {
        Self {
            folder,
            body,
            old,
            growth: TileGrowth::new(),
            leaves: Vec::new(),
            length: 0,
            index: Vec::new(),
            written: 0,
        }
    }

    fn push(&mut self, reader: &mut ChainReader<'_>, json: &[u8], out: &mut dyn Write) -> Result<(), Failure> {
        let entry = reader.push_json(json)?;
        if self.growth.frontier().size() == self.body.size {
            return Ok(());
        }
        let line = entry.to_json_line();
        let unwritten = |error| Failure::writing(&self.folder.join(LINES), &error);
        out.write_all(line.as_bytes()).map_err(unwritten)?;
        if entry.seq().is_multiple_of(STEP) {
            self.index.extend_from_slice(&self.length.to_be_bytes());
        }
        self.length += line.len() as u64;
        self.leaves.push(entry.leaf());
        let mut full = Vec::new();
        self.growth.push(entry.leaf_hash(), |tile, hashes| full.push((*tile, hashes.to_vec())));
        for (tile, hashes) in full {
            self.put(&tile, &hashes)?;
            if tile.level == 0 {
                self.leaves.clear();
            }
        }
        self.still()
    }

    /// The old note is of this log, as it was then.
    fn still(&self) -> Result<(), Failure> {
        let frontier = self.growth.frontier();
        match self.old.filter(|old| old.size == frontier.size()) {
            Some(old) if old.root != frontier.root() => Err(forked(&self.folder.join(CHECKPOINT))),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.still()?;
        let partial: Vec<(Tile, Vec<TreeHash>)> =
            self.growth.partial().map(|(tile, hashes)| (tile, hashes.to_vec())).collect();
        partial.iter().try_for_each(|(tile, hashes)| self.put(tile, hashes))
    }

    fn put(&mut self, tile: &Tile, hashes: &[TreeHash]) -> Result<(), Failure> {
        // What an earlier note covers was forced to the disk before that note was.
        let count = self.old.map_or(0, |old| old.size.checked_shr(8 * u32::from(tile.level)).unwrap_or_default());
        let end = tile.index * 256 + u64::from(tile.width);
        if end <= count && (tile.width == 256 || end == count) {
            return Ok(());
        }
        write::file(&self.folder.join(tile.path()), &Tile::encode(hashes))?;
        self.written += 1;
        if let Some(bundle) = EntryBundle::of(tile) {
            write::file(&self.folder.join(bundle.path()), &EntryBundle::encode(&self.leaves)?)?;
        }
        Ok(())
    }
}
