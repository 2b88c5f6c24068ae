//! A signature record that is read is written again as the same record.
#![no_main]

use dualseal::SignatureRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(record) = SignatureRecord::from_json(text) {
        assert_eq!(SignatureRecord::from_json(record.to_json().as_bytes()), Ok(record));
    }
});
