//! Rebuilding a vault secret, and what the gate is asked before it.

use crate::args::{Buffer, Out, json, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::head::Head;
use crate::presence::{Consume, Presence};
use crate::secret::{ByField, Secret};
use crate::shard::{Places, ShardKey, Shards, labels};
use crate::shares::{HealthOut, Indices};
use crate::split_check::SplitInForce;
use crate::status::StatusValue;
use dualseal_core::presence::Challenge;
use dualseal_core::shamir::Index;
use dualseal_core::shard::{self, Arguments, Dealer, Gate, Operation, Split};
use dualseal_core::{Error, IdentityId, SystemRng, Timestamp, VaultId};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once. Never changes;
/// threads may share it.
#[derive(Debug)]
pub struct Rebuilding {
    domain: dualseal_core::Domain,
    key: Arc<shard::ShardKey>,
    vault_id: VaultId,
    identity_id: IdentityId,
    in_force: Option<shard::SplitInForce>,
}

impl Rebuilding {
    fn inner(&self) -> shard::Rebuilding<'_> {
        let Self { domain, key, vault_id, identity_id, in_force } = self;
        shard::Rebuilding { domain, key, vault_id, identity_id, in_force: in_force.as_ref() }
    }
}

/// `in_force` is the last splitting in the chain, and every other one is refused; NULL where there is no chain at hand.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_new(
    domain: Option<&Domain>,
    shard_key: Option<&ShardKey>,
    vault_id: *const c_char,
    identity_id: *const c_char,
    in_force: Option<&SplitInForce>,
    rebuilding: *mut *mut Rebuilding,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?.0.clone(), Arc::clone(&required("shard_key", shard_key)?.0));
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let in_force = in_force.map(|in_force| in_force.0.clone());
        let out = Out::new("rebuilding", rebuilding)?;
        out.handle(Rebuilding { domain, key, vault_id, identity_id, in_force });
        Ok(())
    })
}

/// Frees a rebuilding. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_free(rebuilding: Option<Box<Rebuilding>>) {
    release(|| drop(rebuilding));
}

/// Tells what the shards at hand amount to for the splitting that `shard_json` is of, a shard known to be good
/// (`dualseal_shard_verify`), without rebuilding anything: four lists of their numbers, each ascending and to be freed
/// with `dualseal_bytes_free`. `foreign` are those of another vault, identity or splitting, or with other numbers, and
/// all of them where another splitting is in force; `invalid` those whose identifier or seal does not hold. A number
/// that is there twice may show in two lists.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_health(
    rebuilding: Option<&Rebuilding>,
    shard_json: *const c_char,
    given: Option<&Shards>,
    present: *mut *mut u8,
    present_len: *mut usize,
    missing: *mut *mut u8,
    missing_len: *mut usize,
    invalid: *mut *mut u8,
    invalid_len: *mut usize,
    foreign: *mut *mut u8,
    foreign_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (rebuilding, given) = (required("rebuilding", rebuilding)?, required("given", given)?);
        let of = shard::Shard::from_json(json("shard_json", shard_json)?)?;
        let (present, missing) = ((present, present_len), (missing, missing_len));
        let out = HealthOut::new(present, missing, (invalid, invalid_len), (foreign, foreign_len))?;
        out.set(&rebuilding.inner().health(&of, &given.0));
        Ok(())
    })
}

/// What is asked of the gate. Proofs of presence are made for one request and fit no other. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct RebuildRequest(pub(crate) shard::Request);

fn request(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    operation: Operation,
    arguments: &Arguments,
    request: *mut *mut RebuildRequest,
) -> Result<(), Failure> {
    let (rebuilding, given) = (required("rebuilding", rebuilding)?, required("given", given)?);
    let out = Out::new("request", request)?;
    out.handle(RebuildRequest(rebuilding.inner().request(operation, arguments, &given.0)?));
    Ok(())
}

/// What the gate will be asked by `dualseal_rebuilding_rebuild`, for whoever makes the proofs. These four functions
/// refuse what the operation would refuse before it asks.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_request_rebuild(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    request: *mut *mut RebuildRequest,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || self::request(rebuilding, given, Operation::Rebuild, &Arguments::default(), request))
}

