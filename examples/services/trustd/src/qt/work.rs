//! What the log's writer does for vault shards, each change with its entry.
//!
//! | file | what it is |
//! |---|---|
//! | `deal` | a split is dealt: put in force at once, or prepared |
//! | `commit` | a prepared split is put in force |
//! | `lapse` | a prepared split counts for nothing any more |
//! | `custody` | a node pulls its shard and says what it did with it |

pub(crate) mod commit;
pub(crate) mod custody;
pub(crate) mod deal;
pub(crate) mod lapse;

use dualseal::Entry;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::{CoveredSplits, OwnSplits, ShardKey};
use dualseal_operator::step::State;
use platform::db::{Tx, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    ENTRIES = "SELECT json FROM entries WHERE log = (SELECT MAX(id) FROM logs) AND seq >= $1 AND seq < $2 ORDER BY seq";
}

/// Entries at once: some megabytes.
const PORTION: u64 = 4096;

/// The splits of a vault up to the head that is appended to: what was prepared on a split that is not in force any more
/// does not count, and one that came meanwhile would outlive an erasure. What a checkpoint covers was read before; in
/// the transaction, while nobody else appends, only what came since. It goes on from that checkpoint's own head and
/// must end at the one that the transaction holds, so that no entry is left out on either side of it.
pub(crate) async fn own_splits(
    tx: &mut Tx,
    state: &State,
    key: &ShardKey,
    before: &CoveredSplits,
) -> Result<OwnSplits, Problem> {
    let (mut from, head) = (before.covered().size(), state.head());
    let begun = TrustedHead::stored(before.covered());
    let mut reader = ChainReader::new(state.domain(), &begun).up_to(head);
    let watched = reader.own_splits_since(key, before).map_err(of_chain)?;
    while from < head.size() {
        let to = head.size().min(from + PORTION);
        for row in tx.list(ENTRIES, values![from, to]).await? {
            let entry = Entry::from_json(row.text("json")?.as_bytes()).map_err(of_chain)?;
            reader.push(&entry).map_err(of_chain)?;
        }
        from = to;
    }
    reader.finish().and_then(|mut proofs| proofs.take(watched)).map_err(of_chain)
}

/// The log's own chain, which nobody sent.
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn of_chain(error: dualseal::Error) -> Problem {
    Problem::internal("log", &error)
}
