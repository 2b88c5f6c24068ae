//! Threshold sessions: n custodians hold shares of one secret, and any k of them sign.

use crate::agreement::Located;
use crate::args::{Out, bytes, json, required, text, texts};
use crate::cache::{KeyCache, keys};
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::failure::{Failure, guard, guard_verdict, release};
use crate::head::Head;
use crate::progress::{ending, running};
use crate::ring::Ring;
use crate::shares::Indices;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::id::MessageHash;
use dualseal_core::shamir::Index;
use dualseal_core::threshold::{self, Founded, Founding, QuorumResult, SessionShare, ThresholdResult};
use dualseal_core::{Error, IdentityId, SystemRng, Timestamp, Verified, checkpoint};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

/// A session record. Holding one says nothing about its validity. Never changes; threads may share it.
#[derive(Debug)]
pub struct Session(threshold::Session);

/// A list of a session's shares, which is overwritten when it is freed. For one thread at a time while it grows.
#[derive(Debug)]
pub struct SessionShares(pub(crate) Vec<SessionShare>);

/// Where the outputs of a founding go.
struct Places {
    session: Out<*mut Session>,
    shares: Out<*mut SessionShares>,
    entry_json: Out<*mut c_char>,
}

impl Places {
    fn new(
        session: *mut *mut Session,
        shares: *mut *mut SessionShares,
        entry_json: *mut *mut c_char,
    ) -> Result<Self, Failure> {
        let (session, shares) = (Out::new("session", session)?, Out::new("shares", shares)?);
        Ok(Self { session, shares, entry_json: Out::new("entry_json", entry_json)? })
    }

    fn set(self, founded: Founded, head: &mut Head) {
        self.session.handle(Session(founded.session));
        self.shares.handle(SessionShares(founded.shares));
        head.advance_over(&founded.entry, founded.head, self.entry_json);
    }
}

fn owners(owners: *const *const c_char, n: usize) -> Result<Vec<IdentityId>, Failure> {
    Ok(texts("owners", owners, n)?.into_iter().map(str::parse).collect::<Result<_, _>>()?)
}

/// Founds a session whose results k shares verify (HMAC-SHA3-512). `owners` are the custodians' identities, `n` of
/// them, in share order; any `k` of their shares sign. The session's entry is appended at the head, which moves on. The
/// caller stores record, entry and head, or none of them, and gives each share to its custodian alone.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_found_hmac(
    domain: Option<&Domain>,
    founder: *const c_char,
    owners: *const *const c_char,
    n: usize,
    k: u8,
    head: Option<&mut Head>,
    time_ms: i64,
    session: *mut *mut Session,
    shares: *mut *mut SessionShares,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, head) = (required("domain", domain)?, required("head", head)?);
        let (founder, owners) = (text("founder", founder)?.parse()?, self::owners(owners, n)?);
        let places = Places::new(session, shares, entry_json)?;
        let time = Timestamp::from_millis(time_ms)?;
        let at = head.0;
        let founding = Founding { domain: &domain.0, founder: &founder, owners: &owners, k, at: &at, time };
        places.set(founding.hmac(&mut SystemRng)?, head);
        Ok(())
    })
}

/// As `dualseal_session_found_hmac`, for a session whose results anybody verifies (ML-DSA-65): its public key is in the
/// record, and the caller adds it to a ring under `identity_id`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_found_mldsa(
    domain: Option<&Domain>,
    founder: *const c_char,
    owners: *const *const c_char,
    n: usize,
    k: u8,
    identity_id: *const c_char,
    head: Option<&mut Head>,
    time_ms: i64,
    session: *mut *mut Session,
    shares: *mut *mut SessionShares,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, head) = (required("domain", domain)?, required("head", head)?);
        let (founder, owners) = (text("founder", founder)?.parse()?, self::owners(owners, n)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let places = Places::new(session, shares, entry_json)?;
        let time = Timestamp::from_millis(time_ms)?;
        let at = head.0;
        let founding = Founding { domain: &domain.0, founder: &founder, owners: &owners, k, at: &at, time };
        places.set(founding.mldsa(&identity_id, &mut SystemRng)?, head);
        Ok(())
    })
}

