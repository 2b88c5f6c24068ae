//! Evidence in one file: made by whoever has the log, and verified by anybody with the document and the log's
//! fingerprint.

use crate::args::{Out, bytes, optional, optional_text, optional_time, read, required, sized_text, small, text, texts};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::progress::{ending, running};
use crate::public_key::public_key as read_public_key;
use crate::ring::Ring;
use crate::status::StatusValue;
use dualseal_core::Error;
use dualseal_core::checkpoint::PlaceProof;
use dualseal_core::error::Misuse;
use dualseal_core::evidence::{
    EvidenceCheck, EvidenceFile, EvidenceParts, EvidencePolicy, EvidenceRecord, EvidenceReport, ExpectedSigner,
    OpenEvidence,
};
use dualseal_core::key::AnyRing;
use dualseal_core::note::{Note, NoteKey, Witnesses};
use self_cell::self_cell;
use std::ffi::c_char;

type Running<'a> = Option<EvidenceCheck<'a>>;

self_cell! {
    struct Progress {
        owner: OpenEvidence,
        #[covariant]
        dependent: Running,
    }
}

/// Evidence of which all holds that needs no document, and the document so far; then what it shows. For one thread at a
/// time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct Evidence {
    progress: Progress,
    report: Option<EvidenceReport>,
}

/// Makes a file of evidence (`.evidence.json`), by whoever has the log. `name` is what `domain` was made of; with NULL,
/// where constants were set by hand, the verifier has to know the domain. `record_json` is a signature record, a vault
/// record that was redacted, `{"identity_id","javni_kljuc","seal"}` of a dual seal, or
/// `{"identity_id","javni_kljuc","result","session_id"}` of a quorum. `public_key` is the key of a vault record, which
/// lacks it, and else NULL with length 0. `ring` is the log's, as the checkpoint states it. `place_json` is the proof
/// of the place of the record's entry, and `ring_place_json` of the ring's (`dualseal_proofs_place`). `note`, the log's
/// signed note with what its witnesses added, may be NULL.
///
/// What nobody could verify is not given out; whether the record holds over its document, the verifier says.
/// `DUALSEAL_STATUS_DECOY_KEY` where the operator's own ring knows the key as a honeypot: outsiders would read what it
/// signed as a pass. That is for the operator alone.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_make(
    domain: *const Domain,
    name: *const c_char,
    record_json: *const c_char,
    record_json_len: usize,
    public_key: *const u8,
    public_key_len: usize,
    ring: *const Ring,
    place_json: *const c_char,
    place_json_len: usize,
    ring_place_json: *const c_char,
    ring_place_json_len: usize,
    note: *const c_char,
    note_len: usize,
    evidence_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, name) = (required("domain", domain)?, optional_text("name", name)?);
        let record = read("record_json", record_json, record_json_len, EvidenceRecord::from_json)?;
        let public_key = match (record.public_key(), public_key.is_null()) {
            (Some(own), true) => own.clone(),
            (None, false) => read_public_key(public_key, public_key_len)?,
            (None, true) => return Err(CallError::null("public_key")),
            (Some(_), false) => return Err(CallError::unknown_value("public_key")),
        };
        let ring = &required("ring", ring)?.0;
        let place = read("place_json", place_json, place_json_len, PlaceProof::from_json)?;
        let ring_place = read("ring_place_json", ring_place_json, ring_place_json_len, PlaceProof::from_json)?;
        let note = if note.is_null() { None } else { Some(Note::from_text(sized_text("note", note, note_len)?)?) };
        let out = Out::new("evidence_json", evidence_json)?;
        let key = match ring {
            AnyRing::Checked(ring) => ring.prove(public_key.hash())?,
            AnyRing::Public(ring) => ring.prove(public_key.hash()).ok_or(Error::Misuse(Misuse::UnknownKey))?,
            AnyRing::Pinned(_) => return Err(Error::Misuse(Misuse::PinnedRing).into()),
        };
        let file = EvidenceFile::new(EvidenceParts {
            domain: &domain.0,
            name,
            record,
            public_key,
            place,
            ring: ring_place,
            key,
            note,
        })?;
        out.text(&file.to_json());
        Ok(())
    })
}

