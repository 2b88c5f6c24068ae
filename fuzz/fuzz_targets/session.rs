//! A session that is read is written again as the same session, and tells of no quorum without shares.
#![no_main]

use dualseal::Domain;
use dualseal::threshold::Session;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(session) = Session::from_json(text) {
        assert_eq!(Session::from_json(session.to_json().as_bytes()).as_ref(), Ok(&session));
        let health = session.health(&Domain::default(), &[]);
        assert!(health.present.is_empty() && health.missing.len() == usize::from(session.threshold().n()));
    }
});
