//! The secrets that steps kept, against their lists: each row of a list leads to the next, and the state has the end.

use super::{LISTED, VerifyFault};
use crate::db::{DbError, Tx};
use crate::secrets::every_row;
use crate::values;
use dualseal::store::SecretsEnd;
use dualseal_operator::step::SecretRow;
use std::collections::BTreeMap;

/// Of each place, by its hash, what the lists have of the bytes that were kept there last.
pub(super) type Listed = BTreeMap<[u8; 32], [u8; 32]>;

const PAGE: usize = 1024;
const NONE: [u8; 32] = [0; 32];

/// Reads the list of a log up to the end that its state has.
pub(super) async fn read(
    tx: &mut Tx,
    log: i64,
    end: &SecretsEnd,
    listed: &mut Listed,
) -> Result<(), VerifyFault> {
    let mut found = SecretsEnd::default();
    loop {
        let rows = tx.list(LISTED, values![log, found.size, PAGE]).await?;
        for row in &rows {
            let column = |name| row.bytes(name)?.try_into().map_err(|_| DbError::Column(name));
            let (place, last): ([u8; 32], [u8; 32]) = (column("place")?, column("listed")?);
            if row.size("number")? != found.size || found.size >= end.size {
                return Err(VerifyFault::List { log, number: found.size });
            }
            found = found.after(&place, &last);
            listed.insert(place, last);
        }
        if rows.len() < PAGE {
            break;
        }
    }
    if found == *end { Ok(()) } else { Err(VerifyFault::List { log, number: found.size }) }
}

/// Holds every row against them, and says how many are there. What no step kept has a place that no list has.
pub(super) async fn hold(tx: &mut Tx, listed: &Listed) -> Result<u64, VerifyFault> {
    let mut there = 0;
    every_row(tx, PAGE, |rows| {
        for (place, stored) in rows {
            let Some(last) = listed.get(&place.hash()) else { continue };
            if SecretRow::listed(&stored) != *last {
                return Err(VerifyFault::Secret { place: place.to_string() });
            }
            there += u64::from(*last != NONE);
        }
        Ok(())
    })
    .await?;
    let expected = listed.values().filter(|last| **last != NONE).count() as u64;
    if there == expected { Ok(there) } else { Err(VerifyFault::Secrets { missing: expected - there }) }
}
