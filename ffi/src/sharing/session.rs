//! Threshold sessions: n custodians hold shares of one secret, and any k of them sign.

use crate::args::{Out, bytes, optional, read, required, small, text, texts};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::handle::known;
use crate::head::Head;
use crate::list::{self, array, faults, list, numbers};
use crate::located::Located;
use crate::proofs::{Proofs, Watched, proof};
use crate::ring::{Ring, of_signer};
use crate::sharing::session_check::{SessionInForce, trusted};
use crate::status::{Status, StatusValue};
use crate::verdict::Verdict;
use dualseal_core::encoding::json::{Value, elements};
use dualseal_core::error::{Malformed, Problem};
use dualseal_core::id::MessageHash;
use dualseal_core::shamir::Index;
use dualseal_core::threshold::{
    self, Acknowledgement, Founded, Founding, LocatedSession, PinnedQuorum, QuorumResult, Renewal, Session,
    SessionShare, ThresholdResult, verify_pinned_quorum,
};
use dualseal_core::{Error, IdentityId, PublicKey, SystemRng, Timestamp};
use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::PoisonError;

/// The argument `shares_json`.
pub(crate) fn shares(shares_json: *const c_char, shares_json_len: usize) -> Result<Vec<SessionShare>, CallError> {
    list(("shares_json", shares_json, shares_json_len), SessionShare::from_json)
}

/// Where the outputs of a founding go.
struct Places {
    session: Out<*mut c_char>,
    shares: Out<*mut c_char>,
    entry_json: Out<*mut c_char>,
}

impl Places {
    fn new(
        session_json: *mut *mut c_char,
        new_shares_json: *mut *mut c_char,
        entry_json: *mut *mut c_char,
    ) -> Result<Self, CallError> {
        let session = Out::new("session_json", session_json)?;
        let shares = Out::new("new_shares_json", new_shares_json)?;
        Ok(Self { session, shares, entry_json: Out::new("entry_json", entry_json)? })
    }

    fn set(self, founded: &Founded, head: &mut Head) {
        self.session.text(&founded.session.to_json());
        self.shares.text(&array(founded.shares.iter().map(SessionShare::to_json)));
        head.advance_over(&founded.entry, founded.head.clone(), self.entry_json);
    }
}

/// Whoever a session is founded by and for.
struct Numbers {
    founder: *const c_char,
    owners: *const *const c_char,
    n: u32,
    k: u32,
    time_ms: i64,
}

impl Numbers {
    /// Founds at the head, which moves on.
    fn found(
        &self,
        domain: *const Domain,
        head: *mut Head,
        places: Places,
        found: impl FnOnce(&Founding<'_>) -> Result<Founded, Error>,
    ) -> Result<Founded, CallError> {
        let (domain, head) = (required("domain", domain)?, required("head", head)?);
        let founder = text("founder", self.founder)?.parse()?;
        // No n above 255 is good, and no array need be as long as one.
        let owners = texts("owners", self.owners, small("n", self.n)?.into())?;
        let owners: Vec<IdentityId> = owners.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let (k, time) = (small("k", self.k)?, Timestamp::from_millis(self.time_ms)?);
        let at = head.0.clone();
        let founding = Founding { domain: &domain.0, founder: &founder, owners: &owners, k, head: &at, time };
        let founded = found(&founding)?;
        places.set(&founded, head);
        Ok(founded)
    }
}

/// Founds a session whose results k shares verify (HMAC-SHA3-512). `owners` are the custodians' identities, `n` of
/// them, in share order; any `k` of their shares sign. The session's entry is appended at the head, which moves on. The
/// caller stores the record, the entry and the head, or none of them, pins the entry's `krunica_hash`, and gives each
/// share of the list `new_shares_json` to its custodian alone.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_found_hmac(
    domain: *const Domain,
    founder: *const c_char,
    owners: *const *const c_char,
    n: u32,
    k: u32,
    head: *mut Head,
    time_ms: i64,
    session_json: *mut *mut c_char,
    new_shares_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let places = Places::new(session_json, new_shares_json, entry_json)?;
        let numbers = Numbers { founder, owners, n, k, time_ms };
        numbers.found(domain, head, places, |founding| founding.hmac(&mut SystemRng)).map(drop)
    })
}

/// As `dualseal_session_found_hmac`, for a session whose results anybody verifies (ML-DSA-65): its public key is in the
/// record, and the caller adds it to a ring under `identity_id`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_found_mldsa(
    domain: *const Domain,
    founder: *const c_char,
    owners: *const *const c_char,
    n: u32,
    k: u32,
    identity_id: *const c_char,
    head: *mut Head,
    time_ms: i64,
    session_json: *mut *mut c_char,
    new_shares_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let places = Places::new(session_json, new_shares_json, entry_json)?;
        let numbers = Numbers { founder, owners, n, k, time_ms };
        numbers.found(domain, head, places, |founding| founding.mldsa(&identity_id, &mut SystemRng)).map(drop)
    })
}

