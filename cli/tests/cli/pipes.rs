//! Standard input that comes slowly keeps nobody from the home folder.

use crate::run::{Place, Ran};
use crate::session::founded;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A command that has begun, and waits for the rest of its input.
fn waiting(place: &Place, args: &[&str], begun: &[u8]) -> Child {
    let mut command = place.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(begun).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    child
}

fn ended(mut child: Child, rest: &[u8]) -> Ran {
    let _ = child.stdin.take().unwrap().write_all(rest);
    Ran::from(child.wait_with_output().unwrap())
}

/// Another command writes meanwhile, and what was begun ends well.
fn lets_others_write(place: &Place, args: &[&str], [begun, rest]: [&[u8]; 2]) {
    let child = waiting(place, args, begun);
    let meanwhile = place.run(&["chain", "append", "meanwhile", "--as=ana", "--lock-wait=0"]);
    let ran = ended(child, rest);
    assert_eq!(meanwhile.status, 0, "{args:?}: {meanwhile:?}");
    assert_eq!(ran.status, 0, "{args:?}: {ran:?}");
}

#[test]
fn a_slow_document_is_signed_and_sealed() {
    let place = Place::with_ana("slow-in");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    let parts: [&[u8]; 2] = [b"one con", b"tract"];
    lets_others_write(&place, &["sign", "-", "-o", "slow.sig.json"], parts);
    lets_others_write(&place, &["sign", "-", "--canonical", "-o", "c.sig.json"], [b"{\"a\":", b" 1}"]);
    lets_others_write(&place, &["seal", "-", "-o", "slow.seal"], parts);
    lets_others_write(&place, &["seal", "-", "--no-chain", "-o", "none.seal"], parts);
    lets_others_write(&place, &["vault", "seal", "-"], parts);
    lets_others_write(&place, &["vault", "seal", "-", "--plain"], parts);
    place.good(&["verify", "slow.sig.json", "contract.pdf"]);
    place.good(&["verify", "slow.seal", "contract.pdf"]);
    place.good(&["vault", "verify"]);
    for which in ["1", "2"] {
        assert_eq!(place.good(&["vault", "unseal", which, "-o", "-"]).out, "one contract");
    }
    place.good(&["chain", "check", "--with-ring"]);
    assert!(!place.path("home/staged").exists());
}

#[test]
fn a_slow_document_is_verified_and_traced() {
    let place = Place::with_vault("slow-verify");
    place.good(&["sign", "contract.pdf"]);
    place.good(&["seal", "contract.pdf"]);
    place.good(&["vault", "redact", "1", "-o", "copy.vault.json", "--stored", "copy.stored"]);
    let parts: [&[u8]; 2] = [b"one con", b"tract"];
    lets_others_write(&place, &["verify", "contract.pdf.sig.json", "-"], parts);
    lets_others_write(&place, &["verify", "contract.pdf.seal", "-"], parts);
    lets_others_write(&place, &["vault", "verify", "--file=copy.vault.json", "--stored=-"], [b"deed ", b"17"]);
    let fragment = place.fragment(0);
    lets_others_write(&place, &["vault", "trace", "-"], [&fragment.as_bytes()[..9], &fragment.as_bytes()[9..]]);
    // Whose key was called back meanwhile is told as it was when the ring was read, or as it is now: never as an error.
    let child = waiting(&place, &["verify", "contract.pdf.sig.json", "-"], parts[0]);
    place.good(&["key", "rotate", "ana", "--lock-wait=0"]);
    assert!(matches!(ended(child, parts[1]).status, 0 | 1));
}

#[test]
fn a_slow_document_is_signed_by_a_quorum() {
    for kind in ["hmac", "ml-dsa-65"] {
        let place = founded(&format!("slow-{kind}"), kind);
        let parts: [&[u8]; 2] = [b"resolu", b"tion 7"];
        let sign = ["session", "sign", "-", "share-1.json", "share-2.json", "--as=ana", "-o", "out.json"];
        lets_others_write(&place, &sign, parts);
        let verify = ["session", "verify", "out.json", "-", "share-1.json", "share-2.json"];
        lets_others_write(&place, &verify[..if kind == "hmac" { 6 } else { 4 }], parts);
        let share = place.read("share-2.json");
        let halves = [&share.as_bytes()[..20], &share.as_bytes()[20..]];
        lets_others_write(&place, &["session", "check", "share-1.json", "-"], halves);
    }
}