/// As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_repair`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_request_repair(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    lost: u64,
    request: *mut *mut RebuildRequest,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let arguments = Arguments { index: Some(Index::new(lost)?.get()), ..Arguments::default() };
        self::request(rebuilding, given, Operation::Repair, &arguments, request)
    })
}

/// As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_refresh`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_request_refresh(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    node_urls: *const *const c_char,
    n: usize,
    request: *mut *mut RebuildRequest,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let arguments = Arguments { node_urls: Some(labels(node_urls, n)?), ..Arguments::default() };
        self::request(rebuilding, given, Operation::Refresh, &arguments, request)
    })
}

/// As `dualseal_rebuilding_request_rebuild`, for `dualseal_rebuilding_rethreshold`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_request_rethreshold(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    m: u8,
    node_urls: *const *const c_char,
    n: usize,
    request: *mut *mut RebuildRequest,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let node_urls = Some(labels(node_urls, n)?);
        let n = u8::try_from(n).map_err(|_| Failure::out_of_range("n"))?;
        let arguments = Arguments { index: None, m: Some(m), n: Some(n), node_urls };
        self::request(rebuilding, given, Operation::Rethreshold, &arguments, request)
    })
}

/// The request as JSON, for whoever makes the proofs elsewhere; nonce and expiry go beside it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuild_request_to_json(
    request: Option<&RebuildRequest>,
    request_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let request = required("request", request)?;
        Out::new("request_json", request_json)?.text(&request.0.to_json());
        Ok(())
    })
}

/// Reads a request that somebody else is to be asked for. Holding one says nothing about what it names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuild_request_from_json(
    request_json: *const c_char,
    request: *mut *mut RebuildRequest,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("request", request)?;
        out.handle(RebuildRequest(shard::Request::from_json(json("request_json", request_json)?)?));
        Ok(())
    })
}

/// What an authenticator answers, in hexadecimal. `challenge_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuild_request_challenge(
    request: Option<&RebuildRequest>,
    domain: Option<&Domain>,
    nonce: *const c_char,
    expiry_ms: i64,
    challenge: *mut c_char,
    challenge_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (request, domain) = (required("request", request)?, required("domain", domain)?);
        let nonce = text("nonce", nonce)?.parse()?;
        let out = Buffer::text("challenge", challenge, challenge_len, DUALSEAL_ID_TEXT_BYTES)?;
        let expiry = Timestamp::from_millis(expiry_ms)?;
        out.fill_text(&Challenge::new(&domain.0, &request.0, &nonce, expiry).to_hex());
        Ok(())
    })
}

/// Frees a request. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuild_request_free(request: Option<Box<RebuildRequest>>) {
    release(|| drop(request));
}

/// Rebuilds the secret. `consume` and `user` as for `dualseal_presence_pass`, here and below. `culprits` are the
/// numbers of the shards that do not hold, ascending, to be freed with `dualseal_bytes_free`; they took no part. Of a
/// refusal, `dualseal_error_culprits` names them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_rebuild(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    presence: Option<&Presence>,
    consume: Consume,
    user: *mut c_void,
    secret: *mut *mut Secret,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (rebuilding, given) = (required("rebuilding", rebuilding)?, required("given", given)?);
        let presence = required("presence", presence)?;
        let (out, culprits) = (Out::new("secret", secret)?, Indices::culprits(culprits, culprits_len)?);
        let rebuilt = presence.open(consume, user, |gate| rebuilding.inner().rebuild(&given.0, gate))?;
        out.handle(Secret::new(ByField::Gf2_256(rebuilt.secret)));
        culprits.set(&rebuilt.culprits);
        Ok(())
    })
}

