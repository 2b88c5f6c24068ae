//! The forms in which shares leave the program: files, pictures, text and QR codes on the terminal.

use super::qr::Qr;
use crate::failure::Failure;
use crate::store::{NewFolder, Readers};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A form of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// A file each, for the owner alone
    File,
    /// A picture each: a QR code as PNG, for the owner alone
    Png,
    /// Text on standard output
    Text,
    /// A QR code each on standard output, for a terminal
    Qr,
}

/// The forms that were asked for.
#[derive(clap::Args, Debug)]
pub(crate) struct Forms {
    /// How the shares are given out, separated by commas; without `file` and `png` they are written nowhere
    #[arg(long = "form", value_name = "FORM", value_delimiter = ',', default_value = "file")]
    forms: Vec<Form>,
}

/// Where new shares go, and in which forms.
#[derive(clap::Args, Debug)]
pub(crate) struct Into {
    #[command(flatten)]
    pub(crate) forms: Forms,

    /// The folder to make
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
}

/// A share that is about to be given out.
pub(crate) struct Outgoing {
    /// Its number, with zeros before it, so that files stand in order.
    pub(crate) number: String,
    /// Lines for people in its file, if it can have any.
    pub(crate) heading: String,
    /// The share.
    pub(crate) text: Zeroizing<String>,
    /// The end of its file's name.
    pub(crate) ending: &'static str,
}

impl Forms {
    /// Whether a form was asked for.
    pub(crate) fn has(&self, form: Form) -> bool {
        self.forms.contains(&form)
    }

    /// Whether shares go to standard output.
    pub(crate) fn shown(&self) -> bool {
        self.has(Form::Text) || self.has(Form::Qr)
    }

    /// Writes the files and pictures.
    pub(crate) fn write(&self, folder: &mut NewFolder, shares: &[Outgoing]) -> Result<(), Failure> {
        for Outgoing { number, heading, text, ending } in shares {
            if self.has(Form::File) {
                let content = Zeroizing::new([heading.as_str(), text.as_str(), "\n"].concat());
                folder.write(format!("share-{number}.{ending}"), Readers::Owner, content.as_bytes())?;
            }
            if self.has(Form::Png) {
                let name = format!("share-{number}.png");
                let png = Qr::new(text)?
                    .to_png()
                    .map_err(|error| Failure::writing(&folder.path().join(&name), &io::Error::other(error)))?;
                folder.write(&name, Readers::Owner, &png)?;
            }
        }
        Ok(())
    }

    /// Prints what goes to standard output. A reader that went away took no share with it: that is a failure here.
    pub(crate) fn show(&self, shares: &[Outgoing]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let mut print = |text: &str| {
            let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
            let hint = "run the command again with a reader that reads to the end; nothing was made";
            printed.map_err(|error| Failure::writing(Path::new("standard output"), &error).hint(hint))
        };
        for Outgoing { number, text, .. } in shares {
            if self.has(Form::Qr) {
                print(&format!("share {number}\n"))?;
                print(&Qr::new(text)?.to_terminal())?;
            }
            if self.has(Form::Text) {
                print(&Zeroizing::new(format!("{}\n", **text)))?;
            }
        }
        Ok(())
    }
}

/// A number with as many digits as the last one has.
pub(crate) fn padded(number: u8, last: u8) -> String {
    let digits = last.to_string().len();
    format!("{number:0digits$}")
}
