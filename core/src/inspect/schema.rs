//! The members of each record and the form of each, so that every one of them can be looked at by itself.

use super::Kind;
use crate::encoding::hex;
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::check_label;
use crate::key::KeyState;
use crate::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
use crate::seal::{DualSeal, SealId};
use alloc::string::String;
use alloc::vec::Vec;

/// The form of a member.
#[derive(Clone, Copy)]
enum Form {
    /// Lowercase hexadecimal of so many bytes.
    Hex(usize),
    /// One certain text.
    Exactly(&'static str),
    /// Some text.
    Text,
    /// An origin or type.
    Label,
    /// A timestamp.
    Time,
    /// A key state.
    State,
    /// An integer from 0.
    Counter,
    /// `true`.
    True,
    /// `true` or `false`.
    Bool,
    /// An array.
    Array,
    /// The form, or `null`.
    OrNull(&'static Form),
    /// A public key, or a decoy's hash; the role says which.
    Key,
    /// `current`, `retired` or `decoy`.
    Role,
    /// Lowercase hexadecimal of so many bytes that are secret: a finding does not say where in them.
    Secret(usize),
    /// A dual seal.
    DualSeal,
    /// The identifier of one.
    SealId,
    /// An object with exactly these members.
    Members(Members),
}

type Members = &'static [(&'static str, Form)];

pub(super) struct Schema {
    pub(super) kind: Kind,
    members: Members,
}

