//! Does with the library's trees and notes what another implementation asks for, so that the two can be compared: one
//! command a line on the standard input, one line of answer for each. A refusal is `error` and why.
//!
//! ```text
//! root SIZE                                 root
//! path SIZE INDEX                           hashes
//! growth BEFORE SIZE                        hashes
//! holds-leaf ROOT SIZE INDEX LEAF HASHES    yes|no
//! holds-growth OLD BEFORE ROOT SIZE HASHES  yes|no
//! tiles BEFORE SIZE                         path=bytes…
//! bundles BEFORE SIZE                       path=bytes…
//! tiled SIZE INDEX BEFORE path=bytes…       root path growth
//! sign SEED ORIGIN SIZE ROOT                key note
//! open KEY NOTE                             origin size root
//! cosign SEED NAME SECONDS NOTE             key note
//! judge NEEDED KEYS NOTE                    count seconds
//! prove SEED ORIGIN SIZE INDEX EXTRA        proof
//! place KEY LEAF PROOF                      index extra
//! ```
//!
//! The leaves of the trees are the numbers from 0 in decimal. Keys and names stand as they are, all other bytes are
//! hexadecimal; lists are joined by commas; `-` stands for nothing, `none` for what there is not.

use dualseal::Timestamp;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::Error;
use dualseal::note::{LogProof, Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature, Witnesses};
use dualseal::tree::{
    EntryBundle, Frontier, Tile, TileGrowth, TileReader, Tiles, Tree, TreeHash, holds_growth, holds_leaf, prove_growth,
    prove_leaf, root_of,
};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut log = Log::default();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words.as_slice() {
            [command @ ("sign" | "open" | "cosign" | "judge" | "prove" | "place"), rest @ ..] => {
                log.on_note(command, rest).unwrap_or_else(|refusal| format!("error {}", refusal.0))
            }
            words => log.answer(words),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// The full subtrees and the roots of a tree that has grown as far as somebody asked.
#[derive(Default)]
struct Log {
    frontier: Frontier,
    nodes: BTreeMap<(u8, u64), TreeHash>,
    tree: Tree,
    roots: Vec<TreeHash>,
    /// What writes tiles, and has read none of these.
    written: TileGrowth,
}

impl TileReader for &Log {
    type Error = String;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, String> {
        let begin = tile.index * 256;
        let hash = |index| self.nodes.get(&(tile.level * 8, index)).copied().ok_or_else(|| tile.path());
        (begin..begin + u64::from(tile.width)).map(hash).collect()
    }
}

/// Tiles that somebody else made, by their paths.
struct Given(BTreeMap<String, Vec<TreeHash>>);

impl TileReader for &Given {
    type Error = String;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, String> {
        self.0.get(&tile.path()).cloned().ok_or_else(|| tile.path())
    }
}

impl Log {
    fn answer(&mut self, words: &[&str]) -> String {
        match words {
            // However the root is come by, it is the same.
            ["root", size] => {
                self.grow(number(size));
                let root = self.roots[index(size)];
                assert_eq!(root_of(&mut Tiles::new(&*self, number(size)), number(size)), Ok(root));
                root.to_string()
            }
            ["path", size, of] => {
                self.grow(number(size));
                listed(prove_leaf(&mut Tiles::new(&*self, number(size)), number(size), number(of)))
            }
            ["growth", before, size] => {
                self.grow(number(size));
                listed(prove_growth(&mut Tiles::new(&*self, number(size)), number(before), number(size)))
            }
            ["holds-leaf", root, size, index, leaf, path] => {
                yes(holds_leaf(&hash(root), number(size), number(index), &hash(leaf), &hashes(path)))
            }
            ["holds-growth", old, before, root, size, path] => {
                yes(holds_growth(&hash(old), number(before), &hash(root), number(size), &hashes(path)))
            }
            ["tiles", before, size] => {
                assert_eq!(self.written.frontier().size(), number(before), "tiles are asked for one behind the other");
                let mut tiles = Vec::new();
                for leaf in number(before)..number(size) {
                    let leaf = TreeHash::of_leaf(leaf.to_string().as_bytes());
                    assert!(self.written.push(leaf, |tile, hashes| tiles.push(file(tile, hashes))));
                }
                tiles.extend(self.written.partial().map(|(tile, hashes)| file(&tile, hashes)));
                tiles.join(",")
            }
            ["bundles", before, size] => {
                let bundle = |tile: Tile| {
                    let bundle = EntryBundle::of(&tile)?;
                    let begin = bundle.index * 256;
                    let leaves: Vec<String> = (begin..begin + u64::from(bundle.width)).map(|n| n.to_string()).collect();
                    let bytes = EntryBundle::encode(&leaves).expect("short leaves");
                    assert_eq!(bundle.decode(&bytes).expect("what was encoded").len(), leaves.len());
                    Some(format!("{}={}", bundle.path(), hex::encode(bytes)))
                };
                Tile::grown(number(before), number(size)).filter_map(bundle).collect::<Vec<_>>().join(",")
            }
            ["tiled", size, index, before, tiles] => {
                let given = Given(tiles.split(',').map(given).collect());
                let (mut tiles, size) = (Tiles::new(&given, number(size)), number(size));
                let Ok(root) = root_of(&mut tiles, size) else { return "none none none".to_string() };
                let path = listed(prove_leaf(&mut tiles, size, number(index)));
                format!("{root} {path} {}", listed(prove_growth(&mut tiles, number(before), size)))
            }
            _ => panic!("no such command: {words:?}"),
        }
    }

    fn on_note(&mut self, command: &str, arguments: &[&str]) -> Result<String, Refusal> {
        let ("prove", [seed, origin, size, index, extra]) = (command, arguments) else {
            return on_note(command, arguments);
        };
        let (size, index) = (number(size), number(index));
        self.grow(size);
        let path = prove_leaf(&mut Tiles::new(&*self, size), size, index).expect("the tree has grown so far");
        let root = root_of(&mut Tiles::new(&*self, size), size).expect("the tree has grown so far");
        let note = Note::sign(NoteBody { origin: NoteName::new(origin)?, size, root }, &signing_key(seed)?);
        let proof = LogProof::new(index, path.expect("there is such a leaf"), note);
        let proof = if *extra == "none" { proof } else { proof.with_extra(&hex::decode(extra).expect("hexadecimal")) };
        Ok(hex::encode(proof.to_text()))
    }

    fn grow(&mut self, size: u64) {
        if self.roots.is_empty() {
            self.roots.push(self.frontier.root());
        }
        while self.frontier.size() < size {
            let number = self.frontier.size();
            let leaf = TreeHash::of_leaf(number.to_string().as_bytes());
            assert!(self.frontier.push_noting(leaf, |level, index, root| {
                assert_eq!(self.nodes.insert((level, index), *root), None);
            }));
            self.tree.push(leaf);
            let root = self.frontier.root();
            assert_eq!(root, self.tree.root());
            self.roots.push(root);
        }
    }
}

/// Why a note was not taken: the error's number, or that it is no text at all.
struct Refusal(String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.code().to_string())
    }
}

