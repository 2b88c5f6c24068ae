//! The binary forms of record, entry and seal as the second implementation writes them
//! (`tests/second/make_binary_answers.py`).

use dualseal::seal::Seal;
use dualseal::{Entry, PublicKey, SignatureRecord};
use dualseal_tests::prelude::*;
use dualseal_tests::vectors::text;
use std::collections::BTreeSet;

/// What the second implementation writes, both ways; C and Python read the same file.
#[cfg_attr(test, test)]
pub(crate) fn known_answers() {
    let answers = text("known_answers_binary.tsv");
    let mut kinds = BTreeSet::new();
    for line in answers.lines() {
        let [kind, bytes, key, text] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let bytes = hex::decode(bytes).unwrap();
        let record = || SignatureRecord::from_json(text.as_bytes()).unwrap();
        let (read, written) = match kind {
            "record" => (SignatureRecord::from_bytes(&bytes).unwrap().to_json(), record().to_bytes()),
            "short" => {
                let key = PublicKey::from_hex(key).unwrap();
                let read = SignatureRecord::from_bytes_with_key(&bytes, &key).unwrap();
                (read.to_json(), record().to_bytes_without_key())
            }
            "entry" => {
                let entry = Entry::from_json(text.as_bytes()).unwrap();
                (Entry::from_bytes(&bytes).unwrap().to_json(), entry.to_bytes().unwrap())
            }
            "seal" => (Seal::from_bytes(&bytes).unwrap().to_string(), text.parse::<Seal>().unwrap().to_bytes()),
            other => panic!("{other}"),
        };
        assert_eq!((read.as_str(), &written), (text, &bytes));
        kinds.insert(kind);
    }
    assert_eq!((answers.lines().count(), kinds.len()), (20, 4));
}
