//! Files of evidence put together of parts: a value of one file in the place of another's, gone, there twice or changed
//! by a character, so that what is read is well-formed JSON nearly each time. The files are of every kind of record, of
//! one document by two signers, of one log at two sizes and of another. What opens is what whoever asks has asked for,
//! and shows one of the records that the log has of the document, by its signer.
#![no_main]

use dualseal::evidence::{EvidenceFile, EvidencePolicy, EvidenceReport, ExpectedSigner};
use dualseal::note::{NoteKey, Witnesses};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::ops::Range;
use std::sync::OnceLock;

/// As `tests/second/make_evidence_files.py` wrote them.
const TABLE: &str = include_str!("../../tests/vectors/evidence_files.tsv");
/// How many witnesses must have seen the log, where any must.
const NEEDED: usize = 2;

/// A row of the table.
struct File {
    log: &'static str,
    identity_id: &'static str,
    key_hash: &'static str,
    /// Of the log.
    size: u64,
    document: Vec<u8>,
    text: &'static str,
}

fn files() -> &'static [File] {
    static READ: OnceLock<Vec<File>> = OnceLock::new();
    READ.get_or_init(|| {
        let cells = TABLE.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        let of = |cells: Vec<&'static str>| {
            let [_, log, identity_id, key_hash, size, document, text] = cells[..] else { return None };
            let byte = |at: usize| u8::from_str_radix(&document[at..at + 2], 16).expect("hexadecimal");
            let document = (0..document.len()).step_by(2).map(byte).collect();
            Some(File { log, identity_id, key_hash, size: size.parse().expect("a size"), document, text })
        };
        cells.filter_map(of).collect()
    })
}

fn witnesses() -> Witnesses {
    let keys = TABLE.lines().filter_map(|line| line.strip_prefix("svjedok\t"));
    let keys: Vec<NoteKey> = keys.map(|key| NoteKey::from_text(key).expect("a witness")).collect();
    Witnesses::new(&keys, NEEDED).expect("three witnesses")
}

impl File {
    fn record(&self) -> &'static str {
        let (_, from) = self.text.split_once("\"record\":").expect("it has a record");
        from.split_once(",\"ring\":").expect("its ring comes next").0
    }
}

/// What somebody asks of a file, as the table has it.
struct Asked {
    log: &'static str,
    signer: Option<(&'static File, bool)>,
    least_size: u64,
    witnessed: bool,
}

impl Asked {
    fn drawn(drawn: &mut Unstructured<'_>) -> Drawn<Self> {
        let of = drawn.choose(files())?;
        let signer = if drawn.arbitrary()? { Some((drawn.choose(files())?, drawn.arbitrary()?)) } else { None };
        let least_size = drawn.int_in_range(0..=of.size + 1)?;
        Ok(Self { log: of.log, signer, least_size, witnessed: drawn.arbitrary()? })
    }

    fn policy(&self) -> EvidencePolicy<'static> {
        let signer = match self.signer {
            None => ExpectedSigner::Anybody,
            Some((file, true)) => ExpectedSigner::Key(file.key_hash.parse().expect("a hash")),
            Some((file, false)) => ExpectedSigner::Identity(file.identity_id.parse().expect("an identity")),
        };
        let witnesses = if self.witnessed { witnesses() } else { Witnesses::none() };
        let policy = EvidencePolicy::of_log(self.log.parse().expect("a fingerprint"));
        EvidencePolicy { signer, least_size: self.least_size, witnesses, ..policy }
    }

    /// Whether a file that nobody changed is what is asked for.
    fn is(&self, file: &File) -> bool {
        self.log == file.log && self.is_signer(file) && self.least_size <= file.size
    }

    fn is_signer(&self, file: &File) -> bool {
        self.signer.is_none_or(|(asked, by_key)| match by_key {
            true => asked.key_hash == file.key_hash,
            false => asked.identity_id == file.identity_id,
        })
    }

