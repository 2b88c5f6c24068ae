//! Ledgers: sealing, verifying, taking out, tracing, erasing, and what must be refused.

mod crash;
mod lost;
mod splits;
mod tamper;
mod tiers;

use crate::run::Place;
use crate::schema::answers;
use dualseal::SigningKey;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

impl Place {
    /// A home with a ledger in which `contract.pdf` (encrypted) and `deed.pdf` (plain) were sealed.
    pub(crate) fn with_vault(name: &str) -> Self {
        let place = Self::with_ana(name);
        place.write("deed.pdf", "deed 17");
        place.good(&["vault", "init"]);
        place.good(&["vault", "seal", "contract.pdf", "--type", "CONTRACT"]);
        place.good(&["vault", "seal", "deed.pdf", "--plain", "--note", "from the front desk"]);
        place.good(&["key", "export", "-o", "ana.pem"]);
        place
    }

    /// The fragment of a kept record.
    pub(crate) fn fragment(&self, seq: u64) -> String {
        let record: serde_json::Value =
            serde_json::from_str(&self.read(&format!("home/vaults/main/records/{seq:06}.json"))).unwrap();
        record["L7"]["fragment"].as_str().unwrap().to_owned()
    }

    /// Somebody takes a fragment for ana's key and signs a document with it, in a home of his own.
    pub(crate) fn steal(&self, fragment: &str, document: &str, out: &str) {
        let seed: Vec<u8> = fragment
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        let pem = SigningKey::from_seed(&seed).unwrap().to_pkcs8_pem().unwrap();
        self.write("stolen.pem", pem.as_bytes());
        let ana = self.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned();
        self.good(&["key", "import", &ana, "stolen.pem", "--home=thief"]);
        self.good(&["sign", document, "--home=thief", "-o", out]);
    }
}

#[test]
fn a_document_goes_in_and_comes_out() {
    let place = Place::with_vault("vault-round");
    let stored = fs::read(place.path("home/vaults/main/stored/000000")).unwrap();
    assert!(!stored.windows(12).any(|part| part == b"one contract"));
    assert_eq!(place.read("home/vaults/main/stored/000001"), "deed 17");
    let verified = place.json(&["vault", "verify"]);
    assert_eq!(
        (&verified["verdict"], &verified["records"], &verified["vouched"]),
        (&"valid".into(), &2.into(), &2.into())
    );
    for which in ["0", "1"] {
        let one = place.json(&["vault", "verify", which]);
        for layer in ["L0", "L2", "L3", "L4", "L5", "L6", "L7", "L8"] {
            assert_eq!(one["report"]["layers"][layer]["outcome"], "pass", "{one}");
        }
        assert_eq!(one["report"]["layers"]["L1"]["outcome"], "recorded");
        let public = place.json(&["vault", "verify", which, "--policy=public"]);
        assert_eq!(
            (&public["status"], &public["report"]["layers"]["L2"]["outcome"]),
            (&0.into(), &"not_checked".into())
        );
    }
    place.good(&["vault", "unseal", "0", "-o", "copy.pdf"]);
    assert_eq!(place.read("copy.pdf"), "one contract");
    assert_eq!(fs::metadata(place.path("copy.pdf")).unwrap().permissions().mode() & 0o777, 0o600);
    place.refused(&["vault", "unseal", "0", "-o", "copy.pdf"], 73, "already");
    let id = place.json(&["vault", "list"])["records"][1]["vault_id"].as_str().unwrap().to_owned();
    assert_eq!(place.good(&["vault", "unseal", &id, "-o", "-"]).out, "deed 17");
    assert_eq!(place.good(&["vault", "verify", "--policy=public"]).status, 0);
    place.refused(&["vault", "verify", "7"], 64, "no record");
    place.refused(&["vault", "list", "--ledger=none"], 78, "no ledger is named");
    place.refused(&["vault", "init"], 73, "name another with --ledger");
    place.refused(&["vault", "init", "--ledger=../x"], 64, "cannot be the name");
    place.refused(&["vault", "seal", "none"], 66, "cannot read none");
    place.refused(&["vault", "seal", "contract.pdf", "--type=ERASURE"], 64, "made by the library alone");
    assert_eq!(place.json(&["vault", "list"])["size"], 2);
}

