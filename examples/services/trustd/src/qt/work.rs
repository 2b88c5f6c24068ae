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

use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::{OwnSplits, ShardKey};
use dualseal::{Entry, VaultId};
use dualseal_operator::step::State;
use platform::db::{Tx, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    ENTRIES = "SELECT json FROM entries WHERE log = (SELECT MAX(id) FROM logs) AND seq >= $1 AND seq < $2 ORDER BY seq";
}

/// Entries at once: some megabytes.
const PORTION: u64 = 4096;

/// The splits of a vault up to the head that is appended to, read in the transaction that appends: what was prepared
/// on a split that is not in force any more does not count.
async fn own_splits(tx: &mut Tx, state: &State, key: &ShardKey, vault_id: &VaultId) -> Result<OwnSplits, Problem> {
    let head = state.head();
    let mut reader = ChainReader::new(state.domain(), &TrustedHead::beginning()).up_to(head);
    let watched = reader.own_splits(key, vault_id)?;
    let mut from = 0;
    while from < head.size() {
        let to = head.size().min(from + PORTION);
        for row in tx.list(ENTRIES, values![from, to]).await? {
            reader.push(&Entry::from_json(row.text("json")?.as_bytes())?)?;
        }
        from = to;
    }
    Ok(reader.finish()?.take(watched)?)
}
