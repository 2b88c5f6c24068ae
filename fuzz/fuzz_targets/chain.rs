//! Chains: a list, an entry alone, and lines one after the other. The streaming check and the list agree.
#![no_main]

use dualseal::krunica::Checker;
use dualseal::{Entry, Krunica};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(chain) = Krunica::from_json(text) {
        assert_eq!(Krunica::from_json(chain.to_json().as_bytes()).as_ref(), Ok(&chain));
        let mut checker = Checker::new();
        for entry in chain.entries() {
            checker.push(entry).expect("the list was checked");
        }
        assert_eq!(checker.head(), chain.head());
    }
    if let Ok(entry) = Entry::from_json(text) {
        assert_eq!(Entry::from_json(entry.to_json().as_bytes()), Ok(entry));
    }
    let mut checker = Checker::new();
    for line in text.split(|byte| *byte == b'\n') {
        if checker.push_json(line).is_err() {
            break;
        }
    }
});
