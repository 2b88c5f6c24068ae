//! Whom a verifier trusts: the operator's `trust`, by paths and in the words of this program.

pub(crate) use dualseal_operator::trust::{Creator, PublicKeyFile, TierKeyFile, Trust};

use crate::failure::{Failure, READ};
use crate::input;
use crate::output::{Report, text};
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;
use dualseal_operator::paths::Show;
use dualseal_operator::trust::TrustError;
use std::path::{Path, PathBuf};

/// What nothing shows of a ring alone.
const UNATTESTED: &str = "\
The ring is UNATTESTED: nothing shows that it is the log's own, and neither edited nor an old one. Give a checkpoint \
of its log: --checkpoint, --log-key.";

/// A public key file or a ring, by what is in the file; or a key by its fingerprint, which is no name of a file.
pub(crate) fn read(path: &Path) -> Result<Trust, Failure> {
    Given::read(path)?.trust()
}

/// A key file or a ring that was named, read once: a pipe gives it once.
#[derive(Debug)]
pub(crate) struct Given {
    path: PathBuf,
    /// `None` where its name is a fingerprint.
    text: Option<String>,
}

impl Given {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = if fingerprint(path).is_some() { None } else { Some(input::small_text(path)?) };
        Ok(Self { path: path.to_owned(), text })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whom it has a verifier trust.
    pub(crate) fn trust(&self) -> Result<Trust, Failure> {
        match (&self.text, fingerprint(&self.path)) {
            (None, Some(hash)) => Ok(Trust::Fingerprint(hash)),
            (text, _) => Trust::from_text(text.as_deref().unwrap_or_default()).map_err(of(&self.path)),
        }
    }
}

/// The fingerprint of a key that stands in the place of its file.
pub(crate) fn fingerprint(path: &Path) -> Option<KeyHash> {
    path.to_str()?.parse().ok()
}

/// A public key file.
pub(crate) fn read_key(path: &Path) -> Result<PublicKeyFile, Failure> {
    PublicKeyFile::from_text(&input::small_text(path)?).map_err(of(path))
}

/// The file of a key that shows a tier.
pub(crate) fn read_tier_key(path: &Path) -> Result<TierKeyFile, Failure> {
    let hint = "ask the sealer for the file that `dualseal vault tier-key` writes";
    let wrong = |what: &str| Failure::new(READ, format!("{} {what}", path.shown()), hint);
    TierKeyFile::from_text(&input::small_text(path)?).map_err(|error| match error {
        TrustError::NoTierKey => wrong("is no tier key"),
        TrustError::NoTier => wrong("does not say whose key it is, and for which tier"),
        error => of(path)(error),
    })
}

/// Says which file it is about.
fn of(path: &Path) -> impl Fn(TrustError) -> Failure {
    |error| Failure::from(error).about(path.shown())
}

/// Says in an answer whether anything shows that a public ring is the log's own.
pub(crate) fn tell(trust: &Trust, report: Report) -> Report {
    match trust {
        Trust::Unattested(_) => report.detail("ring", "ring", "unattested").note(UNATTESTED),
        Trust::Attested(ring) => {
            let report = report.member("ring", text("attested"));
            let size = ring.known_to().unwrap_or_default();
            report.line("ring", format!("attested by the checkpoint, as of {size} entries"))
        }
        Trust::Pinned(_) | Trust::Fingerprint(_) | Trust::Own(_) => report.member("ring", Value::Null),
    }
}
