//! The ring of a home folder that somebody edited, or that came back from a copy: no command takes it as it is.

use crate::run::{CHAIN, Place, revived};
use std::fs;

/// A row as it was, and one that was edited.
const OLD: &str = "the ring does not stand up to its chain";
const EDITED: &str = "a row of the ring was edited";

const VAULTED: &str = "home/vaults/main/secrets/000000.key";

/// A home with records, a ledger and a folder to audit; ana's row of the ring from before her key was called back is
/// kept.
fn called_back(name: &str) -> Place {
    let place = Place::with_records(name);
    place.write("deed.pdf", "deed 17");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json", "--stored", "copy.stored"]);
    fs::create_dir(place.path("in")).unwrap();
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    fs::copy(place.path("contract.pdf.sig.json"), place.path("in/contract.pdf.sig.json")).unwrap();
    fs::copy(place.path(place.row("ana")), place.path("old-row.json")).unwrap();
    place.good(&["key", "export", "--ring", "-o", "old-public.json"]);
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["key", "rotate", "ana"]);
    place.good(&["checkpoint", "sign", "-o", "called-back.json"]);
    place
}

/// Every command that asks the home's own ring.
const ASKING: [&str; 17] = [
    "verify contract.pdf.sig.json",
    "verify contract.pdf.seal",
    "vault seal deed.pdf",
    "vault erase 0 --yes",
    "vault verify",
    "vault verify 0",
    "vault verify --policy public",
    "vault verify --file copy.vault.json --stored copy.stored",
    "vault unseal 0 -o out.pdf",
    "vault trace contract.pdf.sig.json contract.pdf",
    "key new bo",
    "key rotate ana",
    "key state ana valid",
    "key export ana -o out.pem",
    "key export --ring -o out.json",
    "audit in",
    "checkpoint sign -o out.json",
];

fn refused_everywhere(place: &Place, status: i32, words: &str) {
    let chain = place.read("home/chain.jsonl");
    let secret = place.read(VAULTED);
    for line in ASKING {
        let args: Vec<&str> = line.split(' ').collect();
        let ran = place.refused(&args, status, words);
        assert!(ran.err.contains("--with-ring"), "{line}: {ran:?}");
    }
    assert_eq!(chain, place.read("home/chain.jsonl"));
    assert_eq!(secret, place.read(VAULTED));
    for name in ["out.pdf", "out.pem", "out.json"] {
        assert!(!place.path(name).exists(), "{name}");
    }
}

#[test]
fn a_ring_from_before_is_refused() {
    let place = called_back("ring-old");
    place.refused(&["verify", "contract.pdf.sig.json"], 2, "REVOKED");
    let name = place.row("ana");
    let row = place.read(&name);
    fs::copy(place.path("old-row.json"), place.path(&name)).unwrap();
    refused_everywhere(&place, 78, OLD);
    // Without any checkpoint the seal over the rows tells as much.
    let checkpoint = place.read("home/checkpoint.json");
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    place.refused(&["verify", "contract.pdf.sig.json"], 78, OLD);
    place.refused(&["key", "export", "-o", "out.pem"], 78, OLD);
    place.write("home/checkpoint.json", checkpoint);
    // A row that somebody took away.
    fs::remove_file(place.path(&name)).unwrap();
    refused_everywhere(&place, 78, OLD);
    place.write(&name, place.read("old-row.json"));
    // What somebody names is taken at their word, and a pinned key needs no ring.
    place.good(&["verify", "contract.pdf.sig.json", "--ring=old-public.json"]);
    place.good(&["verify", "contract.pdf.sig.json", "--key=ana.pem"]);
    // An operator's own file is nobody's word to others.
    let ran = place.run(&["verify", "contract.pdf.sig.json", "--ring", &name]);
    assert!(ran.status == 66, "{ran:?}");
    place.write(&name, row);
    place.refused(&["verify", "contract.pdf.sig.json"], 2, "REVOKED");
    place.refused(&["vault", "verify"], 2, "REVOKED");
}

#[test]
fn a_ring_that_was_edited_is_refused() {
    let place = called_back("ring-edited");
    let name = place.row("ana");
    let row = place.read(&name);
    assert!(row.contains("\"laz\""));
    place.write(&name, revived(&row));
    refused_everywhere(&place, 78, EDITED);
}

/// A key of somebody else's in the place of ana's.
#[test]
fn a_key_that_was_put_into_the_ring_is_refused() {
    let place = Place::with_records("ring-swapped");
    let thief = Place::with_records("ring-thief");
    let key = |place: &Place| place.json(&["key", "show", "ana"])["info"]["javni_kljuc"].as_str().unwrap().to_owned();
    let name = place.row("ana");
    let row = place.read(&name);
    place.write(&name, row.replace(&key(&place), &key(&thief)));
    assert_ne!(place.read(&name), row);
    place.refused(&["key", "export", "-o", "out.pem"], 78, EDITED);
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    place.refused(&["key", "export", "-o", "out.pem"], 78, EDITED);
    place.refused(&["verify", "contract.pdf.sig.json"], 78, EDITED);
}