fn on_note(command: &str, arguments: &[&str]) -> Result<String, Refusal> {
    match (command, arguments) {
        ("place", [key, leaf, proof]) => {
            let proof = LogProof::from_text(&text(proof)?)?;
            proof.verify(&hash(leaf), &NoteKey::from_text(key)?)?;
            Ok(format!("{} {}", proof.index(), proof.extra().map_or_else(|| "none".to_string(), hex::encode)))
        }
        ("sign", [seed, origin, size, root]) => {
            let (key, origin) = (signing_key(seed)?, NoteName::new(origin)?);
            let published = NoteKey::new(origin.clone(), NoteKind::Log, key.public_key());
            let note = Note::sign(NoteBody { origin, size: number(size), root: hash(root) }, &key);
            Ok(format!("{} {}", published.to_text(), hex::encode(note.to_text())))
        }
        ("open", [key, note]) => {
            let note = read(note)?;
            note.verify(&NoteKey::from_text(key)?)?;
            let NoteBody { origin, size, root } = note.body();
            Ok(format!("{origin} {size} {root}"))
        }
        ("cosign", [seed, name, seconds, note]) => {
            let (key, name, mut note) = (signing_key(seed)?, NoteName::new(name)?, read(note)?);
            let published = NoteKey::new(name.clone(), NoteKind::Witness, key.public_key());
            let time = seconds.parse::<i64>().expect("seconds");
            note.add(NoteSignature::cosign(note.body(), &name, &key, Timestamp::from_millis(time * 1000)?)?)?;
            Ok(format!("{} {}", published.to_text(), hex::encode(note.to_text())))
        }
        ("judge", [needed, keys, note]) => {
            let keys = keys.split(',').map(NoteKey::from_text).collect::<Result<Vec<_>, _>>()?;
            let witnessed = Witnesses::new(&keys, index(needed))?.judge(&read(note)?)?;
            let seconds = witnessed.time().map_or(0, |time| time.as_millis() / 1000);
            Ok(format!("{} {seconds}", witnessed.count()))
        }
        _ => panic!("no such command: {command} {arguments:?}"),
    }
}

fn read(note: &str) -> Result<Note, Refusal> {
    Ok(Note::from_text(&text(note)?)?)
}

fn text(bytes: &str) -> Result<String, Refusal> {
    String::from_utf8(hex::decode(bytes).expect("hexadecimal")).map_err(|_| Refusal("not UTF-8".to_string()))
}

fn file(tile: &Tile, hashes: &[TreeHash]) -> String {
    let bytes = Tile::encode(hashes);
    assert_eq!(tile.decode(&bytes).expect("what was encoded"), hashes);
    format!("{}={}", tile.path(), hex::encode(bytes))
}

fn signing_key(seed: &str) -> Result<Ed25519SigningKey, Error> {
    let seed: [u8; 32] = hex::decode(seed).expect("hexadecimal").try_into().expect("32 bytes");
    Ed25519SigningKey::from_seed(&seed)
}

fn given(tile: &str) -> (String, Vec<TreeHash>) {
    let (path, bytes) = tile.split_once('=').expect("path=bytes");
    let hash = |bytes: &[u8]| TreeHash::from_bytes(bytes.try_into().expect("32 bytes"));
    (path.to_string(), hex::decode(bytes).expect("hexadecimal").chunks(32).map(hash).collect())
}

fn listed<E>(path: Result<Option<Vec<TreeHash>>, E>) -> String {
    match path.ok().flatten() {
        None => "none".to_string(),
        Some(hashes) if hashes.is_empty() => "-".to_string(),
        Some(hashes) => hashes.iter().map(TreeHash::to_string).collect::<Vec<_>>().join(","),
    }
}

fn hashes(text: &str) -> Vec<TreeHash> {
    if text == "-" { Vec::new() } else { text.split(',').map(hash).collect() }
}

fn hash(text: &str) -> TreeHash {
    text.parse().expect("a hash")
}

fn yes(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_string()
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn index(text: &str) -> usize {
    text.parse().expect("a number")
}
