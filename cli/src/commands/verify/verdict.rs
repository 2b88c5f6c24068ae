//! A verdict in words, for people and for scripts.

use super::who::{ShownBy, Who};
use crate::commands::key::state::word;
use crate::domain_file::DomainFile;
use crate::output::{Report, text};
use dualseal::encoding::json::Value;
use dualseal::error::Layer;
use dualseal::verdict::InvalidReason;
use dualseal::{Verdict, VerdictKind};

/// Tells a verdict on `what` ("signature", "seal", "checkpoint"), to the operator or as outsiders are told, with what
/// is known of whoever made it.
pub(crate) fn report_of<T>(what: &str, verdict: &Verdict<T>, public: bool, who: &Who) -> Report {
    let (internal, outward) = (verdict.internal(), verdict.public());
    let result = if public { outward.as_ref() } else { &internal };
    let told = if public { Told::to_outsiders(verdict.kind()) } else { Told::to_the_operator(verdict) };
    let sentence = told.sentence(what, &who.named(&result.identity_id), who.shown_by);
    let mut wire = Value::parse(result.to_json().as_bytes()).unwrap_or(Value::Null);
    // What nobody was asked is not valid.
    if let Value::Object(members) = &mut wire
        && !who.shown_by.tells_state()
    {
        members.insert("bela_stanje".to_owned(), Value::Null);
    }
    let mut report = Report::new(sentence)
        .coded(told.kind.code())
        .member("verdict", text(told.kind.as_str()))
        .member("public", Value::Bool(public))
        .wire("result", wire)
        .member("reason", result.reason.as_deref().map_or(Value::Null, text))
        .member("time", result.time.map_or(Value::Null, |time| text(time.to_string())));
    report = who.tell(report, &result.identity_id);
    let state = match result.state {
        Some(_) if !who.shown_by.tells_state() => Some("not asked"),
        state => state.map(word),
    };
    report = report.member("state", state.map_or(Value::Null, text));
    if let Some(state) = state {
        report = report.line("key state", state);
    }
    if let Some(reason) = &result.reason {
        report = report.line("reason", reason.as_str());
    }
    if let Some(time) = result.time {
        report = report.line("time", format!("{time} (the signer's word, no evidence)"));
    }
    match told.next(what) {
        Some(next) => report.note(next),
        None => report,
    }
}

/// What is said of a record that does not hold in a domain that nothing says to be its signer's: neither that it holds
/// nor that it is forged.
pub(crate) fn other_domain<T>(what: &str, verdict: &Verdict<T>, domain: &DomainFile, who: &Who) -> Report {
    let identity_id = verdict.internal().identity_id;
    let name = domain.to_words();
    let sentence = format!(
        "NOT CHECKED: nothing says the domain of {}, and in the domain {name} the {what} does not hold.",
        who.named(&identity_id)
    );
    let report = Report::new(sentence)
        .coded(VerdictKind::Suspended.code())
        .member("verdict", text("not checked"))
        .member("public", Value::Bool(false))
        .member("reason", text("domain"))
        .member("state", Value::Null)
        .member("time", Value::Null)
        .member("result", Value::Null);
    who.tell(report, &identity_id).note(
        "Ask the signer for the name of the domain and give it with --domain, or for the key file that `dualseal key \
         export` writes, which says it. If it is that domain, the document or what came with it was changed.",
    )
}

/// What outsiders are told of a verdict: of three kinds, and none tells a decoy from a valid key. The library's answer
/// to them says the same.
pub(crate) fn outward(kind: VerdictKind) -> VerdictKind {
    match kind {
        VerdictKind::Valid | VerdictKind::Decoy => VerdictKind::Valid,
        VerdictKind::Invalid | VerdictKind::Revoked => VerdictKind::Invalid,
        VerdictKind::Suspended => VerdictKind::Suspended,
    }
}

/// A verdict as somebody is told it.
struct Told {
    kind: VerdictKind,
    reason: Option<InvalidReason>,
}

impl Told {
    fn to_the_operator<T>(verdict: &Verdict<T>) -> Self {
        let reason = if let Verdict::Invalid(rejection) = verdict { Some(rejection.reason()) } else { None };
        Self { kind: verdict.kind(), reason }
    }

