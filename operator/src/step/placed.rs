//! What was placed and is being signed.

use super::made::Made;
use super::{Changes, RingRow, RingRows, State, StepError};
use dualseal::mldsa::{KeyHash, StatementKey};
use dualseal::rand_core::TryCryptoRng;
use dualseal::signature::{SignatureRecord, Unsigned};
use dualseal::{Head, IdentityId, PublicKey, SystemRng};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A batch whose records are being signed.
#[derive(Debug)]
pub struct Placed {
    state: State,
    expected: Head,
    made: Made,
}

/// A record to be signed: it may be sent to another thread.
#[derive(Debug)]
pub struct ToSign {
    index: usize,
    unsigned: Unsigned,
}

/// A record that was signed.
#[derive(Debug)]
pub struct SignedRecord {
    index: usize,
    record: SignatureRecord,
}

impl ToSign {
    /// Whose record it is.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        self.unsigned.identity_id()
    }

    /// The key that must sign it: the identity's current one when it was placed.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        self.unsigned.public_key()
    }

    /// Signs it.
    ///
    /// # Errors
    /// As [`Unsigned::sign`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        self,
        key: &dyn StatementKey,
        rng: &mut R,
    ) -> Result<SignedRecord, StepError> {
        Ok(SignedRecord { index: self.index, record: self.unsigned.sign(key, rng)? })
    }
}

/// Who has the keys: the one that must sign a record, or `None`.
pub type Keys<'k> = dyn Fn(&ToSign) -> Option<&'k dyn StatementKey> + Sync + 'k;

/// Signs all of them, on as many threads as the machine has.
///
/// # Errors
/// [`StepError::NoKey`], before anything is signed; as [`ToSign::sign`].
pub fn sign_all(to_sign: Vec<ToSign>, keys: &Keys<'_>) -> Result<Vec<SignedRecord>, StepError> {
    if let Some(one) = to_sign.iter().find(|one| keys(one).is_none()) {
        return Err(StepError::NoKey(*one.identity_id()));
    }
    let sign = |one: ToSign| {
        let key = keys(&one).ok_or(StepError::NoKey(*one.identity_id()))?;
        one.sign(key, &mut SystemRng)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(to_sign.len());
    let room = to_sign.len();
    // Whoever is free takes the next: a signature is tried until it fits, so that one takes ten times another's time.
    let queue = Mutex::new(to_sign.into_iter());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Result<Vec<_>, StepError> {
        let mut signed = Vec::with_capacity(room);
        while let Some(one) = take() {
            signed.push(sign(one)?);
        }
        Ok(signed)
    };
    thread::scope(|scope| {
        let beside: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut signed = work();
        for one in beside {
            let theirs = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signed = signed.and_then(|signed| Ok([signed, theirs?].into_iter().flatten().collect()));
        }
        signed
    })
}

impl Placed {
    pub(super) fn new(state: State, expected: Head, made: Made) -> (Self, Vec<ToSign>) {
        let to_sign = made.unsigned.iter().cloned().enumerate();
        let to_sign = to_sign.map(|(index, unsigned)| ToSign { index, unsigned }).collect();
        (Self { state, expected, made }, to_sign)
    }

    /// What the store writes, and the state after it. The records come back in any order.
    ///
    /// # Errors
    /// [`StepError::Unsigned`] unless each record came back once: an entry in the chain without its record would be
    /// nobody's.
    pub fn finish(self, signed: impl IntoIterator<Item = SignedRecord>) -> Result<(State, Changes), StepError> {
        let Self { mut state, expected, made } = self;
        let mut records: Vec<Option<SignatureRecord>> = vec![None; made.unsigned.len()];
        for SignedRecord { index, record } in signed {
            let placed = made.unsigned.get(index).ok_or(StepError::Unsigned)?;
            let place = records.get_mut(index).ok_or(StepError::Unsigned)?;
            if !placed.is_of(&record) || place.replace(record).is_some() {
                return Err(StepError::Unsigned);
            }
        }
        let records = records.into_iter().collect::<Option<Vec<_>>>().ok_or(StepError::Unsigned)?;
        let secrets_before = *state.stored.secrets();
        let secrets_end = made.secrets.iter().fold(secrets_before, |end, secret| secret.after(&end));
        state.stored = state.stored.with_secrets(secrets_end);
        let changes = Changes {
            expected,
            entries: made.entries,
            nodes: made.nodes,
            ring: ring_rows(&state, &made.identities, &made.decoys)?,
            records,
            vault_records: made.vault_records,
            secrets: made.secrets,
            secrets_before,
            ..state.unchanged()?
        };
        state.text.clone_from(&changes.state);
        Ok((state, changes))
    }
}

fn ring_rows(
    state: &State,
    identities: &BTreeSet<IdentityId>,
    decoys: &BTreeSet<KeyHash>,
) -> Result<RingRows, StepError> {
    let row = |id: &IdentityId| state.ring.identity_row(id).map(|row| RingRow::Identity(*id, row));
    let decoy = |key| state.ring.decoy_row(key).map(|row| RingRow::Decoy(*key, row));
    let rows = identities.iter().filter_map(row).chain(decoys.iter().filter_map(decoy)).collect();
    Ok(RingRows { seal: state.ring.seal_rows(state.head())?, rows })
}