#[test]
fn every_tier_seals_and_verifies() {
    let place = Place::with_ana("vault-tiers");
    for tier in ["public", "noble", "native"] {
        let ledger = format!("--ledger={tier}");
        place.good(&["vault", "init", &ledger, "--tier", tier]);
        place.good(&["vault", "seal", "contract.pdf", &ledger]);
        let one = place.json(&["vault", "verify", "0", &ledger]);
        let expected = if tier == "public" { "not_required" } else { "pass" };
        assert_eq!((&one["status"], &one["report"]["layers"]["L4"]["outcome"]), (&0.into(), &expected.into()), "{one}");
    }
}

#[test]
fn what_left_is_verified_by_strangers() {
    let place = Place::with_vault("vault-stranger");
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json", "--stored", "copy.stored"]);
    assert!(place.read("copy.vault.json").contains(r#""fragment":null"#));
    assert!(!place.read("copy.vault.json").contains(&place.fragment(0)));
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    fs::copy(place.path("home/checkpoint.json"), place.path("checkpoint.json")).unwrap();
    let stranger =
        ["vault", "verify", "--file=copy.vault.json", "--stored=copy.stored", "--key=ana.pem", "--home=none"];
    let answer = place.json(&stranger);
    assert_eq!((&answer["status"], &answer["seq"]), (&0.into(), &serde_json::Value::Null));
    let evidence = ["--chain=chain.jsonl", "--checkpoint=checkpoint.json", "--log-key=ana.pem"];
    let answer = place.json(&[&stranger[..], &evidence].concat());
    assert_eq!((&answer["status"], &answer["seq"]), (&0.into(), &1.into()));
    assert_eq!(answer["report"]["layers"]["L8"]["outcome"], "pass");
    place.write("other.stored", "something else");
    let other = ["vault", "verify", "--file=copy.vault.json", "--stored=other.stored", "--key=ana.pem"];
    place.refused(&other, 1, "L0");
    let answer = place.json(&[&other[..], &["--public"]].concat());
    assert_eq!((&answer["status"], &answer["report"]["layers"]), (&1.into(), &serde_json::Value::Null));
    place.refused(&[&stranger[..4], &["--home=none"]].concat(), 64, "nothing says whose keys to trust");
    // The whole ledger, one record a line.
    place.good(&["vault", "redact", "-o", "ledger.jsonl"]);
    assert_eq!(place.read("ledger.jsonl").lines().count(), 2);
    assert_eq!(place.good(&["vault", "redact"]).out, place.read("ledger.jsonl"));
}

/// A ring has several signers, and each of them can sign and seal any document: who is asked for is said.
#[test]
fn whose_record_it_must_be_is_said() {
    let place = Place::with_vault("vault-whose");
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json", "--stored", "copy.stored"]);
    place.good(&["sign", "contract.pdf", "-o", "contract.sig.json"]);
    place.good(&["key", "new", "eve"]);
    let of_vault = ["vault", "verify", "--file=copy.vault.json", "--stored=copy.stored"];
    for (command, status) in [(&of_vault[..], 1), (&["verify", "contract.sig.json", "contract.pdf"], 1)] {
        let with = |more| [command, &[more]].concat();
        place.refused(command, 64, "several signers");
        place.good(&with("--identity=ana"));
        place.refused(&with("--identity=eve"), status, "NOT VALID");
        let anybody = place.json(&with("--any-signer"));
        let ana = &place.json(&["key", "show", "ana"])["info"]["identity_id"];
        let told = if command == of_vault { &anybody["report"]["result"] } else { &anybody["result"] };
        assert_eq!((&anybody["status"], &told["identity_id"]), (&0.into(), ana), "{anybody}");
    }
    // A ledger of the home folder names its identity.
    for asked in ["--any-signer", "--identity=eve"] {
        place.refused(&["vault", "verify", asked], 64, "of one identity");
    }
}

#[test]
fn a_leak_is_traced() {
    let place = Place::with_vault("vault-trace");
    place.write("found.txt", format!("{}\n", place.fragment(1)));
    assert_eq!(place.json(&["vault", "trace", "found.txt"])["record"], 1);
    assert_eq!(place.json(&["vault", "trace", "home/vaults/main/records/000000.json"])["record"], 0);
    let ran = place.fed(&["vault", "trace", "-"], place.fragment(0).as_bytes());
    assert!(ran.status == 0 && ran.out.contains("record 0"), "{ran:?}");
    place.steal(&place.fragment(0), "deed.pdf", "thief.json");
    place.refused(&["verify", "thief.json", "deed.pdf"], 4, "DECOY");
    place.good(&["verify", "thief.json", "deed.pdf", "--public"]);
    assert_eq!(place.json(&["vault", "trace", "thief.json", "deed.pdf"])["record"], 0);
    place.refused(&["vault", "trace", "thief.json"], 64, "with its document");
    place.refused(&["vault", "trace", "thief.json", "contract.pdf"], 1, "Not traced");
    place.good(&["sign", "deed.pdf"]);
    place.refused(&["vault", "trace", "deed.pdf.sig.json", "deed.pdf"], 1, "the signature is valid");
    place.write("found.txt", "0f".repeat(32));
    place.refused(&["vault", "trace", "found.txt"], 1, "no record of this ledger holds it");
    place.refused(&["vault", "trace", "contract.pdf"], 66, "nothing that can be traced");
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json"]);
    place.refused(&["vault", "trace", "copy.vault.json"], 66, "holds no fragment");
}

#[test]
fn an_erased_document_is_gone_and_its_record_is_not() {
    let place = Place::with_vault("vault-erase");
    let secret = place.read("home/vaults/main/secrets/000000.key");
    place.refused(&["vault", "erase", "0"], 64, "add --yes");
    place.refused(&["vault", "erase", "1", "--yes"], 64, "not encrypted");
    place.good(&["vault", "unseal", "0", "-o", "before.pdf"]);
    let erased = place.json(&["vault", "erase", "0", "--yes"]);
    assert_eq!((&erased["erasure"], &erased["checkpoint"]), (&2.into(), &true.into()));
    assert_eq!(place.read("home/vaults/main/secrets/000000.key"), "");
    place.refused(&["vault", "unseal", "0", "-o", "after.pdf"], 77, "as record 2 says");
    assert!(!place.path("after.pdf").exists());
    // A secret that somebody kept opens it no more, while the ledger says so.
    place.write("home/vaults/main/secrets/000000.key", secret);
    place.refused(&["vault", "unseal", "0", "-o", "after.pdf"], 77, "as record 2 says");
    place.write("home/vaults/main/secrets/000000.key", "");
    place.refused(&["vault", "erase", "0", "--yes"], 64, "was erased before");
    let verified = place.json(&["vault", "verify"]);
    assert_eq!((&verified["status"], &verified["records"]), (&0.into(), &3.into()));
    place.good(&["vault", "unseal", "1", "-o", "deed-copy.pdf"]);
    let states: Vec<_> =
        place.json(&["vault", "list"])["records"].as_array().unwrap().iter().map(|r| r["state"].clone()).collect();
    assert_eq!(states, ["erased", "plain", "plain"]);
    place.refused(&["vault", "erase", "2", "--yes"], 64, "not encrypted");
}

#[test]
fn a_record_beyond_the_checkpoint_is_not_vouched_for() {
    let place = Place::with_vault("vault-covered");
    place.good(&["vault", "seal", "deed.pdf", "--no-checkpoint"]);
    place.refused(&["vault", "verify"], 3, "no checkpoint vouches for its place yet");
    place.refused(&["vault", "verify", "2"], 3, "no checkpoint vouches for its place yet");
    place.refused(&["vault", "unseal", "2", "-o", "copy.pdf"], 3, "not located under a checkpoint");
    assert!(!place.path("copy.pdf").exists());
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    place.good(&["vault", "verify"]);
    place.good(&["vault", "unseal", "2", "-o", "copy.pdf"]);
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    for line in ["vault verify", "vault verify --policy=public"] {
        let args: Vec<&str> = line.split(' ').collect();
        place.refused(&args, 78, "the last checkpoint, over 4 entries, is missing");
    }
}

#[test]
fn a_called_back_key_is_told() {
    let place = Place::with_vault("vault-states");
    for (state, status, words) in [("suspended", 3, "SUSPENDED"), ("revoked", 2, "REVOKED"), ("valid", 0, "Valid")] {
        place.good(&["key", "state", "ana", state]);
        let ran = place.run(&["vault", "verify"]);
        assert!(ran.status == status && ran.out.starts_with(words), "{state}: {ran:?}");
        let ran = place.run(&["vault", "unseal", "0", "-o", "out.pdf"]);
        assert_eq!((ran.status, place.path("out.pdf").exists()), (status, status == 0), "{state}: {ran:?}");
    }
}

#[test]
fn secrets_stay_under_the_passphrase() {
    let place = Place::new("vault-passphrase");
    place.write("contract.pdf", "one contract");
    place.write("p", "correct horse\n");
    place.write("wrong", "wrong horse\n");
    let good = |args: &[&str]| place.good(&[args, &["--passphrase-file=p"]].concat());
    good(&["key", "new", "ana"]);
    place.refused(&["vault", "init"], 77, "no terminal to ask for it");
    good(&["vault", "init"]);
    place.refused(&["vault", "seal", "contract.pdf"], 77, "no terminal to ask for it");
    good(&["vault", "seal", "contract.pdf"]);
    for name in ["master.key", "tier.key", "secrets/000000.key"] {
        let text = place.read(&format!("home/vaults/main/{name}"));
        assert!(text.starts_with("-----BEGIN ENCRYPTED DUALSEAL SECRET-----"), "{name}");
    }
    place.refused(&["vault", "unseal", "0", "-o", "out", "--passphrase-file=wrong"], 77, "does not open");
    assert!(!place.path("out").exists());
    good(&["vault", "unseal", "0", "-o", "out"]);
    // What anybody can check needs no passphrase, by whoever says whose key it is: the ring is held against the chain.
    place.refused(&["vault", "verify", "--policy=public"], 77, "no terminal to ask for it");
    good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["vault", "verify", "--policy=public", "--key=ana.pem"]);
    good(&["key", "export", "--ring", "-o", "public.json"]);
    place.good(&["vault", "verify", "--policy=public", "--ring=public.json"]);
    place.refused(&["vault", "verify", "--key=ana.pem"], 64, "add --policy public");
    place.good(&["vault", "list"]);
}

#[test]
fn names_and_sizes_of_any_kind() {
    let place = Place::with_vault("vault-sizes");
    let name = Path::new(OsStr::from_bytes(b"uge\xf0vor \xff.pdf"));
    place.write(name, "a name that is not UTF-8");
    place.write("empty", "");
    place.write("two-chunks", vec![7; 65_536 * 2]);
    fs::File::create(place.path("large")).unwrap().set_len(48 << 20).unwrap();
    for (index, name) in [name, Path::new("empty"), Path::new("two-chunks"), Path::new("large")].into_iter().enumerate()
    {
        let ran = place.run(&[OsStr::new("vault"), OsStr::new("seal"), name.as_os_str()]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let ran = place.run(&[
            OsStr::new("vault"),
            OsStr::new("unseal"),
            OsStr::new(&(index + 2).to_string()),
            OsStr::new("-o"),
            OsStr::from_bytes(b"out \xfe"),
            OsStr::new("--force"),
        ]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let out = fs::read(place.path(OsStr::from_bytes(b"out \xfe"))).unwrap();
        assert!(out == fs::read(place.path(name)).unwrap(), "{}", name.display());
    }
    let ran = place.fed(&["vault", "seal", "-", "--plain"], b"");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(place.good(&["vault", "unseal", "6", "-o", "-"]).out, "");
    assert_eq!(place.json(&["vault", "verify"])["records"], 7);
}

#[test]
fn answers_are_frozen() {
    let place = Place::with_ana("vault-schema");
    place.write("deed.pdf", "deed 17");
    let lines = [
        "vault list",
        "vault init",
        "vault seal contract.pdf --type CONTRACT",
        "vault seal deed.pdf --plain --no-checkpoint",
        "vault verify",
        "vault erase 0",
        "vault erase 0 --yes",
        "vault verify",
        "vault verify 0",
        "vault verify 0 --policy public",
        "vault verify 0 --policy public --public",
        "vault unseal 0 -o copy.pdf",
        "vault unseal 1 -o copy.pdf",
        "vault redact 1 -o copy.vault.json --stored copy.stored",
        "vault redact -o ledger.jsonl",
        "vault verify --file copy.vault.json --stored copy.stored",
        "vault verify --file copy.vault.json --stored copy.pdf --public",
        "vault verify --file copy.vault.json --stored contract.pdf",
        "vault trace home/vaults/main/records/000001.json",
        "vault list",
    ];
    insta::assert_snapshot!(answers(&place, &lines));
}
