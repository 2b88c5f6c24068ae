//! What was found is what is judged: a file that is put in its place, or written to, between two steps is refused.

use super::args::Args;
use super::files::{Listed, walk};
use super::judgement::{Line, Mark};
use super::known::Audit;
use super::report::{Hashes, hash};
use super::trusted::Trusted;
use crate::context::Context;
use crate::options::Options;
use crate::trust::PublicKeyFile;
use clap::Parser;
use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
use dualseal::encoding::hex::encode;
use dualseal::hash::Sha3_256;
use dualseal::krunica::Krunica;
use dualseal::{Domain, Head, Signer, SigningKey, SystemRng};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TIME: &str = "2026-11-21T09:00:00.000Z";
const ORIGIN: &str = "acme.example/log";

#[derive(Parser)]
struct Words {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    args: Args,
}

/// A folder that is removed with the value.
struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Place {
    /// A folder `in` with a chain, its checkpoint, and a signed document; the key beside it.
    fn new(name: &str) -> Self {
        let place = Self(std::env::temp_dir().join(format!("dualseal-swapped-{name}-{}", std::process::id())));
        let _ = fs::remove_dir_all(&place.0);
        fs::create_dir_all(place.0.join("in")).unwrap();
        let (domain, key) = (Domain::default(), SigningKey::from_seed(&[7; 32]).unwrap());
        let ana = domain.identity_id(b"", "ana", "").unwrap();
        let signer = Signer::new(&domain, &ana, &key);
        let content = signer.content_hash(b"one contract");
        let signed = signer.sign_deterministic(&content, &Head::EMPTY, TIME.parse().unwrap()).unwrap();
        let file = PublicKeyFile {
            key: key.public_key().clone(),
            identity_id: Some(ana),
            domain: None,
            origin: Some(ORIGIN.to_owned()),
            creator: None,
        };
        let log = CheckpointSigner::new(&domain, ORIGIN, &ana, &key).unwrap();
        let chain = chain("received");
        let checkpoint = log
            .sign(&HighWaterMark::first(ORIGIN, chain.head(), None).unwrap(), TIME.parse().unwrap(), &mut SystemRng)
            .unwrap();
        place.write("ana.pem", &file.to_text().unwrap());
        place.write("in/chain.jsonl", &lines(&chain));
        place.write("in/checkpoint.json", &checkpoint.to_json());
        place.write("in/contract.pdf", "one contract");
        place.write("in/contract.pdf.sig.json", &signed.record.to_json());
        place
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.0.join(name), content).unwrap();
    }

    /// Audits, and swaps files once it is known what each is.
    fn audited(&self, swap: impl FnOnce(&Path)) -> (Vec<Line>, Vec<Listed>) {
        let key = self.0.join("ana.pem").display().to_string();
        let folder = self.0.join("in");
        let none = self.0.join("none").display().to_string();
        let shown = folder.display().to_string();
        let words = Words::parse_from(["audit", &shown, "--key", &key, "--log-key", &key, "--home", &none]);
        let context = Context::new(words.options);
        let (all, _) = Trusted::all(&words.args.given().unwrap(), &words.args, &context).unwrap();
        let trusted = all.into_iter().next().unwrap();
        let mut audit = Audit::new(&trusted, &words.args, None, walk(&folder).unwrap(), context.output());
        audit.classify();
        // The system's clock for changes has ticks of some milliseconds.
        std::thread::sleep(Duration::from_millis(50));
        swap(&folder);
        audit.check(None).unwrap();
        audit.into_lines()
    }

    /// The same, and swaps files once it is known what came of each, before a report is made of it.
    fn reported(&self, swap: impl FnOnce(&Path)) -> (Vec<Line>, Hashes) {
        let (mut lines, files) = self.audited(|_| {});
        swap(&self.0.join("in"));
        let hashes = hash(&files, &mut lines);
        (lines, hashes)
    }
}

fn chain(message: &str) -> Krunica {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let mut chain = Krunica::new();
    chain.append(&domain, &ana, message, TIME.parse().unwrap()).unwrap();
    chain
}

fn lines(chain: &Krunica) -> String {
    chain.entries().iter().map(dualseal::Entry::to_json_line).collect()
}

fn line<'l>(lines: &'l [Line], name: &str) -> &'l Line {
    lines.iter().find(|line| line.path == Path::new(name)).unwrap()
}

