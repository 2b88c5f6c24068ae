//! Files of evidence put together of parts: a value of one file in the place of another's, gone, there twice or changed
//! by a character, so that what is read is well-formed JSON nearly each time. What opens is what the log signed, and of
//! no other document.
#![no_main]

use dualseal::evidence::{EvidenceFile, EvidencePolicy};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::ops::Range;

/// Of the log that signed the seeds of `evidence`.
const LOG: &str = "5ca498a9b80a24a1ffcd382fe699b752f35d11fd542d3c71d92a8c9c35dff079";
const FILES: [&str; 3] = [
    include_str!("../seeds/evidence/signature"),
    include_str!("../seeds/evidence/place"),
    include_str!("../seeds/evidence/key"),
];

/// The record of the first file.
fn record() -> &'static str {
    let (_, from) = FILES[0].split_once("\"record\":").expect("it has a record");
    from.split_once(",\"ring\":").expect("its ring comes next").0
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
    let given = *drawn.choose(&FILES)?;
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
    let mut text = FILES[0].to_owned();
    for _ in 0..4 {
        if drawn.is_empty() {
            break;
        }
        match changed(text.clone(), &mut drawn) {
            Ok(next) => text = next,
            Err(_) => break,
        }
    }
    let Ok(file) = EvidenceFile::from_json(text.as_bytes()) else { return };
    let written = file.to_json();
    let again = EvidenceFile::from_json(written.as_bytes()).expect("a file that was read");
    assert_eq!(again.to_json(), written);
    let policy = EvidencePolicy::of_log(LOG.parse().expect("a fingerprint"));
    let Ok(open) = file.open(&policy) else { return };
    assert!(open.verify(b"another contract").is_err());
    if let Ok(report) = open.verify(b"one contract") {
        assert!(report.as_of.failed.is_none() && report.as_of.place < report.as_of.size);
        // Every member of a record is signed, or can be nothing else.
        assert!(written.contains(record()), "another record of the same document");
    }
});
