//! Chains as JSON lines: one entry a line, every line ended by LF, no blank line; however the bytes arrive.

use dualseal::Krunica;
use dualseal::error::{ChainFault, ChainProblem, Error, Malformed, Problem, Rejected};
use dualseal::krunica::{Checker, JsonLines};
use dualseal_tests::identity;
use dualseal_tests::log::chain_of;
use proptest::collection::vec;
use proptest::prelude::*;

fn chain() -> Krunica {
    chain_of(&identity("ana"), &["zero", "one \u{2028} line", "", "three\nlines\r\n", "{\"a\":1}\n"])
}

fn file(chain: &Krunica) -> String {
    chain.entries().iter().map(dualseal::Entry::to_json_line).collect()
}

/// The lines that came out, or the error.
fn lines(parts: &[&[u8]], longest: usize) -> Result<Vec<Vec<u8>>, Error> {
    let (mut cut, mut found) = (JsonLines::with_longest(longest), Vec::new());
    for part in parts {
        cut.push(part, |line| {
            found.push(line.to_vec());
            Ok(())
        })?;
    }
    cut.finish()?;
    Ok(found)
}

fn read(bytes: &[u8]) -> Result<Krunica, Error> {
    let (mut cut, mut checker, mut chain) = (JsonLines::new(), Checker::new(), Krunica::new());
    cut.push(bytes, |line| Ok(chain.push(checker.push_json(line)?)?))?;
    cut.finish()?;
    Ok(chain)
}

fn malformed(line: u64, problem: Problem) -> Error {
    Malformed::new("line", Some(line), problem).into()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let chain = chain();
    let text = file(&chain);
    assert_eq!(text.matches('\n').count(), 5, "line ends inside messages are escaped");
    assert_eq!(read(text.as_bytes()).unwrap(), chain);
    assert_eq!(read(b"").unwrap(), Krunica::new(), "no entry, no line");
    // Any spacing within a line, as for every record.
    let spaced = text.replace("\",\"", "\" ,\t\"").replace('\n', " \r\n").replace("{\"h", " { \"h");
    assert_eq!(read(spaced.as_bytes()).unwrap(), chain);
}

