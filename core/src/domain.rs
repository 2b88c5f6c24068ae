//! Domain constants: the prefix, labels and suffix that keep one deployment's hashes and statements apart from
//! another's, and one use from another. No formula is computed here.

use crate::error::{Error, Misuse, Problem};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

/// A use that has its own prefix and suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Row {
    /// General identifiers.
    Identifier,
    /// Vault identifiers, keys and layers.
    Vault,
    /// Signature statements, content hashes and ring entries.
    Signature,
    /// Threshold sessions.
    Threshold,
    /// Dual seals.
    Seal,
    /// Vault shards.
    Shard,
    /// Presence proofs.
    Presence,
    /// Checkpoints of the chain.
    Krunica,
}

const ROWS: [(Row, &str); 8] = [
    (Row::Identifier, "ID"),
    (Row::Vault, "VAULT"),
    (Row::Signature, "SIGN"),
    (Row::Threshold, "THRESHOLD"),
    (Row::Seal, "SEAL"),
    (Row::Shard, "SHARD"),
    (Row::Presence, "PRESENCE"),
    (Row::Krunica, "KRUNICA"),
];

macro_rules! labels {
    ($($variant:ident = $row:ident $text:literal,)*) => {
        /// A label: what a hash or statement of a [`Row`] is for. Each is named by its row and its default text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Label {
            $(#[doc = concat!("`", $text, "` of the row [`Row::", stringify!($row), "`].")] $variant,)*
        }

        const LABELS: [(Label, Row, &str); [$($text),*].len()] = [$((Label::$variant, Row::$row, $text),)*];
    };
}

labels! {
    VaultL4 = Vault "L4",
    VaultL5 = Vault "L5",
    VaultL7 = Vault "L7",
    VaultL8 = Vault "L8",
    VaultKdf = Vault "KDF",
    VaultAead = Vault "AEAD",
    SignatureContent = Signature "CONTENT",
    SignatureStatement = Signature "STATEMENT",
    SignatureRing = Signature "RING",
    SignatureSigned = Signature "SIGNED",
    SignatureSalt = Signature "SALT",
    SignatureState = Signature "STATE",
    SignatureStore = Signature "STORE",
    SignatureEntry = Signature "ENTRY",
    ThresholdBinding = Threshold "BINDING",
    ThresholdAnchor = Threshold "ANCHOR",
    ThresholdShare = Threshold "SHARE",
    ThresholdSession = Threshold "SESSION",
    ThresholdResult = Threshold "RESULT",
    ThresholdWitness = Threshold "WITNESS",
    ThresholdSuccession = Threshold "SUCCESSION",
    SealKdf = Seal "KDF",
    SealSealed = Seal "SEALED",
    ShardId = Shard "ID",
    ShardValue = Shard "VALUE",
    ShardAnchor = Shard "ANCHOR",
    ShardSeal = Shard "SEAL",
    ShardSplit = Shard "SPLIT",
    PresenceEd25519 = Presence "ED25519",
    PresenceLogin = Presence "LOGIN",
    PresencePeer = Presence "PEER",
    PresenceAlive = Presence "ALIVE",
    PresenceDrop = Presence "DROP",
    KrunicaCheckpoint = Krunica "CHECKPOINT",
    KrunicaLog = Krunica "LOG",
}

/// The labels that begin chain messages. They differ pairwise across rows, since rows may share a prefix: otherwise one
/// operation's entry would stand for another's.
const MESSAGES: [Label; 7] = [
    Label::VaultL8,
    Label::SignatureRing,
    Label::SignatureSigned,
    Label::ThresholdSession,
    Label::ThresholdWitness,
    Label::SealSealed,
    Label::ShardSplit,
];

/// The operations of the presence row, which none of its labels equals.
const PRESENCE_OPERATIONS: [&str; 4] = ["rebuild", "refresh", "repair", "rethreshold"];

impl Row {
    /// The name of the row in other languages: `identifier`, `vault`, `signature`, `threshold`, `seal`, `shard`,
    /// `presence` or `krunica`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Vault => "vault",
            Self::Signature => "signature",
            Self::Threshold => "threshold",
            Self::Seal => "seal",
            Self::Shard => "shard",
            Self::Presence => "presence",
            Self::Krunica => "krunica",
        }
    }
}

impl core::str::FromStr for Row {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let row = ROWS.into_iter().map(|(row, _)| row).find(|row| row.as_str() == name);
        row.ok_or_else(|| Error::malformed("row", Problem::UnknownValue))
    }
}

impl Label {
    /// The label of a row by its default text, such as `CONTENT` of [`Row::Signature`].
    ///
    /// # Errors
    /// [`Problem::UnknownValue`].
    pub fn find(row: Row, text: &str) -> Result<Self, Error> {
        let label = LABELS.into_iter().find(|(_, of, default)| *of == row && *default == text);
        label.map(|(label, _, _)| label).ok_or_else(|| Error::malformed("label", Problem::UnknownValue))
    }
}