#[test]
fn what_nobody_touches_holds() {
    let lines = Place::new("none").audited(|_| {}).0;
    for name in ["chain.jsonl", "checkpoint.json", "contract.pdf.sig.json"] {
        assert_eq!(line(&lines, name).mark, Mark::Valid, "{}", line(&lines, name).text);
    }
}

/// What is done to the folder, by a name.
type Swap<'s> = (&'s str, Box<dyn FnOnce(&Path) + 's>);

/// Another chain, which holds together as well, is not judged under the name of the one that was found.
#[test]
fn a_chain_that_was_swapped_is_refused() {
    let other = lines(&chain("recalled"));
    let swaps: [Swap<'_>; 5] = [
        (
            "renamed",
            Box::new(|folder| {
                fs::write(folder.join("../other"), &other).unwrap();
                fs::rename(folder.join("../other"), folder.join("chain.jsonl")).unwrap();
            }),
        ),
        ("written", Box::new(|folder| fs::write(folder.join("chain.jsonl"), &other).unwrap())),
        (
            "appended",
            Box::new(|folder| fs::write(folder.join("chain.jsonl"), lines(&chain("received")) + "\n").unwrap()),
        ),
        (
            "linked",
            Box::new(|folder| {
                fs::rename(folder.join("chain.jsonl"), folder.join("../kept")).unwrap();
                std::os::unix::fs::symlink("../kept", folder.join("chain.jsonl")).unwrap();
            }),
        ),
        ("removed", Box::new(|folder| fs::remove_file(folder.join("chain.jsonl")).unwrap())),
    ];
    for (name, swap) in swaps {
        let lines = Place::new(name).audited(swap).0;
        let chain = line(&lines, "chain.jsonl");
        assert_eq!(chain.mark, Mark::Unreadable, "{name}: {}", chain.text);
        assert!(chain.text.contains("changed meanwhile") || name == "removed", "{name}: {}", chain.text);
        assert_eq!(line(&lines, "contract.pdf.sig.json").mark, Mark::Valid, "{name}");
    }
}

#[test]
fn a_document_that_was_swapped_is_refused() {
    let swap = |folder: &Path| fs::write(folder.join("contract.pdf"), "two contract").unwrap();
    let lines = Place::new("document").audited(swap).0;
    assert_eq!(line(&lines, "contract.pdf").mark, Mark::Unreadable);
    assert_eq!(line(&lines, "contract.pdf.sig.json").mark, Mark::Unchecked);
}

/// What was read before counts as it was read.
#[test]
fn a_checkpoint_is_read_once() {
    let swap = |folder: &Path| fs::write(folder.join("checkpoint.json"), "{}").unwrap();
    let lines = Place::new("checkpoint").audited(swap).0;
    assert_eq!(line(&lines, "checkpoint.json").mark, Mark::Valid);
    assert_eq!(line(&lines, "chain.jsonl").mark, Mark::Valid);
}

/// A report has no hash of another file than the one that was verified.
#[test]
fn a_report_names_what_was_verified() {
    let (lines, hashes) = Place::new("report-none").reported(|_| {});
    let of = |name: &str, hashes: &Hashes| hashes.of(Path::new(name)).map(str::to_owned);
    let contract = encode(&Sha3_256::digest(b"one contract"));
    assert_eq!((of("contract.pdf", &hashes), line(&lines, "contract.pdf").mark), (Some(contract), Mark::Vouched));
    assert_eq!(hashes.len(), 4);
    let (lines, hashes) = Place::new("report-swapped").reported(|folder| {
        // The system's clock for changes has ticks of some milliseconds.
        std::thread::sleep(Duration::from_millis(50));
        fs::write(folder.join("contract.pdf"), "two contract").unwrap();
        fs::remove_file(folder.join("checkpoint.json")).unwrap();
    });
    for name in ["contract.pdf", "checkpoint.json"] {
        assert_eq!((of(name, &hashes), line(&lines, name).mark), (None, Mark::Unchecked), "{name}");
        assert!(line(&lines, name).text.contains("while it was audited"), "{}", line(&lines, name).text);
    }
    assert_eq!((hashes.len(), line(&lines, "chain.jsonl").mark), (2, Mark::Valid));
}
