//! The examples of every `--help` are run, each where it can be done.

use crate::run::Place;
use std::collections::BTreeMap;
use std::fs;

/// Every command, by its words, with the help that it prints.
fn helps(place: &Place) -> BTreeMap<String, String> {
    let mut helps = BTreeMap::new();
    let mut pending = vec![String::new()];
    while let Some(command) = pending.pop() {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = place.good(&words).out;
        let below = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        for line in below.lines().take_while(|line| !line.is_empty()) {
            // A command stands two spaces in; what it does, further.
            let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
            if let Some(name) = name.and_then(|line| line.split_whitespace().next()) {
                pending.push(format!("{command} {name}").trim().to_owned());
            }
        }
        helps.insert(command, help);
    }
    helps
}

/// The examples of a help, lines that go on joined.
fn examples(help: &str) -> Vec<String> {
    let lines = help.split("Examples:\n").nth(1).unwrap_or_default().lines();
    let mut examples: Vec<String> = Vec::new();
    for line in lines.take_while(|line| line.starts_with("  ")) {
        match line.strip_prefix("  $ ") {
            Some(line) => examples.push(line.to_owned()),
            None => *examples.last_mut().unwrap() += &["\n", line].concat(),
        }
    }
    examples
}

/// What is there before anything was made.
fn bare(name: &str) -> Place {
    let place = Place::new(name);
    for (name, content) in [
        ("contract.pdf", "one contract"),
        ("deed.pdf", "deed 17"),
        ("order.json", r#"{"items": 3}"#),
        ("inputs.json", r#"[{"creator":"ana","context":"2026"}]"#),
        ("passphrase.txt", "correct horse\n"),
    ] {
        place.write(name, content);
    }
    let maker = Place::with_ana(&format!("{name}-maker"));
    maker.good(&["key", "export", "--secret", "-o", "ana-secret.pem"]);
    fs::copy(maker.path("ana-secret.pem"), place.path("ana-secret.pem")).unwrap();
    for name in ["man1", "papers"] {
        fs::create_dir(place.path(name)).unwrap();
    }
    place.write("papers/one.txt", "one paper");
    place
}

fn with_key(name: &str) -> Place {
    let place = bare(name);
    fs::remove_file(place.path("ana-secret.pem")).unwrap();
    place.good(&["key", "new", "ana"]);
    let key = place.json(&["key", "list"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    place.write("ana.fingerprint", &key);
    place.write("old.fingerprint", &key);
    place
}

fn with_everything(name: &str) -> Place {
    let place = with_key(name);
    place.write("old.pdf", "old");
    for line in [
        "dualseal sign old.pdf",
        "dualseal sign contract.pdf",
        "dualseal seal contract.pdf",
        "dualseal key export -o ana.pem",
        "cp ana.pem log.pem",
        "dualseal key export --ring -o ring.json",
        "dualseal checkpoint sign -o checkpoint.json",
        "dualseal chain append more",
        "dualseal checkpoint sign -o newer.json",
        "cp home/chain.jsonl chain.jsonl",
        "dualseal chain export --tiles public --json | sed 's/.*\"note_key\":\"//; s/\".*//' >log.key",
        "dualseal witness new watch --name w.example",
        "dualseal witness follow public --in watch --log \"$(cat log.key)\" -o cosigned",
        "dualseal checkpoint check newer.json --json | sed 's/.*\"log\":\"//; s/\".*//' >log.fingerprint",
        "dualseal evidence make contract.pdf.sig.json -o received.evidence.json",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place
}

fn with_vault(name: &str) -> Place {
    let place = with_everything(name);
    for line in [
        "dualseal vault init",
        "dualseal vault seal deed.pdf --type DEED",
        "dualseal vault redact 0 -o deed.vault.json --stored deed.stored",
        "dualseal vault tier-key -o ana.tier.pem",
        "cp home/chain.jsonl vaulted.jsonl",
        "cp home/checkpoint.json vaulted.json",
        "mkdir received",
        "cp contract.pdf contract.pdf.sig.json contract.pdf.seal received",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let fragment = place.fragment(0);
    place.steal(&fragment, "contract.pdf", "contract.pdf.thief.json");
    place.write("leaked.txt", fragment);
    place
}

#[test]
fn examples_run() {
    let helps = helps(&Place::new("helps"));
    assert!(helps.len() >= 22, "{:?}", helps.keys());
    let mut count = 0;
    let mut failed = Vec::new();
    for (command, help) in &helps {
        let examples = examples(help);
        let group = help.contains("\nCommands:\n");
        assert!(group || !examples.is_empty(), "{command} has no example");
        // Those of the program itself are one story.
        let story = bare("example-story");
        for example in examples {
            count += 1;
            let shared = crate::sharing_examples::place(command, &example);
            let place = match command.as_str() {
                "" => {
                    let ran = story.shell(&example);
                    assert_eq!(ran.status, 0, "{example}: {ran:?}");
                    continue;
                }
                "key new" | "key import" | "witness new" => bare("example"),
                "vault init" => with_key("example"),
                command if command.starts_with("vault ") || command == "audit" => with_vault("example"),
                "sign" | "seal" | "key export" | "checkpoint sign" => with_key("example"),
                _ => shared.unwrap_or_else(|| with_everything("example")),
            };
            if example.contains("--evidence contract.pdf") {
                fs::rename(place.path("received.evidence.json"), place.path("contract.pdf.sig.evidence.json")).unwrap();
            }
            let ran = place.shell(&example);
            if ran.status != 0 {
                failed.push(format!("{example}: {ran:?}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count >= 40, "{count}");
}

/// The statuses of the help are those of the program.
#[test]
fn statuses_are_listed() {
    let place = Place::new("statuses");
    let help = place.good(&["--help"]).out;
    for status in ["0   ", "1   ", "2   ", "3   ", "4   ", "64  ", "66  ", "70  ", "73  ", "75  ", "77  ", "78  "] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(status)), "{status}");
    }
    assert_eq!(place.run(&["--version"]).status, 0);
    assert_eq!(place.run(&[""; 0]).status, 64);
    assert_eq!(place.run(&["nothing"]).status, 64);
    assert_eq!(place.run(&["sign", "x", "--time", "yesterday"]).status, 64);
}