/// The constants of a deployment. Cheap to clone; every formula takes one.
///
/// ```
/// use dualseal::Domain;
///
/// let ours = Domain::new("ACME")?;
/// let id = ours.identity_id(b"articles of association", "notary", "2026")?;
/// assert_ne!(id, Domain::default().identity_id(b"articles of association", "notary", "2026")?);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Domain(Arc<Constants>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Constants {
    prefixes: [String; ROWS.len()],
    suffixes: [String; ROWS.len()],
    labels: [String; LABELS.len()],
}

impl Domain {
    /// Derives every constant from one name: prefixes `<name>-ID`, `<name>-VAULT` and so on, the standard labels, and
    /// the name itself as suffix.
    ///
    /// # Errors
    /// [`Problem::Constant`] when the name is empty, has a character outside 0x21 to 0x7E, a `:`, or only characters
    /// of `0-9a-f`.
    pub fn new(name: &str) -> Result<Self, Error> {
        Self::builder(name).build()
    }

    /// Starts from the constants of [`Domain::new`] and sets some by hand, for a deployment that must reproduce
    /// identifiers that it already issued.
    ///
    /// ```
    /// use dualseal::domain::{Domain, Label, Row};
    ///
    /// let domain = Domain::builder("ACME")
    ///     .prefix(Row::Identifier, "OLD")
    ///     .suffix(Row::Identifier, "V1")
    ///     .label(Label::SignatureContent, "BODY")
    ///     .build()?;
    /// assert_ne!(domain, Domain::new("ACME")?);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn builder(name: &str) -> DomainBuilder {
        DomainBuilder {
            constants: Constants {
                prefixes: ROWS.map(|(_, tail)| alloc::format!("{name}-{tail}")),
                suffixes: ROWS.map(|_| name.to_string()),
                labels: LABELS.map(|(_, _, text)| text.to_string()),
            },
            shared: false,
        }
    }

    /// Each row with its prefix and its suffix, for whoever makes the same domain elsewhere ([`DomainBuilder`]).
    ///
    /// ```
    /// use dualseal::Domain;
    /// use dualseal::domain::Row;
    ///
    /// let domain = Domain::new("ACME")?;
    /// assert!(domain.rows().any(|row| row == (Row::Seal, "ACME-SEAL", "ACME")));
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = (Row, &str, &str)> {
        ROWS.into_iter().map(|(row, _)| (row, self.prefix(row), self.suffix(row)))
    }

    /// Each label by its row and its default text, with the text that it has here.
    ///
    /// ```
    /// use dualseal::Domain;
    /// use dualseal::domain::Row;
    ///
    /// let domain = Domain::default();
    /// assert!(domain.labels().any(|label| label == (Row::Signature, "CONTENT", "CONTENT")));
    /// ```
    pub fn labels(&self) -> impl Iterator<Item = (Row, &'static str, &str)> {
        LABELS.into_iter().map(|(label, row, default)| (row, default, self.label(label)))
    }

    pub(crate) fn prefix(&self, row: Row) -> &str {
        at(&self.0.prefixes, row as usize)
    }

    pub(crate) fn suffix(&self, row: Row) -> &str {
        at(&self.0.suffixes, row as usize)
    }

    pub(crate) fn label(&self, label: Label) -> &str {
        at(&self.0.labels, label as usize)
    }

    /// `P::part::…::S` of a row.
    pub(crate) fn join(&self, row: Row, parts: &[&str]) -> String {
        let suffix = self.suffix(row);
        let others = || parts.iter().copied().chain([suffix]);
        // Each verification makes such a text, and one that grows is moved four times.
        let bytes = others().map(|part| part.len().saturating_add(2)).fold(0, usize::saturating_add);
        let mut text = String::with_capacity(self.prefix(row).len().saturating_add(bytes));
        text.push_str(self.prefix(row));
        for part in others() {
            text.push_str("::");
            text.push_str(part);
        }
        text
    }

    /// Whether a chain message begins with one of the prefixes and `::`, a form that only the library appends.
    pub(crate) fn is_reserved(&self, message: &str) -> bool {
        self.0.prefixes.iter().any(|prefix| message.strip_prefix(prefix.as_str()).is_some_and(|r| r.starts_with("::")))
    }
}

impl Default for Domain {
    /// `Domain::new("DUALSEAL")`.
    fn default() -> Self {
        Self(Arc::new(Self::builder("DUALSEAL").constants))
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Domain").field("prefixes", &self.0.prefixes).finish_non_exhaustive()
    }
}

/// Sets constants by hand; see [`Domain::builder`].
#[derive(Clone)]
pub struct DomainBuilder {
    constants: Constants,
    shared: bool,
}

impl DomainBuilder {
    /// Sets the prefix of a row.
    #[must_use]
    pub fn prefix(mut self, row: Row, text: &str) -> Self {
        *at_mut(&mut self.constants.prefixes, row as usize) = text.to_string();
        self
    }

