//! A chain under a checkpoint of a log whose key the verifier pinned: what proves a place in time.

use crate::chain_file::{self, stated, under, unverified_changes};
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE, status_of};
use crate::home::Home;
use crate::input;
use crate::log_folder::unproved;
use crate::output::Report;
use crate::published::SIGN;
use crate::trust::{self, PublicKeyFile, Trust};
use dualseal::checkpoint::{Checkpoint, LogFingerprint};
use dualseal::encoding::json::Value;
use dualseal::key::KeyRing;
use dualseal::krunica::Ignored;
use dualseal::{Entry, Located, Timestamp, Verdict, VerdictKind, Verified};
use dualseal_operator::evidence::{EvidenceError, PinnedLog};
use dualseal_operator::paths::Show;
use std::cell::OnceCell;
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

    /// What it holds, once it was read: whoever writes to it meanwhile does not show two
    #[arg(skip)]
    read: OnceCell<Box<Checkpoint>>,

    #[command(flatten)]
    log: NamedLog,
}

/// What is known of a log besides what the options say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfLog<'a> {
    /// The home folder whose log it may be.
    pub(crate) home: Option<&'a Home>,
    /// The home folder's ring, held against its chain, or one that was named: it tells the state of the log's key.
    pub(crate) ring: Option<&'a KeyRing>,
}

/// What a chain that was given shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// The place of the record.
    pub(crate) at: Option<Located>,
    /// How many entries the checkpoint covers, and when its signer says that he signed it.
    pub(crate) until: Option<(u64, Timestamp)>,
    /// What follows the ring that the checkpoint states, where a stranger relies on that ring.
    unverified: Option<Ignored>,
}

impl Shown {
    /// Says which entries may be changes of the ring since.
    pub(crate) fn tell(&self, report: Report) -> Report {
        tell_unverified(report, self.unverified.as_ref())
    }
}

/// Says which entries may be later changes of a ring; of no chain nothing is known.
pub(crate) fn tell_unverified(report: Report, unverified: Option<&Ignored>) -> Report {
    let changes = unverified.and_then(unverified_changes);
    let report = report.member("ring_unverified", unverified_value(unverified));
    changes.into_iter().fold(report, |report, changes| report.note(format!("Beware of {changes}.")))
}

/// The same for scripts.
pub(crate) fn unverified_value(unverified: Option<&Ignored>) -> Value {
    unverified.and_then(|entries| Value::parse(entries.to_json().as_bytes()).ok()).unwrap_or(Value::Null)
}

/// What is pinned of one log.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Evidence of time")]
pub(crate) struct NamedLog {
    /// The fingerprint of the log, 64 characters from its operator: its name, its signer and his key at once. A file
    /// that vouches for itself proves nothing
    #[arg(long, value_name = "HEX")]
    log: Option<LogFingerprint>,

    #[command(flatten)]
    pinned: Log,
}

/// What is pinned of a log by its parts.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Evidence of time")]
pub(crate) struct Log {
    /// The public key file of the log's signer
    #[arg(long, value_name = "FILE")]
    log_key: Option<PathBuf>,

    /// What it holds, once it was read
    #[arg(skip)]
    read: OnceCell<Box<PublicKeyFile>>,

    /// The name of the log [default: that of its key file]
    #[arg(long, value_name = "NAME")]
    log_origin: Option<String>,

    /// The least size of a checkpoint that is accepted: that of the last one seen
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    least_size: u64,
}

impl Evidence {
    /// Refuses a log that is named where nothing of it is given.
    pub(crate) fn is_of_something(&self) -> Result<(), Failure> {
        if self.checkpoint.is_some() || self.log.log.is_none() {
            return Ok(());
        }
        let hint = "give a checkpoint of that log with --checkpoint, or a file of evidence with --evidence";
        Err(Failure::new(USAGE, "a log was named with --log, and nothing of it was given", hint))
    }

    /// The fingerprint of the log that was named.
    pub(crate) fn fingerprint(&self) -> Option<LogFingerprint> {
        self.log.log
    }

    /// The chain that was given.
    pub(crate) fn chain(&self) -> Option<&Path> {
        self.chain.as_deref()
    }

    /// The checkpoint, verified, where one was given.
    pub(crate) fn checkpoint(
        &self,
        domain: &DomainFile,
        known: OfLog<'_>,
    ) -> Result<Option<Verified<Checkpoint>>, Failure> {
        // Whoever asks for a log is not answered without it.
        self.is_of_something()?;
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let checkpoint = once(&self.read, || read(path))?.clone();
        let verdict = self.log.verify_read(checkpoint, domain, known);
        valid(verdict.map_err(|failure| failure.about(path.shown()))?, path).map(Some)
    }