/// Prepares other shares of the secret of a session in force, for these custodians: a new record under the same
/// identifier, without its authority, which does not count yet. `k` shares of the new ones will sign; with 0 for `k`
/// both k and n stay what they are, so that no slip lowers them. `shares_json` is a list of k shares or more, as for
/// `dualseal_session_sign`, and `faults_json` as for `dualseal_dealing_reconstruct`. Each of the new shares goes to its
/// custodian with the record; nodes keep the old one beside it. The preparation stays in `in_force`, in memory: one
/// that is lost is prepared again.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_prepare(
    in_force: *const SessionInForce,
    shares_json: *const c_char,
    shares_json_len: usize,
    owners: *const *const c_char,
    n: u32,
    k: u32,
    time_ms: i64,
    session_json: *mut *mut c_char,
    new_shares_json: *mut *mut c_char,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (in_force, shares) = (required("in_force", in_force)?, shares(shares_json, shares_json_len)?);
        let owners = texts("owners", owners, small("n", n)?.into())?;
        let owners: Vec<IdentityId> = owners.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let (session, new) = (Out::new("session_json", session_json)?, Out::new("new_shares_json", new_shares_json)?);
        let wrong = Out::new("faults_json", faults_json)?;
        let time = Timestamp::from_millis(time_ms)?;
        let prepared = if k == 0 {
            let k = in_force.found.quorum(&shares).needed;
            in_force.found.prepare_refresh(&shares, &Renewal { owners: &owners, k, time }, &mut SystemRng)?
        } else {
            let renewal = Renewal { owners: &owners, k: small("k", k)?, time };
            in_force.found.prepare_rethreshold(&shares, &renewal, &mut SystemRng)?
        };
        session.text(&prepared.session().to_json());
        new.text(&array(prepared.shares().iter().map(SessionShare::to_json)));
        wrong.text(&faults(prepared.culprits(), prepared.misdealt()));
        *in_force.prepared.lock().unwrap_or_else(PoisonError::into_inner) = Some(prepared);
        Ok(())
    })
}

/// Brings what was prepared into force: appends its entry at the head of the caller's own chain, which moves on.
/// `watched` is what `dualseal_chain_reader_watch_session` watched for, of the same session, and `proofs` what that
/// reader gave, which read up to that head; `records_json` and `ring` are as for `dualseal_proofs_session`.
/// `acknowledgements_json` is the list of what the custodians said whose shares arrived and hold, each a pair
/// `[index,{"split_id","udio_sidra"}]`: whom the channel authenticated, by the index of the share that was sent to him,
/// and what he said, the split and the commitment to his share. What he says of another's counts for nobody. `needed`
/// is how many must, at least k; 0 stands for all. The record, with its authority, the entry and the head are stored
/// together, or none of them. `DUALSEAL_STATUS_STALE_GENERATION` when another generation is in force by now.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_commit(
    in_force: *const SessionInForce,
    proofs: *const Proofs,
    watched: Watched,
    records_json: *const c_char,
    records_json_len: usize,
    ring: *const Ring,
    acknowledgements_json: *const c_char,
    acknowledgements_json_len: usize,
    needed: u32,
    requester: *const c_char,
    head: *mut Head,
    session_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        let located: &LocatedSession = proof(proofs, watched)?;
        let records = list(("records_json", records_json, records_json_len), Session::from_json)?;
        let ring = optional("ring", ring)?;
        let said = ("acknowledgements_json", acknowledgements_json, acknowledgements_json_len);
        let said = list(said, acknowledgement)?;
        let needed = Some(small("needed", needed)?).filter(|needed| *needed > 0);
        let (requester, head) = (text("requester", requester)?.parse()?, required("head", head)?);
        let (out, entry) = (Out::new("session_json", session_json)?, Out::new("entry_json", entry_json)?);
        let mut prepared = in_force.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = prepared.as_ref().ok_or_else(|| CallError::unknown_value("in_force"))?;
        let at = located.at_head(&records, &trusted(ring))?;
        if *at.head() != head.0 {
            return Err(CallError::unknown_value("head"));
        }
        let committed = ready.commit(&at, &said, needed, &requester)?;
        out.text(&committed.session.to_json());
        head.advance_over(&committed.entry, committed.head, entry);
        *prepared = None;
        Ok(())
    })
}

/// A pair of the index of whom the channel authenticated, and what he said.
fn acknowledgement(pair: &[u8]) -> Result<(Index, Acknowledgement), Error> {
    let wrong = |field| Error::from(Malformed::new(field, None, Problem::WrongType));
    let parts = elements(pair).collect::<Result<Vec<_>, _>>()?;
    let [index, said] = *parts.as_slice() else { return Err(wrong("json")) };
    let Value::Integer(index) = Value::parse(index)? else {
        return Err(wrong("indeks"));
    };
    Ok((Index::new(u64::try_from(index).unwrap_or(u64::MAX))?, Acknowledgement::from_json(said)?))
}