    fn to_outsiders(kind: VerdictKind) -> Self {
        Self { kind: outward(kind), reason: None }
    }

    fn sentence(&self, what: &str, signer: &str, shown_by: ShownBy) -> String {
        match self.kind {
            VerdictKind::Valid if shown_by == ShownBy::Nothing => {
                format!(
                    "Valid: the {what} is by {signer} and nothing was changed; whose key that is, nothing here shows."
                )
            }
            VerdictKind::Valid => format!("Valid: the {what} is by {signer} and nothing was changed."),
            VerdictKind::Revoked => {
                format!("REVOKED: the key of {signer} was called back; do not rely on this {what}.")
            }
            VerdictKind::Suspended => {
                format!("SUSPENDED: the key of {signer} is suspended; this {what} is neither confirmed nor refused.")
            }
            VerdictKind::Decoy => {
                format!("DECOY: a stolen honeypot key of {signer} made this {what}; it is not valid.")
            }
            VerdictKind::Invalid => format!("NOT VALID: {}.", self.reason.map_or("it was refused", why)),
        }
    }

    fn next(&self, what: &str) -> Option<&'static str> {
        match self.kind {
            // There is no older place for it: the log's new key signs the same chain again.
            VerdictKind::Invalid if what == "checkpoint" && self.reason == Some(InvalidReason::RetiredKey) => {
                Some(next(InvalidReason::Pin))
            }
            VerdictKind::Valid => None,
            VerdictKind::Revoked => Some("Ask the signer to sign the document again with a new key."),
            VerdictKind::Suspended => Some("Ask the signer what happened, and verify again later."),
            VerdictKind::Decoy => Some("Keep the files: somebody signs with a secret that was left to be stolen."),
            VerdictKind::Invalid => self.reason.map(next),
        }
    }
}

/// Why, for a person.
pub(crate) fn why(reason: InvalidReason) -> &'static str {
    match reason {
        InvalidReason::OtherSigner => "it is signed by somebody else than whose signature is asked for",
        InvalidReason::UnknownIdentity => "no key is known of the identity that signed",
        InvalidReason::ForeignKey => "it is signed with a key that is not the signer's",
        InvalidReason::Content => "the document is not the one that was signed",
        InvalidReason::Signature => "the signature does not hold: it is not by this signer over this document",
        InvalidReason::RetiredKey => "its key is retired, and nothing proves that it is older than the retirement",
        InvalidReason::Located => "the place in the chain is not this record's",
        InvalidReason::Pin => "it is not by the log's own key",
        InvalidReason::Size => "it is older than one that you have seen",
        InvalidReason::ReservedPayload => "the document has a form that only vault records and shards have",
        InvalidReason::LegacySeal => "it is a legacy seal, which has no signature",
        InvalidReason::Layer(layer) => layer_fails(layer),
        _ => "a check failed",
    }
}

fn layer_fails(layer: Layer) -> &'static str {
    match layer {
        Layer::L0 | Layer::L3 => "the stored content is not the one that was sealed",
        Layer::L8 | Layer::L6 => "its place in the chain does not hold",
        _ => "a layer of the vault record does not hold",
    }
}

fn next(reason: InvalidReason) -> &'static str {
    match reason {
        InvalidReason::OtherSigner => "Ask the sender for the record of the right signer.",
        InvalidReason::UnknownIdentity => "Give the key file or the ring of the identity that signed.",
        InvalidReason::ForeignKey => {
            "Compare the key file's hash with the signer over another channel. Of a signer who replaced his key, ask \
             for the old one too (`dualseal key export --key`), or for the log's ring."
        }
        InvalidReason::Content => "Ask the sender for the document as it was signed.",
        InvalidReason::Signature => {
            "The document or what came with it was changed: ask the sender for both as they were made. If the \
             signer's domain has another name, give --domain."
        }
        InvalidReason::RetiredKey => {
            "Ask the signer for the chain, a checkpoint and the log's key: --chain, --checkpoint, --log-key."
        }
        InvalidReason::LegacySeal => "Whoever holds the seal key can check it with --policy a --legacy.",
        InvalidReason::Pin | InvalidReason::Size => {
            "Ask the log's operator for the latest checkpoint and its key file."
        }
        _ => "Keep the files as they are, and ask the sender.",
    }
}
