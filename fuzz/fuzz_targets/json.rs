//! What the strict reader accepts, it reads again from its own canonical form.
#![no_main]

use dualseal::encoding::json::Value;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(value) = Value::parse(text) {
        let canonical = value.to_canonical().expect("what was read can be written");
        assert_eq!(Value::parse(canonical.as_bytes()).as_ref(), Ok(&value));
    }
});