/// Tells whether these shares are enough to sign: `needed` is how many it takes, and `reached` is 1 when they are
/// enough, else 0. They are sorted by the commitments of every record, as for signing: `quorum_json` is
/// `{"foreign","ignored","in_force","invalid","missing","present","seq","split_id"}`, lists of indices by the record of
/// that split, whose entry stands at `seq`. `in_force` is false where nothing tells whether that record counts: of an
/// HMAC session that is continued k good shares tell it. Foreign are shares of other records too, whose holders are no
/// cheats. `ignored` is as for `dualseal_session_in_force_record`, with forged records once k good shares tell of them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_quorum(
    in_force: *const SessionInForce,
    shares_json: *const c_char,
    shares_json_len: usize,
    needed: *mut u32,
    quorum_json: *mut *mut c_char,
    reached: *mut i32,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        let shares = shares(shares_json, shares_json_len)?;
        let (needed, reached) = (Out::new("needed", needed)?, Out::new("reached", reached)?);
        let out = Out::new("quorum_json", quorum_json)?;
        let quorum = in_force.found.quorum(&shares);
        needed.set(quorum.needed.into());
        out.text(&list::quorum(&quorum));
        reached.set(quorum.reached.into());
        Ok(())
    })
}

/// Makes the lost share of this index again from k others, for its custodian `owner`, as JSON: a secret.
/// `faults_json` as for `dualseal_dealing_reconstruct`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_repair(
    in_force: *const SessionInForce,
    shares_json: *const c_char,
    shares_json_len: usize,
    lost: u32,
    owner: *const c_char,
    share_json: *mut *mut c_char,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        let shares = shares(shares_json, shares_json_len)?;
        let (lost, owner) = (Index::new(lost.into())?, text("owner", owner)?.parse()?);
        let out = Out::new("share_json", share_json)?;
        let wrong = Out::new("faults_json", faults_json)?;
        let repaired = in_force.found.repair(&shares, lost, &owner)?;
        out.text(&repaired.share.to_json());
        wrong.text(&faults(&repaired.culprits, &repaired.misdealt));
        Ok(())
    })
}

/// What a node answered that was asked for share `index` of a session, made into a share for the lists that these
/// functions take, as JSON: a secret. A good answer is the pair `[index, value in hexadecimal]`, beside which the node
/// says of which split it is: `split_id`. Whatever the answer is, in any bytes, it becomes a share of the custodian
/// `owner` who was asked. One that is no pair, or names another number, does not hold, and names him among the
/// culprits: nothing that a custodian answers keeps a list from being read, or accuses another.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_share_from_answer(
    session_id: *const c_char,
    split_id: *const c_char,
    owner: *const c_char,
    index: u32,
    answer: *const u8,
    answer_len: usize,
    share_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (session_id, split_id) = (text("session_id", session_id)?.parse()?, text("split_id", split_id)?.parse()?);
        let (owner, index) = (text("owner", owner)?.parse()?, Index::new(index.into())?);
        let (answer, out) = (bytes("answer", answer, answer_len)?, Out::new("share_json", share_json)?);
        out.text(&SessionShare::pulled(session_id, split_id, owner, index, answer).to_json());
        Ok(())
    })
}

/// An argument `message` with its length, as it is signed.
fn message_hash(message: *const u8, message_len: usize) -> Result<MessageHash, CallError> {
    Ok(MessageHash::of(bytes("message", message, message_len)?))
}

/// A result with a signature; one without is none that could be verified.
fn result(result_json: *const c_char, result_json_len: usize) -> Result<QuorumResult, CallError> {
    match read("result_json", result_json, result_json_len, ThresholdResult::from_json)? {
        ThresholdResult::Signed(result) => Ok(result),
        ThresholdResult::Failed(_) => Err(CallError::unknown_value("result_json")),
    }
}

