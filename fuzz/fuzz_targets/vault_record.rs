//! A vault record that is read is written again as the same record, redacted as well.
#![no_main]

use dualseal::vault::VaultRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(record) = VaultRecord::from_json(text) {
        let written = record.to_stored_json();
        let again = VaultRecord::from_json(written.as_bytes()).expect("what was written can be read");
        assert_eq!(*again.to_stored_json(), *written);
        let redacted = VaultRecord::from_json(record.to_json().as_bytes()).expect("so is a redacted one");
        assert_eq!(*redacted.to_stored_json(), redacted.to_json());
        assert!(redacted.fragment().is_none() && redacted.digest() == record.digest());
        assert_eq!(written.len() - redacted.to_json().len(), if record.fragment().is_some() { 62 } else { 0 });
    }
});