const RECORDS: [Schema; 14] = [
    Schema {
        kind: Kind::SignatureRecord,
        members: &[
            ("algoritam", Form::Exactly("ML-DSA-65")),
            ("identity_id", Form::Hex(32)),
            ("javni_kljuc", Form::Hex(PUBLIC_KEY_BYTES)),
            ("krunica_hash", Form::Hex(32)),
            ("potpis", Form::Hex(SIGNATURE_BYTES)),
            ("quantum_ready", Form::True),
            ("sadrzaj_hash", Form::Hex(32)),
            ("timestamp", Form::Time),
            ("verzija", Form::Exactly("1")),
        ],
    },
    Schema {
        kind: Kind::Entry,
        members: &[
            ("h", Form::Hex(64)),
            ("poruka", Form::Text),
            ("prev", Form::Hex(64)),
            ("seq", Form::Counter),
            ("t", Form::Time),
            ("w3", Form::Hex(32)),
        ],
    },
    Schema {
        kind: Kind::Checkpoint,
        members: &[
            ("algoritam", Form::Exactly("ML-DSA-65")),
            ("identity_id", Form::Hex(32)),
            ("javni_kljuc", Form::Hex(PUBLIC_KEY_BYTES)),
            ("origin", Form::Label),
            ("potpis", Form::Hex(SIGNATURE_BYTES)),
            ("size", Form::Counter),
            ("time", Form::Time),
            ("time_top", Form::Hex(64)),
            ("top", Form::Hex(64)),
        ],
    },
    Schema {
        kind: Kind::Ring,
        members: &[("keys", Form::Array), ("origin", Form::Label), ("revision", Form::Counter)],
    },
    Schema {
        kind: Kind::KeyPairInfo,
        members: &[
            ("algoritam", Form::Exactly("ML-DSA-65")),
            ("bela_stanje", Form::State),
            ("generirano", Form::OrNull(&Form::Time)),
            ("identity_id", Form::Hex(32)),
            ("javni_kljuc", Form::Hex(PUBLIC_KEY_BYTES)),
        ],
    },
    Schema {
        kind: Kind::VerificationResult,
        members: &[
            ("algoritam", Form::Exactly("ML-DSA-65")),
            ("bela_stanje", Form::OrNull(&Form::State)),
            ("identity_id", Form::Hex(32)),
            ("razlog", Form::OrNull(&Form::Text)),
            ("timestamp", Form::OrNull(&Form::Time)),
            ("validan", Form::OrNull(&Form::Bool)),
        ],
    },
    Schema { kind: Kind::VaultRecord, members: VAULT_RECORD },
    Schema {
        kind: Kind::Shard,
        members: &[
            ("identity_id", Form::Hex(32)),
            ("indeks", Form::Counter),
            ("javni_sidro", Form::Hex(64)),
            ("m", Form::Counter),
            ("n", Form::Counter),
            ("node_url", Form::Text),
            ("seal", Form::Text),
            ("shard_id", Form::Hex(32)),
            ("split_id", Form::Hex(32)),
            ("vault_id", Form::Hex(32)),
            ("vrijednost_hex", Form::Secret(32)),
        ],
    },
    Schema {
        kind: Kind::PresenceRequest,
        members: &[
            ("args", Form::Hex(32)),
            ("identity_id", Form::Hex(32)),
            ("op", Form::Text),
            ("shard_ids", Form::Array),
            ("split_id", Form::Hex(32)),
            ("vault_id", Form::Hex(32)),
        ],
    },
    Schema {
        kind: Kind::PresenceProof,
        members: &[
            ("args", Form::Hex(32)),
            ("expiry", Form::Time),
            ("identity_id", Form::Hex(32)),
            ("nonce", Form::Hex(32)),
            ("op", Form::Text),
            ("public_key", Form::Hex(32)),
            ("shard_ids", Form::Array),
            ("signature", Form::Hex(64)),
            ("split_id", Form::Hex(32)),
            ("vault_id", Form::Hex(32)),
        ],
    },
    Schema {
        kind: Kind::ThresholdSession,
        members: &[
            ("algoritam", Form::Exactly("SHAMIR-2^521-1-HMAC-SHA3-512")),
            ("javni_sidro", Form::Hex(64)),
            ("k", Form::Counter),
            ("kreiran", Form::Time),
            ("n", Form::Counter),
            ("session_id", Form::Hex(32)),
            ("split_id", Form::Hex(32)),
            ("udio_sidra", Form::Array),
        ],
    },
    Schema {
        kind: Kind::ThresholdSession,
        members: &[
            ("algoritam", Form::Exactly("SHAMIR-2^521-1-ML-DSA-65")),
            ("identity_id", Form::Hex(32)),
            ("javni_kljuc", Form::Hex(PUBLIC_KEY_BYTES)),
            ("javni_sidro", Form::Hex(64)),
            ("k", Form::Counter),
            ("kreiran", Form::Time),
            ("n", Form::Counter),
            ("session_id", Form::Hex(32)),
            ("split_id", Form::Hex(32)),
            ("udio_sidra", Form::Array),
        ],
    },
    Schema {
        kind: Kind::SessionShare,
        members: &[
            ("indeks", Form::Counter),
            ("session_id", Form::Hex(32)),
            ("split_id", Form::Hex(32)),
            ("vlasnik", Form::Hex(32)),
            ("vrijednost_hex", Form::Secret(66)),
        ],
    },
    Schema {
        kind: Kind::ThresholdResult,
        members: &[
            ("algoritam", Form::Text),
            ("culprits", Form::Array),
            ("krunica_hash", Form::OrNull(&Form::Hex(32))),
            ("ok", Form::Bool),
            ("potpis", Form::OrNull(&Form::Text)),
            ("razlog", Form::OrNull(&Form::Text)),
            ("svjedok_hash", Form::OrNull(&Form::Hex(64))),
            ("ts", Form::Time),
            ("weise3_hash", Form::Hex(32)),
        ],
    },
];