/// The key that was current when the document began is not used once it is retired.
#[test]
fn a_key_that_is_retired_meanwhile_signs_nothing() {
    let place = Place::with_ana("slow-rotate");
    place.good(&["vault", "init"]);
    for args in [&["sign", "-", "-o", "out"][..], &["seal", "-", "-o", "out"], &["vault", "seal", "-"]] {
        let child = waiting(&place, args, b"one ");
        place.good(&["key", "rotate", "ana", "--lock-wait=0"]);
        let ran = ended(child, b"contract");
        match (args[0], ran.status) {
            // The key is read when the document has ended.
            ("sign", 0) => drop(place.good(&["verify", "out", "contract.pdf"])),
            (_, 75) => assert!(ran.err.contains("key was changed"), "{args:?}: {ran:?}"),
            _ => panic!("{args:?}: {ran:?}"),
        }
        let _ = std::fs::remove_file(place.path("out"));
    }
    assert_eq!(place.json(&["vault", "list"])["size"], 0);
}

/// Nor is one that was called back.
#[test]
fn a_key_that_is_called_back_meanwhile_signs_nothing() {
    let place = Place::with_ana("slow-revoked");
    place.good(&["vault", "init"]);
    for args in [&["sign", "-", "-o", "out"][..], &["seal", "-", "-o", "out"], &["vault", "seal", "-"]] {
        let child = waiting(&place, args, b"one ");
        place.good(&["key", "state", "ana", "revoked", "--lock-wait=0"]);
        let called_back = place.read("home/chain.jsonl");
        let ran = ended(child, b"contract");
        assert!(ran.status == 2 && ran.err.contains("was called back"), "{args:?}: {ran:?}");
        assert!(!place.path("out").exists(), "{args:?}");
        assert_eq!(place.read("home/chain.jsonl"), called_back, "{args:?}");
        place.good(&["key", "state", "ana", "valid"]);
    }
}

/// Whoever has no right to sign is told so before the document is read.
#[test]
fn what_cannot_be_done_is_told_at_once() {
    let place = Place::with_ana("slow-refused");
    for args in [
        &["sign", "-", "--as=eve", "-o", "out"][..],
        &["sign", "-"],
        &["seal", "-", "--as=eve", "-o", "out"],
        &["vault", "seal", "-"],
    ] {
        let mut child = place.command(args).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let open = child.stdin.take();
        let status = child.wait().unwrap();
        drop(open);
        assert!(matches!(status.code(), Some(64 | 78)), "{args:?}: {status}");
    }
}

#[test]
fn a_slow_content_is_named() {
    let place = Place::with_ana("slow-id");
    let parts: [&[u8]; 2] = [b"one con", b"tract"];
    lets_others_write(&place, &["id", "-", "--creator=notary", "--save=deed"], parts);
    lets_others_write(&place, &["id", "-", "--creator=notary", "--save=old", "--legacy"], parts);
    lets_others_write(&place, &["id", "-", "--creator=notary"], parts);
    let named = place.good(&["id", "contract.pdf", "--creator=notary"]).out;
    assert_eq!(place.read("home/names.json").matches(named.lines().next().unwrap()).count(), 2, "{named}");
    // A name that was taken meanwhile is refused in the end.
    let child = waiting(&place, &["id", "-", "--creator=notary", "--save=late"], b"one con");
    place.good(&["id", "--creator=other", "--save=late"]);
    let ran = ended(child, b"tract");
    assert!(ran.status == 64 && ran.err.contains("is a name here already"), "{ran:?}");
    place.refused(&["id", "none", "--creator=notary", "--save=late"], 64, "is a name here already");
}