/// Deals the secret of a session in force anew, to these custodians and with this `k`: a new record under the same
/// identifier, other shares, the same results. `culprits` are the indices of the shares given that do not hold, to be
/// freed with `dualseal_bytes_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_rethreshold(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    given: Option<&SessionShares>,
    founder: *const c_char,
    owners: *const *const c_char,
    n: usize,
    k: u8,
    head: Option<&mut Head>,
    time_ms: i64,
    session: *mut *mut Session,
    shares: *mut *mut SessionShares,
    entry_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let places = (Places::new(session, shares, entry_json)?, Indices::culprits(culprits, culprits_len)?);
        let numbers = (owners, n, k, time_ms);
        anew(in_force, domain, given, founder, numbers, head, places, |founding, in_force, given| {
            founding.rethreshold(in_force, given, &mut SystemRng)
        })
    })
}

/// As `dualseal_session_rethreshold`, where `k` and `n` must be those that the session has: a slip lowers neither.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_refresh(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    given: Option<&SessionShares>,
    founder: *const c_char,
    owners: *const *const c_char,
    n: usize,
    k: u8,
    head: Option<&mut Head>,
    time_ms: i64,
    session: *mut *mut Session,
    shares: *mut *mut SessionShares,
    entry_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let places = (Places::new(session, shares, entry_json)?, Indices::culprits(culprits, culprits_len)?);
        let numbers = (owners, n, k, time_ms);
        anew(in_force, domain, given, founder, numbers, head, places, |founding, in_force, given| {
            founding.refresh(in_force, given, &mut SystemRng)
        })
    })
}

#[allow(clippy::too_many_arguments, reason = "what two functions of C have in common")]
fn anew(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    given: Option<&SessionShares>,
    founder: *const c_char,
    (owners, n, k, time_ms): (*const *const c_char, usize, u8, i64),
    head: Option<&mut Head>,
    (places, culprits): (Places, Indices),
    deal: impl FnOnce(&Founding<'_>, &threshold::SessionInForce, &[SessionShare]) -> Result<Founded, Error>,
) -> Result<(), Failure> {
    let (in_force, domain) = (required("in_force", in_force)?, required("domain", domain)?);
    let (given, head) = (required("given", given)?, required("head", head)?);
    let (founder, owners) = (text("founder", founder)?.parse()?, self::owners(owners, n)?);
    let time = Timestamp::from_millis(time_ms)?;
    let at = head.0;
    let founding = Founding { domain: &domain.0, founder: &founder, owners: &owners, k, at: &at, time };
    let founded = deal(&founding, &in_force.0, &given.0)?;
    culprits.set(&founded.culprits);
    places.set(founded, head);
    Ok(())
}

/// Reads a session record.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_from_json(
    session_json: *const c_char,
    session: *mut *mut Session,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("session", session)?;
        out.handle(Session(threshold::Session::from_json(json("session_json", session_json)?)?));
        Ok(())
    })
}

/// The record as JSON, with the session's identifier and its anchor, which callers pin.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_to_json(
    session: Option<&Session>,
    session_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let session = required("session", session)?;
        Out::new("session_json", session_json)?.text(&session.0.to_json());
        Ok(())
    })
}

/// Tells whether these shares are enough to sign, without rebuilding anything: `reached` is 1 when they are, else 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_quorum(
    session: Option<&Session>,
    domain: Option<&Domain>,
    shares: Option<&SessionShares>,
    needed: *mut u8,
    present: *mut *mut u8,
    present_len: *mut usize,
    reached: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (session, domain) = (required("session", session)?, required("domain", domain)?);
        let shares = required("shares", shares)?;
        let (needed, reached) = (Out::new("needed", needed)?, Out::new("reached", reached)?);
        let present = Indices::new(("present", present), ("present_len", present_len))?;
        let quorum = session.0.quorum(&domain.0, &shares.0);
        needed.set(quorum.needed);
        present.set(&quorum.health.present);
        reached.set(quorum.reached.into());
        Ok(())
    })
}

/// Frees a record. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_free(session: Option<Box<Session>>) {
    release(|| drop(session));
}

/// An empty list of shares.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_new(
    shares: *mut *mut SessionShares,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        Out::new("shares", shares)?.handle(SessionShares(Vec::new()));
        Ok(())
    })
}

/// Adds a share as JSON, which the caller overwrites.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_push(
    shares: Option<&mut SessionShares>,
    share_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, share) = (required("shares", shares)?, json("share_json", share_json)?);
        shares.0.push(SessionShare::from_json(share)?);
        Ok(())
    })
}

