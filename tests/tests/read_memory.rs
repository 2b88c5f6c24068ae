//! Reading takes at most twice the input and 64 KiB, what is returned included: an allocator counts, over every kind of
//! record and over texts that were made to take more.
#![allow(unsafe_code, reason = "only an allocator counts every block")]

use dualseal::checkpoint::Checkpoint;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::field::{Fp521, Gf2_256};
use dualseal::inspect::{MOST_FINDINGS, inspect};
use dualseal::key::RingFile;
use dualseal::krunica::{Checker, JsonLines};
use dualseal::presence::{Nonce, PresenceProof};
use dualseal::shamir::{Dealing, DrawnSecret, Threshold};
use dualseal::shard::{Arguments, Operation, Request, Shard};
use dualseal::threshold::{Acknowledgement, Session, SessionShare, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{
    Domain, Entry, KeyPairInfo, Krunica, PublicKey, PublicRing, SignatureRecord, SystemRng, VerificationResult,
};
use dualseal_operator::chain;
use dualseal_tests::log::{ORIGIN, chain_of, mark_of, sign};
use dualseal_tests::quorum::Board;
use dualseal_tests::registry::Registry;
use dualseal_tests::shards::{Asking, Store};
use dualseal_tests::vault::Archive;
use dualseal_tests::{identity, key, minute, record, with_member};
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;
use std::io::{self, Read};
use std::sync::OnceLock;

/// Counts the bytes that a thread holds, less what it freed of other threads'. `realloc` is the default one, so that a
/// block that moves counts twice while it does.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: memory comes from the system's allocator and goes back to it, with the layout that it was asked for.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.get() + layout.size().cast_signed();
        HELD.set(held);
        PEAK.set(PEAK.get().max(held));
        // SAFETY: the caller's promise about the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size().cast_signed());
        // SAFETY: as for `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What `work` returned, and the most bytes that it held at a time, what it returned included.
fn held_by<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let made = black_box(work());
    (made, (PEAK.get() - before).cast_unsigned())
}

const SLACK: usize = 64 << 10;

fn assert_bounded<T>(name: &str, input: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    let (made, peak) = held_by(|| read(black_box(input)));
    assert!(peak <= 2 * input.len() + SLACK, "{name}: {peak} bytes for {}", input.len());
    made
}

