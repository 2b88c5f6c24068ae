//! Rebuilding a vault secret, and what the gate is asked before it.

use crate::args::{Buffer, Out, optional, read, required, small, text, texts, unless_no_chain};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::list::{faults, health};
use crate::sharing::secret::{ByField, Secret};
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use crate::vault::presence::{Consume, Presence, recipient, request};
use crate::vault::shard::{Places, Preparation, labels, shards};
use crate::vault::split_check::SplitInForce;
use dualseal_core::presence::Nonce;
use dualseal_core::shamir::Index;
use dualseal_core::shard::{self, Arguments, Dealer, Gate, LostShard, Recipient};
use dualseal_core::{Error, IdentityId, SystemRng, Timestamp, VaultId};
use std::ffi::{c_char, c_void};

/// Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once. Never changes;
/// threads may share it.
#[derive(Debug)]
pub struct Rebuilding {
    domain: dualseal_core::Domain,
    key: shard::ShardKey,
    vault_id: VaultId,
    identity_id: IdentityId,
    in_force: Option<shard::SplitInForce>,
    recipient: Recipient,
}

impl Rebuilding {
    fn inner(&self) -> shard::Rebuilding<'_> {
        let Self { domain, key, vault_id, identity_id, in_force, recipient } = self;
        shard::Rebuilding { domain, key, vault_id, identity_id, in_force: in_force.as_ref(), recipient }
    }
}

/// `in_force` is the last splitting in the chain, and every other one is refused; only where there is no chain it is
/// NULL and `no_chain` is 1.
/// `recipient_key` is the public key of the caller, by which the nodes know it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_new(
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
    in_force: *const SplitInForce,
    no_chain: i32,
    recipient_key: *const u8,
    recipient_key_len: usize,
    rebuilding: *mut *mut Rebuilding,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let (domain, key) = (master.0.domain().clone(), master.shard_key(&identity_id));
        let in_force = unless_no_chain("in_force", optional("in_force", in_force)?, no_chain)?;
        let in_force = in_force.map(|in_force| in_force.split.clone());
        let recipient = recipient(recipient_key, recipient_key_len)?;
        let out = Out::new("rebuilding", rebuilding)?;
        out.handle(Rebuilding { domain, key, vault_id, identity_id, in_force, recipient });
        Ok(())
    })
}

/// Frees a rebuilding. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_free(rebuilding: *mut Rebuilding) {
    release(|| give_back(rebuilding));
}

/// Tells what a list of shards amounts to for the splitting that `shard_json` is of, a shard known to be good (the
/// `outcome` of `dualseal_shard_from_answer`), without rebuilding anything, as JSON:
/// `{"foreign","invalid","missing","present"}`, four lists of their numbers, each ascending. Invalid are those
/// whose identifier or seal does not hold, whatever they say that they are of; foreign those that hold, of another
/// vault, identity or splitting, or with other numbers, and all that hold where another splitting is in force. A
/// number that is there twice may show in two lists.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_health(
    rebuilding: *const Rebuilding,
    shard_json: *const c_char,
    shard_json_len: usize,
    shards_json: *const c_char,
    shards_json_len: usize,
    health_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let rebuilding = required("rebuilding", rebuilding)?;
        let of = read("shard_json", shard_json, shard_json_len, shard::Shard::from_json)?;
        let (shards, out) = (shards(shards_json, shards_json_len)?, Out::new("health_json", health_json)?);
        out.text(&health(&rebuilding.inner().health(&of, &shards)));
        Ok(())
    })
}

/// An operation during which the vault secret exists in memory, as an argument: a member of [`Operation`].
pub type OperationValue = i32;

/// An operation during which the vault secret exists in memory. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `dualseal_rebuilding_rebuild`.
    Rebuild = 1,
    /// `dualseal_rebuilding_prepare`, with the same numbers.
    Refresh = 2,
    /// `dualseal_rebuilding_repair`.
    Repair = 3,
    /// `dualseal_rebuilding_prepare`, with others.
    Rethreshold = 4,
}

