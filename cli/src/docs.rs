//! The reference in `docs/CLI.md`: the help of every command, and nothing else. `DUALSEAL_BLESS=1` writes it anew.

use crate::cli::Cli;
use clap::{Command, CommandFactory};
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Command line

`dualseal` signs, seals and verifies documents without a line of code. It is installed by

```sh
cargo install --path cli
```

The first part of each answer is one plain sentence; `--json` gives one JSON object instead, with the same members
whatever came of it. Where data goes to standard output, the answer goes to standard error, a failure as well: with
`-o -`, with shares as text or QR codes, and where nothing else is said by `checkpoint sign`, `combine`, `completions`,
`key export`, `man`, `vault redact`, `vault tier-key` and `vault unseal`. What follows is the help of each command. The
common options, which every command takes, stand once, at the end of the first.
";

#[test]
fn the_reference_is_the_help() {
    let mut command = Cli::command();
    command.build();
    let mut reference = HEAD.to_owned();
    describe(&command, &mut reference);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/CLI.md");
    if std::env::var_os("DUALSEAL_BLESS").is_some() {
        fs::write(&path, &reference).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == reference, "docs/CLI.md is not the help: run this test with DUALSEAL_BLESS=1");
}

/// Every command that does something shows how, and every line of its help fits on a terminal.
#[test]
fn every_command_has_an_example() {
    let mut command = Cli::command();
    command.build();
    let mut pending = vec![command];
    let mut seen = 0;
    while let Some(command) = pending.pop() {
        pending.extend(command.get_subcommands().cloned());
        let name = command.get_bin_name().unwrap_or_default().to_owned();
        if command.get_subcommands().next().is_none() {
            seen += 1;
            let help = command.clone().render_long_help().to_string();
            assert!(
                help.contains(&format!("Examples:\n  $ dualseal {}", name.strip_prefix("dualseal ").unwrap())),
                "{name}"
            );
        }
    }
    assert!(seen >= 18, "{seen}");
}

#[test]
fn the_tree_is_consistent() {
    Cli::command().debug_assert();
}

/// The commands that messages, hints and examples name are commands, with the options that they are named with.
#[test]
fn every_command_that_is_named_exists() {
    let mut root = Cli::command();
    root.build();
    let (mut pending, mut seen) = (vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")], 0);
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let source = one_line_each(&fs::read_to_string(&path).unwrap());
        for begin in ["`", "$ ", "| "].map(|before| format!("{before}dualseal ")) {
            for (at, _) in source.match_indices(&begin) {
                let line = source[at + begin.len()..].split(['`', '\n', '|', '#', '"']).next().unwrap();
                check(&root, line, &path);
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A source, in which lines that go on are one: in strings by a backslash, in comments where a quotation is open.
fn one_line_each(source: &str) -> String {
    let mut lines = String::new();
    for line in source.lines() {
        let (text, comment) = match line.trim_start().strip_prefix("//") {
            Some(text) => (text.trim_start_matches(['/', '!']).trim_start(), true),
            None => (line.trim_start(), false),
        };
        lines.push_str(text.trim_end_matches('\\'));
        let open = comment && lines.lines().next_back().is_some_and(|line| line.matches('`').count() % 2 == 1);
        lines.push(if open || text.ends_with('\\') { ' ' } else { '\n' });
    }
    lines
}

fn check(root: &Command, line: &str, path: &Path) {
    let (mut command, mut naming) = (root, true);
    for word in line.split_whitespace() {
        let word = word.trim_end_matches(['.', ',', ':', ';', '"', ')']);
        naming &= !word.starts_with('-');
        if let Some(long) = word.strip_prefix("--") {
            let long = long.split('=').next().unwrap();
            let mut arguments = command.get_arguments();
            let known = long == "help" || arguments.any(|argument| argument.get_long() == Some(long));
            assert!(known, "{}: dualseal {line}: --{long}", path.display());
        } else if naming && command.has_subcommands() && !word.contains(['{', '…']) {
            let below = command.find_subcommand(word);
            command = below.unwrap_or_else(|| panic!("{}: dualseal {line}: {word}", path.display()));
        }
    }
}

fn describe(command: &Command, reference: &mut String) {
    let name = command.get_bin_name().unwrap_or("dualseal");
    let mut shown = command.clone().term_width(120);
    if name != "dualseal" {
        shown = shown.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
    }
    let help = shown.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    reference.push_str(&["\n## `", name, "`\n\n```text\n", lines.join("\n").trim_end(), "\n```\n"].concat());
    for below in command.get_subcommands() {
        describe(below, reference);
    }
}
