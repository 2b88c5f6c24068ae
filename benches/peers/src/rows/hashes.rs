//! Identifiers, and HMAC-SHA3-512.

use crate::openssl;
use crate::plain::identifier_parts;
use crate::table::{Row, Table};
use aws_lc_rs::digest;
use dualseal::Domain;
use dualseal::batch::{ContentItem, Threads, identify};
use dualseal::hash::{self as own, HmacKey, HmacSha3_512};
use hmac::{KeyInit, Mac, SimpleHmac};
use rayon::prelude::*;
use sha3::{Digest, Sha3_256, Sha3_512};
use std::hint::black_box;

const KEY: [u8; 64] = [9; 64];
const CREATOR: &str = "land registry";
const CONTEXT: &str = "Split";
const SIZES: [(usize, &str); 2] = [(64, "64 B"), (1 << 20, "1 MiB")];

pub fn measure(table: &mut Table) {
    table.group("Hashes");
    one_identifier(table);
    many_identifiers(table);
    macs(table);
}

fn plain(content: &[u8]) -> [u8; 32] {
    let mut hash = Sha3_256::new();
    for part in identifier_parts(content, CREATOR, CONTEXT) {
        hash.update(part);
    }
    hash.finalize().into()
}

fn by_aws_lc(content: &[u8]) -> digest::Digest {
    let mut hash = digest::Context::new(&digest::SHA3_256);
    for part in identifier_parts(content, CREATOR, CONTEXT) {
        hash.update(part);
    }
    hash.finish()
}

fn one_identifier(table: &mut Table) {
    let (domain, mut openssl) = (Domain::default(), openssl::Sha3_256::new());
    for (bytes, size) in SIZES {
        let content = vec![0x5a; bytes];
        let own = domain.identity_id(&content, CREATOR, CONTEXT).expect("an identifier");
        assert!(*own.as_bytes() == plain(&content) && *own.as_bytes() == *by_aws_lc(&content).as_ref());
        assert_eq!(*own.as_bytes(), openssl.digest(&identifier_parts(&content, CREATOR, CONTEXT)));
        table.row(
            Row::new(format!("identifier of {size}"))
                .ours("dualseal", || domain.identity_id(black_box(&content), CREATOR, CONTEXT))
                .peer("sha3", || plain(black_box(&content)))
                .peer("OpenSSL", || openssl.digest(&identifier_parts(black_box(&content), CREATOR, CONTEXT)))
                .peer("aws-lc-rs", || by_aws_lc(black_box(&content))),
        );
    }
}

fn many_identifiers(table: &mut Table) {
    let (domain, many) = (Domain::default(), table.large());
    let contents: Vec<[u8; 64]> = (0..many as u64)
        .map(|number| {
            let mut content = [0x5a; 64];
            content[..8].copy_from_slice(&number.to_be_bytes());
            content
        })
        .collect();
    let batch = |threads| {
        let item = |content| ContentItem { content, creator: CREATOR, context: CONTEXT };
        let items = black_box(&contents).iter().map(|content| item(content.as_slice())).collect();
        identify(&domain, items, threads, &mut |_| ())
    };
    assert_eq!(*batch(Threads::calling())[1].as_ref().expect("an identifier").as_bytes(), plain(&contents[1]));
    let mut openssl = openssl::Sha3_256::new();
    let name = format!("{} identifiers of 64 B", table.large_name());
    table.row(
        Row::new(format!("{name}, one core"))
            .each("identifier", many)
            .ours("dualseal", || batch(Threads::calling()))
            .peer("sha3, one at a time", || contents.iter().map(|c| plain(black_box(c))).collect::<Vec<_>>())
            .peer("OpenSSL, one at a time", || {
                let one = |c: &[u8; 64]| openssl.digest(&identifier_parts(c, CREATOR, CONTEXT));
                contents.iter().map(one).collect::<Vec<_>>()
            }),
    );
    table.row(
        Row::new(format!("{name}, all cores"))
            .each("identifier", many)
            .on_threads()
            .ours("dualseal", || batch(Threads::all()))
            .beside("dualseal, one core", || batch(Threads::calling()))
            .peer("sha3 over rayon", || contents.par_iter().map(|c| plain(black_box(c))).collect::<Vec<_>>()),
    );
}

fn macs(table: &mut Table) {
    let (mut openssl, kept, own) =
        (openssl::HmacSha3_512::new(&KEY), crates_mac(), HmacKey::<own::Sha3_512>::new(&KEY));
    for (bytes, size) in SIZES {
        let message = vec![0x5a; bytes];
        let ours = || {
            let mut mac = HmacSha3_512::new(&KEY);
            mac.update(black_box(&message));
            mac.finish()
        };
        let by_crates = |mac: SimpleHmac<Sha3_512>| -> [u8; 64] {
            mac.chain_update(black_box(&message)).finalize().into_bytes().into()
        };
        let tag = ours();
        assert!(tag == openssl.keyed(&message) && tag == openssl.unkeyed(&KEY, &message));
        assert_eq!(tag, by_crates(kept.clone()));
        table.row(
            Row::new(format!("HMAC-SHA3-512 of {size}, key set each time"))
                .ours("dualseal", ours)
                .peer("hmac, sha3", || by_crates(crates_mac()))
                .peer("OpenSSL", || openssl.unkeyed(&KEY, black_box(&message))),
        );
        table.row(
            Row::new(format!("HMAC-SHA3-512 of {size}, key kept"))
                .ours("dualseal", || {
                    let mut mac = own.start();
                    mac.update(black_box(&message));
                    mac.finish()
                })
                .peer("hmac, sha3", || by_crates(kept.clone()))
                .peer("OpenSSL", || openssl.keyed(black_box(&message))),
        );
    }
}

fn crates_mac() -> SimpleHmac<Sha3_512> {
    KeyInit::new_from_slice(black_box(&KEY)).expect("any length")
}