/// Signs a message with a list of k shares or more, for `requester`. The result names the culprits; the misdealt, as
/// `dualseal_dealing_reconstruct` tells them, are the list `misdealt_json`, which may be NULL. The entry is appended at
/// the head, which moves on. Of a refusal, `dualseal_error_faults` names the culprits and
/// `dualseal_error_session_result` is the result; nothing was appended then. `ring` and `no_ring` as for
/// `dualseal_signature_sign`, of the quorum's key: an HMAC session has none, and asks no ring.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_sign(
    in_force: *const SessionInForce,
    ring: *const Ring,
    no_ring: i32,
    message: *const u8,
    message_len: usize,
    requester: *const c_char,
    shares_json: *const c_char,
    shares_json_len: usize,
    head: *mut Head,
    time_ms: i64,
    result_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    misdealt_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        let (ring, message) = (of_signer(ring, no_ring)?, message_hash(message, message_len)?);
        let requester = text("requester", requester)?.parse()?;
        let (shares, head) = (shares(shares_json, shares_json_len)?, required("head", head)?);
        let (out, entry_json) = (Out::new("result_json", result_json)?, Out::new("entry_json", entry_json)?);
        let time = Timestamp::from_millis(time_ms)?;
        if let Some(ring) = ring {
            in_force.found.current(ring)?;
        }
        let signed = in_force.found.sign(&message, &requester, &shares, &head.0, time, &mut SystemRng)?;
        out.text(&signed.result.to_json());
        if let Some(misdealt) = Out::optional(misdealt_json) {
            misdealt.text(&numbers(&signed.misdealt));
        }
        head.advance_over(&signed.entry, signed.head, entry_json);
        Ok(())
    })
}

/// Confirms a result of an HMAC session with k shares. `DUALSEAL_STATUS_AUTHENTICATED`, and never 0, says that somebody
/// who had k shares made it, who may be the caller: **that is not Valid**. `faults_json` as for
/// `dualseal_dealing_reconstruct`, of the shares given now.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_authenticate(
    in_force: *const SessionInForce,
    message: *const u8,
    message_len: usize,
    result_json: *const c_char,
    result_json_len: usize,
    shares_json: *const c_char,
    shares_json_len: usize,
    faults_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let in_force = required("in_force", in_force)?;
        let message = message_hash(message, message_len)?;
        let (result, shares) = (result(result_json, result_json_len)?, shares(shares_json, shares_json_len)?);
        let wrong = Out::new("faults_json", faults_json)?;
        let authentic = in_force.found.verify_with_shares(&message, result, &shares)?;
        wrong.text(&faults(authentic.culprits(), authentic.misdealt()));
        Ok(Status::Authenticated as StatusValue)
    })
}

/// Verifies a result of an ML-DSA session without any share, by the session in force. The status is the verdict, and
/// only 0 is Valid. `cache`, `place` and `verdict` may be NULL, as for `dualseal_signature_verify`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_verify(
    in_force: *const SessionInForce,
    message: *const u8,
    message_len: usize,
    result_json: *const c_char,
    result_json_len: usize,
    ring: *const Ring,
    cache: *const KeyCache,
    place: *const Located,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let in_force = required("in_force", in_force)?;
        let message = message_hash(message, message_len)?;
        let (result, ring) = (result(result_json, result_json_len)?, required("ring", ring)?);
        let at = optional("place", place)?.map(|place| &place.0);
        let keys = keys(optional("cache", cache)?);
        Ok(told(&threshold::verify_quorum(&in_force.found, &message, result, &ring.0, keys, at), verdict))
    })
}

/// As `dualseal_session_verify`, without a chain: the session, the identity and the quorum's public key are those that
/// the caller pinned by hand. Never take them from a session record that came with the result: a member of the ring
/// could name himself there, and sign alone.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_verify_pinned(
    domain: *const Domain,
    session_id: *const c_char,
    identity_id: *const c_char,
    public_key: *const u8,
    public_key_len: usize,
    message: *const u8,
    message_len: usize,
    result_json: *const c_char,
    result_json_len: usize,
    ring: *const Ring,
    cache: *const KeyCache,
    place: *const Located,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let domain = required("domain", domain)?;
        let quorum = PinnedQuorum {
            session_id: text("session_id", session_id)?.parse()?,
            identity_id: text("identity_id", identity_id)?.parse()?,
            public_key: PublicKey::from_slice(bytes("public_key", public_key, public_key_len)?)?,
        };
        let message = message_hash(message, message_len)?;
        let (result, ring) = (result(result_json, result_json_len)?, required("ring", ring)?);
        let (at, keys) = (optional("place", place)?.map(|place| &place.0), keys(optional("cache", cache)?));
        Ok(told(&verify_pinned_quorum(&domain.0, &quorum, &message, result, &ring.0, keys, at), verdict))
    })
}

/// The status of a verdict, which is handed over where it is wanted.
fn told(outcome: &dualseal_core::Verdict<QuorumResult>, verdict: *mut *mut Verdict) -> StatusValue {
    if let Some(verdict) = Out::optional(verdict) {
        verdict.handle(Verdict::of(outcome));
    }
    outcome.kind().code().into()
}

/// Of a refused `dualseal_session_sign`: the result with `ok: false`, as JSON; NULL for every other error, and for
/// NULL. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_session_result(error: *const CallError) -> *const c_char {
    known(error).and_then(CallError::result_json).map_or(ptr::null(), CStr::as_ptr)
}
