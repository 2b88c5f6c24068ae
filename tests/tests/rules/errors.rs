//! Every error number is reached by an input that deserves it, is the only one with its number, and stays what it is.

use dualseal::checkpoint::HighWaterMark;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::error::{
    ChainFault, ChainProblem, EvidenceFault, Family, Layer, Malformed, Misuse, NoteFault, PresenceFault, Problem,
    ProofFault, Row, ShardFault, SharingFault, SharingProblem, StreamFault, ThresholdFault, VaultFault,
};
use dualseal::key::{CheckedRing, KeyState, RingFile};
use dualseal::krunica::{Checker, KrunicaHash};
use dualseal::mldsa::EXPANDED_KEY_BYTES;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::seal::{SealKey, Sealer};
use dualseal::{
    Domain, Entry, Error, ExpandedSigningKey, Head, IdentityId, Krunica, PublicKey, SignatureRecord, Signer,
    SigningKey, Timestamp, VerdictKind,
};
use dualseal_tests::log::any_head;
use dualseal_tests::random::FAILING;
use dualseal_tests::reading;
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::ring_file;
use dualseal_tests::{identity, key, log, minute, record, with_member};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

fn malformed() -> Vec<Error> {
    let json = |text: &[u8]| Value::parse(text).unwrap_err();
    let good = record(&identity("ana"), &key(1), b"content").to_json();
    let read = |text: &str| SignatureRecord::from_json(text.as_bytes()).unwrap_err();
    let expanded = *key(1).expand().to_bytes().expose();
    let with_byte = |place: usize, byte: u8| {
        let mut bytes = expanded;
        bytes[place] = byte;
        ExpandedSigningKey::from_slice(&bytes).unwrap_err()
    };
    let ring = |keys: &str| {
        let sealed = format!(r#"{{"mac":"{}","size":9,"top":"{}"}}"#, "0".repeat(64), "0".repeat(128));
        let text = format!(r#"{{"keys":[{keys}],"origin":"o","ovjera":{sealed},"revision":0}}"#);
        RingFile::from_json(text.as_bytes()).unwrap_err()
    };
    let decoy = |owner: u8, hash: u8| {
        let (owner, hash) = (hex::encode(&[owner; 32]), hex::encode(&[hash; 32]));
        format!(
            r#"{{"algoritam":"ML-DSA-65","bela_stanje":"oboje","generirano":"{}","identity_id":"{owner}",
            "javni_kljuc":"{hash}","opozvan_od":null,"povijest":[[0,"oboje"]],"retired":null,"role":"decoy"}}"#,
            minute(0)
        )
    };
    vec![
        PublicKey::from_slice(&[0; 3]).unwrap_err(),
        "g".repeat(64).parse::<IdentityId>().unwrap_err(),
        json(b"\"\xff\""),
        Domain::default().identity_id(b"", "a::b", "").unwrap_err(),
        CheckedRing::new("a\nb", &authority(&Domain::default())).unwrap_err(),
        "noon".parse::<Timestamp>().unwrap_err(),
        Timestamp::from_millis(-1).unwrap_err(),
        "maybe".parse::<KeyState>().unwrap_err(),
        read("{}"),
        read(&with_member(&good, "line\nbreak", 1.into())),
        json(br#"{"a":1,"a":2}"#),
        read(&with_member(&good, "potpis", 1.into())),
        json(b"{"),
        json("[".repeat(33).as_bytes()),
        json(b"1.5"),
        json(br#""\ud800""#),
        json("\u{feff}1".as_bytes()),
        SigningKey::from_pkcs8_der(b"").unwrap_err(),
        SigningKey::from_pkcs8_pem("").unwrap_err(),
        SigningKey::from_seed(&[0; 32]).unwrap_err(),
        with_byte(128, 0xff),
        with_byte(64, expanded[64] ^ 1),
        Domain::new("a b").unwrap_err(),
        ring(&[decoy(2, 1), decoy(1, 2)].join(",")),
        ring(&[decoy(1, 1), decoy(2, 1)].join(",")),
    ]
}

fn rejected() -> Vec<Error> {
    let chain = |text: &str| Krunica::from_json(text.as_bytes()).unwrap_err();
    let entry = |prev: &str, t: &str| {
        let (h, w3) = ("1".repeat(128), "2".repeat(64));
        chain(&format!(r#"[{{"h":"{h}","poruka":"","prev":"{}","t":"{t}","w3":"{w3}"}}]"#, prev.repeat(128)))
    };
    let t = minute(0).to_string();
    [vec![chain("[1]"), entry("1", &t), entry("0", "noon"), entry("0", &t)], checkpoints(), rings()].concat()
}

/// A chain that was cut off, written anew, or given other times.
fn checkpoints() -> Vec<Error> {
    let ana = identity("ana");
    let chain = log::chain_of(&ana, &["a", "b"]);
    let checkpoint = log::covering(log::ORIGIN, &chain, 2);
    let against = |entries: &[Entry]| log::check(&checkpoint, entries, 0).unwrap_err();
    vec![
        against(&chain.entries()[..1]),
        against(log::chain_of(&ana, &["a", "B"]).entries()),
        against(log::retimed(&chain, 1, minute(9)).entries()),
    ]
}

/// An old ring, one with another key, and one that the checkpoint does not state.
fn rings() -> Vec<Error> {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    let public = |number: u8| PublicKey::from_slice(&[number; 1952]).unwrap();
    registry.add(&ana, &public(1));
    let old = registry.file();
    registry.rotate(&ana, &public(2));
    // By somebody who has the ring key, too: the chain still tells whose keys differ.
    let forged = registry.file().replace(&public(1).to_hex(), &public(3).to_hex());
    let mut forged: serde_json::Value = serde_json::from_str(&forged).unwrap();
    ring_file::seal(&mut forged);
    let checkpoint = log::covering(log::ORIGIN, &registry.chain, 2);
    let misstating = log::verified(log::ORIGIN, registry.chain.head());
    let check = |file: &str, checkpoint| {
        let file = RingFile::from_json(file.as_bytes()).unwrap();
        reading::read(reading::under(checkpoint), registry.chain.entries(), |reader| {
            reader.ring(file, &registry.authority, |_| false)
        })
        .unwrap_err()
    };
    vec![check(&old, &checkpoint), check(&forged.to_string(), &checkpoint), check(&registry.file(), &misstating)]
}

fn misuse() -> Vec<Error> {
    let (domain, ana, eva) = (Domain::default(), identity("ana"), identity("eva"));
    let public = |number: u8| PublicKey::from_slice(&[number; 1952]).unwrap();
    let mut registry = Registry::new();
    registry.add(&ana, &public(1));
    registry.rotate(&ana, &public(2));
    registry.add_decoy(&ana, &public(3));
    let Registry { mut ring, chain, .. } = registry;
    let full = any_head((1 << 53) - 1, *chain.head().top());
    let (at, t) = (chain.head(), minute(9));
    let elsewhere = log::verified("another log", &Head::EMPTY);
    let empty = || RingFile::from_json(Registry::new().file().as_bytes()).unwrap();
    let other_log = reading::under(&elsewhere).ring(empty(), &authority(&domain), |_| false).unwrap_err();
    let mut without_end = ChainReader::new(&domain, &TrustedHead::beginning());
    let no_end = without_end.place(KrunicaHash::from_bytes([0; 32])).unwrap_err();
    let others = reading::under(&elsewhere).place(KrunicaHash::from_bytes([0; 32])).unwrap();
    let foreign = reading::under(&elsewhere).finish().unwrap().take(others).unwrap_err();
    let covered = log::covering(log::ORIGIN, &chain, 1);
    let late = ChainReader::new(&domain, &TrustedHead::stored(chain.head())).under(&covered).unwrap_err();
    let beyond = chain.head().append(&domain, &ana, "unread", t).unwrap();
    let stale = HighWaterMark::first(log::ORIGIN, &beyond.head, Some(&ring)).unwrap_err();

    let mut bytes = *key(1).expand().to_bytes().expose();
    bytes[1536..EXPANDED_KEY_BYTES].fill(0);
    let unfit = ExpandedSigningKey::from_slice(&bytes).unwrap();
    let content = domain.content_hash(&ana, b"");
    vec![
        Head::EMPTY.append(&domain, &ana, "DUALSEAL-SIGN::x", t).unwrap_err(),
        ring.rotate(&eva, public(9), at, t).unwrap_err(),
        ring.set_state(&ana, Some(public(9).hash()), KeyState::Valid, at, t).unwrap_err(),
        ring.add_decoy(&public(1), chain.entries().last().unwrap()).unwrap_err(),
        ring.add(&ana, public(9), at, t).unwrap_err(),
        ring.set_state(&ana, Some(public(3).hash()), KeyState::Valid, at, t).unwrap_err(),
        ring.rotate(&ana, public(9), &Head::EMPTY, t).unwrap_err(),
        ring.set_state(&ana, None, KeyState::Valid, &full, t).unwrap_err(),
        Domain::builder("A").prefix(dualseal::domain::Row::Seal, "A-ID").build().unwrap_err(),
        Signer::new(&domain, &ana, &unfit).sign_deterministic(&content, &Head::EMPTY, t).unwrap_err(),
        other_log,
        late,
        no_end,
        foreign,
        stale,
        ring.prove(public(3).hash()).unwrap_err(),
        seal(&SealKey::from_slice(&[1; 32]).unwrap(), b"DUALSEAL-VAULT::x"),
        seal(&SealKey::legacy(&[1; 16]).unwrap(), b"x"),
    ]
}

fn seal(seal_key: &SealKey, payload: &[u8]) -> Error {
    let sealer = Sealer::new(&Domain::default(), &identity("ana"), seal_key, &key(1)).seal_legacy(payload);
    sealer.unwrap_err()
}

fn all() -> Vec<Error> {
    let randomness = SigningKey::generate(&mut FAILING.clone()).unwrap_err();
    [malformed(), rejected(), misuse(), vec![randomness]].concat()
}

/// Errors, each with the names of its type and its variant.
macro_rules! named {
    ($make:path: $($fault:ident :: $variant:ident $({ $($members:tt)* })?),+ $(,)?) => {
        vec![$((
            concat!(stringify!($fault), "::", stringify!($variant)),
            $make($fault::$variant $({ $($members)* })?),
        )),+]
    };
}

/// What no input above reaches, with the type and the variant by which the suite of its own module names it.
fn elsewhere() -> Vec<(&'static str, Error)> {
    let malformed = named![input: Problem::NotCanonical, Problem::StreamHeader];
    let sharing = named![
        shares: SharingProblem::TooFewShares { needed: 3, found: 1 },
        SharingProblem::DealerFault,
        SharingProblem::TooManyErrors { correctable: 1 },
        SharingProblem::Mixed { foreign: vec![4] },
    ];
    let stream = named![Error::from: StreamFault::OtherKey, StreamFault::Chunk { index: 2 }];
    let presence = named![
        Error::from: PresenceFault::Expired,
        PresenceFault::ExpiryTooFar,
        PresenceFault::TooFew { required: 2, good: 1, bad: vec![0, 3] },
        PresenceFault::NonceUsed,
        PresenceFault::Signature,
    ];
    let threshold = named![
        Error::from: ThresholdFault::NoSession,
        ThresholdFault::MissingRecord { seq: 4 },
        ThresholdFault::StaleGeneration,
        ThresholdFault::RevokedKey,
        ThresholdFault::Authority,
        ThresholdFault::TooFewAcknowledgements { needed: 3, found: 2 },
        ThresholdFault::UnknownKey,
        ThresholdFault::OtherKey,
        ThresholdFault::OtherKind,
        ThresholdFault::Signature,
        ThresholdFault::NotCommitted { index: 3 },
    ];
    let shard = named![
        Error::from: ShardFault::Seal,
        ShardFault::Identifier,
        ShardFault::Mixed { foreign: vec![2], culprits: vec![1, 3] },
        ShardFault::SupersededSplit { culprits: vec![4] },
        ShardFault::NoSplit,
        ShardFault::OtherRequest { member: "primatelj" },
        ShardFault::StaleSplit,
        ShardFault::Unconfirmed { needed: 3, found: 1 },
        ShardFault::ErasedVault,
        ShardFault::AlreadyPrepared,
    ];
    let vault = named![
        Error::from: VaultFault::StoredChanged,
        VaultFault::LedgerTruncated { seq: 7 },
        VaultFault::LedgerFork { seq: 7 },
        VaultFault::LedgerRecord { seq: 7, layer: Layer::L4 },
        VaultFault::OtherLedger { seq: 7 },
        VaultFault::MissingDecoy { seq: 7 },
        VaultFault::OtherPlace,
    ];
    let note = named![
        Error::from: NoteFault::Unsigned,
        NoteFault::Signature,
        NoteFault::Witness { name: "witness.example".into() },
        NoteFault::TooFewWitnesses { needed: 2, found: 1 },
        NoteFault::NoPlace,
        NoteFault::Fork,
        NoteFault::Shrunk { seen: 7, found: 6 },
        NoteFault::Chain,
        NoteFault::Tile { path: "tile/0/000.p/7".into() },
        NoteFault::Incomplete { needed: 7, found: 6 },
    ];
    let proof = named![Error::from: ProofFault::NotGrown { size: 5, found: 3 }];
    let misuse = named![
        Error::from: Misuse::PinnedRing,
        Misuse::NoProofsRequired,
        Misuse::NoShards,
        Misuse::OtherVault,
        Misuse::OtherSigner,
        Misuse::StreamTooLong,
        Misuse::StreamEnded,
        Misuse::ReservedType,
        Misuse::NotEncrypted,
        Misuse::ForeignLedger,
        Misuse::NoTierKeys,
        Misuse::NoVaultSecret,
        Misuse::NotErasure,
        Misuse::UnverifiedPlaces,
        Misuse::UnreadChain,
        Misuse::NotCurrent,
    ];
    [malformed, sharing, stream, presence, threshold, shard, vault, note, proof, not_shown(), misuse].concat()
}

/// What is not shown under a checkpoint.
fn not_shown() -> Vec<(&'static str, Error)> {
    named![
        Error::from: EvidenceFault::ForeignRing,
        EvidenceFault::RingMismatch { ring: 3, stated: 2 },
        EvidenceFault::KeyPath,
        EvidenceFault::OtherKey,
        EvidenceFault::ForeignPlace,
        EvidenceFault::PlaceSize { size: 5, found: 3 },
        EvidenceFault::Beyond { seq: 5, size: 5 },
        EvidenceFault::PathLength { needed: 3, found: 2 },
        EvidenceFault::Path { seq: 2 },
        EvidenceFault::OtherLog,
        EvidenceFault::Checkpoint,
        EvidenceFault::Old { needed: 5, found: 3 },
        EvidenceFault::Note,
        EvidenceFault::RingPlace,
        EvidenceFault::Ring,
        EvidenceFault::OtherSigner,
        EvidenceFault::Record { reason: "content" },
        EvidenceFault::NotWitnessedAfter,
        EvidenceFault::Retold,
        EvidenceFault::Late { until: 5, found: 6 },
    ]
}

fn input(problem: Problem) -> Error {
    Malformed::new("seal", Some(5), problem).into()
}

fn shares(problem: SharingProblem) -> Error {
    SharingFault { problem, culprits: vec![2, 5] }.into()
}

/// One error of each kind, in the order of the numbers.
pub(super) fn one_of_each() -> Vec<Error> {
    let mut errors: Vec<Error> = all().into_iter().chain(elsewhere().into_iter().map(|(_, error)| error)).collect();
    errors.sort_by_key(Error::code);
    errors
}

/// Each row is answered by one error, and each error answers a row.
#[test]
fn the_catalogue_is_what_errors_answer() {
    let answered: Vec<Row> = one_of_each().iter().map(|error| *error.row()).collect();
    assert_eq!(answered, Error::CATALOGUE);
    for error in one_of_each() {
        assert_eq!(error.code(), error.row().code, "{error}");
    }
}

#[test]
fn no_number_and_no_name_has_two_meanings() {
    let rows = Error::CATALOGUE;
    assert!(rows.windows(2).all(|pair| pair[0].code < pair[1].code), "{rows:?}");
    let verdicts = VerdictKind::ALL.map(VerdictKind::as_str);
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name).chain(verdicts).collect();
    assert_eq!(names.len(), rows.len() + verdicts.len());
    for name in names {
        let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        assert!(name.split('-').all(word) && name.starts_with(|c: char| c.is_ascii_lowercase()), "{name}");
    }
    let texts: BTreeSet<&str> = rows.iter().map(|row| row.text).collect();
    assert_eq!(texts.len(), rows.len());
}

/// Whatever is not reached by an input here is named by the suite of its own module, or by a test inside that module.
#[test]
fn every_error_has_a_test() {
    let (suites, core) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), concat!(env!("CARGO_MANIFEST_DIR"), "/../core/src"));
    let (mut tests, mut folders) = (String::new(), vec![suites.clone(), core.into()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && path != suites.join("rules/errors.rs") {
                let source = std::fs::read_to_string(&path).unwrap();
                let inside = path.starts_with(core) && path.file_name().is_some_and(|name| name != "tests.rs");
                tests.push_str(if inside {
                    source.split_once("#[cfg(test)]").map_or("", |(_, tests)| tests)
                } else {
                    &source
                });
            }
        }
    }
    let untested: Vec<_> = elsewhere().into_iter().filter(|(variant, _)| !tests.contains(variant)).collect();
    assert!(untested.is_empty(), "no test: {untested:?}");
}

#[test]
fn numbers_and_texts_are_frozen() {
    let text = one_of_each().iter().fold(String::new(), |mut text, error| {
        writeln!(text, "{} {error}", error.code()).unwrap();
        text
    });
    insta::assert_snapshot!(text);
}

#[test]
fn numbers_and_names_are_frozen() {
    let text = Error::CATALOGUE.iter().fold(String::new(), |mut text, row| {
        writeln!(text, "{} {} {}", row.code, row.family, row.name).unwrap();
        text
    });
    insta::assert_snapshot!(text);
}

/// Verdicts have the numbers below 100; 0 is Valid alone.
#[test]
fn verdict_numbers_are_frozen() {
    let kinds = VerdictKind::ALL.map(|kind| (kind.code(), kind.as_str()));
    assert_eq!(kinds, [(0, "valid"), (1, "invalid"), (2, "revoked"), (3, "suspended"), (4, "decoy")]);
}

#[test]
fn families_have_ranges() {
    for error in one_of_each() {
        let (family, range) = match &error {
            Error::Malformed(_) => (Family::Malformed, 100..200),
            Error::Rejected(_) => (Family::Rejected, 200..300),
            Error::Misuse(_) => (Family::Misuse, 300..400),
            _ => (Family::Randomness, 400..401),
        };
        assert!(range.contains(&error.code()), "{error}");
        assert!(error.row().family == family && family.codes().contains(&error.code()), "{error}");
    }
    let whole = |pair: &[Family]| *pair[0].codes().end() < *pair[1].codes().start() && pair[0] < pair[1];
    assert!(Family::ALL.windows(2).all(whole));
}

/// An error without values says what its row says, whose text is a clause for every error of its kind.
#[test]
fn rows_have_texts_of_their_own() {
    assert_eq!(Error::from(Misuse::NoShards).to_string(), Error::from(Misuse::NoShards).row().text);
    let (hex, prev) = (input(Problem::Hex), Error::from(ChainFault { seq: 7, problem: ChainProblem::Prev }));
    assert_eq!(hex.row().to_string(), "malformed: the input is not lowercase hexadecimal");
    assert_eq!(hex.to_string(), "seal (at 5): is not lowercase hexadecimal");
    assert_eq!(prev.row().to_string(), "rejected: a chain entry does not name the entry before it");
    assert_eq!(prev.to_string(), "chain entry 7 does not name the entry before it");
    for row in Error::CATALOGUE {
        let (text, whole) = (row.text, row.to_string());
        assert!(!text.is_empty() && text.is_ascii() && !text.ends_with(['.', ' ']) && whole.len() <= 100, "{whole:?}");
    }
}

/// Names come from the input: they are cut and escaped, so that they cannot write lines of their own into a log.
#[test]
fn texts_are_single_lines() {
    for error in one_of_each() {
        let text = error.to_string();
        assert!(!text.is_empty() && text.len() < 200 && !text.contains(char::is_control), "{text:?}");
    }
    let long = format!(r#"{{"{}":1}}"#, "\u{202e}é".repeat(500));
    let text = Entry::from_json(long.as_bytes()).unwrap_err().to_string();
    assert!(text.chars().count() < 700 && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn errors_are_errors() {
    fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(error)
    }
    assert_eq!(boxed(Error::Randomness).to_string(), Error::Randomness.to_string());
    let fault = ChainFault { seq: 7, problem: ChainProblem::Prev };
    assert_eq!(boxed(fault).to_string(), Error::from(fault).to_string());
    assert_eq!(
        Checker::new().push_json(b"").unwrap_err().to_string(),
        "chain entry 0 does not have exactly the members of an entry"
    );
    assert!(authority(&Domain::default()).secret().expose() == &[9; 32]);
}
