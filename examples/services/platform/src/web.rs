//! The web's conventions: strict bodies and queries, names in paths, problems in their form, and the order of the
//! layers that every request passes.
//!
//! | file | what it is |
//! |---|---|
//! | `body` | bodies of JSON |
//! | `bearer` | what entitles whoever has it |
//! | `record` | what the library wrote |
//! | `query` | what stands behind the question mark |
//! | `forms` | what stands in both: base64, names, times |
//! | `keys` | the keys under which cursors and repeated answers are sealed |
//! | `rows` | the row of the table that a request meets |
//! | `compose` | the layers, in their order |
//! | `proxied` | addresses that stand in front of the service's own |
//! | `slots` | answers that leave at set times |
//! | `guard` | what is refused before anybody asks who calls |
//! | `hosts` | by which names it is asked for |
//! | `origins` | from where pages of browsers may call |
//! | `finish` | the outermost: names the request, writes problems |

mod bearer;
mod body;
mod compose;
mod finish;
mod forms;
pub(crate) mod guard;
pub(crate) mod hosts;
pub(crate) mod keys;
pub(crate) mod origins;
mod proxied;
mod query;
mod record;
mod rows;
pub(crate) mod slots;

pub use bearer::Bearer;
pub use body::Json;
pub use compose::{Web, compose};
pub use finish::{RequestId, finish};
pub use forms::{Base64, Hex64, Name, given, id_in_path};
pub use proxied::proxied;
pub use query::Query;
pub(crate) use query::pairs;
pub use record::Record;
pub use rows::Matched;

use crate::db::Statement;

/// All statements of the web's conventions.
pub const STATEMENTS: &[&[Statement]] =
    &[keys::ALL, crate::idempotency::STATEMENTS, crate::watch::AUDIT, crate::watch::MEASURES];
