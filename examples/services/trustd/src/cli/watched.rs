//! Commands about the machine that the service runs on, and those beside it.

use clap::{Args, Subcommand};
use platform::config::Seconds;
use std::path::PathBuf;
use url::Url;

/// `integrity`
#[derive(Debug, Subcommand)]
pub enum Integrity {
    /// Print what `integrity.key_file` is to have; where there is no key, draw one
    Key {
        /// The file of the deployer's key
        key: PathBuf,
    },
    /// Sign what is there as what is to be there
    Sign(Sign),
    /// Print what is not as it was signed: 0 where nothing is, 1 where something is
    Diff,
    /// Take some of what differs for what is to be there, and sign it
    Accept {
        /// The file of the deployer's key; `-` for the input
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// Paths, as `diff` prints them
        #[arg(required = true)]
        paths: Vec<String>,
    },
}

/// `mesh`
#[derive(Debug, Subcommand)]
pub enum Mesh {
    /// Look at everything once, and tell what failed: 0 where nothing did, 1 where something did, 2 where nobody heard
    Check,
    /// Have nothing be told for some time, since somebody works here
    Quiet {
        /// How long, such as 30m; at most 24h
        #[arg(long = "for", value_name = "DURATION")]
        time: Seconds,
    },
}

/// `peers`
#[derive(Debug, Subcommand)]
pub enum Peers {
    /// Enrol a login at another service, whose peers are pulled by it, with an invitation's code on the input
    Enrol {
        /// The service's address
        service: Url,
    },
}

/// `integrity sign`
#[derive(Debug, Args)]
pub struct Sign {
    /// The file of the deployer's key; `-` for the input
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Where the manifest goes; `integrity.manifest` without it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What will be at one path is in a folder still
    #[arg(long, value_name = "PATH=FOLDER", value_parser = staged)]
    pub staged: Option<(PathBuf, PathBuf)>,
    /// Whose all of it will be, by number
    #[arg(long, value_name = "USER:GROUP", value_parser = owner)]
    pub owner: Option<(u32, u32)>,
}

fn staged(text: &str) -> Result<(PathBuf, PathBuf), String> {
    let (at, folder) = text.split_once('=').ok_or("PATH=FOLDER is wanted")?;
    Ok((at.into(), folder.into()))
}

fn owner(text: &str) -> Result<(u32, u32), String> {
    let (user, group) = text.split_once(':').ok_or("USER:GROUP is wanted")?;
    let number = |part: &str| part.parse().map_err(|_| format!("{part:?} is no number"));
    Ok((number(user)?, number(group)?))
}
