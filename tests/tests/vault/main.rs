//! Vault records and their ledger.

mod answers;
mod at_rest;
mod layers;
mod ledger_check;
mod ledger_erasure;
mod policies;
mod record;
mod report;
mod seal;
mod trap;
mod unseal;
