//! Wrong arguments: the usage for people, and with `--json` the object that every failure is answered with.

use crate::cli::Cli;
use crate::failure::{Failure, USAGE};
use crate::output::{Colour, Output};
use crate::words;
use clap::error::ErrorKind;
use clap::{ArgAction, Command, CommandFactory};
use std::ffi::OsString;

/// Says what is wrong, or gives the help that was asked for. Returns the exit status.
pub(crate) fn tell(wrong: &clap::Error, all: &[OsString]) -> u8 {
    if !wrong.use_stderr() {
        // Help is an answer; nobody may be left to read it.
        let _ = wrong.print();
        return 0;
    }
    let words: Vec<OsString> = all.iter().skip(1).take_while(|word| *word != "--").cloned().collect();
    if !words.iter().any(|word| word == "--json") {
        let _ = wrong.print();
        return USAGE;
    }
    let mut root = Cli::command();
    root.build();
    let command = command_of(&root, &words);
    let name = format!("dualseal {command}");
    let failure = Failure::new(USAGE, message(wrong), format!("see `{} --help`", name.trim_end()));
    Output::new(true, false, Colour::Never).print(&command, Err(failure), words::is_data_in(all))
}

/// The first paragraph, in one line: the rest is the usage, which is in the help.
fn message(wrong: &clap::Error) -> String {
    if wrong.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "it requires a subcommand, or arguments".to_owned();
    }
    let text = wrong.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command that the words name, as far as they do; words that are values of options name none.
fn command_of(root: &Command, words: &[OsString]) -> String {
    let (mut command, mut names) = (root, Vec::new());
    let mut words = words.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if let Some(option) = word.strip_prefix('-') {
            let named = |arg: &&clap::Arg| match option.strip_prefix('-') {
                Some(long) => arg.get_long() == Some(long),
                None => arg.get_short().is_some_and(|short| option.chars().eq([short])),
            };
            let takes_one = |arg: &clap::Arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
            if command.get_arguments().find(named).is_some_and(takes_one) {
                words.next();
            }
        } else if let Some(below) = command.find_subcommand(word) {
            command = below;
            names.push(below.get_name());
        } else {
            break;
        }
    }
    names.join(" ")
}
