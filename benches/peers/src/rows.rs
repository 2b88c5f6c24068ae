//! The rows, in the order of the page.

mod chain;
mod hashes;
mod reading;
mod seals;
mod sharing;
mod signatures;
mod vault;

use crate::table::Table;

pub fn measure(table: &mut Table) {
    for group in [
        signatures::measure,
        reading::measure,
        hashes::measure,
        seals::measure,
        vault::measure,
        chain::measure,
        sharing::measure,
    ] {
        group(table);
    }
}
