//! Who signed: what is known of a signer beside the verdict, and what shows it.

use crate::output::{Report, integer, object, quoted, short, text};
use crate::trust::Trust;
use dualseal::IdentityId;
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;

/// What is known of whoever made a record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    /// SHA3-256 over the key; a seal does not carry its own.
    pub(crate) key: Option<KeyHash>,
    /// From whom the identity was computed, where that is known.
    pub(crate) creator: Option<String>,
    pub(crate) shown_by: ShownBy,
    /// The revision of the ring that told the state of the key.
    pub(crate) revision: Option<u64>,
}

/// What says that a key is an identity's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShownBy {
    /// A ring, which tells the state of the key as well.
    #[default]
    Ring,
    /// The file of the key.
    KeyFile,
    /// The caller, who named the identity.
    Caller,
    /// Nothing: a key is known, and whoever has it can sign in any name.
    Nothing,
}

impl ShownBy {
    /// By what is trusted, where the caller names no identity.
    pub(crate) fn of(trust: &Trust) -> Self {
        match trust {
            Trust::Own(_) | Trust::Unattested(_) | Trust::Attested(_) => Self::Ring,
            Trust::Pinned(file) if file.identity_id.is_some() => Self::KeyFile,
            Trust::Pinned(_) | Trust::Fingerprint(_) => Self::Nothing,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::KeyFile => "key file",
            Self::Caller => "caller",
            Self::Nothing => "nothing",
        }
    }

    /// Whether the state of the key is known: of a key that was pinned it is nobody's to tell.
    pub(crate) fn tells_state(self) -> bool {
        self == Self::Ring
    }
}

impl Who {
    /// For a sentence.
    pub(crate) fn named(&self, identity_id: &IdentityId) -> String {
        match (&self.creator, self.key) {
            (_, Some(key)) if self.shown_by == ShownBy::Nothing => format!("the key {}", short(key)),
            (Some(creator), _) => format!("{} ({})", quoted(creator), short(identity_id)),
            (None, _) => short(identity_id),
        }
    }

    /// As lines and members of an answer.
    pub(crate) fn tell(&self, mut report: Report, identity_id: &IdentityId) -> Report {
        let label = if self.shown_by == ShownBy::Nothing { "says to be" } else { "signer" };
        report = report.line(label, identity_id.to_hex());
        if let Some(creator) = &self.creator {
            report = report.line("creator", quoted(creator));
        }
        if let Some(key) = &self.key {
            report = report.line("key", key.to_hex());
        }
        if let Some(revision) = self.revision {
            report = report.line("ring revision", revision.to_string());
        }
        let optional = |value: Option<String>| value.map_or(Value::Null, text);
        report.member("ring_revision", self.revision.map_or(Value::Null, integer)).member(
            "signer",
            object([
                ("creator", optional(self.creator.clone())),
                ("identity_id", text(identity_id.to_hex())),
                ("key_hash", optional(self.key.map(|key| key.to_hex()))),
                ("shown_by", text(self.shown_by.word())),
            ]),
        )
    }
}
