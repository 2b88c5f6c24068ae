//! From one master to the next: every row of the store, and every erasure key apart. What is written meanwhile is
//! written under the new one.

use super::owners::ErasureKeys;
use super::rows::{StoreRows, Under};
use crate::db::Db;
use crate::log::Log;
use crate::problem::Problem;
use dualseal::SystemRng;
use dualseal_operator::secrets::{Rotated, Rotation, RotationFault, rotate};

/// As many rows in one transaction, which others wait for.
const BATCH: usize = 64;

/// What a rotation of the master did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotatedMaster {
    /// The rows of the database.
    pub rows: Rotated,
    /// How many erasure keys are under the new master now that were not.
    pub erasure_keys: u64,
}

impl RotatedMaster {
    /// Whether nothing that lives needs the old master any more. Backups from before do.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.rows.is_complete()
    }
}

/// Puts everything under the new master, and has its name written down as the only one where all of it is. An
/// interrupted rotation is begun again. Whoever else has the log open must have both masters.
///
/// # Errors
/// [`crate::problem::kinds::CONFLICT`] where no master before was given; the database, the place apart, the log.
pub async fn rotate_master(db: &Db, log: &Log, keys: &ErasureKeys) -> Result<RotatedMaster, Problem> {
    let secrets = log.secrets().clone();
    if secrets.before().is_none() {
        return Err(Problem::new(&crate::problem::kinds::CONFLICT).detail("no rotation was begun"));
    }
    let erasure_keys = keys.under_new_master().await?;
    let (rows_of, log, under) = (db.clone(), log.clone(), secrets.clone());
    let rotated = tokio::task::spawn_blocking(move || {
        let Some(before) = under.before() else { return Ok(Rotated::default()) };
        let rotation = Rotation::new(before, under.master())?;
        let mut rows = StoreRows::new(&rows_of, &log, Under::default(), 0);
        rotate(&rotation, &mut rows, BATCH, &mut SystemRng).map_err(problem)
    });
    let rows = rotated.await.map_err(|error| Problem::internal("rotation", &error))??;
    if rows.is_complete() {
        let mut tx = db.begin().await?;
        secrets.forget_others(&mut tx).await?;
        tx.commit().await?;
    }
    Ok(RotatedMaster { rows, erasure_keys })
}

pub(super) fn problem(fault: RotationFault<Problem>) -> Problem {
    match fault {
        RotationFault::Store(problem) => problem,
        fault => Problem::internal("rotation", &fault),
    }
}
