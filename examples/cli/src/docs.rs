//! The reference in `docs/CLI.md`: the help of every command, and nothing else. `DUALSEAL_BLESS=1` writes it anew.

use crate::cli::Cli;
use clap::{Command, CommandFactory};
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Command line

`dualseal` signs, seals and verifies documents without a line of code. It is installed by

```sh
cargo install --path examples/cli
```

The first part of each answer is one plain sentence; `--json` gives one JSON object instead, with the same members
whatever came of it. Data goes to standard output only where it is asked for (`-o -`); the answer then goes to standard
error. What follows is the help of each command. The common options, which every command takes, stand once, at the end
of the first.
";

#[test]
fn the_reference_is_the_help() {
    let mut command = Cli::command();
    command.build();
    let mut reference = HEAD.to_owned();
    describe(&command, &mut reference);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/CLI.md");
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