    /// Whether what was shown is a record that the log has of this document.
    fn is_true(&self, report: &EvidenceReport, document: &[u8], written: &str) -> bool {
        let is_shown =
            |file: &&File| file.document == document && file.log == self.log && written.contains(file.record());
        let shown: Vec<_> = files().iter().filter(is_shown).collect();
        let (identity_id, key) = (report.identity_id.to_hex(), report.key.to_hex());
        let by_its_signer =
            |file: &&File| file.identity_id == identity_id && file.key_hash == key && self.is_signer(file);
        let seen = !self.witnessed || report.witnessed.count() >= NEEDED;
        !shown.is_empty() && shown.iter().all(by_its_signer) && report.log.to_hex() == self.log && seen
    }
}

/// Where the values of a text stand: strings with their quotes, numbers, objects and lists.
fn values(text: &str) -> Vec<Range<usize>> {
    let (bytes, mut found, mut open, mut at) = (text.as_bytes(), Vec::new(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                // A name is no value.
                if bytes.get(at + 1) != Some(&b':') && at < bytes.len() {
                    found.push(start..at + 1);
                }
            }
            b'{' | b'[' => open.push(at),
            b'}' | b']' => found.extend(open.pop().map(|start| start..at + 1)),
            b'0'..=b'9' => {
                while bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
                    at += 1;
                }
                found.push(start..at + 1);
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn changed(mut text: String, drawn: &mut Unstructured<'_>) -> Drawn<String> {
    let places = values(&text);
    let place = drawn.choose(&places)?.clone();
    let given = drawn.choose(files())?.text;
    match drawn.int_in_range(0..=5)? {
        0 => text.replace_range(place, &given[drawn.choose(&values(given))?.clone()]),
        1 => {
            let other = text[drawn.choose(&places)?.clone()].to_owned();
            text.replace_range(place, &other);
        }
        // With the comma before it, where there is one.
        2 => {
            let start = if text[..place.start].ends_with(',') { place.start - 1 } else { place.start };
            text.replace_range(start..place.end, "");
        }
        3 => {
            let again = format!(",{}", &text[place.clone()]);
            text.insert_str(place.end, &again);
        }
        4 => text.replace_range(place, drawn.choose(&["0", "1", "18446744073709551615", "\"\"", "null", "[]", "{}"])?),
        _ => {
            let at = place.start + drawn.choose_index(place.len())?;
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..=at, drawn.choose(&["0", "1", "9", "a", "f"])?);
            }
        }
    }
    Ok(text)
}

fuzz_target!(|input: &[u8]| {
    let mut drawn = Unstructured::new(input);
    let Ok(first) = drawn.choose(files()) else { return };
    let Ok(asked) = Asked::drawn(&mut drawn) else { return };
    let mut text = first.text.to_owned();
    for _ in 0..4 {
        if drawn.is_empty() {
            break;
        }
        match changed(text.clone(), &mut drawn) {
            Ok(next) => text = next,
            Err(_) => break,
        }
    }
    let file = match EvidenceFile::from_json(text.as_bytes()) {
        Ok(file) => file,
        Err(error) => {
            assert_ne!(text, first.text, "{error}");
            return;
        }
    };
    let written = file.to_json();
    let again = EvidenceFile::from_json(written.as_bytes()).expect("a file that was read");
    assert_eq!(again.to_json(), written);
    let opened = file.open(&asked.policy());
    if text == first.text {
        assert_eq!(opened.is_ok(), asked.is(first), "{:?}", opened.err());
    }
    let Ok(open) = opened else { return };
    assert!(open.verify(b"another contract").is_err());
    assert!(text != first.text || open.verify(&first.document).is_ok());
    for File { document, .. } in files() {
        if let Ok(report) = open.verify(document) {
            assert!(report.as_of.failed.is_none() && report.as_of.place < report.as_of.size);
            assert!(report.as_of.size >= Some(asked.least_size));
            // Every member of a record is signed, or can be nothing else.
            assert!(asked.is_true(&report, document, &written), "what the log has not, or by another");
        }
    }
});
