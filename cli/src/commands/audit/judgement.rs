//! What came of a file.

use crate::commands::verify::verdict::{outward, why};
use crate::commands::verify::{dates, unplaced};
use crate::failure::{Failure, READ, status_of};
use crate::output::{object, path_text, quoted_path, text};
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;
use dualseal::verdict::AsOf;
use dualseal::{Error, IdentityId, KeyRing, Timestamp, Verdict, VerdictKind};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

/// One file with what came of it.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) path: PathBuf,
    /// Whether it is of the folder, and not of a key or ring that was named, which may have the name of a file in it.
    pub(super) is_inside: bool,
    pub(super) kind: String,
    pub(super) mark: Mark,
    /// The library's number, where it has one.
    pub(super) code: Option<u16>,
    /// In words.
    pub(super) text: String,
    /// The document that it is about.
    pub(super) of: Option<PathBuf>,
    /// Whose it is.
    pub(super) identity_id: Option<String>,
    /// SHA3-256 over the key, where the file carries it, or its signer has one alone.
    pub(super) key_hash: Option<String>,
    /// Between what it was entered in its log, for scripts; null where the chain here does not show it.
    pub(super) entered: Value,
}

impl Line {
    /// What is asked for and is not here.
    pub(super) fn missing(path: PathBuf, kind: &str, text: &str) -> Self {
        let Judgement { mark, code, text } = Judgement::new(Mark::Unchecked, text);
        Self {
            path,
            is_inside: true,
            kind: kind.to_owned(),
            mark,
            code,
            text,
            of: None,
            identity_id: None,
            key_hash: None,
            entered: Value::Null,
        }
    }

    /// For people.
    pub(super) fn told(&self) -> String {
        let of = self.of.as_ref().map(|of| format!(" of {}", quoted_path(of))).unwrap_or_default();
        format!("{}: {}{of}: {}", quoted_path(&self.path), self.kind, self.text)
    }

    /// The same while the audit runs, with its mark.
    pub(super) fn live(&self) -> (String, Value) {
        (format!("{} {}", self.mark.label(), self.told()), self.value())
    }

    /// For scripts.
    pub(super) fn value(&self) -> Value {
        let optional = |value: &Option<String>| value.clone().map_or(Value::Null, text);
        object([
            ("code", self.code.map_or(Value::Null, |code| Value::Integer(code.into()))),
            ("entered", self.entered.clone()),
            ("identity_id", optional(&self.identity_id)),
            ("key_hash", optional(&self.key_hash)),
            ("kind", text(self.kind.as_str())),
            ("mark", text(self.mark.word())),
            ("of", self.of.as_ref().map_or(Value::Null, |of| text(path_text(of)))),
            ("path", text(path_text(&self.path))),
            ("text", text(self.text.as_str())),
        ])
    }
}

/// What came of a file, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// It was verified and holds.
    Valid,
    /// A document that something valid vouches for.
    Vouched,
    /// A document or some other file, for which nothing here vouches.
    Other,
    /// It has its form, and there is nothing in it to verify.
    Noted,
    /// A link, which is not followed, or nothing that can be read.
    Skipped,
    /// What would be needed to check it is not here.
    Unchecked,
    /// Its key is suspended.
    Suspended,
    /// It cannot be read.
    Unreadable,
    /// Something secret lies here.
    Secret,
    /// It is a record of a known kind, and has not its form.
    Malformed,
    /// Its key was called back.
    Revoked,
    /// It does not hold.
    Invalid,
    /// Made with a stolen honeypot key.
    Decoy,
}

impl Mark {
    pub(super) const ALL: [Self; 13] = [
        Self::Valid,
        Self::Vouched,
        Self::Other,
        Self::Noted,
        Self::Skipped,
        Self::Unchecked,
        Self::Suspended,
        Self::Unreadable,
        Self::Secret,
        Self::Malformed,
        Self::Revoked,
        Self::Invalid,
        Self::Decoy,
    ];

    /// The word for people.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Vouched => "vouched for",
            Self::Other => "other",
            Self::Noted => "noted",
            Self::Skipped => "skipped",
            Self::Secret => "SECRET",
            Self::Unchecked => "not checked",
            Self::Suspended => "SUSPENDED",
            Self::Unreadable => "UNREADABLE",
            Self::Malformed => "MALFORMED",
            Self::Revoked => "REVOKED",
            Self::Invalid => "NOT VALID",
            Self::Decoy => "DECOY",
        }
    }

    /// The word for scripts.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Vouched => "vouched",
            Self::Other => "other",
            Self::Noted => "noted",
            Self::Skipped => "skipped",
            Self::Secret => "secret",
            Self::Unchecked => "unchecked",
            Self::Suspended => "suspended",
            Self::Unreadable => "unreadable",
            Self::Malformed => "malformed",
            Self::Revoked => "revoked",
            Self::Invalid => "invalid",
            Self::Decoy => "decoy",
        }
    }

    /// Whether it matters when a record was made.
    pub(super) fn is_dated(self) -> bool {
        matches!(self, Self::Valid | Self::Suspended | Self::Revoked | Self::Decoy)
    }

    /// Whether it says anything against the folder.
    pub(super) fn is_good(self) -> bool {
        self < Self::Unchecked
    }
}