const VAULT_RECORD: Members = &[
    ("L5", Form::DualSeal),
    ("L6", Form::Hex(32)),
    ("L7", Form::Members(&[("fragment", Form::OrNull(&Form::Secret(32)))])),
    (
        "L8",
        Form::Members(&[
            ("h", Form::Hex(64)),
            ("poruka", Form::Text),
            ("prev", Form::Hex(64)),
            ("seq", Form::Counter),
            ("t", Form::Time),
            ("w3", Form::Hex(32)),
        ]),
    ),
    ("krunica_hash", Form::Hex(32)),
    ("seal_id", Form::SealId),
    (
        "sealed",
        Form::Members(&[
            (
                "header",
                Form::Members(&[
                    ("created_at", Form::Time),
                    ("encryption", Form::Text),
                    ("identity_id", Form::Hex(32)),
                    ("key_id", Form::Hex(16)),
                    ("ledger", Form::Hex(32)),
                    ("length", Form::Counter),
                    ("seq", Form::Counter),
                    ("type", Form::Label),
                    ("vault_id", Form::Hex(32)),
                    ("verzija", Form::Exactly("1")),
                ]),
            ),
            (
                "layers",
                Form::Members(&[
                    ("L0", Form::Members(&[("hash", Form::Hex(32)), ("prev", Form::Hex(32))])),
                    ("L1", Form::Members(&[("text", Form::Text)])),
                    ("L2", Form::Members(&[("hmac", Form::Hex(32)), ("tag", Form::Hex(16))])),
                    ("L3", Form::Members(&[("baseline", Form::Hex(32))])),
                    (
                        "L4",
                        Form::Members(&[
                            ("public_key", Form::OrNull(&Form::Hex(32))),
                            ("signature", Form::OrNull(&Form::Hex(64))),
                            ("tier", Form::Text),
                        ]),
                    ),
                    ("L7", Form::Members(&[("digest", Form::Hex(32))])),
                ]),
            ),
            ("required", Form::Array),
        ]),
    ),
];

/// An entry within a chain, where its position is its `seq`.
pub(super) const CHAIN_ENTRY: Schema = Schema {
    kind: Kind::Chain,
    members: &[
        ("h", Form::Hex(64)),
        ("poruka", Form::Text),
        ("prev", Form::Hex(64)),
        ("t", Form::Time),
        ("w3", Form::Hex(32)),
    ],
};

/// A key within a ring.
pub(super) const RING_KEY: Schema = Schema {
    kind: Kind::Ring,
    members: &[
        ("algoritam", Form::Exactly("ML-DSA-65")),
        ("bela_stanje", Form::State),
        ("generirano", Form::Time),
        ("identity_id", Form::Hex(32)),
        ("javni_kljuc", Form::Key),
        ("retired", Form::OrNull(&Form::Counter)),
        ("role", Form::Role),
    ],
};