/// The operation of an argument `operation`.
fn operation(value: OperationValue) -> Result<Operation, CallError> {
    const ALL: [Operation; 4] = [Operation::Rebuild, Operation::Refresh, Operation::Repair, Operation::Rethreshold];
    let found = ALL.into_iter().find(|listed| *listed as OperationValue == value);
    found.ok_or_else(|| CallError::unknown_value("operation"))
}

/// What the nodes and the gate are asked, as JSON, for whoever makes the proofs of presence: to let these shards of a
/// splitting go to this caller. Any m of the `count` shards that `shard_ids` names will do. A proof is made for one
/// request and fits no other. Expiry and nonce go beside it: `nonce` is drawn here, in hexadecimal, and `nonce_len` is
/// `DUALSEAL_ID_TEXT_BYTES`; NULL where one was drawn before. `lost` counts for a repair alone, `m` for a rethreshold,
/// and `node_urls` with `n` for a refresh and a rethreshold.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_request(
    rebuilding: *const Rebuilding,
    operation: OperationValue,
    split_id: *const c_char,
    shard_ids: *const *const c_char,
    count: u32,
    lost: u32,
    m: u32,
    node_urls: *const *const c_char,
    n: u32,
    request_json: *mut *mut c_char,
    nonce: *mut c_char,
    nonce_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (rebuilding, split_id) = (required("rebuilding", rebuilding)?, text("split_id", split_id)?.parse()?);
        let shard_ids = texts("shard_ids", shard_ids, small("count", count)?.into())?;
        let shard_ids = shard_ids.into_iter().map(str::parse).collect::<Result<Vec<_>, Error>>()?;
        let out = Out::new("request_json", request_json)?;
        let drawn =
            (!nonce.is_null()).then(|| Buffer::text("nonce", nonce, nonce_len, DUALSEAL_ID_TEXT_BYTES)).transpose()?;
        let none = Arguments::default();
        let (operation, arguments) = match self::operation(operation)? {
            Operation::Rebuild => (shard::Operation::Rebuild, none),
            Operation::Refresh => {
                (shard::Operation::Refresh, Arguments { node_urls: Some(labels(node_urls, n)?), ..none })
            }
            Operation::Repair => {
                (shard::Operation::Repair, Arguments { index: Some(Index::new(lost.into())?.get()), ..none })
            }
            Operation::Rethreshold => {
                let (m, node_urls, n) = (Some(small("m", m)?), Some(labels(node_urls, n)?), Some(small("n", n)?));
                (shard::Operation::Rethreshold, Arguments { index: None, m, n, node_urls })
            }
        };
        let request = rebuilding.inner().request(operation, &arguments, &split_id, &shard_ids)?;
        if let Some(drawn) = drawn {
            drawn.fill_text(&Nonce::draw(&mut SystemRng)?.to_hex());
        }
        out.text(&request.to_json());
        Ok(())
    })
}

/// Rebuilds the secret from m or more of the shards that the request names, and no other. What a node answered goes
/// through `dualseal_shard_from_answer` first: m good shards rebuild, whatever is among them. `presence`,
/// `consume`, `user` and `now_ms` as for `dualseal_shard_release`, here and below. `faults_json` as for
/// `dualseal_dealing_reconstruct`, with the numbers of the shards. Of a refusal, `dualseal_error_faults` names the
/// culprits.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_rebuild(
    rebuilding: *const Rebuilding,
    request_json: *const c_char,
    request_json_len: usize,
    shards_json: *const c_char,
    shards_json_len: usize,
    presence: *const Presence,
    consume: Consume,
    user: *mut c_void,
    now_ms: i64,
    secret: *mut *mut Secret,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let rebuilding = required("rebuilding", rebuilding)?;
        let (request, shards) = (request(request_json, request_json_len)?, shards(shards_json, shards_json_len)?);
        let now = Timestamp::from_millis(now_ms)?;
        let presence = required("presence", presence)?;
        let (out, wrong) = (Out::new("secret", secret)?, Out::new("faults_json", faults_json)?);
        let rebuild = |gate: &mut dyn Gate| rebuilding.inner().rebuild(&request, &shards, gate, now);
        let rebuilt = presence.open(consume, user, rebuild)?;
        out.handle(Secret::new(ByField::Gf2_256(rebuilt.secret)));
        wrong.text(&faults(&rebuilt.culprits, &rebuilt.misdealt));
        Ok(())
    })
}