    /// Whom to trust, where that is a public ring: held against the checkpoint, if one was given.
    pub(crate) fn attested(&self, trust: Trust, domain: &DomainFile) -> Result<Trust, Failure> {
        if !matches!(trust, Trust::Unattested(_)) {
            return Ok(trust);
        }
        let checkpoint = self.checkpoint(domain, OfLog { home: None, ring: trust.known() })?;
        Ok(trust.attested(checkpoint.as_ref())?)
    }

    /// The least size that a checkpoint must have.
    pub(crate) fn least_size(&self) -> u64 {
        self.log.least_size()
    }

    /// The domain that the log's key file names.
    pub(crate) fn domain(&self) -> Result<Option<DomainFile>, Failure> {
        self.log.domain()
    }

    /// The place of an entry in the chain that was given. Of a stranger's ring it is asked in the same pass whether
    /// that chain has it.
    pub(crate) fn place(
        &self,
        domain: &DomainFile,
        known: OfLog<'_>,
        of: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Shown, Failure> {
        let (Some(chain), Some(checkpoint)) = (&self.chain, self.checkpoint(domain, known)?) else {
            return Ok(Shown::default());
        };
        let mut reader = under(domain.domain(), &checkpoint)?;
        let places = reader.places(of)?;
        // The home folder's own is compared by its ring key, and a pinned key is of no ring.
        let is_strangers = known.home.is_none() && known.ring.is_some_and(|ring| ring.origin().is_some());
        let ring = if is_strangers { Some(reader.stated_ring()?) } else { None };
        let mut proofs = chain_file::read(chain, reader)?;
        let ring = ring.map(|watched| stated(&mut proofs, watched)).transpose()?;
        let places = proofs.take(places).map_err(|error| Failure::from(error).about(chain.shown()))?;
        let none = || {
            let hint = "ask the signer for a checkpoint that covers the record's entry, with its chain";
            Failure::new(USAGE, "the record has no entry in this chain under this checkpoint", hint)
        };
        let at = places.into_iter().next().ok_or_else(none)?;
        let until = Some((checkpoint.record().tree_head().size, checkpoint.record().time()));
        Ok(Shown { at: Some(at), until, unverified: ring.map(|ring| ring.unverified().clone()) })
    }
}

impl NamedLog {
    /// Verifies a checkpoint by what was pinned, by the options or by a home folder whose log it is, and holds it
    /// against that folder's own chain.
    pub(crate) fn verify(
        &self,
        path: &Path,
        domain: &DomainFile,
        known: OfLog<'_>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        self.verify_read(read(path)?, domain, known).map_err(|failure| failure.about(path.shown()))
    }

    /// As [`verify`](Self::verify), of a checkpoint that was read before.
    pub(crate) fn verify_read(
        &self,
        checkpoint: Checkpoint,
        domain: &DomainFile,
        known: OfLog<'_>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        let verdict = self.judge(checkpoint, domain, known)?;
        if let (Verdict::Valid(checkpoint), Some(home)) = (&verdict, known.home) {
            home.hold(checkpoint)?;
        }
        Ok(verdict)
    }

    /// Verifies a checkpoint without asking what chain it is of, to compare it with another.
    pub(crate) fn judge_file(
        &self,
        path: &Path,
        domain: &DomainFile,
        known: OfLog<'_>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        let verdict = self.judge(read(path)?, domain, known);
        verdict.map_err(|failure| failure.about(path.shown()))
    }

    /// Whether the caller pinned a key.
    pub(crate) fn has_key(&self) -> bool {
        self.log.is_some() || self.pinned.has_key()
    }

    fn judge(
        &self,
        checkpoint: Checkpoint,
        domain: &DomainFile,
        known: OfLog<'_>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        self.pinned.judge(checkpoint, domain, known.home.map(Home::origin), known.ring, self.log)
    }
}

impl std::ops::Deref for NamedLog {
    type Target = Log;

    fn deref(&self) -> &Log {
        &self.pinned
    }
}

impl Log {
    /// Verifies a checkpoint without asking what chain it is of; `own` is the name of the home folder's log, and
    /// `fingerprint` that of the log that it must be of, where it is known.
    pub(crate) fn judge(
        &self,
        checkpoint: Checkpoint,
        domain: &DomainFile,
        own: Option<&str>,
        ring: Option<&KeyRing>,
        fingerprint: Option<LogFingerprint>,
    ) -> Result<Verdict<Checkpoint>, Failure> {
        let (key, origin, least_size) = (self.key()?, self.log_origin.as_deref(), self.least_size);
        let pinned = PinnedLog { key, fingerprint, origin, own, least_size };
        Ok(pinned.judge(checkpoint, domain.domain(), ring)?)
    }