proptest! {
    /// Wherever the parts end, the lines are the same.
    #[test]
    fn any_parts(texts in vec("[^\n]{1,20}", 0..12), places in vec(any::<usize>(), 0..30)) {
        let text = texts.join("\n") + if texts.is_empty() { "" } else { "\n" };
        let bytes = text.as_bytes();
        let mut places: Vec<usize> = places.iter().map(|place| place % (bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let parts: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        let expected: Vec<Vec<u8>> = texts.iter().map(|line| line.as_bytes().to_vec()).collect();
        prop_assert_eq!(lines(&parts, 1 << 20).unwrap(), expected);
    }
}

#[test]
fn a_blank_line_is_named() {
    let text = file(&chain());
    let blank = |line| malformed(line, Problem::JsonSyntax);
    assert_eq!(read(b"\n").unwrap_err(), blank(0));
    assert_eq!(read(format!("\n{text}").as_bytes()).unwrap_err(), blank(0));
    assert_eq!(read(format!("{text}\n").as_bytes()).unwrap_err(), blank(5));
    let mut doubled = text.clone();
    doubled.insert(text.find('\n').unwrap(), '\n');
    assert_eq!(read(doubled.as_bytes()).unwrap_err(), blank(1));
    for chunk in 1..4 {
        let parts: Vec<&[u8]> = b"a\nb\n\nc\n".chunks(chunk).collect();
        assert_eq!(lines(&parts, 10).unwrap_err(), blank(2), "in parts of {chunk}");
    }
    // A line of spaces is no entry either; the chain's check names it.
    let fault = ChainFault { seq: 0, problem: ChainProblem::Members };
    assert_eq!(read(b" \n").unwrap_err(), Error::Rejected(Rejected::Chain(fault)));
}

/// As when a file was cut off: the last line has no end.
#[test]
fn an_unended_line_is_named() {
    let text = file(&chain()).into_bytes();
    for cut in 1..text.len() {
        let result = read(&text[..cut]);
        if text[cut - 1] == b'\n' {
            assert!(result.is_ok());
        } else {
            let line = text[..cut].split(|byte| *byte == b'\n').count() as u64 - 1;
            assert_eq!(result.unwrap_err(), malformed(line, Problem::JsonSyntax), "{cut}");
        }
    }
}

/// A stream without line ends does not fill the memory.
#[test]
fn a_line_has_a_greatest_length() {
    let too_long = |line| malformed(line, Problem::Range);
    for longest in [0, 1, 5, 100] {
        let good = vec![b'a'; longest];
        let long = vec![b'a'; longest + 1];
        for chunk in [1, 3, 1000] {
            let text = [&good[..], b"\n"].concat();
            if longest > 0 {
                assert_eq!(
                    lines(&text.chunks(chunk).collect::<Vec<_>>(), longest).unwrap(),
                    std::slice::from_ref(&good)
                );
            }
            let first = [&long[..], b"\n"].concat();
            assert_eq!(lines(&first.chunks(chunk).collect::<Vec<_>>(), longest).unwrap_err(), too_long(0));
            if longest > 0 {
                let second = [b"a\n", &long[..]].concat();
                assert_eq!(lines(&second.chunks(chunk).collect::<Vec<_>>(), longest).unwrap_err(), too_long(1));
            }
        }
    }
    // The default is 16 MiB.
    let (mut cut, part) = (JsonLines::new(), vec![b'a'; 1 << 20]);
    let mut pushed = 0;
    let error = loop {
        match cut.push(&part, |_| Ok(())) {
            Ok(()) => pushed += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((pushed, error), (16, too_long(0)));
}

/// What the caller's function says ends the stream there.
#[test]
fn the_callers_error_comes_back() {
    let text = file(&chain()).replacen("\"one", "\"One", 1);
    let fault = ChainFault { seq: 1, problem: ChainProblem::Hash };
    assert_eq!(read(text.as_bytes()).unwrap_err(), Error::Rejected(Rejected::Chain(fault)));
    for chunk in [1, 7, 64] {
        let (mut cut, mut checker, mut seen) = (JsonLines::default(), Checker::new(), 0);
        let mut error = None;
        for part in text.as_bytes().chunks(chunk) {
            let each = |line: &[u8]| {
                seen += 1;
                Ok(checker.push_json(line).map(drop)?)
            };
            if let Err(found) = cut.push(part, each) {
                error = Some(found);
                break;
            }
        }
        assert_eq!(error, Some(Error::Rejected(Rejected::Chain(fault))));
        assert_eq!((seen, checker.head().size()), (2, 1));
    }
}

/// A line is not a list, and not an entry that travels alone.
#[test]
fn other_forms_are_not_lines() {
    let chain = chain();
    let members = |text: String| {
        let fault = ChainFault { seq: 0, problem: ChainProblem::Members };
        assert_eq!(read(text.as_bytes()).unwrap_err(), Error::Rejected(Rejected::Chain(fault)), "{text}");
    };
    members(format!("{}\n", chain.to_json()));
    members(format!("{}\n", chain.entries()[0].to_json()));
    members("[]\n".into());
    members(format!("\u{feff}{}", file(&chain)));
    let joined = file(&chain).replacen('\n', "", 1);
    members(joined);
    // Lines of another chain's middle.
    let rest = file(&chain);
    let rest = &rest[rest.find('\n').unwrap() + 1..];
    let fault = ChainFault { seq: 0, problem: ChainProblem::Prev };
    assert_eq!(read(rest.as_bytes()).unwrap_err(), Error::Rejected(Rejected::Chain(fault)));
}
