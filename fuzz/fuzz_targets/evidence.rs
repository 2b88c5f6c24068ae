//! Files of evidence, proofs of place and of keys: what is read is written as one canonical text, and what opens is
//! what the log signed.
#![no_main]

use dualseal::checkpoint::PlaceProof;
use dualseal::evidence::{EvidenceFile, EvidencePolicy};
use dualseal::key::KeyProof;
use libfuzzer_sys::fuzz_target;

/// Of the log that signed the seeds.
const LOG: &str = "5ca498a9b80a24a1ffcd382fe699b752f35d11fd542d3c71d92a8c9c35dff079";

fuzz_target!(|text: &[u8]| {
    if let Ok(proof) = PlaceProof::from_json(text) {
        let written = proof.to_json();
        assert_eq!(PlaceProof::from_json(written.as_bytes()), Ok(proof));
    }
    if let Ok(proof) = KeyProof::from_json(text) {
        let written = proof.to_json();
        assert_eq!(KeyProof::from_json(written.as_bytes()), Ok(proof));
    }
    if let Ok(file) = EvidenceFile::from_json(text) {
        let written = file.to_json();
        let again = EvidenceFile::from_json(written.as_bytes()).expect("a file that was read");
        assert_eq!(again.to_json(), written);
        assert!(!written.contains("\"fragment\":\""));
        let policy = EvidencePolicy::of_log(LOG.parse().expect("a fingerprint"));
        if let Ok(open) = file.open(&policy) {
            // The seeds are of this document; no other one was signed.
            if let Ok(report) = open.verify(b"one contract") {
                assert!(report.as_of.failed.is_none() && report.as_of.place < report.as_of.size);
            }
            assert!(open.verify(b"another contract").is_err());
        }
    }
});
