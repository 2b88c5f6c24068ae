//! Identities, keys, signature records and their wire forms.

mod alteration;
mod batch;
mod binary;
mod binary_answers;
mod current_key;
mod domain_builder;
mod identifiers;
mod inspect;
mod keys;
mod known_answers;
mod prepared_keys;
mod record_json;
mod serde_parity;
mod unsigned;
mod verdict;
mod wire_snapshots;