/// Adds a share that was pulled from a node, as the pair `[indeks, vrijednost_hex]`, which the caller overwrites. What
/// it is of, the caller knows.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_push_pair(
    shares: Option<&mut SessionShares>,
    session_id: *const c_char,
    split_id: *const c_char,
    owner: *const c_char,
    pair_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, pair) = (required("shares", shares)?, json("pair_json", pair_json)?);
        let session_id = text("session_id", session_id)?.parse()?;
        let split_id = text("split_id", split_id)?.parse()?;
        let owner = text("owner", owner)?.parse()?;
        shares.0.push(SessionShare::from_pair_json(session_id, split_id, owner, pair)?);
        Ok(())
    })
}

/// The share at a position of the list, from 0, as the pair `[indeks, vrijednost_hex]` that a node pulls: a secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_get_pair(
    shares: Option<&SessionShares>,
    position: usize,
    pair_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, out) = (required("shares", shares)?, Out::new("pair_json", pair_json)?);
        let share = shares.0.get(position).ok_or_else(|| Failure::out_of_range("position"))?;
        out.text(&share.to_pair_json());
        Ok(())
    })
}

/// The number of shares in the list.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_count(
    shares: Option<&SessionShares>,
    count: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shares = required("shares", shares)?;
        Out::new("count", count)?.set(shares.0.len());
        Ok(())
    })
}

/// The share at a position of the list, from 0, as JSON: a secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_get(
    shares: Option<&SessionShares>,
    position: usize,
    share_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, out) = (required("shares", shares)?, Out::new("share_json", share_json)?);
        let share = shares.0.get(position).ok_or_else(|| Failure::out_of_range("position"))?;
        out.text(&share.to_json());
        Ok(())
    })
}

/// Overwrites and frees a list of shares. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_shares_free(shares: Option<Box<SessionShares>>) {
    release(|| drop(shares));
}

struct Begun {
    domain: dualseal_core::Domain,
    checkpoint: Arc<Verified<checkpoint::Checkpoint>>,
}

type Running<'a> = Option<threshold::SessionCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[not_covariant]
        dependent: Running,
    }
}

/// Streams a chain past a checkpoint and finds the record of a session that is in force. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SessionCheck(Progress);

/// Begins at the first entry. `anchor` is the one that the caller pinned when the session was founded (`javni_sidro`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_check_new(
    domain: Option<&Domain>,
    session_id: *const c_char,
    anchor: *const c_char,
    checkpoint: Option<&Checkpoint>,
    check: *mut *mut SessionCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let session_id = text("session_id", session_id)?.parse()?;
        let anchor = text("anchor", anchor)?.parse()?;
        let checkpoint = Arc::clone(&required("checkpoint", checkpoint)?.0);
        let check = Out::new("check", check)?;
        check.handle(SessionCheck(Progress::new(Begun { domain, checkpoint }, |begun| {
            Some(threshold::SessionCheck::new(&begun.domain, &session_id, &anchor, &begun.checkpoint))
        })));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_check_push_line(
    check: Option<&mut SessionCheck>,
    line: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, line) = (required("check", check)?, json("line", line)?);
        check.0.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    })
}

/// Ends the chain, and the check, whatever comes of it. `records_json` are records of the session, `count` of them, at
/// least the first and the last that the chain has entries of.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_check_finish(
    check: Option<&mut SessionCheck>,
    records_json: *const *const c_char,
    count: usize,
    in_force: *mut *mut SessionInForce,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let check = required("check", check)?;
        let read = |text: &str| threshold::Session::from_json(text.as_bytes());
        let records: Vec<_> =
            texts("records_json", records_json, count)?.into_iter().map(read).collect::<Result<_, _>>()?;
        let out = Out::new("in_force", in_force)?;
        let found = check.0.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish(&records)?))?;
        out.handle(SessionInForce(found));
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_check_free(check: Option<Box<SessionCheck>>) {
    release(|| drop(check));
}

/// A session record that was shown to be the last one of its session below a verified checkpoint. Never changes;
/// threads may share it.
#[derive(Debug)]
pub struct SessionInForce(pub(crate) threshold::SessionInForce);

/// An argument `message` with its length, as it is signed.
fn message_hash(message: *const u8, message_len: usize) -> Result<MessageHash, Failure> {
    Ok(MessageHash::of(bytes("message", message, message_len)?))
}