/// What a file of evidence shows of a record.
pub(super) struct Shown {
    pub(super) signer: IdentityId,
    pub(super) key: KeyHash,
    /// Its entry, the checkpoint that covers it, and when a witness who is believed saw that.
    pub(super) place: Option<(u64, (u64, Timestamp), Option<Timestamp>)>,
}

/// What a check came to, before it is told of a file.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    pub(super) mark: Mark,
    pub(super) code: Option<u16>,
    pub(super) text: String,
}

impl Judgement {
    pub(super) fn new(mark: Mark, text: impl Into<String>) -> Self {
        let code = (mark == Mark::Unchecked).then(|| VerdictKind::Suspended.code());
        Self { mark, code, text: text.into() }
    }

    /// Evidence that does not hold, or input of the wrong form.
    pub(super) fn error(error: &Error) -> Self {
        let mark = if matches!(error, Error::Malformed(_)) { Mark::Malformed } else { Mark::Invalid };
        Self { mark, code: Some(error.code()), text: error.to_string() }
    }

    /// A verdict, to the operator or as outsiders are told it.
    pub(super) fn verdict<T>(verdict: &Verdict<T>, public: bool) -> Self {
        let more = match verdict {
            Verdict::Invalid(rejection) => format!(": {}", why(rejection.reason())),
            _ => String::new(),
        };
        Self::of_kind(verdict.kind(), &more, public)
    }

    /// A verdict of a kind, to the operator with more about it, or as outsiders are told it.
    pub(super) fn of_kind(kind: VerdictKind, more: &str, public: bool) -> Self {
        let (kind, more) = if public { (outward(kind), "") } else { (kind, more) };
        let (mark, text) = match kind {
            VerdictKind::Valid => (Mark::Valid, "holds"),
            VerdictKind::Revoked => (Mark::Revoked, "its key was called back"),
            VerdictKind::Suspended => (Mark::Suspended, "its key is suspended"),
            VerdictKind::Decoy => (Mark::Decoy, "a stolen honeypot key made it"),
            VerdictKind::Invalid => (Mark::Invalid, "does not hold"),
        };
        Self { mark, code: Some(kind.code()), text: format!("{text}{more}") }
    }

    /// The same with what else is to be said.
    pub(super) fn and(mut self, sentences: impl IntoIterator<Item = String>) -> Self {
        for sentence in sentences {
            self.text += "; ";
            self.text += &sentence;
        }
        self
    }

    /// The same with whose word it is, where a home folder knew worse of a key that was named.
    pub(super) fn heard_of(self, here: Option<&KeyRing>) -> Self {
        let is_worse = here.is_some() && self.mark != Mark::Valid;
        self.and(is_worse.then(|| "the home folder here knows its key".to_owned()))
    }

    /// A verdict with its dates, which are the operator's to know: of a record without a place it is said that nothing
    /// shows whether it is older than its key's compromise.
    pub(super) fn dated<T>(as_of: &AsOf<T>, public: bool) -> Self {
        let outcome = Self::verdict(&as_of.verdict, public);
        if public || as_of.failed.is_some() {
            return outcome;
        }
        match as_of.place {
            Some(_) => outcome.and(dates(as_of)),
            None => outcome.and(as_of.compromised_from.map(unplaced)),
        }
    }

    /// What could not be gone on with.
    pub(super) fn failed(path: &Path, failure: &Failure) -> Self {
        let mark = match failure.code() {
            Some(100..=199) => Mark::Malformed,
            Some(_) => Mark::Invalid,
            None if failure.status() == READ => Mark::Unreadable,
            // Against the home folder's own chain.
            None if failure.status() == status_of(VerdictKind::Invalid.code()) => Mark::Invalid,
            None => Mark::Unchecked,
        };
        // The line begins with the path.
        let about = format!("{}: ", path.shown());
        let outcome = Self::new(mark, failure.message().strip_prefix(&about).unwrap_or(failure.message()));
        let code = if mark == Mark::Invalid { Some(VerdictKind::Invalid.code()) } else { outcome.code };
        Self { code: failure.code().or(code), ..outcome }
    }

    /// It is by a key, or in a name, of which nothing is known.
    pub(super) fn unknown() -> Self {
        let text = "made by, or claimed for, a key that is not known here: --key or --ring would make it known";
        Self::new(Mark::Unchecked, text)
    }

    /// It is of a document that is not here.
    pub(super) fn no_document() -> Self {
        Self::new(Mark::Unchecked, "its document is not here")
    }
}
