//! The files of a home folder that are no records of their own: where its chain ends, its ring in rows, what it is
//! called, whose names are whose; and the signer's mark beside it.

use super::finding::Inspected;
use super::opened::Opened;
use crate::domain_file::DomainFile;
use crate::failure::Failure;
use crate::output::canonical;
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::key::RingFile;
use dualseal::store::{SecretsEnd, StoredState, mark_from_json};
use dualseal::tree::{Frontier, TreeHash};
use dualseal::{CheckedRing, Domain, Error, IdentityId, RingKey, SystemRng};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

const ABOUT: &str = "home folder file (home.json)";
const NAMES: &str = "home folder file (names.json)";
const STATE: &str = "home folder file (state.jsonl)";
const ROW: &str = "home folder file (row of the ring)";
const DECOYS: &str = "home folder file (decoys.jsonl)";
/// Every signed record and vault record, one a line.
pub(crate) const RECORDS: &str = "home folder file (records.jsonl)";
const INDEX: &str = "home folder file (chain.index)";
const TREE: &str = "home folder file (chain.tree)";
const LIST: &str = "home folder file (secrets.list)";
const MARK: &str = "signer's mark";
const WAITING: &str = "home folder file (waiting.json)";

/// Of each entry where its line begins, and where its record's does, or this.
const NO_RECORD: u64 = u64::MAX;

/// A file that is known by its name alone: it begins as anything could.
pub(super) fn named(path: &Path, file: &mut Opened) -> Result<Option<Inspected>, Failure> {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("chain.index") => in_pieces(file, INDEX, "index", Index::default()),
        Some("chain.tree") => in_pieces(file, TREE, "tree", Nodes::default()),
        Some("secrets.list") => in_pieces(file, LIST, "list", Listed::default()),
        _ => Ok(None),
    }
}

/// Such a file, by its content.
pub(super) fn look(bytes: &[u8]) -> Option<Inspected> {
    let kind = home_file(bytes)?;
    let findings = read(kind, bytes).err().map(|failure| (failure.code(), failure.message().to_owned()));
    Some(Inspected { findings: findings.into_iter().collect(), ..Inspected::new(kind) })
}

/// What such a file is, if it is one.
pub(crate) fn home_file(bytes: &[u8]) -> Option<&'static str> {
    if let Ok(value) = Value::parse(bytes) {
        return kind_of(&value);
    }
    // Of lines, the first one tells.
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    kind_of(&Value::parse(line).ok()?).filter(|kind| [STATE, DECOYS].contains(kind))
}

/// Whether it tells which keys are decoys.
pub(crate) fn tells_decoys(kind: &str) -> bool {
    kind == ROW || kind == DECOYS
}

fn kind_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Object(members) => object(members),
        Value::Array(keys) => row(keys),
        _ => None,
    }
}

fn object(members: &BTreeMap<String, Value>) -> Option<&'static str> {
    let has = |members: &BTreeMap<String, Value>, names: &[&str]| members.keys().eq(names.iter());
    for (names, kind) in [
        (&["domain", "origin", "version"][..], ABOUT),
        (&["mac", "state"], STATE),
        (&["mac", "mark"], MARK),
        (&["files", "mac"], WAITING),
    ] {
        if has(members, names) {
            return Some(kind);
        }
    }
    let named = |(name, value): (&String, &Value)| {
        let members: &[&str] =
            if name.is_empty() { &["default", "mac"] } else { &["context", "creator", "identity_id"] };
        matches!(value, Value::Object(of) if has(of, members))
    };
    (!members.is_empty() && members.iter().all(named)).then_some(NAMES)
}

/// Key objects, of which a ring's decoys are told apart.
fn row(keys: &[Value]) -> Option<&'static str> {
    let Some(Value::Object(key)) = keys.first() else { return None };
    let is_key = ["bela_stanje", "javni_kljuc", "povijest"].into_iter().all(|name| key.contains_key(name));
    match key.get("role") {
        Some(Value::String(role)) if role == "decoy" => Some(DECOYS),
        Some(_) if is_key => Some(ROW),
        _ => None,
    }
}

fn read(kind: &str, bytes: &[u8]) -> Result<(), Failure> {
    let lines = || bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
    match kind {
        STATE => state(lines())?,
        ROW => ring(&[bytes.trim_ascii_end()])?,
        DECOYS => ring(&lines().collect::<Vec<_>>())?,
        // Whether its MAC holds, only the ring key tells.
        MARK => drop(mark_from_json(bytes.trim_ascii_end(), "", &nobody()?)?),
        _ => match Value::parse(bytes)? {
            Value::Object(members) if kind == ABOUT => about(&members)?,
            // Whose list it is, only the ring key tells.
            Value::Object(_) if kind == WAITING => {}
            Value::Object(members) => names(&members)?,
            _ => return Err(unlike("json").into()),
        },
    }
    Ok(())
}

fn about(members: &BTreeMap<String, Value>) -> Result<(), Failure> {
    DomainFile::from_value(members.get("domain").cloned().unwrap_or(Value::Null))?;
    CheckedRing::new(text(members, "origin"), &nobody()?)?;
    Ok(())
}

fn names(members: &BTreeMap<String, Value>) -> Result<(), Error> {
    for (_, value) in members.iter().filter(|(name, _)| !name.is_empty()) {
        if let Value::Object(of) = value {
            text(of, "identity_id").parse::<IdentityId>()?;
        }
    }
    Ok(())
}

