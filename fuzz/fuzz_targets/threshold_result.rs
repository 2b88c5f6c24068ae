//! A result that is read is written again as the same result, and none that anybody makes up is valid.
#![no_main]

use dualseal::id::MessageHash;
use dualseal::key::Unprepared;
use dualseal::threshold::{Founding, PinnedQuorum, SessionKind, ThresholdResult, verify_pinned_quorum};
use dualseal::{Domain, Head, KeyRing, SystemRng, Timestamp, VerdictKind};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

fn quorum() -> &'static (PinnedQuorum, KeyRing) {
    static QUORUM: OnceLock<(PinnedQuorum, KeyRing)> = OnceLock::new();
    QUORUM.get_or_init(|| {
        let domain = Domain::default();
        let owners = [b"a", b"b"].map(|name| domain.legacy_identity_id(name, "", ""));
        let founding = Founding {
            domain: &domain,
            founder: &owners[0],
            owners: &owners,
            k: 2,
            head: &Head::EMPTY,
            time: Timestamp::MIN,
        };
        let session = founding.mldsa(&owners[0], &mut SystemRng).expect("good numbers").session;
        let SessionKind::MlDsa65 { identity_id, public_key } = session.kind().clone() else {
            unreachable!("of the second kind")
        };
        let ring = KeyRing::pinned(&owners[0], public_key.clone());
        (PinnedQuorum { session_id: *session.session_id(), identity_id, public_key }, ring)
    })
}

fuzz_target!(|text: &[u8]| {
    if let Ok(result) = ThresholdResult::from_json(text) {
        assert_eq!(ThresholdResult::from_json(result.to_json().as_bytes()).as_ref(), Ok(&result));
        if let ThresholdResult::Signed(signed) = result {
            let ((quorum, ring), domain) = (quorum(), Domain::default());
            let message = MessageHash::of(b"message");
            let verdict = verify_pinned_quorum(&domain, quorum, &message, signed, ring, &Unprepared, None);
            assert_eq!(verdict.kind(), VerdictKind::Invalid);
        }
    }
});