/// Makes the lost shard of this number again from m others, as JSON: a secret. `node_url` is the label that it had,
/// and `shard_id` the identifier that the caller knows. The rest as for `dualseal_rebuilding_rebuild`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_repair(
    rebuilding: *const Rebuilding,
    request_json: *const c_char,
    request_json_len: usize,
    shards_json: *const c_char,
    shards_json_len: usize,
    lost: u32,
    node_url: *const c_char,
    shard_id: *const c_char,
    presence: *const Presence,
    consume: Consume,
    user: *mut c_void,
    now_ms: i64,
    shard_json: *mut *mut c_char,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let rebuilding = required("rebuilding", rebuilding)?;
        let (request, shards) = (request(request_json, request_json_len)?, shards(shards_json, shards_json_len)?);
        let now = Timestamp::from_millis(now_ms)?;
        let (lost, node_url) = (Index::new(lost.into())?, text("node_url", node_url)?);
        let (shard_id, presence) = (text("shard_id", shard_id)?.parse()?, required("presence", presence)?);
        let (out, wrong) = (Out::new("shard_json", shard_json)?, Out::new("faults_json", faults_json)?);
        let lost = LostShard { index: lost, node_url, shard_id: &shard_id };
        let repair = |gate: &mut dyn Gate| rebuilding.inner().repair(&request, &shards, lost, gate, now);
        let repaired = presence.open(consume, user, repair)?;
        out.text(&repaired.shard.to_json());
        wrong.text(&faults(&repaired.culprits, &repaired.misdealt));
        Ok(())
    })
}

/// Prepares the same secret for these nodes, as the request says: with the same m and n for a refresh, with others for
/// a rethreshold. What comes of it is committed by `dualseal_preparation_commit`; until then the old shards rebuild,
/// and after it the new ones do. Shards of both do not go together. It protects only while fewer than m shards of every
/// earlier split survive. The rest as for `dualseal_rebuilding_rebuild`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_prepare(
    rebuilding: *const Rebuilding,
    request_json: *const c_char,
    request_json_len: usize,
    shards_json: *const c_char,
    shards_json_len: usize,
    m: u32,
    node_urls: *const *const c_char,
    n: u32,
    presence: *const Presence,
    consume: Consume,
    user: *mut c_void,
    now_ms: i64,
    new_shards_json: *mut *mut c_char,
    preparation: *mut *mut Preparation,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let rebuilding = required("rebuilding", rebuilding)?;
        let (request, shards) = (request(request_json, request_json_len)?, shards(shards_json, shards_json_len)?);
        let now = Timestamp::from_millis(now_ms)?;
        let (m, node_urls) = (small("m", m)?, labels(node_urls, n)?);
        let (presence, places) = (required("presence", presence)?, Places::new(new_shards_json, preparation)?);
        let wrong = Out::new("faults_json", faults_json)?;
        let inner = rebuilding.inner();
        let shard::Rebuilding { domain, key, vault_id, identity_id, .. } = inner;
        let dealer = Dealer::without_record(domain, key, vault_id, identity_id, m, &node_urls);
        let prepared = presence.open(consume, user, |gate| match request.operation {
            shard::Operation::Refresh => inner.refresh(&request, &shards, &dealer, gate, now, &mut SystemRng),
            _ => inner.rethreshold(&request, &shards, &dealer, gate, now, &mut SystemRng),
        })?;
        wrong.text(&faults(&prepared.culprits, &prepared.misdealt));
        places.set(prepared);
        Ok(())
    })
}
