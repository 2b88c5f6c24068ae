//! The form of JSON answers: one object whatever went wrong, and nothing in it that could drive a terminal.

use crate::run::Place;

/// Wrong arguments are answered as every other failure is.
#[test]
fn wrong_arguments_are_answered_in_json() {
    let place = Place::new("usage");
    for (args, command, words) in [
        (&["nothing"][..], "", "unrecognized subcommand 'nothing'"),
        (&[][..], "", "requires a subcommand"),
        (&["key"][..], "key", "requires a subcommand"),
        (&["sign"][..], "sign", "<DOCUMENT>"),
        (&["sign", "x", "--time", "yesterday"][..], "sign", "invalid value 'yesterday' for '--time <TIME>'"),
        (&["--home", "sign", "key", "new"][..], "key new", "<NAME>"),
        (&["--home=x", "chain", "show", "--from=-1"][..], "chain show", "--from"),
        (&["vault", "list", "--everything"][..], "vault list", "unexpected argument '--everything' found"),
        (&["verify", "a", "--ring=r", "--evidence=e", "--log", &"7".repeat(64)][..], "verify", "cannot be used with"),
        (&["inspect", "a\u{202e}\u{1b}[2J", "b\u{202e}\u{1b}[2J"][..], "inspect", "unexpected argument"),
    ] {
        let mut all = vec!["--json"];
        all.extend(args);
        let ran = place.run(&all);
        assert_eq!((ran.status, ran.err.as_str()), (64, ""), "{args:?}: {ran:?}");
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let members: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["code", "command", "error", "next", "refused", "status"], "{answer}");
        assert_eq!((&answer["code"], &answer["command"]), (&().into(), &command.into()), "{answer}");
        assert_eq!(answer["status"], 64);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(words) && !error.starts_with("error") && !error.contains('\n'), "{args:?}: {error}");
        let next = answer["next"].as_str().unwrap();
        assert!(next.contains("--help"), "{next}");
    }
    // After `--` it is a word like any other, and help that was asked for is help.
    let ran = place.run(&["inspect", "--", "a", "--json"]);
    assert!(ran.status == 64 && ran.out.is_empty() && ran.err.contains("error: "), "{ran:?}");
    assert!(place.good(&["sign", "--json", "--help"]).out.contains("Usage: "));
    assert!(place.run(&["sign"]).err.contains("Usage: "), "people see the usage");
}

/// What turns text around or is not seen is escaped in JSON too; whoever parses it reads the same.
#[test]
fn json_shows_what_is_unseen() {
    let place = Place::with_ana("unseen");
    let name = "a\u{202e}fdp\u{200b}\u{ad}\u{e0041}\u{2028}\u{85}\u{7f}\u{feff}\u{3164}Ž東.pdf";
    place.write(name, "one contract");
    let ran = place.good(&["sign", name, "--json"]);
    let raw = ["\u{202e}", "\u{200b}", "\u{ad}", "\u{e0041}", "\u{2028}", "\u{85}", "\u{7f}", "\u{feff}", "\u{3164}"];
    for hidden in raw {
        assert!(!ran.out.contains(hidden), "{hidden:?}: {}", ran.out.escape_unicode());
    }
    assert!(
        ran.out.contains("\\u202e") && ran.out.contains("\\udb40\\udc41") && ran.out.contains("Ž東"),
        "{}",
        ran.out
    );
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["document"], name);
    // Failures are no other.
    let ran = place.run(&["verify", "none\u{202e}", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(!ran.out.contains('\u{202e}') && answer["error"].as_str().unwrap().contains('\u{202e}'), "{}", ran.out);
}

/// A variable that is set to nothing is as good as none; an option is not.
#[test]
fn an_empty_home_is_none() {
    let place = Place::with_records("empty-home");
    let user = place.path("user");
    let run = |args: &[&str]| {
        let ran = place.command(args).env("DUALSEAL_HOME", "").env("HOME", &user).output().unwrap();
        (ran.status.code().unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    assert_eq!(run(&["verify", "contract.pdf.sig.json", "--key=ana.pem"]).0, 0);
    assert_eq!(run(&["key", "new", "bo"]).0, 0);
    assert!(user.join(".dualseal/home.json").exists());
    let (status, told) = run(&["key", "show", "--home="]);
    assert!(status == 64 && told.contains("--home"), "{status}: {told}");
}

#[test]
fn help_is_a_word_too() {
    let place = Place::new("help");
    for (args, same) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "sign"], &["sign", "--help"]),
        (&["help", "vault", "seal"], &["vault", "seal", "--help"]),
    ] {
        assert_eq!(place.good(args).out, place.good(same).out, "{args:?}");
    }
    assert_eq!(place.json(&["help", "nothing"])["error"], "unrecognized subcommand 'nothing'");
}

/// Whatever the file is called that is run, the program is called `dualseal`.
#[test]
fn the_program_has_one_name() {
    let place = Place::new("name");
    std::os::unix::fs::symlink(crate::run::DUALSEAL, place.path("ds")).unwrap();
    for line in ["./ds sign", "./ds sign --help", "./ds --help", "./ds nothing"] {
        let ran = place.shell(line);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("Usage: dualseal"), "{line}: {told}");
    }
}
