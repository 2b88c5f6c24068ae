//! `trustd witness`: follows somebody's log over HTTP, and cosigns its note where it only grew. What is looked at, and
//! what it shows, is the library's ([`dualseal::witness`]); here is the way there and back.

use crate::commands::Fault;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::note::{Note, NoteKey, NoteKind, NoteName};
use dualseal::tree::{EntryBundle, Tile, TileReader, TreeHash};
use dualseal::witness::{Followed, Following, LogReader};
use dualseal::{Head, SystemRng};
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use dualseal_operator::secrets::{SecretFile, seed_to_pem};
use platform::clock::Clock;
use reqwest::{Client, StatusCode, redirect};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(30);
/// A thousand entries with messages of some length are fewer bytes.
const MOST_BYTES: u64 = 64 << 20;
const SMALL: u64 = 1 << 20;

/// Whom it follows, and as whom.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The address of the service whose log it is.
    pub address: Url,
    /// The key of the log's notes, from its operator: `NAME+ID+KEY`.
    pub log: NoteKey,
    /// The name of the witness.
    pub name: NoteName,
    /// Where it keeps its key, and where it saw the log end.
    pub folder: PathBuf,
}

impl Witness {
    /// The key that the log's operator pins; drawn where there is none yet.
    ///
    /// # Errors
    /// The disk; a key that does not open.
    pub fn key(&self) -> Result<Ed25519SigningKey, Fault> {
        let (disk, path) = (Disk::new(), self.folder.join("witness.pem"));
        disk.make_folder(&self.folder, Readers::Owner)?;
        if disk.open(&path)?.is_none() {
            let key = Ed25519SigningKey::generate(&mut SystemRng)?;
            crate::start::write(&disk, &path, seed_to_pem(key.seed(), None, &mut SystemRng)?.as_bytes())?;
        }
        let text = disk.read(&path, SMALL)?.ok_or("its key is gone")?;
        let seed = SecretFile::parse(&text)?.seed(None)?;
        Ok(Ed25519SigningKey::from_seed(seed.expose())?)
    }

    /// As the log's operator writes it into `log.witnesses`.
    ///
    /// # Errors
    /// As [`key`](Self::key).
    pub fn note_key(&self) -> Result<NoteKey, Fault> {
        Ok(NoteKey::new(self.name.clone(), NoteKind::Witness, self.key()?.public_key()))
    }

    /// Looks at the log since it was seen last, keeps where it ends, and gives the note back cosigned. Says how many
    /// entries it has.
    ///
    /// # Errors
    /// What cannot be read; what is wrong with the log, which is not cosigned then.
    pub async fn turn(&self, clock: &Clock) -> Result<u64, Fault> {
        let key = self.key()?;
        let (disk, kept) = (Disk::new(), self.folder.join("head.json"));
        let _lock = disk.lock_beside(&kept, PATIENCE)?;
        let head = match disk.read(&kept, SMALL)? {
            Some(text) => Head::from_json(&text)?,
            None => Head::EMPTY,
        };
        let followed = self.follow(&head).await?;
        // Before it is cosigned: a fork is refused from then on, whatever happens.
        replace(&disk, &kept, followed.head().to_json().as_bytes())?;
        let mut note = followed.note().by(&self.log);
        note.add(followed.cosign(&self.name, &key, clock.now())?)?;
        let answer = client()?.post(self.at("cosignatures")?).header("content-type", "text/plain").body(note.to_text());
        let answer = answer.send().await?;
        if !answer.status().is_success() {
            return Err(format!("the log takes no cosignature of {}: {}", self.name, answer.status()).into());
        }
        Ok(followed.head().size())
    }

    async fn follow(&self, head: &Head) -> Result<Followed, Fault> {
        let way = Way { client: client()?, base: self.at("")? };
        let note = Note::from_text(&String::from_utf8(way.get("checkpoint", SMALL).await?)?)?;
        let size = note.body().size;
        // What is read of the tiles is asked for where it is needed.
        let mut following = block_in_place(|| Following::begin(way.clone(), head, note, &self.log))?;
        let mut seq = head.size();
        while seq < size {
            let lines = way.get(&format!("entries?from={seq}"), MOST_BYTES).await?;
            let texts: Vec<_> = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
            if texts.is_empty() {
                return Err(format!("the log shows no entry {seq}, and its note covers {size}").into());
            }
            seq = seq.saturating_add(texts.len() as u64);
            block_in_place(|| following.push_json_all(texts))?;
        }
        Ok(block_in_place(|| following.finish())?)
    }

    fn at(&self, path: &str) -> Result<Url, Fault> {
        let base = self.address.as_str().trim_end_matches('/');
        Ok(Url::parse(&format!("{base}/api/v1/log/{path}"))?)
    }
}

/// The way to a log.
#[derive(Clone, Debug)]
struct Way {
    client: Client,
    base: Url,
}

impl Way {
    async fn get(&self, path: &str, most: u64) -> Result<Vec<u8>, Fault> {
        let mut answer = self.client.get(self.base.join(path)?).send().await?;
        if answer.status() != StatusCode::OK {
            return Err(format!("{path}: {}", answer.status()).into());
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if bytes.len() as u64 + chunk.len() as u64 > most {
                return Err(format!("{path}: more than {most} bytes").into());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// What could not be read.
#[derive(Debug)]
struct Unread(Fault);

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unread {}

impl TileReader for Way {
    type Error = Unread;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, Unread> {
        let bytes = Handle::current().block_on(self.get(&tile.path(), SMALL)).map_err(Unread)?;
        tile.decode(&bytes).map_err(|error| Unread(error.into()))
    }
}

impl LogReader for Way {
    fn entries(&mut self, bundle: &EntryBundle) -> Result<Vec<u8>, Unread> {
        Handle::current().block_on(self.get(&bundle.path(), MOST_BYTES)).map_err(Unread)
    }
}

fn client() -> Result<Client, Fault> {
    drop(rustls::crypto::ring::default_provider().install_default());
    Ok(Client::builder().timeout(PATIENCE).redirect(redirect::Policy::none()).build()?)
}

fn replace(disk: &Disk, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let written = disk
        .replace(path, Readers::Owner, |file| file.write_all(bytes).map_err(|error| disk::Error::writing(path, error)));
    Ok(written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })?)
}