/// A document, a key, a ring or a chain from a pipe comes once: whatever is asked of it is asked of that.
#[test]
fn a_pipe_is_read_once() {
    let place = Place::with_vault("pipes-once");
    let shell = |line: &str| {
        let ran = place.shell(line);
        assert_eq!(ran.status, 0, "{line}: {ran:?}");
    };
    for line in [
        "dualseal sign contract.pdf",
        "dualseal seal contract.pdf",
        "dualseal key export --ring -o ring.json",
        "dualseal checkpoint sign -o checkpoint.json",
        "cp home/chain.jsonl chain.jsonl",
        "dualseal evidence make contract.pdf.sig.json",
        "dualseal checkpoint check checkpoint.json --json | sed 's/.*\"log\":\"//; s/\".*//' >log",
        "dualseal vault redact 0 -o one.vault.json --stored one.stored",
        "dualseal split deed.pdf --threshold 2 --shares 3 -o dealt",
        "mkdir in && cp contract.pdf contract.pdf.sig.json contract.pdf.seal in",
        "dualseal --home=other key new bo --domain=BETA && dualseal --home=other key export -o bo.pem",
        "dualseal --home=other sign contract.pdf && cp contract.pdf.bo.sig.json in",
        "echo '[{\"creator\":\"ana\",\"context\":\"2026\"}]' >inputs.json",
        "dualseal key export ana --secret -o secret.pem",
    ] {
        shell(line);
    }
    let proof = "--ring=@ring.json --chain=@chain.jsonl --checkpoint=@checkpoint.json --log-key=@ana.pem";
    for line in [
        "dualseal --home=none verify @contract.pdf.sig.json @contract.pdf --key=@ana.pem",
        "dualseal --home=none verify @contract.pdf.seal @contract.pdf --key=@ana.pem --ring=@ring.json",
        "dualseal --home=none verify contract.pdf --key=@ana.pem --key=@bo.pem",
        &format!("dualseal --home=none verify @contract.pdf.sig.json @contract.pdf --key=@ana.pem {proof}"),
        "dualseal --home=none verify @contract.pdf --evidence=@contract.pdf.sig.evidence.json --key=@ana.pem \
         --log=$(cat log)",
        "dualseal verify @contract.pdf.sig.json @contract.pdf",
        "dualseal verify @contract.pdf.seal @contract.pdf",
        "dualseal --home=none audit in --key=@ana.pem --key=@bo.pem --require=@ana.pem",
        "dualseal --home=none audit in --key=@ana.pem --key=@bo.pem --report=report.html",
        "dualseal --home=none chain check @chain.jsonl --checkpoint=@checkpoint.json --log-key=@ana.pem",
        "dualseal --home=none checkpoint check @checkpoint.json --log-key=@ana.pem --chain=@chain.jsonl",
        "dualseal checkpoint compare @checkpoint.json @checkpoint.json --chain=@chain.jsonl",
        "dualseal evidence make @contract.pdf.seal -o shown.json",
        "dualseal --home=none vault verify --file=@one.vault.json --stored=@one.stored --key=@ana.pem",
        "dualseal combine @dealt/share-1.txt @dealt/share-2.txt --dealing=@dealt/dealing.json \
         --wrapped=@dealt/deed.pdf.wrapped -o back.pdf",
        "dualseal share health @dealt/share-1.txt @dealt/share-2.txt @dealt/share-3.txt --dealing=@dealt/dealing.json",
        "dualseal split @deed.pdf --threshold 2 --shares 3 -o again",
        "dualseal sign @contract.pdf -o piped.sig.json && dualseal verify piped.sig.json contract.pdf",
        "dualseal seal @contract.pdf -o piped.seal && dualseal verify piped.seal contract.pdf",
        "dualseal vault seal @contract.pdf --note piped",
        "dualseal id @contract.pdf --creator notary --save piped",
        "dualseal inspect @contract.pdf.sig.json && dualseal inspect @chain.jsonl && dualseal inspect @ana.pem",
        "dualseal lint ids @inputs.json",
        "dualseal --home=imported key import ana @secret.pem",
    ] {
        shell(&with_pipes(line));
    }
    // What is known of the key is known of what comes from a pipe, too.
    place.good(&["key", "state", "ana", "revoked"]);
    for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
        let ran = place.shell(&with_pipes(&format!("dualseal verify {record} @contract.pdf --key=ana.pem")));
        assert!(ran.status == 2 && ran.out.contains("REVOKED"), "{record}: {ran:?}");
    }
}

/// Each file that is named with an `@` comes through a pipe of its own, once.
fn with_pipes(line: &str) -> String {
    let mut parts = line.split('@');
    let (mut before, mut rest) = (vec!["rm -f pipe-*;".to_owned()], vec![parts.next().unwrap().to_owned()]);
    for (number, part) in parts.enumerate() {
        let (file, after) = part.split_at(part.find([' ', '\n']).unwrap_or(part.len()));
        let fed = format!("timeout 60 sh -c 'cat {file} >pipe-{number}' >/dev/null 2>&1 &");
        before.push(format!("mkfifo pipe-{number}; {fed}"));
        rest.push(format!("pipe-{number}{after}"));
    }
    format!("{} {}", before.join(" "), rest.concat().replace("dualseal ", "timeout 60 dualseal "))
}
