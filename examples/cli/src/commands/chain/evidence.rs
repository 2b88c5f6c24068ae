//! A chain under a checkpoint of a log whose key the verifier pinned: what proves a place in time.

use super::entries::entries;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE, status_of};
use crate::home::Home;
use crate::input;
use crate::store::CHAIN;
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::{AgreedChain, ChainCheck, Checkpoint, CheckpointVerifier, Pins};
use dualseal::key::Unprepared;
use dualseal::{Entry, Located, Verdict, Verified};
use std::path::{Path, PathBuf};

/// The options that name a log's evidence.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Evidence of time")]
pub(crate) struct Evidence {
    /// The chain that the checkpoint is of
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    chain: Option<PathBuf>,

    /// A checkpoint
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    log: Log,
}

/// What is pinned of a log.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Evidence of time")]
pub(crate) struct Log {
    /// The public key file of the log's signer
    #[arg(long, value_name = "FILE")]
    log_key: Option<PathBuf>,

    /// The name of the log [default: that of its key file]
    #[arg(long, value_name = "NAME")]
    log_origin: Option<String>,

    /// The least size of a checkpoint that is accepted: that of the last one seen
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    least_size: u64,
}

impl Evidence {
    /// The chain that was given.
    pub(crate) fn chain(&self) -> Option<&Path> {
        self.chain.as_deref()
    }

    /// The checkpoint, verified, where one was given.
    pub(crate) fn checkpoint(
        &self,
        domain: &DomainFile,
        home: Option<&Home>,
    ) -> Result<Option<Verified<Checkpoint>>, Failure> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let verdict = self.log.verify(path, domain, home)?;
        valid(verdict, path).map(Some)
    }

    /// The domain that the log's key file names.
    pub(crate) fn domain(&self) -> Result<Option<DomainFile>, Failure> {
        self.log.domain()
    }

    /// The place of an entry in the chain that was given.
    pub(crate) fn place(
        &self,
        domain: &DomainFile,
        home: Option<&Home>,
        of: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Option<Located>, Failure> {
        let (Some(chain), Some(checkpoint)) = (&self.chain, self.checkpoint(domain, home)?) else { return Ok(None) };
        let agreed = agree(chain, &checkpoint, of)?;
        let none = || {
            let hint = "ask the signer for a checkpoint that covers the record's entry, with its chain";
            Failure::new(USAGE, "the record has no entry in this chain under this checkpoint", hint)
        };
        agreed.located().first().cloned().ok_or_else(none).map(Some)
    }
}

impl Log {
    /// Verifies a checkpoint by what was pinned: by the options, or by a home folder whose log it is.
    pub(crate) fn verify(
        &self,
        path: &Path,
        domain: &DomainFile,
        home: Option<&Home>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        let read = Checkpoint::from_json(&input::small(path)?);
        let checkpoint = read.map_err(|error| Failure::from(error).about(path.display()))?;
        let mut pins = match (&self.log_key, home) {
            (Some(key), _) => self.pins(&PublicKeyFile::read(key)?)?,
            (None, Some(home)) => own_pins(home, &checkpoint)?,
            (None, None) => {
                let hint = "ask the log's operator for its public key file and give it with --log-key";
                return Err(Failure::new(USAGE, "nothing says whose checkpoint it must be", hint));
            }
        };
        pins.least_size = self.least_size;
        Ok(CheckpointVerifier::new(domain.domain(), &pins, None, &Unprepared).verify(checkpoint))
    }

    /// Whether the caller pinned a key.
    pub(crate) fn has_key(&self) -> bool {
        self.log_key.is_some()
    }

    /// The domain that the log's key file names.
    pub(crate) fn domain(&self) -> Result<Option<DomainFile>, Failure> {
        match &self.log_key {
            Some(path) => Ok(PublicKeyFile::read(path)?.domain),
            None => Ok(None),
        }
    }

    fn pins(&self, file: &PublicKeyFile) -> Result<Pins, Failure> {
        let missing = |what: &str| {
            let hint = "ask for the file that `dualseal key export` writes, with its first lines";
            Failure::new(USAGE, format!("the log's key file does not say {what}"), hint)
        };
        let origin = self.log_origin.as_ref().or(file.origin.as_ref());
        Ok(Pins {
            origin: origin.ok_or_else(|| missing("which log it is, nor does --log-origin"))?.clone(),
            identity_id: file.identity_id.ok_or_else(|| missing("whose key it is"))?,
            key_hash: *file.key.hash(),
            least_size: 0,
        })
    }
}

/// A chain held against a checkpoint; keeps the places of the entries that are asked for.
pub(crate) fn agree(
    chain: &Path,
    checkpoint: &Verified<Checkpoint>,
    keep: &(dyn Fn(&Entry) -> bool + Sync),
) -> Result<AgreedChain, Failure> {
    let mut check = ChainCheck::new(checkpoint).keeping(keep);
    entries(chain, |json| check.push_json(json).map(drop))?;
    check.finish().map_err(|error| Failure::from(error).about(chain.display()))
}

/// The last checkpoint of a home folder, verified by the folder's own keys.
pub(crate) fn own_checkpoint(home: &Home) -> Result<Option<Verified<Checkpoint>>, Failure> {
    let Some(checkpoint) = home.checkpoint()? else { return Ok(None) };
    let pins = own_pins(home, &checkpoint)?;
    let verdict = CheckpointVerifier::new(home.domain().domain(), &pins, None, &Unprepared).verify(checkpoint);
    valid(verdict, &home.path("checkpoint.json")).map(Some)
}

/// The place of an entry in the home folder's own chain, under its last checkpoint.
pub(crate) fn own_place(home: &Home, of: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Option<Located>, Failure> {
    let Some(checkpoint) = own_checkpoint(home)? else { return Ok(None) };
    Ok(agree(&home.path(CHAIN), &checkpoint, of)?.located().first().cloned())
}

/// The home folder's own pins. The key is the current one of its identity, or a retired one whose secret file is here.
fn own_pins(home: &Home, checkpoint: &Checkpoint) -> Result<Pins, Failure> {
    let (identity_id, key_hash) = (*checkpoint.identity_id(), *checkpoint.public_key().hash());
    let current = home.ring()?.info(&identity_id).is_some_and(|info| *info.public_key.hash() == key_hash);
    if !current && !home.path(&format!("keys/{identity_id}.{key_hash}.pem")).exists() {
        let hint = "give the key file of its log with --log-key";
        return Err(Failure::new(USAGE, "the checkpoint is not by a key of this home folder", hint));
    }
    Ok(Pins { origin: home.origin().to_owned(), identity_id, key_hash, least_size: 0 })
}

fn valid(verdict: Verdict<Checkpoint>, path: &Path) -> Result<Verified<Checkpoint>, Failure> {
    let (kind, reason) = (verdict.kind(), verdict.internal().reason.unwrap_or_default());
    verdict.valid().ok_or_else(|| {
        let message = format!("{} is {}: {reason}", path.display(), kind.as_str());
        let hint = "ask the log's operator for the latest checkpoint and its key file; keep this one";
        Failure::new(status_of(kind.code()), message, hint)
    })
}