    /// The least size that is accepted.
    pub(crate) fn least_size(&self) -> u64 {
        self.least_size
    }

    /// Whether the caller pinned a key.
    pub(crate) fn has_key(&self) -> bool {
        self.log_key.is_some()
    }

    /// The domain that the log's key file names.
    pub(crate) fn domain(&self) -> Result<Option<DomainFile>, Failure> {
        Ok(self.key()?.and_then(|file| file.domain.clone()))
    }

    fn key(&self) -> Result<Option<&PublicKeyFile>, Failure> {
        let Some(path) = &self.log_key else { return Ok(None) };
        once(&self.read, || trust::read_key(path)).map(Some)
    }
}

impl From<EvidenceError> for Failure {
    fn from(error: EvidenceError) -> Self {
        let (message, advice) = (error.to_string(), error.advice());
        let keys = "see the keys by `dualseal key show`";
        let exported = "ask for the file that `dualseal key export` writes, with its first lines";
        let (message, hint) = match error {
            EvidenceError::Library(error) | EvidenceError::OtherDocument(error) => return error.into(),
            EvidenceError::OnlyCustodians(error) => return Self::from(error).hint(advice),
            EvidenceError::Chain(error) => return error.into(),
            EvidenceError::Tiles(error) => return unproved(error),
            EvidenceError::NoRing => return Self::defect(&message),
            EvidenceError::Decoy(_) => {
                let message =
                    "DECOY: a stolen honeypot key of this home folder made the record; no evidence is made of it";
                return Self::new(status_of(VerdictKind::Decoy.code()), message, advice);
            }
            EvidenceError::NoSession => (&*message, "give the session.json of its founding with --session"),
            EvidenceError::OtherRing => {
                ("the last checkpoint states another ring than the home folder has: its keys changed since", SIGN)
            }
            EvidenceError::Uncovered { .. } => (&*message, SIGN),
            EvidenceError::NoEntry => {
                let hint = "give a record of this home folder's log; what was made with --no-chain has no entry";
                ("the record has no entry in the home folder's chain", hint)
            }
            EvidenceError::OtherEntry { .. } => {
                let hint = "give the number that was told when the record was made, or leave --tiles and --seq out";
                (&*message, hint)
            }
            EvidenceError::OtherMaker => ("the record is somebody else's than --as says", keys),
            EvidenceError::UnknownKey => {
                ("the ring of this home folder has no key that could have made the record", keys)
            }
            EvidenceError::Several => {
                (&*message, "give the document after the record, of a vault record the stored bytes")
            }
            EvidenceError::NoOrigin => {
                ("the log's key file does not say which log it is, nor does --log-origin", exported)
            }
            EvidenceError::NoIdentity => (&*message, exported),
            EvidenceError::NotOwn => {
                ("the checkpoint is not by a key of this home folder", "give the key file of its log with --log-key")
            }
            EvidenceError::Unpinned => {
                (&*message, "ask the log's operator for its public key file or its fingerprint: --log-key, --log")
            }
            EvidenceError::OtherLog => {
                let status = status_of(VerdictKind::Invalid.code());
                return Self::new(status, format!("NOT VALID: {message}"), advice);
            }
            _ => (&*message, advice),
        };
        Self::new(USAGE, message, hint)
    }
}

/// What a file holds, which is read the first time that it is asked for.
fn once<T>(read: &OnceCell<Box<T>>, file: impl FnOnce() -> Result<T, Failure>) -> Result<&T, Failure> {
    match read.get() {
        Some(held) => Ok(held),
        None => file().map(|held| &**read.get_or_init(|| Box::new(held))),
    }
}

fn read(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::from_json(&input::small(path)?).map_err(|error| Failure::from(error).about(path.shown()))
}

fn valid(verdict: Verdict<Checkpoint>, path: &Path) -> Result<Verified<Checkpoint>, Failure> {
    let (kind, reason) = (verdict.kind(), verdict.internal().reason.unwrap_or_default());
    verdict.valid().ok_or_else(|| {
        let message = format!("{} is {}: {reason}", path.shown(), kind.as_str());
        let hint = "ask the log's operator for the latest checkpoint and its key file; keep this one";
        Failure::new(status_of(kind.code()), message, hint)
    })
}