    /// Sets the suffix of a row.
    #[must_use]
    pub fn suffix(mut self, row: Row, text: &str) -> Self {
        *at_mut(&mut self.constants.suffixes, row as usize) = text.to_string();
        self
    }

    /// Sets a label.
    #[must_use]
    pub fn label(mut self, label: Label, text: &str) -> Self {
        *at_mut(&mut self.constants.labels, label as usize) = text.to_string();
        self
    }

    /// Allows rows to share a prefix. Then a vault identifier can equal a general identifier: only for a deployment
    /// that issued such identifiers already.
    #[must_use]
    pub fn legacy_shared_constants(mut self) -> Self {
        self.shared = true;
        self
    }

    /// Checks the constants.
    ///
    /// # Errors
    /// [`Problem::Constant`] for a constant outside the rules of [`Domain::new`]; [`Misuse::SharedConstants`] when two
    /// labels of one row or of two chain messages are equal, a label of the presence row is the name of an operation,
    /// or two prefixes are equal without [`legacy_shared_constants`](Self::legacy_shared_constants).
    pub fn build(self) -> Result<Domain, Error> {
        let Constants { prefixes, suffixes, labels } = &self.constants;
        for (field, texts) in [("prefix", &prefixes[..]), ("suffix", &suffixes[..]), ("label", &labels[..])] {
            for (index, text) in (0..).zip(texts) {
                check_constant(field, index, text)?;
            }
        }
        if !self.shared && has_repeats(&prefixes.iter()) {
            return Err(Misuse::SharedConstants.into());
        }
        for (row, _) in ROWS {
            let of_row = LABELS.iter().zip(labels).filter(|((_, r, _), _)| *r == row).map(|(_, text)| text);
            if has_repeats(&of_row) {
                return Err(Misuse::SharedConstants.into());
            }
        }
        if has_repeats(&MESSAGES.iter().filter_map(|message| labels.get(*message as usize))) {
            return Err(Misuse::SharedConstants.into());
        }
        let mut of_presence = LABELS.iter().zip(labels).filter(|((_, row, _), _)| *row == Row::Presence);
        if of_presence.any(|(_, text)| PRESENCE_OPERATIONS.contains(&text.as_str())) {
            return Err(Misuse::SharedConstants.into());
        }
        Ok(Domain(Arc::new(self.constants)))
    }
}

impl fmt::Debug for DomainBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DomainBuilder").field("prefixes", &self.constants.prefixes).finish_non_exhaustive()
    }
}

/// The character outside `0-9a-f` keeps a label from reading as the hexadecimal payload of a vault identifier.
fn check_constant(field: &'static str, index: u64, text: &str) -> Result<(), Error> {
    let printable = text.bytes().all(|b| (0x21..=0x7e).contains(&b) && b != b':');
    let beyond_hex = text.bytes().any(|b| !matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if printable && beyond_hex { Ok(()) } else { Err(Error::malformed_at(field, index, Problem::Constant)) }
}

fn has_repeats<'a>(texts: &(impl Iterator<Item = &'a String> + Clone)) -> bool {
    texts.clone().enumerate().any(|(i, text)| texts.clone().skip(i.saturating_add(1)).any(|other| other == text))
}

#[allow(clippy::indexing_slicing, reason = "the arrays have one text for each row and label, which are the indices")]
fn at(texts: &[String], row_or_label: usize) -> &str {
    &texts[row_or_label]
}

#[allow(clippy::indexing_slicing, reason = "as in `at`")]
fn at_mut(texts: &mut [String], row_or_label: usize) -> &mut String {
    &mut texts[row_or_label]
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Of every label there is, whatever the prefixes are: no text begins as another does, none as an operation of
        /// the presence row, and none with hexadecimal up to its first `::`, as layer B of a seal.
        #[test]
        fn nothing_begins_as_another_does(prefixes in proptest::collection::vec("[!-9;-~]{1,6}", 8)) {
            let named = ROWS.into_iter().zip(&prefixes);
            let builder = named.fold(Domain::builder("ACME"), |builder, ((row, _), text)| builder.prefix(row, text));
            let built = builder.build();
            prop_assume!(built.is_ok());
            let domain = built?;
            let labels = LABELS.into_iter().map(|(label, row, _)| (row, domain.label(label)));
            let operations = PRESENCE_OPERATIONS.into_iter().map(|operation| (Row::Presence, operation));
            let all: Vec<_> =
                labels.chain(operations).map(|(row, text)| [domain.prefix(row), "::", text, "::"].concat()).collect();
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), LABELS.len() + PRESENCE_OPERATIONS.len());
            for (place, one) in all.iter().enumerate() {
                let others = all.iter().enumerate().filter(|(at, _)| *at != place);
                prop_assert!(others.clone().all(|(_, other)| !other.starts_with(one.as_str())), "{}", one);
                let first = one.split("::").next().unwrap();
                prop_assert!(!first.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{}", one);
            }
        }
    }
}
