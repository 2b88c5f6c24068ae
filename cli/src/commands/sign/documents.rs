//! What is signed: files, standard input, and folders as manifests.

use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::target::Target;
use dualseal_operator::manifest::{Manifest, ManifestError};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

/// How the name of a folder's manifest ends.
pub(crate) const MANIFEST: &str = ".manifest.json";

/// All records of one command are written together, each from an open file.
const MOST: usize = 500;

/// A document that is about to be signed or sealed.
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    /// Its content, where it is made of a folder.
    pub(crate) manifest: Option<String>,
    /// How many files that lists.
    pub(crate) files: Option<u64>,
}

/// What the arguments name, where records of them can be written.
pub(crate) fn documents(
    named: &[PathBuf],
    each: bool,
    target: &Target,
    suffix: &str,
) -> Result<Vec<Document>, Failure> {
    let documents = named_documents(named, each)?;
    if documents.len() > 1 && target.is_named() {
        let hint = "leave --out out: each record is written beside its document";
        return Err(Failure::new(USAGE, "several documents have several records", hint));
    }
    if documents.len() > MOST {
        let message = format!("{} documents are more than are signed at once, which are {MOST}", documents.len());
        return Err(Failure::new(USAGE, message, "make one record over all of the folder: leave --each out"));
    }
    if let Some(first) = documents.first() {
        target.beside(&first.path, suffix)?;
    }
    Ok(documents)
}

fn named_documents(named: &[PathBuf], each: bool) -> Result<Vec<Document>, Failure> {
    input::one_stream(named)?;
    let mut documents = Vec::new();
    for path in named {
        if !path.is_dir() {
            documents.push(Document { path: path.clone(), manifest: None, files: None });
        } else if each {
            let name = |path: &Path| path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
            let is_record =
                |path: &PathBuf| [".sig.json", ".seal"].iter().any(|end| name(path).ends_with(end.as_bytes()));
            let files = Manifest::paths(path).map_err(failed)?.into_iter().filter(|path| !is_record(path));
            documents.extend(files.map(|path| Document { path, manifest: None, files: None }));
        } else {
            let manifest = Manifest::of(path).map_err(failed)?;
            if manifest.is_empty() {
                let message = format!("there is no file in {}", path.shown());
                return Err(Failure::new(USAGE, message, "name a folder with files, or a file"));
            }
            let path = manifest_path(path)?;
            let files = Some(manifest.len() as u64);
            documents.push(Document { path, manifest: Some(manifest.to_json()?), files });
        }
    }
    if documents.is_empty() {
        return Err(Failure::new(USAGE, "there is no file in what was named", "name a folder with files, or a file"));
    }
    Ok(documents)
}

/// Beside the folder: in it, it would have to list itself.
fn manifest_path(folder: &Path) -> Result<PathBuf, Failure> {
    let real = folder.canonicalize().map_err(|error| Failure::reading(folder, &error))?;
    let none = || Failure::new(USAGE, "the folder has no name", "name it by its path from the folder above it");
    let name = real.file_name().ok_or_else(none)?;
    let mut file = name.to_owned();
    file.push(MANIFEST);
    let is_named = folder.file_name() == Some(name);
    Ok(if is_named { folder.with_file_name(file) } else { real.with_file_name(file) })
}

pub(super) fn failed(error: ManifestError) -> Failure {
    match error {
        ManifestError::Read(path, error) => Failure::reading(&path, &error),
        ManifestError::Malformed(error) => error.into(),
        error => {
            let hint = "take it out of the folder, or sign the files one by one: dualseal sign FILE…";
            Failure::new(READ, error.to_string(), hint)
        }
    }
}