/// The version that a value of this kind gives, or that its kind has.
pub(super) fn version(kind: Kind, value: &Value) -> Option<String> {
    match (kind, value) {
        (Kind::SignatureRecord, Value::Object(members)) => match members.get("verzija") {
            Some(Value::String(version)) => Some(version.clone()),
            _ => None,
        },
        (Kind::Checkpoint, _) => Some(String::from("1")),
        (Kind::VaultRecord, Value::Object(members)) => {
            let inner = |value: &Value, name| match value {
                Value::Object(members) => members.get(name).cloned(),
                _ => None,
            };
            match members.get("sealed").and_then(|s| inner(s, "header")).and_then(|h| inner(&h, "verzija")) {
                Some(Value::String(version)) => Some(version),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Schema {
    /// The schema that shares the most member names with an object, then the one with the fewest of its own missing.
    pub(super) fn closest(value: &Value) -> Option<&'static Self> {
        const ALL: &[Schema] = &RECORDS;
        let Value::Object(members) = value else { return None };
        let shared = |schema: &Self| schema.members.iter().filter(|(name, _)| members.contains_key(*name)).count();
        let best = ALL.iter().max_by_key(|schema| {
            let shared = shared(schema);
            (shared, core::cmp::Reverse(schema.members.len().saturating_sub(shared)))
        })?;
        (shared(best) > 0).then_some(best)
    }

    /// Whether an object has exactly these members, whatever their form.
    pub(super) fn has_the_members_of(&self, value: &Value) -> bool {
        let Value::Object(members) = value else { return false };
        members.len() == self.members.len() && self.members.iter().all(|(name, _)| members.contains_key(*name))
    }

    /// Everything that is wrong with a value's members, each by itself.
    pub(super) fn findings(&self, value: &Value, index: Option<u64>) -> Vec<Error> {
        let mut findings = Vec::new();
        find(self.kind.as_str(), self.members, value, index, &mut findings);
        findings
    }
}

/// Everything that is wrong with the members of an object of this name, those of inner objects included.
fn find(what: &'static str, members: Members, value: &Value, index: Option<u64>, findings: &mut Vec<Error>) {
    let place = |field, problem| match index {
        Some(index) => Error::malformed_at(field, index, problem),
        None => Error::malformed(field, problem),
    };
    let Value::Object(found) = value else {
        findings.push(place(what, Problem::WrongType));
        return;
    };
    for (name, form) in members {
        match (form, found.get(*name)) {
            (_, None) => findings.push(place(name, Problem::MissingMember)),
            (Form::Members(inner), Some(value)) => find(name, inner, value, index, findings),
            (form, Some(value)) => match form.check(name, value) {
                Err(Error::Malformed(malformed)) if index.is_some() => {
                    findings.push(place(malformed.field, malformed.problem));
                }
                result => findings.extend(result.err()),
            },
        }
    }
    let unknown = found.keys().filter(|name| !members.iter().any(|(known, _)| known == name));
    findings.extend(unknown.map(|name| place(what, Problem::UnknownMember(name.chars().take(64).collect()))));
}

impl Form {
    fn check(self, field: &'static str, value: &Value) -> Result<(), Error> {
        let bad = |problem| Err(Error::malformed(field, problem));
        match (self, value) {
            (Self::OrNull(_), Value::Null)
            | (Self::Text, Value::String(_))
            | (Self::Array, Value::Array(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::True, Value::Bool(true)) => Ok(()),
            (Self::OrNull(form), value) => form.check(field, value),
            (Self::Counter, Value::Integer(number)) if *number >= 0 => Ok(()),
            (Self::Counter, Value::Integer(_)) => bad(Problem::Range),
            (Self::Hex(bytes), Value::String(text)) => hex::check(field, text, bytes),
            (Self::Key, Value::String(text)) => {
                hex::check(field, text, if text.len() == 64 { 32 } else { PUBLIC_KEY_BYTES })
            }
            (Self::Exactly(expected), Value::String(text)) if text == expected => Ok(()),
            (Self::Role, Value::String(text)) if ["current", "retired", "decoy"].contains(&text.as_str()) => Ok(()),
            (Self::State, Value::String(text)) if text.parse::<KeyState>().is_ok() => Ok(()),
            (Self::True, _) | (Self::Exactly(_) | Self::Role | Self::State, Value::String(_)) => {
                bad(Problem::UnknownValue)
            }
            (Self::Secret(bytes), Value::String(text)) => unplaced(field, hex::check(field, text, bytes)),
            (Self::DualSeal, Value::String(text)) => unplaced(field, text.parse::<DualSeal>().map(drop)),
            (Self::SealId, Value::String(text)) => unplaced(field, text.parse::<SealId>().map(drop)),
            (Self::Time, Value::String(text)) => Timestamp::parse(field, text).map(drop),
            (Self::Label, Value::String(text)) => check_label(field, text),
            _ => bad(Problem::WrongType),
        }
    }
}

/// The same problem under the member's own name, without the place in it.
fn unplaced(field: &'static str, checked: Result<(), Error>) -> Result<(), Error> {
    checked.map_err(|error| match error {
        Error::Malformed(malformed) => Error::malformed(field, malformed.problem),
        error => error,
    })
}
