//! `dualseal_vault.h`: documents sealed into a ledger, and the shards of their secrets.

pub mod ed25519;
pub mod master;

pub mod ledger_head;
pub mod sealed;
pub mod sealer;
pub mod sealing;

pub mod policy;
pub mod record;
pub mod report;
pub mod stored_hash;

pub mod file;
pub mod unseal;

pub mod ledger_check;
pub mod ledger_walk;

pub mod shard;
pub mod split_check;

pub mod presence;
pub mod rebuild;
