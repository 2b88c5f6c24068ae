//! Which known answers there are, how many each asks for, and how much of the stack each may take.

#![deny(dead_code, reason = "what a file of tests has of them is called here, or said to be missing")]

#[path = "../../tests/records/binary_answers.rs"]
mod binary;
#[path = "../../tests/evidence/answers.rs"]
mod evidence;
#[path = "../../tests/records/known_answers.rs"]
mod records;
#[path = "../../tests/seal/answers.rs"]
mod seal;
#[path = "../../tests/shards/shard_answers.rs"]
mod shards;
#[path = "../../tests/shards/statement_answers.rs"]
mod statements;
#[path = "../../tests/primitives/stream_answers.rs"]
mod stream;
#[path = "../../tests/threshold/answers.rs"]
mod threshold;
#[path = "../../tests/vault/answers.rs"]
mod vault;

use crate::{allocator, stack, start, vectors};

/// Each with how many items of lists it asks for: one that was dropped from a file is missed here.
const ALL: &[(&str, fn(), usize)] = &[
    ("identifiers", records::identifiers, 44),
    ("macs", records::macs, 72),
    ("derivations", records::derivations, 7),
    ("chain", records::the_chain, 16),
    ("checkpoints", records::checkpoints, 8),
    ("ring", records::the_ring, 13),
    ("ML-DSA-65", records::ml_dsa, 3),
    ("records", records::records, 6),
    ("binary forms", binary::known_answers, 20),
    ("keys of seals", seal::keys_are_derived_alike, 4),
    ("seals", seal::seals_are_made_alike, 32),
    ("reserved payloads", seal::reserved_payloads_are_refused_alike, 6),
    ("legacy keys", seal::legacy_keys_verify_alike, 18),
    ("a seal of a retired key", seal::a_seal_outlives_its_key_alike, 3),
    ("streams", stream::the_second_implementation_makes_the_same_streams, 16),
    ("sessions", threshold::sessions_to_the_byte, 230),
    ("shards", shards::shards_to_the_byte, 54),
    ("proofs of presence", shards::proofs_to_the_byte, 62),
    ("statements", statements::statements_to_the_byte, 6),
    ("vaults, made", vault::every_byte_is_the_same, 26),
    ("vaults, checked", vault::the_ledgers_hold, 30),
    ("vaults, split", vault::the_first_anchor, 16),
    ("vaults, by others", vault::other_verifiers_find_fault, 9),
    ("evidence", evidence::the_same_parts_give_the_same_file_and_answer, 60),
    ("evidence: logs", evidence::the_logs_are_what_their_checkpoints_say, 5),
    ("evidence: notes", evidence::the_notes_are_signed_and_cosigned_alike, 14),
    ("evidence: later", evidence::the_later_files_take_nothing_back, 10),
];

/// Whether each asked for as many as it should, within its stack. An answer that differs panics.
pub(crate) fn all_hold() -> bool {
    let mut asked = 0;
    let hold = ALL.iter().filter(|(name, work, expected)| {
        let (found, bytes) = stack::measured(|| vectors::counted(*work));
        start::say(&format!("{name}: {found} answers{}\n", stack::said(bytes)));
        asked += found;
        if found != *expected {
            start::say(&format!("{name}: {expected} answers are expected\n"));
        }
        found == *expected && bytes.is_none_or(|bytes| bytes <= stack::MOST)
    });
    let hold = hold.count() == ALL.len();
    start::say(&format!("{asked} known answers, {} KiB of memory in all\n", allocator::used().div_ceil(1024)));
    hold
}
