//! What drivers file: inspections before a trip, crossings, odometers, repairs, photos; and the page that they use.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | what an inspection decides, what belongs to which kind of document |
//! | `images` | photos: what is taken for one, and what is shown of it |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `content` | the text that is signed |
//! | `journeys` | what was filed of a vehicle in a time, for whoever proves it |
//! | `kept` | what is kept of it under its driver's erasure key |
//! | `work` | what the log's writer does for a document |
//! | `erasing` | what it does when all of a driver's is erased |
//! | `page` | the page of drivers, which works without a connection |

mod content;
mod erasing;
mod images;
mod journeys;
mod kept;
mod page;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod work;

pub(crate) use journeys::{are_there, journey};
pub(crate) use routes::addresses;
pub use routes::router;
pub use store::photos::sweep;
pub(crate) use work::signer;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL, store::photos::ALL];