/// Ring and chain from one old copy agree with each other, and not with the last checkpoint, nor with the signer's
/// mark.
#[test]
fn a_ring_with_its_old_chain_is_refused() {
    let place = Place::with_records("ring-copy");
    place.good(&["key", "new", "bo"]);
    let name = place.row("ana");
    let (row, old, signed) = (place.read(&name), place.kept(CHAIN), place.kept(["home/checkpoint.json"]));
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["checkpoint", "sign", "--as=bo", "-o", "called-back.json"]);
    let new = place.kept(CHAIN);
    let refused = |words: &str| {
        place.refused(&["verify", "contract.pdf.sig.json"], 78, words);
        place.refused(&["key", "rotate", "ana"], 78, words);
    };
    place.write(&name, row);
    refused(OLD);
    // With the old state beside the newer chain, or beside its own.
    place.put_back(&old[3..]);
    refused("the chain has 5 entries, of which steps wrote 4");
    place.put_back(&old);
    refused("the checkpoint is not the one that was signed last");
    place.put_back(&signed);
    refused("the signer's mark is of 5 entries, and the store, with 4, is an old copy");
    place.put_back(&new);
    refused(OLD);
}

/// The ring key vouches for the ring: without it, or its passphrase, the ring must be named.
#[test]
fn the_ring_key_is_needed() {
    let place = Place::with_records("ring-key");
    place.good(&["key", "export", "--ring", "-o", "public.json"]);
    fs::rename(place.path("home/ring.key"), place.path("ring.key")).unwrap();
    place.refused(&["verify", "contract.pdf.sig.json"], 78, "--ring");
    place.good(&["verify", "contract.pdf.sig.json", "--ring=public.json"]);
    fs::rename(place.path("ring.key"), place.path("home/ring.key")).unwrap();
    place.good(&["verify", "contract.pdf.sig.json"]);
    // A home in which nobody has a key yet has its ring key, and an empty ring.
    let place = Place::new("ring-none");
    place.good(&["id", "--creator", "ivo", "--draw", "--save", "ivo"]);
    let other = Place::with_records("ring-other");
    fs::copy(other.path("contract.pdf"), place.path("contract.pdf")).unwrap();
    fs::copy(other.path("contract.pdf.sig.json"), place.path("contract.pdf.sig.json")).unwrap();
    place.refused(&["verify", "contract.pdf.sig.json"], 1, "no key is known");
}

/// Who goes on from the end reads how the chain ends; a check of the whole tells what was before.
#[test]
fn a_change_is_held_against_the_end() {
    let place = Place::with_records("since");
    place.good(&["key", "new", "bo"]);
    place.good(&["chain", "append", "received", "--as", "ana"]);
    let chain = place.read("home/chain.jsonl");
    place.write("home/chain.jsonl", chain.replacen("received", "refused!", 1));
    for line in ["key state bo suspended", "key new eve", "sign contract.pdf --force --as ana"] {
        place.refused(&line.split(' ').collect::<Vec<_>>(), 78, "ends with another one than was written");
    }
    let edited = chain.replacen("0000", "1111", 1);
    assert_eq!(edited.len(), chain.len());
    place.write("home/chain.jsonl", edited);
    place.good(&["key", "state", "bo", "suspended"]);
    place.refused(&["chain", "check"], 1, "chain entry 0");
    place.refused(&["chain", "check", "--with-ring"], 1, "chain entry 0");
}

/// An old copy is gone on with by nobody who has the mark; by whoever took the mark with it, it is as long as the last
/// checkpoint, and not the chain that it covers: the key that was called back since signs nothing.
#[test]
fn an_old_copy_that_was_gone_on_with_is_refused() {
    let place = Place::with_records("forked");
    place.good(&["key", "new", "bo"]);
    let name = place.row("ana");
    let outside = ["home/checkpoint.json", "home.mark"];
    let (row, old, newest) = (place.read(&name), place.kept(CHAIN), place.kept(outside));
    place.good(&["key", "state", "ana", "suspended"]);
    place.good(&["key", "state", "ana", "valid"]);
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["checkpoint", "sign", "--as", "bo", "-o", "called-back.json"]);
    let covering = place.kept(outside);
    place.write(&name, row);
    place.put_back(&old);
    place.put_back(&newest[..1]);
    let append = ["chain", "append", "anything", "--as", "ana"];
    place.refused(&append, 78, "is an old copy");
    place.put_back(&newest);
    for _ in 0..4 {
        place.good(&append);
    }
    for line in ["sign contract.pdf --force --as ana", "key rotate ana", "key new eve"] {
        let args: Vec<_> = line.split(' ').collect();
        place.put_back(&covering);
        place.refused(&args, 78, "the checkpoint is not the one that was signed last");
        place.put_back(&newest[..1]);
        place.refused(&args, 78, "the signer's mark");
    }
}