/// Makes the lost shard of this number again from m others, as JSON: a secret. `node_url` is the label that it had,
/// and `shard_id` the identifier that the caller knows. The rest as for `dualseal_rebuilding_rebuild`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_repair(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    lost: u64,
    node_url: *const c_char,
    shard_id: *const c_char,
    presence: Option<&Presence>,
    consume: Consume,
    user: *mut c_void,
    shard_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (rebuilding, given) = (required("rebuilding", rebuilding)?, required("given", given)?);
        let (lost, node_url) = (Index::new(lost)?, text("node_url", node_url)?);
        let (shard_id, presence) = (text("shard_id", shard_id)?.parse()?, required("presence", presence)?);
        let (out, culprits) = (Out::new("shard_json", shard_json)?, Indices::culprits(culprits, culprits_len)?);
        let repair = |gate: &mut dyn Gate| rebuilding.inner().repair(&given.0, lost, node_url, &shard_id, gate);
        let repaired = presence.open(consume, user, repair)?;
        out.text(&repaired.shard.to_json());
        culprits.set(&repaired.culprits);
        Ok(())
    })
}

/// What a new splitting of the same secret is given.
struct Anew<'a> {
    rebuilding: Option<&'a Rebuilding>,
    given: Option<&'a Shards>,
    m: u8,
    node_urls: Result<Vec<String>, Failure>,
    presence: Option<&'a Presence>,
    consume: Consume,
    user: *mut c_void,
    head: Option<&'a mut Head>,
    time_ms: i64,
    places: Result<Places, Failure>,
    culprits: Result<Indices, Failure>,
}

type Deal = fn(&shard::Rebuilding<'_>, &[shard::Shard], &Dealer<'_>, &mut dyn Gate) -> Result<Split, Error>;

impl Anew<'_> {
    fn deal(self, deal: Deal) -> Result<(), Failure> {
        let (rebuilding, given) = (required("rebuilding", self.rebuilding)?, required("given", self.given)?);
        let (node_urls, presence) = (self.node_urls?, required("presence", self.presence)?);
        let (head, places, culprits) = (required("head", self.head)?, self.places?, self.culprits?);
        let inner = rebuilding.inner();
        let dealer = Dealer {
            domain: inner.domain,
            key: inner.key,
            vault_id: inner.vault_id,
            identity_id: inner.identity_id,
            m: self.m,
            node_urls: &node_urls,
            at: &head.0,
            time: Timestamp::from_millis(self.time_ms)?,
        };
        let split = presence.open(self.consume, self.user, |gate| deal(&inner, &given.0, &dealer, gate))?;
        culprits.set(&split.culprits);
        places.set(split, head);
        Ok(())
    }
}

/// Deals the same secret anew with the same m and n, to these nodes, as `dualseal_shards_split` does. Shards of the old
/// and of the new splitting do not go together. It protects only while fewer than m shards of every earlier splitting
/// survive. The rest as for `dualseal_rebuilding_rebuild`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_refresh(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    m: u8,
    node_urls: *const *const c_char,
    n: usize,
    presence: Option<&Presence>,
    consume: Consume,
    user: *mut c_void,
    head: Option<&mut Head>,
    time_ms: i64,
    shards: *mut *mut Shards,
    entry_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (node_urls, places) = (labels(node_urls, n), Places::new(shards, entry_json));
        let culprits = Indices::culprits(culprits, culprits_len);
        Anew { rebuilding, given, m, node_urls, presence, consume, user, head, time_ms, places, culprits }
            .deal(|rebuilding, given, dealer, gate| rebuilding.refresh(given, dealer, gate, &mut SystemRng))
    })
}

/// As `dualseal_rebuilding_refresh`, with another m and n. Old shards keep the old m for as long as they exist.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_rebuilding_rethreshold(
    rebuilding: Option<&Rebuilding>,
    given: Option<&Shards>,
    m: u8,
    node_urls: *const *const c_char,
    n: usize,
    presence: Option<&Presence>,
    consume: Consume,
    user: *mut c_void,
    head: Option<&mut Head>,
    time_ms: i64,
    shards: *mut *mut Shards,
    entry_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (node_urls, places) = (labels(node_urls, n), Places::new(shards, entry_json));
        let culprits = Indices::culprits(culprits, culprits_len);
        Anew { rebuilding, given, m, node_urls, presence, consume, user, head, time_ms, places, culprits }
            .deal(|rebuilding, given, dealer, gate| rebuilding.rethreshold(given, dealer, gate, &mut SystemRng))
    })
}
