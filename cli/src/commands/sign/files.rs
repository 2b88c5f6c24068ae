//! What is written of a record beside its document: prepared before anything happens, listed with its entry, and given
//! its name after that, whatever becomes of the process in between.

use super::documents::Document;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Waiting, waiting};
use crate::store::Readers;
use crate::target::{Prepared, Target};
use std::path::PathBuf;

/// The files of a record, with its copy in the home folder.
pub(crate) struct Files {
    prepared: Vec<Prepared>,
    pub(crate) kept: PathBuf,
}

/// Files that have their names.
pub(crate) struct Published {
    /// Where the record of each document is, for people.
    pub(crate) shown: Vec<String>,
    /// Whether one of them went to standard output.
    pub(crate) is_aside: bool,
}

impl Files {
    /// Prepares them: of a folder its manifest comes before the record. Where the record of somebody else is there, it
    /// is named after its maker.
    pub(crate) fn prepare(
        target: &Target,
        (document, suffix): (&Document, &str),
        text: &str,
        label: &str,
        kept: PathBuf,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, Failure> {
        let out = target.beside_others(&document.path, suffix, label, is_own)?;
        let mut prepared = Vec::new();
        if let Some(manifest) = &document.manifest {
            // Whoever signs second finds the first one's, which is the same where the folder is.
            let is_there = std::fs::read(&document.path).is_ok_and(|there| there == manifest.as_bytes());
            if !is_there {
                prepared.push(target.prepare(document.path.clone(), manifest, Readers::All)?);
            }
        }
        prepared.push(target.prepare(out, text, Readers::All)?);
        Ok(Self { prepared, kept })
    }

    /// Of what is prepared already.
    pub(crate) fn of(prepared: Prepared, kept: PathBuf) -> Self {
        Self { prepared: vec![prepared], kept }
    }

    /// Those on a disk, which the next command writes if this one does not.
    pub(crate) fn waiting<'f>(all: impl IntoIterator<Item = &'f Self>) -> Result<Vec<Waiting>, Failure> {
        let on_disk = all.into_iter().flat_map(|files| files.prepared.iter().filter_map(Prepared::on_disk));
        on_disk.map(|(path, content)| waiting(path, content)).collect()
    }

    /// Gives them their names, while nobody else writes to the home folder; a pipe may be read slowly, and has its
    /// bytes after that.
    pub(crate) fn publish(
        all: Vec<Self>,
        what: &str,
        waiting: &[Waiting],
        home: Home,
        context: &Context,
    ) -> Result<Published, Failure> {
        let (mut shown, mut slow) = (Vec::new(), Vec::new());
        for Self { prepared, kept } in all {
            let mut path = String::new();
            for file in prepared {
                path = file.shown();
                if file.on_disk().is_some() {
                    file.publish_copied(what, &kept)?;
                } else {
                    slow.push((file, kept.clone()));
                }
            }
            shown.push(path);
        }
        home.written(context.passphrase(), waiting)?;
        drop(home);
        let mut is_aside = false;
        for (file, kept) in slow {
            is_aside |= file.publish_copied(what, &kept)?;
        }
        Ok(Published { shown, is_aside })
    }
}
