//! The words that the program was called with: as commands, and where the answer goes.

use crate::cli::Cli;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::{OsStr, OsString};

/// Commands whose data goes to standard output unless it is sent elsewhere.
const TO_STDOUT: [&str; 7] =
    ["combine", "completions", "key export", "man", "vault redact", "vault tier-key", "vault unseal"];

/// The words. The file that is run may have any name; the program has one.
pub(crate) fn words() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    match words.first_mut() {
        Some(program) => *program = "dualseal".into(),
        None => words.push("dualseal".into()),
    }
    // `help sign` is `sign --help`.
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// The command that the words name, and whether standard output is data.
pub(crate) fn parse(words: &[OsString]) -> Result<(Cli, bool), clap::Error> {
    let mut root = Cli::command();
    let matches = root.try_get_matches_from_mut(words)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut root))?;
    if cli.has_empty_home() {
        if matches.value_source("home") == Some(ValueSource::CommandLine) {
            let message = "invalid value '' for '--home <FOLDER>': it is empty";
            return Err(root.error(ErrorKind::InvalidValue, message));
        }
        // A variable that is set to nothing is as good as none.
        cli.forget_home();
    }
    root.build();
    let data = is_data(&root, &matches);
    Ok((cli, data))
}

/// Whether standard output is data in words that are not all right, as far as they can be told.
pub(crate) fn is_data_in(words: &[OsString]) -> bool {
    let root = Cli::command().ignore_errors(true);
    let matches = root.clone().try_get_matches_from(words);
    let mut built = root;
    built.build();
    matches.is_ok_and(|matches| is_data(&built, &matches))
}

/// Whether data goes to standard output: answers go to standard error then, whatever comes of the command.
fn is_data(root: &Command, matches: &ArgMatches) -> bool {
    let (mut command, mut matches, mut names) = (root, matches, Vec::new());
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        (command, matches) = (found, below);
        names.push(name.to_owned());
    }
    let value = |id: &str| matches.try_get_raw(id).ok().flatten().into_iter().flatten().map(OsStr::to_owned);
    if value("forms").any(|form| form == "text" || form == "qr") {
        return true;
    }
    let is_target = command.get_groups().any(|group| group.get_id() == "Target");
    let mut named = value("out").chain(value("folder"));
    match named.next() {
        Some(out) => is_target && (out == "-" || out == "/dev/stdout"),
        None => TO_STDOUT.contains(&names.join(" ").as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(line: &str) -> bool {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let told = parse(&words).map(|(_, data)| data);
        assert_eq!(told.unwrap_or_else(|_| is_data_in(&words)), is_data_in(&words), "{line}");
        is_data_in(&words)
    }

    #[test]
    fn where_data_goes_is_known_beforehand() {
        for line in [
            "dualseal vault unseal 9",
            "dualseal vault unseal 9 -o -",
            "dualseal vault unseal 9 --out=/dev/stdout --json",
            "dualseal vault unseal",
            "dualseal --json checkpoint sign -o -",
            "dualseal sign x -o -",
            "dualseal sign -o- --nothing",
            "dualseal man",
            "dualseal split x --threshold 2 --shares 3 --form file,qr",
        ] {
            assert!(data(line), "{line}");
        }
        for line in [
            "dualseal vault unseal 9 -o x",
            "dualseal sign x",
            "dualseal verify x",
            "dualseal man --folder x",
            "dualseal split x --threshold 2 --shares 3 -o -",
            "dualseal",
            "dualseal nothing",
        ] {
            assert!(!data(line), "{line}");
        }
    }

    #[test]
    fn every_command_here_is_one_and_the_page_names_it() {
        let page = include_str!("../../docs/CLI.md");
        for name in TO_STDOUT {
            let told = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(told.contains(&format!("`{name}`")), "docs/CLI.md does not say where the data of {name} goes");
            let mut command = Cli::command();
            for word in name.split(' ') {
                command = command.find_subcommand(word).unwrap_or_else(|| panic!("{name}")).clone();
            }
        }
    }
}
