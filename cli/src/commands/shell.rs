//! `dualseal completions` and `dualseal man`: what a shell and a manual need.

use crate::failure::Failure;
use crate::output::{self, Report, path_text};
use crate::store::{Readers, Unpublished};
use clap::Command;
use std::path::{Path, PathBuf};

const COMPLETIONS: &str = "\
Examples:
  $ dualseal completions bash > dualseal.bash";

const MAN: &str = "\
Examples:
  $ dualseal man > dualseal.1
  $ dualseal man --folder man1";

/// Prints the completions of a shell
#[derive(clap::Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

/// Prints the manual page
#[derive(clap::Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// Writes the pages of all commands into a folder that exists
    #[arg(long)]
    folder: Option<PathBuf>,
}

pub(crate) fn completions(args: &Completions, mut command: Command) -> Result<Report, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "dualseal", &mut script);
    output::data(&script).map(|()| Report::silent())
}

pub(crate) fn man(args: &Man, mut command: Command) -> Result<Report, Failure> {
    command.build();
    let Some(folder) = &args.folder else {
        return output::data(&page(command)?).map(|()| Report::silent());
    };
    let mut count = 0;
    pages(folder, &command, &mut count)?;
    let report = Report::new(format!("{count} pages are written.")).number("pages", "pages", count);
    Ok(report.detail("path", "folder", path_text(folder)))
}

/// Every command has a page of its own, named as it is typed.
fn pages(folder: &Path, command: &Command, count: &mut u64) -> Result<(), Failure> {
    for below in command.get_subcommands() {
        pages(folder, below, count)?;
    }
    let name = command.get_display_name().unwrap_or("dualseal").to_owned();
    let page = page(command.clone())?;
    *count += 1;
    Unpublished::write(&folder.join(format!("{name}.1")), &page, Readers::All, true)?.publish()
}

fn page(command: Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| Failure::writing(Path::new("the page"), &error))?;
    Ok(page)
}
