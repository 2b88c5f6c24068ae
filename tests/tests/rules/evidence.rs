//! What each error tells beside its number and its message.

use super::errors::one_of_each;
use dualseal::Error;
use dualseal::error::{
    CheckpointFault, Evidence, EvidenceFault, Malformed, PresenceFault, Problem, RingFault, ShardFault, SharingFault,
    SharingProblem,
};
use std::fmt::Write;

/// The words that are there, as in `index=7 culprits=[1, 3]`.
fn words(evidence: &Evidence) -> String {
    let Evidence { place, needed, found, culprits, foreign, reason, .. } = evidence;
    let mut text = String::new();
    let mut word = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            write!(text, " {name}={value}").unwrap();
        }
    };
    word("field", place.field.map(str::to_string));
    word("index", place.index.map(|index| index.to_string()));
    word("identity_id", place.identity_id.clone());
    word("needed", needed.map(|amount| amount.to_string()));
    word("found", found.map(|amount| amount.to_string()));
    for (name, list) in [("culprits", culprits), ("foreign", foreign)] {
        word(name, (!list.is_empty()).then(|| format!("{list:?}")));
    }
    word("reason", reason.map(str::to_string));
    text
}

#[test]
fn every_error_tells_what_it_knows() {
    let told = one_of_each().iter().fold(String::new(), |mut told, error| {
        writeln!(told, "{} {}:{}", error.code(), error.row().name, words(&error.evidence())).unwrap();
        told
    });
    insta::assert_snapshot!(told);
}

/// Each value of an error comes back under its word, and no two are taken for each other.
#[test]
fn values_come_back_under_their_words() {
    let told = |error: Error| words(&error.evidence());
    let length = Problem::Length { expected: 32, found: 31 };
    assert_eq!(told(Malformed::new("seed", Some(4), length).into()), " field=seed index=4 needed=32 found=31");
    assert_eq!(told(CheckpointFault::Truncated { size: 5, found: 2 }.into()), " needed=5 found=2");
    assert_eq!(told(CheckpointFault::TreeDisagrees { size: 5 }.into()), " needed=5");
    assert_eq!(told(RingFault::Rollback { ring: 1, chain: 3 }.into()), " needed=3 found=1");
    assert_eq!(told(RingFault::Forged { identity_id: None }.into()), "");
    let proofs = PresenceFault::TooFew { required: 2, good: 1, bad: vec![0, 254] };
    assert_eq!(told(proofs.into()), " needed=2 found=1 culprits=[0, 254]");
    let shards = ShardFault::Mixed { foreign: vec![2], culprits: vec![1, 3] };
    assert_eq!(told(shards.into()), " culprits=[1, 3] foreign=[2]");
    let shares = SharingFault { problem: SharingProblem::Mixed { foreign: vec![5] }, culprits: vec![3] };
    assert_eq!(told(shares.into()), " culprits=[3] foreign=[5]");
    assert_eq!(told(EvidenceFault::Record { reason: "content" }.into()), " reason=content");
}
