//! The trust service: one module for each prefix of its addresses. Each has the same four files: `types` (requests,
//! answers, their documentation), `rules` (decisions, without input or output), `store` (statements) and `routes` (HTTP,
//! to the three others).
//!
//! | module | what it is |
//! |---|---|
//! | [`table`] | every endpoint: who may call it, for whom, how often, how much |
//! | [`auth`] | tokens, logins, invitations |
//! | [`logs`] | the log to strangers: checkpoints, proofs, tiles, cosignatures |
//! | [`dsa`] | identities, their keys, signature records |
//! | [`threshold`] | k of n custodians sign |
//! | [`qt`] | vault secrets among nodes, and their rebuilding |
//! | [`vault`] | documents in nine layers |

pub mod auth;
pub mod dsa;
pub mod logs;
pub mod qt;
pub mod table;
pub mod threshold;
pub mod vault;

use std::sync::Arc;

/// What every handler has.
pub type App = Arc<platform::Platform>;