/// Verifies of a file of evidence all that needs no document: the fingerprint of the log that is believed (`log`,
/// `dualseal_checkpoint_fingerprint`, known from elsewhere), the checkpoint, the note, the places of the record's entry
/// and of the ring's, the path of the key, and whose it is, in this order. `domain` is needed where its constants were
/// set by hand, must not be another's, and else may be NULL.
///
/// Whose record it must be is said in one way of three: `signer`, an identity; `key_hash`, SHA3-256 over a public key,
/// which is the signer's fingerprint; or `any_signer` 1, for a caller who then decides by the report's `identity_id`:
/// every identity of a log's ring can sign any document.
///
/// `least_size` is the least size of the checkpoint: one that was seen elsewhere keeps an old one from hiding a
/// revocation. `witnesses`, `count` of them, are verifier keys as `tlog-cosignature` writes them, of which `needed`
/// must have seen the log, 1 or more where any is named, by `witnessed_after_ms` or later where that is not NULL; both
/// are judged with the document.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_open(
    domain: *const Domain,
    log: *const c_char,
    signer: *const c_char,
    key_hash: *const c_char,
    any_signer: i32,
    least_size: u64,
    witnesses: *const *const c_char,
    count: usize,
    needed: u32,
    witnessed_after_ms: *const i64,
    evidence_json: *const c_char,
    evidence_json_len: usize,
    evidence: *mut *mut Evidence,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let keys = texts("witnesses", witnesses, count)?;
        let keys = keys.into_iter().map(NoteKey::from_text).collect::<Result<Vec<_>, _>>()?;
        // A structure of zeros asks for nobody, and whoever names witnesses asks for some.
        if !keys.is_empty() && needed == 0 {
            return Err(CallError::unknown_value("needed"));
        }
        let policy = EvidencePolicy {
            log: text("log", log)?.parse()?,
            log_until: None,
            domain: optional("domain", domain)?.map(|domain| &domain.0),
            signer: expected(optional_text("signer", signer)?, optional_text("key_hash", key_hash)?, any_signer)?,
            least_size,
            witnesses: Witnesses::new(&keys, small("needed", needed)?.into())?,
            witnessed_after: optional_time(witnessed_after_ms)?,
        };
        let file = read("evidence_json", evidence_json, evidence_json_len, EvidenceFile::from_json)?;
        let out = Out::new("evidence", evidence)?;
        let progress = Progress::new(file.open(&policy)?, |open| Some(open.begin()));
        out.handle(Evidence { progress, report: None });
        Ok(())
    })
}

/// In one way of three: a NULL that somebody forgot to fill must not read as anybody.
fn expected(signer: Option<&str>, key_hash: Option<&str>, any_signer: i32) -> Result<ExpectedSigner, CallError> {
    match (signer, key_hash, any_signer) {
        (Some(signer), None, 0) => Ok(ExpectedSigner::Identity(signer.parse()?)),
        (None, Some(key_hash), 0) => Ok(ExpectedSigner::Key(key_hash.parse()?)),
        (None, None, 1) => Ok(ExpectedSigner::Anybody),
        (None, None, 0) => Err(CallError::null("signer")),
        _ => Err(CallError::unknown_value("any_signer")),
    }
}

/// Takes the next part of the document: of the content, the payload, the stored bytes or the message, by the kind of
/// the record (`vrsta`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_update(
    evidence: *mut Evidence,
    document: *const u8,
    document_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (evidence, document) = (required("evidence", evidence)?, bytes("document", document, document_len)?);
        evidence.progress.with_dependent_mut(|_, check| running(check).map(|check| check.update(document)))
    })
}

/// Verifies the record over all parts, by the key in its state as of the checkpoint, then counts the witnesses, and
/// ends the check. The status is the verdict: Valid, Revoked or Suspended. A record that does not hold over this
/// document is `DUALSEAL_STATUS_EVIDENCE_RECORD`, whatever the state of its key. `report_json`, which may be NULL, is
/// set with each verdict: `{as_of, before, identity_id, key, log, not_shown, origin, since, state, vault_id, vrsta,
/// witnesses}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_finish(
    evidence: *mut Evidence,
    report_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let evidence = required("evidence", evidence)?;
        let report = evidence.progress.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish()?))?;
        if let Some(out) = Out::optional(report_json) {
            out.text(&report.to_json());
        }
        let verdict = report.as_of.verdict.kind().code().into();
        evidence.report = Some(report);
        Ok(verdict)
    })
}

/// Compares what two files of evidence of one key show, each with a verdict (`dualseal_evidence_finish`), in any order:
/// from the smaller size to the larger a key's history only grows, by changes from there on, and the place from which
/// it counts as compromised only falls. `DUALSEAL_STATUS_EVIDENCE_RETOLD` is a log whose signer took something back,
/// dated a change back, or signed two checkpoints that no log has: keep both files, which convict him. Evidence of two
/// logs is `DUALSEAL_STATUS_EVIDENCE_LOG`, of two keys `DUALSEAL_STATUS_KEY_OTHER`, and without a verdict
/// `DUALSEAL_STATUS_NOT_VERIFIED`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_compare(
    first: *const Evidence,
    second: *const Evidence,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || Ok(shown("first", first)?.compare(shown("second", second)?)?))
}

fn shown<'a>(argument: &'static str, evidence: *const Evidence) -> Result<&'a EvidenceReport, CallError> {
    required(argument, evidence)?.report.as_ref().ok_or_else(|| CallError::not_shown(argument))
}

/// Frees evidence. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_evidence_free(evidence: *mut Evidence) {
    release(|| give_back(evidence));
}
