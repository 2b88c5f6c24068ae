//! What an operator sees: measures, logs, and the audit log.
//!
//! | file | what it is |
//! |---|---|
//! | `requests` | what is measured and told of each request |
//! | `measures` | the page of measures, on a listener of its own |
//! | `logs` | lines of JSON |
//! | `audit` | who called what, and how it ended |

mod audit;
mod logs;
mod measures;
mod requests;

pub(crate) use audit::Audit;
pub use audit::{command, sweep};
pub use logs::{lines, logs};
pub use measures::{Measures, measures};
pub use requests::About;
pub(crate) use requests::{layer, note_caller};

use crate::db::Statement;

pub(crate) const AUDIT: &[Statement] = audit::ALL;
pub(crate) const MEASURES: &[Statement] = measures::ALL;
