//! What an authenticator, an invitation and an enrolment must be.

use super::store::EnrolmentRow;
use dualseal::tree::TreeHash;
use platform::problem::{Problem, kinds};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long an invitation may be used, in milliseconds.
pub(crate) const INVITATION_LIFE: i64 = 24 * 3_600_000;
/// How long an enrolment may take: as long as the library lets a challenge live.
pub(crate) const ENROLMENT_LIFE: i64 = 300_000;
/// The most characters of a label.
pub(crate) const LABEL: usize = 100;
/// The most authenticators of one identity.
pub(crate) const MOST: usize = 32;

/// A kind of authenticator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A key that signs the library's statement.
    Ed25519,
    /// A credential of WebAuthn, which verifies its user.
    Webauthn,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::Webauthn => "webauthn",
        }
    }

    pub(crate) fn of_row(text: &str) -> Result<Self, Problem> {
        let found = [Self::Ed25519, Self::Webauthn].into_iter().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| Problem::internal("presence", &format_args!("a row is {text:?}")))
    }
}

/// Whether an authenticator counts.
pub(crate) fn counts(counts_from: i64, removed: Option<i64>, now: i64) -> bool {
    removed.is_none() && counts_from <= now
}

/// From when on an authenticator counts. One of before a restore waits anew: the backup may lack its removal.
pub(crate) fn counts_from(enrolled: i64, counts_from: i64, voided: i64, wait: i64) -> i64 {
    if enrolled <= voided { counts_from.max(voided.saturating_add(wait)) } else { counts_from }
}

/// An invitation that may be used: agreed to by a second native, once, in time.
///
/// # Errors
/// [`kinds::REQUEST_CLOSED`] after it was used or its time; [`kinds::CONFLICT`] before the second native agreed.
pub(crate) fn check_invitation(agreed: bool, used: bool, expires: i64, now: i64) -> Result<(), Problem> {
    if used || now >= expires {
        return Err(Problem::new(&kinds::REQUEST_CLOSED));
    }
    if !agreed {
        return Err(Problem::new(&kinds::CONFLICT).detail("no second native has agreed yet"));
    }
    Ok(())
}

/// What shows a line otherwise than it is written: as another one's label.
fn hides(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || letter.is_control()
}

/// A label for people.
///
/// # Errors
/// Names the field.
pub(crate) fn check_label(label: &str) -> Result<(), Problem> {
    if label.is_empty() || label.chars().count() > LABEL || label.chars().any(hides) {
        return Err(Problem::invalid("/label", "range", "is not a visible line of 1 to 100 characters"));
    }
    Ok(())
}

/// What the new authenticator says of itself.
pub(crate) fn enrolment_statement(enrolment_id: &str) -> String {
    format!("presence enrolment {enrolment_id}")
}

/// What a credential answers that vouches for another: never a number that somebody gave it, which might be the
/// challenge of a rebuilding, but SHA-256 over a zero byte and what it is told (the hash of a leaf, RFC 9162).
pub(crate) fn vouching_challenge(domain: &str, audience: &str, row: &EnrolmentRow) -> [u8; 32] {
    let (statement, nonce) = (vouching_statement(&row.id.to_string()), row.nonce.to_hex());
    let said = format!("{domain}-PRESENCE::VOUCH::{audience}::{}::{statement}::{nonce}", row.identity_id);
    *TreeHash::of_leaf(said.as_bytes()).as_bytes()
}

/// What a present authenticator says for another.
pub(crate) fn vouching_statement(enrolment_id: &str) -> String {
    format!("presence vouching {enrolment_id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_authenticator_waits() {
        assert!(!counts(100, None, 99));
        assert!(counts(100, None, 100));
        assert!(!counts(100, Some(100), 200));
    }

    #[test]
    fn after_a_restore_an_authenticator_waits_anew() {
        assert_eq!(counts_from(10, 20, 0, 60), 20, "nothing was restored");
        assert_eq!(counts_from(10, 20, 50, 60), 110);
        assert_eq!(counts_from(10, 200, 50, 60), 200, "it waits still");
        assert_eq!(counts_from(51, 111, 50, 60), 111, "it came after it");
    }

    #[test]
    fn an_invitation_takes_two_and_serves_once() {
        let told = |agreed, used, now| check_invitation(agreed, used, 10, now).err().map(|problem| problem.kind().code);
        assert_eq!(told(true, false, 9), None);
        assert_eq!(told(false, false, 9), Some("conflict"));
        assert_eq!(told(true, true, 9), Some("request-closed"));
        assert_eq!(told(true, false, 10), Some("request-closed"));
    }

    #[test]
    fn labels_are_one_line() {
        assert!(check_label("Ana's phone").is_ok());
        for bad in ["", "two\nlines", "Ana's \u{202e}enohp", &"a".repeat(101)] {
            assert!(check_label(bad).is_err(), "{bad:?}");
        }
    }
}
