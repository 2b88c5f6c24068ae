//! Folders that were signed or sealed as one: their files are held against the manifest that a record here vouches for.

use super::args::Args;
use super::files::{Listed, Sort};
use super::judgement::{Judgement, Line, Mark};
use super::steps::{LINK, SPECIAL};
use super::tell::files as counted;
use crate::commands::sign::MANIFEST;
use crate::input::stripped;
use crate::output::quoted_path;
use dualseal::VerdictKind;
use dualseal_operator::manifest::Manifest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Says of each file in such a folder whether it is as it was signed, which of them are not here, and which were added.
/// Of a folder that is not here at all it is one line that nothing of it was checked, or one for each file where
/// nothing may be missing.
pub(super) fn check(files: &[Listed], lines: &mut Vec<Line>, args: &Args) {
    let by_path: BTreeMap<&Path, &Listed> = files.iter().map(|found| (found.shown.as_path(), found)).collect();
    let is_manifest = |line: &&Line| {
        line.mark == Mark::Vouched && line.path.as_os_str().as_encoded_bytes().ends_with(MANIFEST.as_bytes())
    };
    let manifests: Vec<PathBuf> = lines.iter().filter(is_manifest).map(|line| line.path.clone()).collect();
    let mut at: BTreeMap<PathBuf, usize> = (0..).zip(&*lines).map(|(index, line)| (line.path.clone(), index)).collect();
    for path in manifests {
        let (Some(found), Some(folder)) = (by_path.get(path.as_path()), stripped(&path, MANIFEST.len())) else {
            continue;
        };
        let Some(manifest) = read(found) else { continue };
        let mut within: BTreeMap<PathBuf, usize> = at
            .range(folder.clone()..)
            .take_while(|(path, _)| path.starts_with(&folder))
            .map(|(path, index)| (path.clone(), *index))
            .collect();
        // One that is here and empty has lost all of its files.
        if within.is_empty() && !args.strict && !args.folder.join(&folder).is_dir() {
            if !manifest.is_empty() {
                let listed = counted(manifest.len() as u64);
                let text = format!("{} lists {listed} of it, and it is not here", quoted_path(&path));
                lines.push(Line { of: Some(path), ..Line::missing(folder, "signed folder", &text) });
            }
            continue;
        }
        for (name, listed) in manifest.files() {
            let file = folder.join(name);
            let Some(index) = within.remove(&file) else {
                let text = format!("the manifest {} lists it, and it is not here", quoted_path(&path));
                let Judgement { mark, code, text } = invalid(text);
                at.insert(file.clone(), lines.len());
                lines.push(Line { mark, code, text, of: Some(path.clone()), ..Line::missing(file, "document", "") });
                continue;
            };
            let Some(line) = lines.get_mut(index) else { continue };
            match by_path.get(file.as_path()).map(|found| (&found.sort, found)) {
                // It was not read, or is told of already: what is bad stays so.
                _ if !line.mark.is_good() && !is_unvouched(line) && !is_skipped(line) => {}
                Some((Sort::File(_), found)) => match found.sha3_256() {
                    Ok(hash) if hash == listed.sha3_256 && found.length() == listed.bytes => {
                        if line.mark != Mark::Valid {
                            let by = format!("by {}", quoted_path(&path));
                            let both = if line.mark == Mark::Vouched { format!("{} and {by}", line.text) } else { by };
                            tell(line, Judgement::new(Mark::Vouched, both), &path);
                        }
                    }
                    Ok(_) => tell(line, invalid(format!("it is another than {} lists", quoted_path(&path))), &path),
                    Err(error) => tell(line, Judgement::new(Mark::Unreadable, error.to_string()), &path),
                },
                _ => tell(line, invalid(format!("{} lists a file, which it is not", quoted_path(&path))), &path),
            }
        }
        for index in within.into_values() {
            // Whatever it is: also what another signed, and what nobody can look into.
            let is_open = |line: &&mut Line| line.mark.is_good() || is_unvouched(line) || is_skipped(line);
            if let Some(line) = lines.get_mut(index).filter(is_open) {
                tell(line, invalid(format!("{} does not list it: it was added", quoted_path(&path))), &path);
            }
        }
    }
}

/// A manifest that is here, whole and as it was found.
fn read(found: &Listed) -> Option<Manifest> {
    let mut json = Vec::new();
    found.read(|part| json.extend_from_slice(part)).ok()?;
    Manifest::from_json(&json).ok()
}

/// Whether all that is said against a file is that nothing vouches for it.
fn is_unvouched(line: &Line) -> bool {
    line.mark == Mark::Unchecked && line.text == super::known::UNVOUCHED
}

/// Whether it is a name of nothing that is read.
fn is_skipped(line: &Line) -> bool {
    line.kind == LINK || line.kind == SPECIAL
}

fn invalid(text: String) -> Judgement {
    Judgement { code: Some(VerdictKind::Invalid.code()), ..Judgement::new(Mark::Invalid, text) }
}

fn tell(line: &mut Line, Judgement { mark, code, text }: Judgement, manifest: &Path) {
    (line.mark, line.code, line.text) = (mark, code, text);
    line.of = Some(manifest.to_owned());
}