/// Whether a text is read, by the name of its reader.
type Reader = (&'static str, fn(&[u8]) -> bool);

/// Every reader of a record of `docs/FORMAT.md`.
const READERS: [Reader; 20] = [
    ("signature record", |text| black_box(SignatureRecord::from_json(text)).is_ok()),
    ("chain entry", |text| black_box(Entry::from_json(text)).is_ok()),
    ("chain", |text| black_box(Krunica::from_json(text)).is_ok()),
    ("chain (JSON lines)", |text| lines(text, usize::MAX)),
    ("checkpoint", |text| black_box(Checkpoint::from_json(text)).is_ok()),
    ("ring file", |text| black_box(RingFile::from_json(text)).is_ok()),
    ("key ring", |text| black_box(PublicRing::from_json(text)).is_ok()),
    ("key pair info", |text| black_box(KeyPairInfo::from_json(text)).is_ok()),
    ("verification result", |text| black_box(VerificationResult::from_json(text)).is_ok()),
    ("vault record", |text| black_box(VaultRecord::from_json(text)).is_ok()),
    ("vault shard", |text| black_box(Shard::from_json(text)).is_ok()),
    ("presence request", |text| black_box(Request::from_json(text)).is_ok()),
    ("presence proof", |text| black_box(PresenceProof::from_json(text)).is_ok()),
    ("threshold session", |text| black_box(Session::from_json(text)).is_ok()),
    ("session share", |text| black_box(SessionShare::from_json(text)).is_ok()),
    ("pulled share", |text| {
        let one = [1; 32];
        let share = black_box(SessionShare::pulled(
            dualseal::id::SessionId::from_bytes(one),
            dualseal::shamir::SplitId::from_bytes(one),
            dualseal::IdentityId::from_bytes(one),
            dualseal::shamir::Index::new(1).unwrap(),
            text,
        ));
        share.as_ref().to_bytes().iter().any(|byte| *byte != 0)
    }),
    ("acknowledgement", |text| black_box(Acknowledgement::from_json(text)).is_ok()),
    ("threshold result", |text| black_box(ThresholdResult::from_json(text)).is_ok()),
    ("dealing over p", |text| black_box(Dealing::<Fp521>::from_json(&Domain::default(), text)).is_ok()),
    ("dealing over bits", |text| black_box(Dealing::<Gf2_256>::from_json(&Domain::default(), text)).is_ok()),
];

/// A chain as lines, in parts of so many bytes, each entry held until the next.
fn lines(text: &[u8], part: usize) -> bool {
    let (mut lines, mut checker, mut last) = (JsonLines::new(), Checker::new(), None);
    for part in text.chunks(part.min(text.len().max(1))) {
        let pushed = lines.push(part, |line| {
            last = None;
            last = Some(checker.push_json(line)?);
            Ok(())
        });
        if pushed.is_err() {
            return false;
        }
    }
    lines.finish().is_ok() && last.is_some()
}

/// A good text of every kind, made once: the allocator counts by thread, and what is kept is not counted.
fn good() -> &'static [(&'static str, String)] {
    static TEXTS: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let (ana, domain) = (identity("ana"), Domain::default());
        let mut registry = Registry::new();
        registry.add(&ana, key(1).public_key());
        registry.rotate(&ana, key(2).public_key());
        registry.add_decoy(&ana, key(3).public_key());
        let chain = chain_of(&ana, &["zero", "one"]);
        let signed = record(&ana, &key(1), b"content");
        let content = domain.content_hash(&ana, b"content");
        let verifier = dualseal::Verifier::new(&domain, &registry.ring, &dualseal::key::Unprepared);
        let result = verifier.verify(&content, signed.clone(), None).internal();
        let [mut board, mut keyed] = Board::of_each_kind(2, 3);
        board.deal_again(&[1, 2], 2, 255);
        keyed.deal_again(&[1, 2], 2, 255);
        let said = board.shares[254].acknowledge(&board.domain, board.session()).unwrap();
        let store = Store::new(2, 3);
        let shards = store.pick(&[1, 3]);
        let request = store.rebuilding().asked(Operation::Rebuild, &Arguments::default(), &shards);
        let device = Ed25519SigningKey::from_seed(&[5; 32]).unwrap();
        let proof = PresenceProof::sign(&domain, &request, &Nonce::from_bytes([7; 32]), minute(1), &device);
        let threshold = Threshold::new(2, 255).unwrap();
        let prime = DrawnSecret::<Fp521>::draw(&mut SystemRng).unwrap();
        let binary = DrawnSecret::<Gf2_256>::draw(&mut SystemRng).unwrap();
        let prime = Dealing::deal(&domain, &prime, threshold, &mut SystemRng).unwrap().dealing.to_json();
        let binary = Dealing::deal(&domain, &binary, threshold, &mut SystemRng).unwrap().dealing.to_json();
        vec![
            ("signature record", signed.to_json()),
            ("chain entry", chain.entries()[1].to_json()),
            ("chain", chain.to_json()),
            ("chain (JSON lines)", chain.entries().iter().map(Entry::to_json_line).collect()),
            ("checkpoint", sign(&mark_of(ORIGIN, chain.head())).to_json()),
            ("ring file", registry.file()),
            ("key ring", registry.ring.public().to_json()),
            ("key pair info", registry.ring.info(&ana).unwrap().to_json()),
            ("verification result", result.to_json()),
            ("vault record", Archive::of_three(1).kept[0].json.clone()),
            ("vault shard", shards[0].to_json().to_string()),
            ("presence request", request.to_json()),
            ("presence proof", proof.to_json()),
            ("threshold session", board.records[0].to_json()),
            ("threshold session", keyed.records[0].to_json()),
            ("threshold session", board.session().to_json()),
            ("threshold session", keyed.session().to_json()),
            ("acknowledgement", said.to_json()),
            ("session share", board.shares[0].to_json().to_string()),
            ("pulled share", board.shares[0].to_pair_json().to_string()),
            ("threshold result", keyed.sign(&keyed.pick(&[1, 2])).unwrap().result.to_json()),
            ("dealing over p", prime),
            ("dealing over bits", binary),
        ]
    })
}

