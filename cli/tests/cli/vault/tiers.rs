//! The key that shows a ledger's tier, for whoever verifies records that left it.

use crate::run::Place;

/// A home with a ledger of each tier, a record of each that left it, and the keys that show the tiers.
fn with_tiers(name: &str) -> Place {
    let place = Place::with_ana(name);
    place.good(&["key", "export", "-o", "ana.pem"]);
    for tier in ["public", "noble", "native"] {
        let ledger = format!("--ledger={tier}");
        let made = place.json(&["vault", "init", &ledger, "--tier", tier]);
        assert_eq!(made["tier_key"].is_null(), tier == "public", "{made}");
        place.good(&["vault", "seal", "contract.pdf", &ledger]);
        let (record, stored) = (format!("{tier}.vault.json"), format!("{tier}.stored"));
        place.good(&["vault", "redact", "0", "-o", &record, "--stored", &stored, &ledger]);
        if tier != "public" {
            let told = place.json(&["vault", "tier-key", &ledger, "-o", &format!("{tier}.pem")]);
            assert_eq!((&told["tier"], &told["tier_key"]), (&tier.into(), &made["tier_key"]), "{told}");
        }
    }
    place
}

/// The status, and what is said of L4, of a record for a stranger.
fn stranger(place: &Place, tier: &str, more: &[&str]) -> (u64, String) {
    let (record, stored) = (format!("--file={tier}.vault.json"), format!("--stored={tier}.stored"));
    let args = [&["vault", "verify", &record, &stored, "--key=ana.pem", "--home=none"], more].concat();
    let answer = place.json(&args);
    let outcome = answer["report"]["layers"]["L4"]["outcome"].as_str().unwrap_or_default();
    (answer["status"].as_u64().unwrap(), outcome.to_owned())
}

#[test]
fn strangers_check_the_tier() {
    let place = with_tiers("vault-tier-keys");
    let (pass, fail, not_checked) = ("pass".to_owned(), "fail".to_owned(), "not_checked".to_owned());
    assert_eq!(stranger(&place, "native", &[]), (0, not_checked.clone()));
    assert_eq!(stranger(&place, "native", &["--tier-key=native.pem"]), (0, pass.clone()));
    assert_eq!(stranger(&place, "native", &["--tier-key=native.pem", "--least-tier=native"]), (0, pass.clone()));
    assert_eq!(stranger(&place, "noble", &["--tier-key=noble.pem", "--least-tier=noble"]), (0, pass.clone()));
    let both = ["--tier-key=noble.pem", "--tier-key=native.pem"];
    assert_eq!(stranger(&place, "native", &both), (0, pass.clone()));
    assert_eq!(stranger(&place, "noble", &both), (0, pass));
    // A tier below the one that is asked for, another ledger's key, and a key for another tier.
    assert_eq!(stranger(&place, "noble", &[&both[..], &["--least-tier=native"]].concat()), (1, fail.clone()));
    assert_eq!(stranger(&place, "native", &["--tier-key=noble.pem"]), (1, fail.clone()));
    let moved = place.read("noble.pem").replace("dualseal-tier: noble", "dualseal-tier: native");
    place.write("moved.pem", moved);
    assert_eq!(stranger(&place, "noble", &["--tier-key=moved.pem"]), (1, fail.clone()));
    assert_eq!(stranger(&place, "public", &["--tier-key=noble.pem", "--least-tier=noble"]), (1, fail));
    assert_eq!(stranger(&place, "public", &["--tier-key=noble.pem"]).0, 0);
    let file = ["vault", "verify", "--file=native.vault.json", "--stored=native.stored", "--key=ana.pem"];
    for (args, words) in [
        ([&file[..], &["--least-tier=native"]].concat(), "--tier-key"),
        (vec!["vault", "verify", "--tier-key=native.pem"], "--file"),
    ] {
        let ran = place.run(&args);
        assert!(ran.status == 64 && ran.err.contains(words), "{ran:?}");
    }
}

#[test]
fn a_tier_key_says_whose_it_is() {
    let place = with_tiers("vault-tier-file");
    let text = place.read("native.pem");
    let told = place.json(&["key", "show", "ana"]);
    let ana = told["info"]["identity_id"].as_str().unwrap();
    assert!(text.starts_with(&format!("dualseal-identity: {ana}\ndualseal-tier: native\n")), "{text}");
    assert_eq!(place.good(&["vault", "tier-key", "--ledger=native"]).out, text);
    // PEM that any program reads, without the lines that say what it shows.
    let ran = place.shell("openssl pkey -pubin -in native.pem -noout -text");
    if ran.status != 127 {
        assert!(ran.status == 0 && ran.out.contains("ED25519"), "{ran:?}");
    }
    place.refused(&["vault", "tier-key", "--ledger=public"], 64, "no key shows the tier public");
    let file = ["vault", "verify", "--file=native.vault.json", "--stored=native.stored", "--key=ana.pem"];
    let bare = text.lines().filter(|line| !line.starts_with("dualseal-")).map(|line| format!("{line}\n"));
    place.write("bare.pem", bare.collect::<String>());
    place.refused(&[&file[..], &["--tier-key=bare.pem"]].concat(), 66, "whose");
    for (name, status) in [("ana.pem", 66), ("home/ring.key", 66), ("contract.pdf", 66)] {
        place.refused(&[&file[..], &["--tier-key", name]].concat(), status, name);
    }
    // Nobody is at a tier by another's key.
    let other = text.replace(ana, &"0".repeat(64));
    place.write("other.pem", other);
    assert_eq!(stranger(&place, "native", &["--tier-key=other.pem"]).0, 1);
}

/// The key comes from its secret, which has a passphrase like the others.
#[test]
fn a_tier_key_is_under_the_passphrase() {
    let place = Place::new("vault-tier-passphrase");
    place.write("p", "correct horse\n");
    std::fs::set_permissions(place.path("p"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    place.good(&["key", "new", "ana", "--passphrase-file=p"]);
    place.good(&["vault", "init", "--passphrase-file=p"]);
    place.refused(&["vault", "tier-key"], 77, "no terminal to ask for it");
    place.good(&["vault", "tier-key", "--passphrase-file=p"]);
}
