//! The trust service: one module for each prefix of its addresses. Each has at least the same four files: `types`
//! (requests, answers, their documentation), `rules` (decisions, without input or output), `store` (statements) and
//! `routes` (HTTP, to the three others).
//!
//! | module | what it is |
//! |---|---|
//! | [`table`] | every endpoint: who may call it, for whom, how often, how much |
//! | [`start`] | the data folder, the master, the database and the log |
//! | [`router`] | all addresses |
//! | `refusals` | what an address may answer beside what it is for |
//! | `records` | the library's records, as the documentation has them |
//! | [`docs`] | what the service says of itself: the contract, its page, the problems |
//! | `forms` | bodies with a document: JSON, or a form |
//! | [`auth`] | tokens, logins, invitations |
//! | [`alarms`] | what natives are told of |
//! | [`cli`] | the command line |
//! | [`commands`] | the command line's verbs |
//! | `ahead` | a clock that stands ahead, or did |
//! | `health` | what every module says of itself |
//! | [`integrity`] | files that are watched for changes |
//! | [`logs`] | the log to strangers: checkpoints, proofs, tiles, cosignatures |
//! | [`dsa`] | identities, their keys, signature records |
//! | [`node`] | the program of a node that holds shards |
//! | `orders` | the key of orders to nodes |
//! | [`presence`] | the authenticators of people, and their page |
//! | [`threshold`] | k of n custodians sign |
//! | [`qt`] | vault secrets among nodes, and their rebuilding |
//! | [`vault`] | documents in nine layers |
//! | [`driver`] | what drivers file, and their page |
//! | [`family`] | children of guardians, what they are told, and what is kept for them |
//! | [`fleet`] | vehicles, and the clock of their return |
//! | `keyed` | identities by which the service itself signs |
//! | [`lifecycle`] | documents with an end |
//! | [`mesh`] | the monitor |
//! | [`messaging`] | messages in and out |
//! | [`models`] | the model chain |
//! | [`peers`] | other services |
//! | [`proof`] | formal proofs, with their evidence inside |
//! | `personal` | what the log says of people |
//! | `daily` | how much is made for somebody in a day |
//! | `ciphered` | bytes under keys of their own, which hang on their owners' erasure keys |
//! | `slots` | how much is under way at once, of all and of one |
//! | `sealed` | dual seals by the service's own identities |
//! | [`witness`] | following somebody's log |
//! | `planned` | what the specification plans, and nobody serves yet |
//! | [`wellness`] | what the service finds when it looks at itself |
//! | `signing_in` | a login at a service, by a key that was drawn here |
//! | `versions` | versions of what callers change |
//! | [`upkeep`] | what a running service does by itself |
//! | `silent` | nodes that came no more |

mod ahead;
pub mod alarms;
pub mod auth;
mod ciphered;
pub mod cli;
pub mod commands;
mod daily;
pub mod docs;
pub mod driver;
pub mod dsa;
pub mod family;
pub mod fleet;
mod forms;
mod health;
pub mod integrity;
mod keyed;
pub mod lifecycle;
pub mod logs;
pub mod mesh;
pub mod messaging;
pub mod models;
pub mod node;
mod orders;
mod page;
pub mod peers;
mod personal;
mod planned;
pub mod presence;
pub mod proof;
pub mod qt;
pub(crate) mod records;
mod refusals;
pub mod router;
mod sealed;
mod signing_in;
mod silent;
mod slots;
pub mod start;
pub mod table;
#[cfg(test)]
mod testing;
pub mod threshold;
pub mod upkeep;
pub mod vault;
mod versions;
pub mod wellness;
pub mod witness;

use std::sync::Arc;

/// What every handler has.
pub type App = Arc<platform::Platform>;