/// A result with a signature; one without is none that could be verified.
fn result(result_json: *const c_char) -> Result<QuorumResult, Failure> {
    match ThresholdResult::from_json(json("result_json", result_json)?)? {
        ThresholdResult::Signed(result) => Ok(result),
        ThresholdResult::Failed(_) => Err(Failure::unknown_value("result_json")),
    }
}

/// Signs a message with k shares, for `requester`. The result names the culprits. The entry is appended at the head,
/// which moves on. Of a refusal, `dualseal_error_culprits` names them and `dualseal_error_session_result` is the
/// result; nothing was appended then.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_sign(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    message: *const u8,
    message_len: usize,
    requester: *const c_char,
    shares: Option<&SessionShares>,
    head: Option<&mut Head>,
    time_ms: i64,
    result_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (in_force, domain) = (required("in_force", in_force)?, required("domain", domain)?);
        let message = message_hash(message, message_len)?;
        let requester = text("requester", requester)?.parse()?;
        let (shares, head) = (required("shares", shares)?, required("head", head)?);
        let (out, entry_json) = (Out::new("result_json", result_json)?, Out::new("entry_json", entry_json)?);
        let time = Timestamp::from_millis(time_ms)?;
        let signed = in_force.0.sign(&domain.0, &message, &requester, &shares.0, &head.0, time, &mut SystemRng)?;
        out.text(&signed.result.to_json());
        head.advance_over(&signed.entry, signed.head, entry_json);
        Ok(())
    })
}

/// Confirms a result of an HMAC session with k shares. 0 says that somebody who had k shares made it, who may be the
/// caller: **that is not Valid**. `culprits` are the indices of the shares given now that do not hold.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_authenticate(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    message: *const u8,
    message_len: usize,
    result_json: *const c_char,
    shares: Option<&SessionShares>,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (in_force, domain) = (required("in_force", in_force)?, required("domain", domain)?);
        let message = message_hash(message, message_len)?;
        let (result, shares) = (result(result_json)?, required("shares", shares)?);
        let culprits = Indices::culprits(culprits, culprits_len)?;
        let authentic = in_force.0.verify_with_shares(&domain.0, &message, result, &shares.0)?;
        culprits.set(authentic.culprits());
        Ok(())
    })
}

/// Verifies a result of an ML-DSA session without any share. The status is the verdict, and only 0 is Valid. `cache`,
/// `located` and `verdict` may be NULL, as for `dualseal_verify` and `dualseal_verify_at`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_quorum(
    domain: Option<&Domain>,
    session: Option<&Session>,
    message: *const u8,
    message_len: usize,
    result_json: *const c_char,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    located: Option<&Located>,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, session) = (required("domain", domain)?, required("session", session)?);
        let message = message_hash(message, message_len)?;
        let (result, ring) = (result(result_json)?, required("ring", ring)?);
        let at = located.map(|located| &located.0);
        let outcome = threshold::verify_quorum(&domain.0, &session.0, &message, result, &ring.0, keys(cache), at);
        if let Some(verdict) = Out::optional(verdict) {
            verdict.handle(Verdict::of(&outcome));
        }
        Ok(outcome.kind().code().into())
    })
}

/// Makes the lost share of this index again from k others, for its custodian `owner`, as JSON: a secret. `culprits` as
/// for `dualseal_session_authenticate`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_repair(
    in_force: Option<&SessionInForce>,
    domain: Option<&Domain>,
    shares: Option<&SessionShares>,
    lost: u64,
    owner: *const c_char,
    share_json: *mut *mut c_char,
    culprits: *mut *mut u8,
    culprits_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (in_force, domain) = (required("in_force", in_force)?, required("domain", domain)?);
        let shares = required("shares", shares)?;
        let (lost, owner) = (Index::new(lost)?, text("owner", owner)?.parse()?);
        let out = Out::new("share_json", share_json)?;
        let culprits = Indices::culprits(culprits, culprits_len)?;
        let repaired = in_force.0.repair(&domain.0, &shares.0, lost, &owner)?;
        out.text(&repaired.share.to_json());
        culprits.set(&repaired.culprits);
        Ok(())
    })
}

/// Frees a session in force. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_in_force_free(in_force: Option<Box<SessionInForce>>) {
    release(|| drop(in_force));
}
