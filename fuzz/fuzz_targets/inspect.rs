//! Inspection of anything: there are no findings exactly where the reader of the kind that it names accepts the text.
#![no_main]

use dualseal::checkpoint::{Checkpoint, HighWaterMark, PlaceProof};
use dualseal::evidence::EvidenceFile;
use dualseal::inspect::{Kind, inspect};
use dualseal::key::{KeyProof, RingFile};
use dualseal::krunica::{Checker, JsonLines};
use dualseal::presence::PresenceProof;
use dualseal::seal::{DualSeal, Seal};
use dualseal::shard::{Request, Shard};
use dualseal::threshold::{Session, SessionShare, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{Entry, KeyPairInfo, Krunica, PublicRing, SignatureRecord, VerificationResult};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let found = inspect(text);
    let string = core::str::from_utf8(text).unwrap_or_default();
    let accepted = match found.kind {
        Kind::SignatureRecord => SignatureRecord::from_json(text).is_ok(),
        Kind::Entry => Entry::from_json(text).is_ok(),
        Kind::Chain => Krunica::from_json(text).is_ok(),
        Kind::ChainLines => is_lines(text),
        Kind::Checkpoint => Checkpoint::from_json(text).is_ok(),
        Kind::HighWaterMark => HighWaterMark::from_json(text).is_ok(),
        Kind::PlaceProof => PlaceProof::from_json(text).is_ok(),
        Kind::KeyProof => KeyProof::from_json(text).is_ok(),
        Kind::Evidence => EvidenceFile::from_json(text).is_ok(),
        Kind::RingFile => RingFile::from_json(text).is_ok(),
        Kind::PublicRing => PublicRing::from_json(text).is_ok(),
        Kind::KeyPairInfo => KeyPairInfo::from_json(text).is_ok(),
        Kind::VerificationResult => VerificationResult::from_json(text).is_ok(),
        Kind::DualSeal => string.parse::<DualSeal>().is_ok(),
        Kind::LegacySeal => matches!(string.parse(), Ok(Seal::Legacy(_))),
        Kind::VaultRecord => VaultRecord::from_json(text).is_ok(),
        Kind::Shard => Shard::from_json(text).is_ok(),
        Kind::PresenceRequest => Request::from_json(text).is_ok(),
        Kind::PresenceProof => PresenceProof::from_json(text).is_ok(),
        Kind::ThresholdSession => Session::from_json(text).is_ok(),
        Kind::SessionShare => SessionShare::from_json(text).is_ok(),
        Kind::ThresholdResult => ThresholdResult::from_json(text).is_ok(),
        Kind::Unknown => false,
        // A kind that this target does not know yet must not pass as one that was checked.
        other => panic!("{other}: name its reader here"),
    };
    assert_eq!(found.findings.is_empty(), accepted, "{found:?}");
    // For people: one line each.
    assert!(found.findings.iter().all(|finding| !finding.to_string().contains('\n')));
});

fn is_lines(text: &[u8]) -> bool {
    let (mut lines, mut checker) = (JsonLines::new(), Checker::new());
    let pushed = lines.push(text, |line| Ok(checker.push_json(line).map(drop)?));
    pushed.and_then(|()| lines.finish()).is_ok()
}