/// Every reader, and inspection, over one text.
fn assert_all_bounded(what: &str, text: &[u8]) -> Vec<&'static str> {
    let mut took = Vec::new();
    for (name, read) in READERS {
        if assert_bounded(&format!("{what} as {name}"), text, read) {
            took.push(name);
        }
    }
    let found = assert_bounded(&format!("{what}, inspected"), text, inspect);
    assert!(found.findings.len() <= MOST_FINDINGS);
    took
}

/// A chain that is an array is read as one of lines is, however long it is: no more of it is held than an entry.
#[test]
fn an_array_of_any_length_is_read_in_little_memory() {
    // What takes the most when it is read as a tree of values.
    let entry = br#"{"a":[0,0,0,0,0,0,0,0]},"#;
    for elements in [10_u64, 1 << 20] {
        let mut found = 0_u64;
        let more = Repeated(entry).take(elements * entry.len() as u64);
        let (read, peak) = held_by(|| {
            chain::entries(b"[".chain(more).chain(&b"{}]"[..]), |_| {
                found += 1;
                Ok(())
            })
        });
        read.unwrap();
        assert_eq!(found, elements + 1);
        assert!(peak <= 2 * SLACK, "{peak} bytes for {elements} elements");
    }
}

/// The same bytes again and again.
struct Repeated<'a>(&'a [u8]);

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let whole = buffer.len() / self.0.len() * self.0.len();
        assert!(whole > 0, "a whole one at a time");
        buffer[..whole].chunks_mut(self.0.len()).for_each(|one| one.copy_from_slice(self.0));
        Ok(whole)
    }
}

#[test]
fn the_allocator_counts_what_is_held() {
    let (kept, peak) = held_by(|| vec![0_u8; 1000]);
    assert_eq!((kept.len(), peak), (1000, 1000));
    let (_, peak) = held_by(|| {
        drop(vec![0_u8; 500]);
        let mut grown = vec![0_u8; 100];
        grown.reserve_exact(200);
        grown
    });
    assert_eq!(peak, 500);
    let (_, moving) = held_by(|| {
        let mut grown = vec![0_u8; 1000];
        grown.reserve_exact(1000);
        grown
    });
    assert_eq!(moving, 3000);
}

/// Alone, with a wrong member, and with members of any length.
#[test]
fn records_as_they_are() {
    for (kind, text) in good() {
        assert!(assert_all_bounded(kind, text.as_bytes()).contains(kind), "{kind} is not read");
        let mut wrong = vec![text[..text.len() - 1].to_owned(), format!("{text} x"), format!("[{text},{text}]")];
        if text.starts_with('{') && *kind != "chain (JSON lines)" {
            let names: Vec<String> =
                serde_json::from_str::<serde_json::Value>(text).unwrap().as_object().unwrap().keys().cloned().collect();
            for name in names {
                wrong.push(with_member(text, &name, json!("f".repeat(1 << 18))));
                wrong.push(with_member(text, &name, json!("\u{1}".repeat(1 << 16))));
                wrong.push(with_member(text, &name, json!(vec![0; 1 << 17])));
                wrong.push(with_member(text, &name, json!(vec!["f".repeat(64); 1 << 12])));
                wrong.push(with_member(text, &name, json!(vec!["f".repeat(128); 1 << 11])));
                wrong.push(with_member(text, &name, json!([{"": 0}])));
            }
            wrong.push(with_member(text, &"n".repeat(1 << 18), json!(0)));
        }
        for wrong in wrong {
            let (name, read) = READERS.iter().find(|(name, _)| name == kind).unwrap();
            assert_bounded(&format!("altered {name}"), wrong.as_bytes(), read);
            assert_bounded(&format!("altered {name}, inspected"), wrong.as_bytes(), inspect);
        }
    }
}

/// `count` times `item`, between brackets and with commas.
fn repeated(open: &str, item: &str, count: usize, close: &str) -> String {
    format!("{open}{}{item}{close}", format!("{item},").repeat(count - 1))
}

/// Distinct names of one to four characters: the shortest that so many members can have.
fn short_members(count: usize) -> String {
    let mut text = String::from("{");
    for number in 0..count {
        let mut rest = number;
        text.push('"');
        loop {
            let digit = u8::try_from(rest % 90).unwrap() + b'#';
            text.push(char::from(if digit == b'\\' { b'!' } else { digit }));
            rest /= 90;
            if rest == 0 {
                break;
            }
            rest -= 1;
        }
        text.push_str("\":0,");
    }
    text.pop();
    text.push('}');
    text
}