/// The state, and what seals the rows of the ring.
fn state<'b>(mut lines: impl Iterator<Item = &'b [u8]>) -> Result<(), Error> {
    StoredState::from_json(lines.next().unwrap_or_default(), "", &nobody()?)?;
    let Value::Object(mut seal) = Value::parse(lines.next().unwrap_or_default())? else { return Err(unlike("json")) };
    // The rows are elsewhere: a ring without any has no revision.
    match seal.get_mut("revision") {
        Some(revision @ Value::Integer(0..)) => *revision = Value::Integer(0),
        Some(_) => return Err(Malformed::new("revision", None, Problem::Range).into()),
        None => {}
    }
    RingFile::from_rows(canonical(&Value::Object(seal)).as_bytes(), [] as [&[u8]; 0])?;
    lines.next().map_or(Ok(()), |_| Err(unlike("state")))
}

/// Rows, with a seal as theirs would be: each is well formed by itself.
fn ring(rows: &[&[u8]]) -> Result<(), Error> {
    let mut revision = 0;
    for row in rows {
        let Value::Array(keys) = Value::parse(row)? else { return Err(unlike("json")) };
        for key in keys {
            let Value::Object(key) = key else { continue };
            if let (Some(Value::Array(changes)), false) = (key.get("povijest"), text(&key, "role") == "decoy") {
                revision += changes.len();
            }
        }
    }
    let (mac, top, size) = ("0".repeat(64), "0".repeat(128), (1_u64 << 53) - 1);
    let ovjera = format!(r#"{{"mac":"{mac}","size":{size},"top":"{top}"}}"#);
    let seal = format!(r#"{{"origin":"log","ovjera":{ovjera},"revision":{revision}}}"#);
    RingFile::from_rows(seal.as_bytes(), rows).map(drop)
}

/// A file of pieces that have one length.
trait Pieces<const N: usize> {
    /// Whether this may come next.
    fn follows(&mut self, piece: &[u8; N]) -> bool;

    /// Whether it may end here.
    fn is_whole(&self) -> bool {
        true
    }
}

fn in_pieces<const N: usize>(
    file: &mut Opened,
    kind: &str,
    field: &'static str,
    mut pieces: impl Pieces<N>,
) -> Result<Option<Inspected>, Failure> {
    let (mut rest, mut count, mut holds) = (Vec::new(), 0, true);
    file.parts(|part| {
        rest.extend_from_slice(part);
        let (whole, cut) = rest.as_chunks::<N>();
        for piece in whole {
            holds = pieces.follows(piece);
            if !holds {
                return false;
            }
            count += 1;
        }
        rest = cut.to_vec();
        true
    })?;
    let found = Inspected { count: Some(count), ..Inspected::new(kind) };
    let fault = |problem| Error::from(Malformed::new(field, Some(count), problem));
    Ok(Some(match (holds, rest.len()) {
        (false, _) => found.with(&fault(Problem::Order)),
        (true, 0) if pieces.is_whole() => found,
        (true, 0) => found.with(&fault(Problem::MissingMember)),
        (true, cut) => found.with(&fault(Problem::Length { expected: N, found: cut })),
    }))
}

/// The beginnings of lines ascend.
#[derive(Default)]
struct Index {
    line: Option<u64>,
    record: Option<u64>,
}

impl Pieces<16> for Index {
    fn follows(&mut self, piece: &[u8; 16]) -> bool {
        let (line, record) = piece.split_at(8);
        let [line, record] = [line, record].map(|bytes| bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        let next = |last: Option<u64>, at| last.map_or(at == 0, |last| at > last);
        let follows = next(self.line, line) && (record == NO_RECORD || next(self.record, record));
        self.line = Some(line);
        if record != NO_RECORD {
            self.record = Some(record);
        }
        follows
    }
}

/// The leaves are followed by the nodes that they complete.
#[derive(Default)]
struct Nodes {
    frontier: Frontier,
    due: VecDeque<TreeHash>,
}

impl Pieces<32> for Nodes {
    fn follows(&mut self, piece: &[u8; 32]) -> bool {
        let node = TreeHash::from_bytes(*piece);
        if let Some(due) = self.due.pop_front() {
            return node == due;
        }
        let due = &mut self.due;
        self.frontier.push_noting(node, |level, _, hash| {
            if level > 0 {
                due.push_back(*hash);
            }
        })
    }

    fn is_whole(&self) -> bool {
        self.due.is_empty()
    }
}

/// Each row ends with what all up to it come to.
#[derive(Default)]
struct Listed(SecretsEnd);

impl Pieces<96> for Listed {
    fn follows(&mut self, piece: &[u8; 96]) -> bool {
        let ([place, stored, top], []) = piece.as_chunks::<32>() else { return false };
        self.0 = self.0.after(place, stored);
        self.0.top == *top
    }
}

/// An authority over no ring, whose MACs hold nowhere: what it reads is read for its form.
fn nobody() -> Result<RingKey, Error> {
    RingKey::generate(&Domain::default(), &mut SystemRng)
}

fn unlike(field: &'static str) -> Error {
    Malformed::new(field, None, Problem::UnknownValue).into()
}

/// A member that is a string. What is none has not the form of any.
fn text<'a>(members: &'a BTreeMap<String, Value>, name: &str) -> &'a str {
    match members.get(name) {
        Some(Value::String(text)) => text,
        _ => "",
    }
}
