//! Vault shards: a vault secret split into them, and one verified.

use crate::args::{Out, bytes, optional_text, required, small, text, texts};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::list::{array, list};
use crate::proofs::{Proofs, Watched, proof};
use crate::sharing::secret::{ByField, Secret};
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use crate::vault::record::record;
use dualseal_core::error::Misuse;
use dualseal_core::shamir::Index;
use dualseal_core::shard::{self as core_shard, Dealer, Prepared, Shard};
use dualseal_core::{Error, SystemRng, Timestamp};
use std::ffi::c_char;

/// The argument `shards_json`.
pub(crate) fn shards(shards_json: *const c_char, shards_json_len: usize) -> Result<Vec<Shard>, CallError> {
    list(("shards_json", shards_json, shards_json_len), Shard::from_json)
}

/// The labels of an argument `node_urls` with its length. No n above 255 is good, and no array need be as long as one.
pub(crate) fn labels(node_urls: *const *const c_char, n: u32) -> Result<Vec<String>, CallError> {
    Ok(texts("node_urls", node_urls, small("n", n)?.into())?.into_iter().map(String::from).collect())
}

/// A split that was prepared and does not count yet. For one thread at a time.
#[derive(Debug)]
pub struct Preparation(core_shard::Preparation);

/// Where the outputs of a preparation go.
pub(crate) struct Places {
    shards: Out<*mut c_char>,
    preparation: Out<*mut Preparation>,
}

impl Places {
    pub(crate) fn new(
        new_shards_json: *mut *mut c_char,
        preparation: *mut *mut Preparation,
    ) -> Result<Self, CallError> {
        let shards = Out::new("new_shards_json", new_shards_json)?;
        Ok(Self { shards, preparation: Out::new("preparation", preparation)? })
    }

    pub(crate) fn set(self, prepared: Prepared) {
        self.shards.text(&array(prepared.shards.iter().map(Shard::to_json)));
        self.preparation.handle(Preparation(prepared.preparation));
    }
}

/// Prepares a split of the secret of a vault record, of GF(2^256), among `n` nodes: `node_urls` are their labels, in
/// shard order, which nothing dials. Any `m` of the shards rebuild it. They are sealed with a key that is derived from
/// the master for the record's identity. The record need not be verified; `DUALSEAL_STATUS_FOREIGN_LEDGER` where it is
/// of another master or domain, or its digest (L7) is not the master's: an erasure would leave such a split out.
/// `previous` is the split_id in force, NULL for the vault's first split. Each node pulls its own shard of the list
/// `new_shards_json`, all of which are secrets, and keeps the one that it had beside it; when they hold theirs, the
/// preparation is committed. One that is lost is prepared again.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_prepare(
    master: *const VaultMaster,
    record_json: *const c_char,
    record_json_len: usize,
    previous: *const c_char,
    m: u32,
    node_urls: *const *const c_char,
    n: u32,
    secret: *const Secret,
    new_shards_json: *mut *mut c_char,
    preparation: *mut *mut Preparation,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let record = record(record_json, record_json_len)?;
        let previous = optional_text("previous", previous)?.map(str::parse).transpose()?;
        let (m, node_urls) = (small("m", m)?, labels(node_urls, n)?);
        let ByField::Gf2_256(secret) = &*required("secret", secret)?.0 else {
            return Err(CallError::unknown_value("secret"));
        };
        let places = Places::new(new_shards_json, preparation)?;
        let dealer = Dealer::new(&record, &master.0, m, &node_urls)?;
        places.set(dealer.prepare(secret, previous.as_ref(), &mut SystemRng)?);
        Ok(())
    })
}

/// Appends the entry by which a prepared split comes into force: before it is stored the old shards rebuild, after that
/// the new ones do. `shard_ids`, `count` of them, are the new shards of which a node, which the caller authenticated,
/// said that it holds them: all n, or `least`, at least m, where that is not 0. `watched` is what
/// `dualseal_chain_reader_watch_own_splits` watched for, up to this head over the whole chain, and `proofs` what that
/// reader gave. The head moves on; the caller stores entry and head, or neither. `DUALSEAL_STATUS_STALE_SPLIT` where
/// another split was committed since.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_preparation_commit(
    preparation: *const Preparation,
    shard_ids: *const *const c_char,
    count: u32,
    least: u32,
    proofs: *const Proofs,
    watched: Watched,
    head: *mut Head,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let preparation = required("preparation", preparation)?;
        let shard_ids = texts("shard_ids", shard_ids, small("count", count)?.into())?;
        let shard_ids = shard_ids.into_iter().map(str::parse).collect::<Result<Vec<_>, Error>>()?;
        let least = Some(small("least", least)?).filter(|least| *least != 0);
        let splits: &core_shard::OwnSplits = proof(proofs, watched)?;
        let head = required("head", head)?;
        let (time, entry_json) = (Timestamp::from_millis(time_ms)?, Out::new("entry_json", entry_json)?);
        if *splits.head() != head.0 {
            return Err(Error::from(Misuse::UnreadChain).into());
        }
        head.advance(preparation.0.commit(&shard_ids, least, splits, time)?, entry_json);
        Ok(())
    })
}

/// Frees a preparation. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_preparation_free(preparation: *mut Preparation) {
    release(|| give_back(preparation));
}

/// What a node answered that was asked for its shard, made into a shard for the lists that these functions take, as
/// JSON: a secret. `shard_id` is the identifier that it was asked for, and `index` the number that this shard has.
/// Whatever the answer is, in any bytes, it becomes a shard of the node that was asked. One that is no shard, or
/// another one, does not hold, and names that node among the culprits: nothing that a node answers keeps a list from
/// being read, blocks the others or accuses one of them.
///
/// `outcome` verifies that shard, of an identity, where it is not NULL: 0 says that its members give its identifier and
/// its seal holds, so that somebody who has the master, or the key that is derived from it for this identity, made it;
/// `DUALSEAL_STATUS_SHARD_IDENTIFIER` or `DUALSEAL_STATUS_SHARD_SEAL` that it does not. The call itself succeeds.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_from_answer(
    master: *const VaultMaster,
    identity_id: *const c_char,
    shard_id: *const c_char,
    index: u32,
    answer: *const u8,
    answer_len: usize,
    shard_json: *mut *mut c_char,
    outcome: *mut StatusValue,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (master, identity_id) = (required("master", master)?, text("identity_id", identity_id)?.parse()?);
        let (shard_id, index) = (text("shard_id", shard_id)?.parse()?, Index::new(index.into())?);
        let (answer, out) = (bytes("answer", answer, answer_len)?, Out::new("shard_json", shard_json)?);
        let shard = Shard::pulled(shard_id, index, answer);
        if let Some(outcome) = Out::optional(outcome) {
            let verified = shard.verify(master.0.domain(), &master.shard_key(&identity_id));
            outcome.set(verified.map_or_else(|error| CallError::from(error).status(), |()| 0));
        }
        out.text(&shard.to_json());
        Ok(())
    })
}