/// Texts of so many times 128 KiB, about.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let unit = size << 14;
    vec![
        ("many objects", repeated("[", "{\"\":0}", unit, "]")),
        ("many arrays", repeated("[", "[]", 2 * unit, "]")),
        ("many zeros", repeated("[", "0", 4 * unit, "]")),
        ("many deep objects", repeated("[", &("{\"a\":".repeat(31) + "0" + &"}".repeat(31)), unit / 32, "]")),
        ("deep arrays", "[".repeat(8 * unit)),
        ("deep objects", "{\"\":".repeat(2 * unit)),
        ("one string", format!("\"{}\"", "a".repeat(8 * unit))),
        ("one open string", format!("\"{}", "a".repeat(8 * unit))),
        ("short escapes", format!("\"{}\"", "\\n".repeat(4 * unit))),
        ("long escapes", format!("[\"{}\"]", "\\ud83d\\ude00".repeat(unit / 2))),
        ("short members", short_members(unit)),
        ("short members behind a power of two", short_members(unit + 1)),
        ("short members, not closed", short_members(unit).replace('}', "")),
        // Found to be repeated at the end alone.
        ("one member, many times", repeated("{", "\"\":0", unit + 1, "}")),
        ("one name", format!("{{\"{}\":0}}", "n".repeat(8 * unit))),
        ("one escaped name", format!("{{\"{}\":0}}", "\\u006e".repeat(unit))),
        ("blanks", " ".repeat(8 * unit)),
        ("garbage", "{\"h\":".repeat(unit / 4) + &"\"x".repeat(unit / 4)),
        ("a ring of anything", repeated("{\"keys\":[", "0", 2 * unit, "],\"origin\":1,\"revision\":{}}")),
        ("a ring of empty keys", repeated("{\"keys\":[", "{}", unit, "],\"origin\":\"o\",\"revision\":1}")),
        ("a seal", format!("SEAL-DUAL::{}", "::".repeat(4 * unit))),
        ("lines", "{}\n".repeat(2 * unit)),
        ("an open line", format!("{{\"poruka\":\"{}", "x".repeat(8 * unit))),
    ]
}

/// Those that are also tried at 8 MiB: what every other one does to the memory shows at 1 MiB.
const LARGE: [&str; 4] = ["many objects", "short members", "one member, many times", "one string"];

/// By every reader at 256 KiB, and larger by inspection and by the readers of lists.
#[test]
fn texts_made_to_take_more() {
    for (what, text) in hostile(2) {
        assert_eq!(assert_all_bounded(what, text.as_bytes()), [""; 0], "{what}");
    }
    let large: Vec<_> = hostile(64).into_iter().filter(|(what, _)| LARGE.contains(what)).collect();
    assert_eq!(large.len(), LARGE.len());
    for (what, text) in hostile(8).into_iter().chain(large) {
        assert!(assert_bounded(what, text.as_bytes(), Krunica::from_json).is_err(), "{what}");
        assert!(assert_bounded(what, text.as_bytes(), RingFile::from_json).is_err(), "{what}");
        assert_ne!(assert_bounded(what, text.as_bytes(), inspect).findings, [], "{what}");
    }
}

/// One line of a chain that takes almost all that a line may, whole and in parts, good and bad.
#[test]
fn a_long_line() {
    let domain = Domain::default();
    for message in ["x".repeat(15 << 20), "\u{1}".repeat(5 << 19), "\u{1f600}".repeat(15 << 18)] {
        let mut chain = Krunica::new();
        let line = chain.append(&domain, &identity("ana"), &message, minute(0)).unwrap().to_json_line();
        drop(chain);
        for part in [usize::MAX, 1 << 16, 4097] {
            assert!(assert_bounded("a long line", line.as_bytes(), |text| lines(text, part)));
        }
        assert_bounded("a long line, inspected", line.as_bytes(), inspect);
    }
    let bad = format!("{{\"h\":{}}}\n", repeated("[", "{\"\":0}", (15 << 20) / 8, "]"));
    for part in [usize::MAX, 1 << 16, 4097] {
        assert!(!assert_bounded("a bad line", bad.as_bytes(), |text| lines(text, part)));
    }
}

