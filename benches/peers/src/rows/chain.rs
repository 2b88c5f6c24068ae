//! The chain's check, tree included.

use crate::plain::{Chain, Entry, fast_hex};
use crate::table::{Row, Table};
use dualseal::krunica::Checker;
use dualseal::{Domain, Krunica, Timestamp};
use std::hint::black_box;

pub fn measure(table: &mut Table) {
    table.group("Chain");
    let many = table.large();
    let names = ["in memory", "as JSON lines"].map(|form| format!("check {} chain entries {form}", table.large_name()));
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let [in_memory, as_lines] = names;
    let domain = Domain::default();
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let mut chain = Krunica::new();
    for number in 0..many as u64 {
        let message = domain.content_hash(&id, &number.to_be_bytes()).to_hex();
        chain.append(&domain, &id, &message, Timestamp::MIN).expect("not reserved");
    }
    let lines: String = chain.entries().iter().map(dualseal::Entry::to_json_line).collect();
    let plain: Vec<Entry> = chain.entries().iter().map(Entry::of).collect();
    let frontier: Vec<[u8; 32]> = chain.head().frontier().hashes().iter().map(|hash| *hash.as_bytes()).collect();

    table.row(
        Row::new(in_memory)
            .each("entry", many)
            .ours("dualseal", || {
                let mut checker = Checker::new();
                checker.push_all(black_box(chain.entries())).expect("a chain");
                assert!(checker.head() == chain.head());
            })
            .peer("sha3, sha2", || {
                let mut checker = Chain::new();
                assert!(plain.iter().all(|entry| checker.push(black_box(entry))));
                assert_eq!(checker.subtrees(), frontier);
            }),
    );
    table.row(
        Row::new(as_lines)
            .each("entry", many)
            .ours("dualseal", || {
                let mut checker = Checker::new();
                let lines = black_box(lines.as_bytes()).split_inclusive(|byte| *byte == b'\n');
                checker.push_json_all(lines).expect("a chain");
                assert!(checker.head() == chain.head());
            })
            .peer("serde_json, faster-hex, sha3, sha2", || {
                let mut checker = Chain::new();
                let mut lines = black_box(lines.as_bytes()).split_inclusive(|byte| *byte == b'\n');
                assert!(lines.all(|line| checker.push(&Entry::read(line, fast_hex).expect("an entry"))));
                assert_eq!(checker.subtrees(), frontier);
            }),
    );
}
