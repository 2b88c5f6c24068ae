//! Vault shards, and proofs of presence.

mod presence_policy;
mod presence_proofs;
mod shard_again;
mod shard_answers;
mod shard_pulled;
mod shard_rebuild;
mod shard_records;
mod shard_release;
mod splits;
mod statement_answers;
mod statements;
