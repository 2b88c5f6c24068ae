//! What is said of the commands, in their help, in messages and in `docs/CLI.md`, is true of them.

use crate::cli::Cli;
use crate::failure::status_of;
use clap::{Command, CommandFactory};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The page that says how the commands belong together.
const PAGE: &str = include_str!("../../docs/CLI.md");

/// The page leaves no command out.
#[test]
fn the_page_names_every_command() {
    let mut root = Cli::command();
    root.build();
    let mut pending = vec![root];
    while let Some(command) = pending.pop() {
        let name = command.get_bin_name().unwrap_or_default();
        let is_group = command.get_subcommands().next().is_some();
        assert!(is_group || PAGE.contains(&format!("`{name}`")), "docs/CLI.md does not name `{name}`");
        pending.extend(command.get_subcommands().cloned());
    }
}

/// The statuses of the page are those of the help, and no others.
#[test]
fn the_page_lists_the_statuses_of_the_help() {
    let help = Cli::command().render_long_help().to_string();
    let listed = help.split("Exit status:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    let said: BTreeSet<&str> = listed.map(|line| line.trim_start().split("  ").next().unwrap()).collect();
    let table = PAGE.split("| status | what it means |\n|---|---|\n").nth(1).unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let found: BTreeSet<&str> = rows.flat_map(|row| row.split('|').nth(1).unwrap().split(',').map(str::trim)).collect();
    assert_eq!(found, said);
}

/// There are no more of them than anybody can keep in mind, and every number of the library ends in one.
#[test]
fn at_most_twelve_statuses_are_listed() {
    let help = Cli::command().render_long_help().to_string();
    let listed = help.split("Exit status:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    let listed: Vec<u8> = listed.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(listed.len() <= 12, "{listed:?}");
    for code in (0..5).chain(dualseal::Error::CATALOGUE.iter().map(|row| row.code)) {
        assert!(listed.contains(&status_of(code)), "{code}");
    }
}

/// Options that the page speaks of without a command are some command's.
#[test]
fn every_option_of_the_page_exists() {
    let mut root = Cli::command();
    root.build();
    let (mut pending, mut known) = (vec![root], BTreeSet::from(["help".to_owned()]));
    while let Some(command) = pending.pop() {
        known.extend(command.get_arguments().filter_map(|argument| argument.get_long().map(str::to_owned)));
        pending.extend(command.get_subcommands().cloned());
    }
    let mut seen = 0;
    for begin in ["`--", " --"] {
        for (at, _) in PAGE.match_indices(begin) {
            let word = &PAGE[at + begin.len()..];
            let option = word.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap();
            // What cargo takes.
            assert!(known.contains(option) || option == "path", "docs/CLI.md: --{option}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
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
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut pending, mut seen) = (["cli/src", "docs/CLI.md", "README.md"].map(|name| project.join(name)).to_vec(), 0);
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let is_page = path.extension().is_some_and(|ending| ending == "md");
        let source = one_line_each(&if is_page { with_prompts(&source) } else { source });
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

/// A page, in which lines of shell begin as those of a help do.
fn with_prompts(page: &str) -> String {
    let (mut lines, mut is_shell) = (String::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_shell = line == "```sh";
        } else if is_shell && !lines.ends_with("\\\n") {
            lines.push_str("$ ");
        }
        lines.push_str(line);
        lines.push('\n');
    }
    lines
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
