//! The rules of the domain constants, each with a constant that breaks it.

use dualseal::Domain;
use dualseal::domain::{DomainBuilder, Label, Row};
use dualseal::error::{Error, Malformed, Misuse, Problem};

const ROWS: [Row; 8] =
    [Row::Identifier, Row::Vault, Row::Signature, Row::Threshold, Row::Seal, Row::Shard, Row::Presence, Row::Krunica];

const LABELS: &[(Label, &str)] = &[
    (Label::VaultL4, "vault"),
    (Label::VaultL5, "vault"),
    (Label::VaultL7, "vault"),
    (Label::VaultL8, "vault"),
    (Label::VaultKdf, "vault"),
    (Label::VaultAead, "vault"),
    (Label::SignatureContent, "signature"),
    (Label::SignatureStatement, "signature"),
    (Label::SignatureRing, "signature"),
    (Label::SignatureSigned, "signature"),
    (Label::SignatureSalt, "signature"),
    (Label::SignatureState, "signature"),
    (Label::SignatureStore, "signature"),
    (Label::SignatureEntry, "signature"),
    (Label::ThresholdBinding, "threshold"),
    (Label::ThresholdAnchor, "threshold"),
    (Label::ThresholdShare, "threshold"),
    (Label::ThresholdSession, "threshold"),
    (Label::ThresholdResult, "threshold"),
    (Label::ThresholdWitness, "threshold"),
    (Label::ThresholdSuccession, "threshold"),
    (Label::SealKdf, "seal"),
    (Label::SealSealed, "seal"),
    (Label::ShardId, "shard"),
    (Label::ShardValue, "shard"),
    (Label::ShardAnchor, "shard"),
    (Label::ShardSeal, "shard"),
    (Label::ShardSplit, "shard"),
    (Label::PresenceEd25519, "presence"),
    (Label::PresenceLogin, "presence"),
    (Label::PresencePeer, "presence"),
    (Label::PresenceAlive, "presence"),
    (Label::PresenceDrop, "presence"),
    (Label::KrunicaCheckpoint, "krunica"),
];

/// What begins a chain message.
const MESSAGES: &[Label] = &[
    Label::VaultL8,
    Label::SignatureRing,
    Label::SignatureSigned,
    Label::ThresholdSession,
    Label::ThresholdWitness,
    Label::SealSealed,
    Label::ShardSplit,
];

fn constant(builder: DomainBuilder) -> (&'static str, Option<u64>) {
    match builder.build() {
        Err(Error::Malformed(Malformed { field, index, problem: Problem::Constant, .. })) => (field, index),
        other => panic!("{other:?}"),
    }
}

fn shared(builder: DomainBuilder) -> bool {
    matches!(builder.build(), Err(Error::Misuse(Misuse::SharedConstants)))
}

#[test]
fn a_constant_is_printable_without_colons_and_no_hexadecimal() {
    for bad in ["", "a b", " ", "A:", ":", "A\u{7f}", "A\u{1f}", "Ž", "abc", "0", "deadbeef", "\u{20ac}", "A\n"] {
        for (place, row) in (0..).zip(ROWS) {
            assert_eq!(constant(Domain::builder("ACME").prefix(row, bad)), ("prefix", Some(place)), "{bad:?}");
            assert_eq!(constant(Domain::builder("ACME").suffix(row, bad)), ("suffix", Some(place)), "{bad:?}");
        }
        for (place, (label, _)) in (0..).zip(LABELS.iter().copied()) {
            assert_eq!(constant(Domain::builder("ACME").label(label, bad)), ("label", Some(place)), "{bad:?}");
        }
    }
    for good in ["g", "A", "!", "~", "-", "0g", "ABC", "abcdefg", "|", "\"", "\\"] {
        assert!(Domain::new(good).is_ok(), "{good:?}");
        assert!(Domain::builder("ACME").suffix(Row::Seal, good).build().is_ok(), "{good:?}");
    }
    // The name alone is the suffix; as a prefix it has a tail that is no hexadecimal.
    assert_eq!(constant(Domain::builder("abc")), ("suffix", Some(0)));
    assert_eq!(constant(Domain::builder("")), ("suffix", Some(0)));
    assert_eq!(constant(Domain::builder("a b")), ("prefix", Some(0)));
}

#[test]
fn prefixes_differ_pairwise_unless_they_are_shared_on_purpose() {
    for (i, a) in ROWS.into_iter().enumerate() {
        for b in ROWS.into_iter().skip(i + 1) {
            let builder = Domain::builder("ACME").prefix(a, "SAME").prefix(b, "SAME");
            assert!(shared(builder.clone()), "{a:?} {b:?}");
            assert!(builder.legacy_shared_constants().build().is_ok(), "{a:?} {b:?}");
        }
    }
    let suffixes = ROWS.into_iter().fold(Domain::builder("ACME"), |builder, row| builder.suffix(row, "SAME"));
    assert!(suffixes.build().is_ok(), "suffixes may be equal");
}

#[test]
fn labels_of_one_row_and_of_chain_messages_differ_pairwise() {
    for (i, (a, row)) in LABELS.iter().copied().enumerate() {
        for (b, other) in LABELS.iter().copied().skip(i + 1) {
            let builder = Domain::builder("ACME").label(a, "SAME").label(b, "SAME");
            let refused = row == other || (MESSAGES.contains(&a) && MESSAGES.contains(&b));
            assert_eq!(shared(builder.clone()), refused, "{a:?} {b:?}");
            assert_eq!(shared(builder.legacy_shared_constants()), refused, "{a:?} {b:?}");
        }
    }
}

#[test]
fn the_presence_label_is_no_operation() {
    for operation in ["rebuild", "refresh", "repair", "rethreshold"] {
        assert!(shared(Domain::builder("ACME").label(Label::PresenceEd25519, operation)), "{operation}");
        assert!(Domain::builder("ACME").label(Label::ShardSeal, operation).build().is_ok(), "{operation}");
    }
}

#[test]
fn debug_shows_the_prefixes() {
    assert!(format!("{:?}", Domain::default()).contains("DUALSEAL-SIGN"));
    assert!(format!("{:?}", Domain::builder("ACME")).contains("ACME-SIGN"));
}
