//! Reading records and chain lines from JSON, without a verdict.

use crate::mldsa::SEED;
use crate::plain::{self, constant_time_hex, fast_hex};
use crate::table::{Row, Table};
use dualseal::{Domain, Entry, Head, SignatureRecord, Signer, SigningKey, Timestamp};
use std::hint::black_box;

pub fn measure(table: &mut Table) {
    table.group("Reading");
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let signer = Signer::new(&domain, &id, &key);
    let signed = signer.sign_deterministic(&signer.content_hash(b"content"), &Head::EMPTY, Timestamp::MIN);
    let signed = signed.expect("signed");

    let (json, line) = (signed.record.to_json(), signed.entry.to_json_line());
    table.row(
        Row::new("read a signature record")
            .ours("dualseal", || SignatureRecord::from_json(black_box(json.as_bytes())).expect("a record"))
            .peer("serde_json, faster-hex", || plain::Record::read(black_box(json.as_bytes()), fast_hex).expect("one"))
            .peer("serde_json, base16ct", || {
                plain::Record::read(black_box(json.as_bytes()), constant_time_hex).expect("one")
            }),
    );
    table.row(
        Row::new("read a chain line")
            .ours("dualseal", || Entry::from_json_line(black_box(line.as_bytes()), 0).expect("an entry"))
            .peer("serde_json, faster-hex", || plain::Entry::read(black_box(line.as_bytes()), fast_hex).expect("one"))
            .peer("serde_json, base16ct", || {
                plain::Entry::read(black_box(line.as_bytes()), constant_time_hex).expect("one")
            }),
    );
}
