//! `trustd integrity`: what the deployer signs, and what differs from it. None of it needs the service or its master.

use super::Fault;
use crate::cli::{Integrity, Sign};
use crate::integrity::{Difference, Globs, Held, Manifest, Place, Seen, Staged, is_whole, list, mark, pin_of};
use crate::start::write as draw;
use dualseal::mldsa::KeyHash;
use dualseal::{Domain, SigningKey, SystemRng};
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use dualseal_operator::secrets::{SecretFile, key_to_pem};
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::Config;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::ExitCode;
use zeroize::Zeroizing;

/// A file of a key is shorter.
const KEY_BYTES: u64 = 1 << 16;

/// Does what is asked.
///
/// # Errors
/// [`Fault`].
pub async fn integrity(
    config: &Config,
    clock: &Clock,
    asked: Integrity,
    out: &mut dyn Write,
) -> Result<ExitCode, Fault> {
    match asked {
        Integrity::Key { key } => {
            if !key.exists() {
                let text = key_to_pem(&SigningKey::generate(&mut SystemRng)?, None, &mut SystemRng)?;
                draw(&Disk::new(), &key, text.as_bytes())?;
            }
            writeln!(out, "{}", pin(&read_key(&key)?).to_hex())?;
        }
        Integrity::Sign(asked) => sign(config, clock, &asked, out)?,
        Integrity::Diff => return diff(config, out).await,
        Integrity::Accept { key, paths } => accept(config, clock, &read_key(&key)?, &paths, out).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn pin(key: &SigningKey) -> KeyHash {
    *key.public_key().hash()
}

fn read_key(path: &Path) -> Result<SigningKey, Fault> {
    let text = if path == Path::new("-") {
        // Not through the standard library's buffer, which nobody wipes.
        whole(File::from(std::io::stdin().as_fd().try_clone_to_owned()?))?
    } else {
        Disk::new().read(path, KEY_BYTES)?.ok_or_else(|| format!("{}: there is none", path.display()))?
    };
    Ok(SecretFile::parse(&text)?.signing_key(None)?)
}

/// All of a key, in one piece of memory: one that grows leaves its halves behind.
fn whole(from: impl Read) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let most = usize::try_from(KEY_BYTES)?;
    let mut text = Zeroizing::new(Vec::with_capacity(most + 1));
    from.take(KEY_BYTES + 1).read_to_end(&mut text)?;
    if text.len() > most { Err("the input is too long for a key".into()) } else { Ok(text) }
}

/// Later ones have higher numbers, also than those that were signed elsewhere.
fn next_number(clock: &Clock, before: Option<u64>) -> u64 {
    u64::try_from(clock.millis()).unwrap_or(0).max(before.map_or(0, |number| number + 1))
}

fn sign(config: &Config, clock: &Clock, asked: &Sign, out: &mut dyn Write) -> Result<(), Fault> {
    let (place, key) = (Place::of(config)?, read_key(&asked.key)?);
    let manifest = place.manifest.as_ref().map(|(manifest, _)| manifest);
    let to = asked.out.as_ref().or(manifest).ok_or("integrity.manifest is not set: say where it goes by --out")?;
    let staged = Staged { at: asked.staged.clone(), owner: asked.owner };
    let mut entries = list(&Globs::new(&place.files, &place.except)?, &staged);
    place.without_itself(&mut entries);
    if let Some((path, there)) = entries.iter().find(|(_, there)| !is_whole(there)) {
        return Err(format!("{path}: {there}: nothing is signed").into());
    }
    let number = next_number(clock, place.present().ok().map(|before| before.number));
    let manifest = Manifest::new(number, place.files.clone(), place.except.clone(), entries);
    put(config, clock, (&manifest, &key), to)?;
    writeln!(out, "{}: number {number}, {} names, by {}", to.display(), manifest.entries.len(), pin(&key).to_hex())?;
    Ok(())
}

fn put(config: &Config, clock: &Clock, (manifest, key): (&Manifest, &SigningKey), to: &Path) -> Result<(), Fault> {
    let text = manifest.signed(&Domain::new(&config.domain)?, key, clock.now())?;
    let written = Disk::new().replace(to, Readers::All, |file| {
        file.write_all(text.as_bytes()).map_err(|error| disk::Error::writing(to, error))
    });
    Ok(written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(to, error),
    })?)
}

async fn look(config: &Config, place: &Place) -> Result<Seen, Fault> {
    let mark = mark(&Apart::open(config)?).await?;
    let nothing = Held::default();
    // Without a manifest there is nothing to hold the files against: a start's own baseline is the service's.
    Ok(place.look(Some(&nothing), mark.as_ref())?)
}

async fn diff(config: &Config, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    let seen = look(config, &Place::of(config)?).await?;
    let number = match &seen.signed {
        Ok(mark) => mark.number,
        Err(reason) => {
            writeln!(out, "unsigned: {reason}")?;
            return Ok(ExitCode::FAILURE);
        }
    };
    for one in &seen.differences {
        writeln!(out, "{}", line(one))?;
    }
    if seen.differences.is_empty() {
        writeln!(out, "as it was signed: number {number}, {} names", seen.held.entries.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

fn line(one: &Difference) -> String {
    let (was, is) = (one.expected.as_deref().unwrap_or("-"), one.found.as_deref().unwrap_or("-"));
    format!("{}\t{}\t{was}\t{is}", one.word(), one.path)
}

async fn accept(
    config: &Config,
    clock: &Clock,
    key: &SigningKey,
    paths: &[String],
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let place = Place::of(config)?;
    let (to, pinned) = place.manifest.clone().ok_or("integrity.manifest is not set")?;
    if pin_of(&std::fs::read(&pinned)?)? != pin(key) {
        return Err("this is not the pinned key: nobody would take what it signs".into());
    }
    let seen = look(config, &place).await?;
    seen.signed.map_err(|reason| format!("no manifest counts: {reason}"))?;
    let mut manifest = place.present()?;
    for path in paths {
        let one =
            seen.differences.iter().find(|one| one.path == *path).ok_or_else(|| format!("{path}: is as it was"))?;
        match &one.found {
            Some(found) if !is_whole(found) => return Err(format!("{path}: {found}").into()),
            Some(found) => drop(manifest.entries.insert(path.clone(), found.clone())),
            None => drop(manifest.entries.remove(path)),
        }
        // What is signed is what is there now, which may be another than was looked at before.
        writeln!(out, "{}", line(one))?;
    }
    manifest.number = next_number(clock, Some(manifest.number));
    put(config, clock, (&manifest, key), &to)?;
    writeln!(out, "{}: number {}, {} accepted", to.display(), manifest.number, paths.len())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_in_one_piece() {
        let most = usize::try_from(KEY_BYTES).unwrap();
        let text = whole(&vec![b'x'; most][..]).unwrap();
        assert_eq!((text.len(), text.capacity()), (most, most + 1));
        assert!(whole(&vec![b'x'; most + 1][..]).is_err());
    }
}