/// Chains whose entries are as short as they can be.
#[test]
fn a_chain() {
    let domain = Domain::default();
    for count in [1, 2, 1000, (1 << 13) + 1] {
        let mut chain = Krunica::new();
        for _ in 0..count {
            chain.append(&domain, &identity("ana"), "", minute(0)).unwrap();
        }
        let text = chain.to_json();
        drop(chain);
        assert_eq!(assert_bounded("a chain", text.as_bytes(), Krunica::from_json).unwrap().entries().len(), count);
        assert_eq!(assert_bounded("a chain, inspected", text.as_bytes(), inspect).findings, []);
    }
}

/// Rings of many keys: decoys, which are the shortest, current ones, and retired ones of few identities.
#[test]
fn rings() {
    let header = "\"algoritam\":\"ML-DSA-65\",\"bela_stanje\":";
    let time = minute(0);
    let ring = |count: usize, item: &dyn Fn(&mut String, usize), revision: u64| {
        let mut text = String::from("{\"keys\":[");
        for number in 0..count {
            item(&mut text, number);
            text.push(',');
        }
        text.pop();
        let (mac, top) = ("0".repeat(64), "0".repeat(128));
        let sealed = format!("{{\"mac\":\"{mac}\",\"size\":100000,\"top\":\"{top}\"}}");
        write!(text, "],\"origin\":\"o\",\"ovjera\":{sealed},\"revision\":{revision}}}").unwrap();
        text
    };
    let decoy = |text: &mut String, number: usize| {
        let hash = format!("{number:064x}");
        write!(
            text,
            "{{{header}\"oboje\",\"generirano\":\"{time}\",\"identity_id\":\"{:064x}\",\"javni_kljuc\":\"{hash}\",\
            \"opozvan_od\":null,\"povijest\":[[{number},\"oboje\"]],\"retired\":null,\"role\":\"decoy\"}}",
            number / 3
        )
        .unwrap();
    };
    let held = |text: &mut String, number: usize, identity: usize, first: usize, retired: &str, role: &str| {
        write!(
            text,
            "{{{header}\"nijedno\",\"generirano\":\"{time}\",\"identity_id\":\"{identity:064x}\",\
            \"javni_kljuc\":\"{number:03904x}\",\"opozvan_od\":null,\"povijest\":[[{first},\"nijedno\"]],\
            \"retired\":{retired},\"role\":\"{role}\"}}"
        )
        .unwrap();
    };
    let texts = [
        ("decoys", 100_000_u64, ring(100_000, &decoy, 0)),
        ("current keys", 5_000, ring(5_000, &|text, n| held(text, n, n, n, "null", "current"), 5_000)),
        (
            "retired keys",
            5_000,
            ring(5_000, &|text, n| held(text, n, n / 2049, 9_998 - n, &(9_999 - n).to_string(), "retired"), 5_000),
        ),
    ];
    for (what, count, text) in texts {
        let read = assert_bounded(what, text.as_bytes(), RingFile::from_json).unwrap();
        assert_eq!(read.revision(), if what == "decoys" { 0 } else { count }, "{what}");
        drop(read);
        let found = assert_bounded(what, text.as_bytes(), inspect);
        assert_eq!((found.findings, found.count), (Vec::new(), Some(count)));
    }
    assert_eq!(PublicKey::from_slice(&[0; 1952]).unwrap().to_hex().len(), 3904);
}

/// Inspection tells the first findings and counts the rest.
#[test]
fn findings_are_capped() {
    let text = repeated("{\"keys\":[", "0", 750_000, "],\"origin\":\"o\",\"revision\":1}");
    let found = assert_bounded("findings", text.as_bytes(), inspect);
    assert_eq!((found.findings.len(), found.omitted), (MOST_FINDINGS, 750_000 - MOST_FINDINGS as u64));
    let names = (0..100_000).fold(String::new(), |mut names, number| {
        write!(names, ",\"{number}\":0").unwrap();
        names
    });
    let text = format!("{{\"keys\":[],\"origin\":\"o\",\"revision\":0{names}}}");
    let found = assert_bounded("unknown members", text.as_bytes(), inspect);
    assert_eq!((found.findings.len(), found.omitted), (MOST_FINDINGS, 100_000 - MOST_FINDINGS as u64));
}
