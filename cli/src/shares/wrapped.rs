//! The file itself, encrypted under the secret that is shared: the library's stream format, in one pass.

use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::data;
use crate::store::{NewFolder, Readers, Unpublished};
use crate::target::Target;
use dualseal::error::{Rejected, StreamFault};
use dualseal::stream::{Decryptor, Encryptor, KeyMaterial, Purpose};
use dualseal::{Domain, Error, SystemRng};
use dualseal_operator::paths::Show;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What the streams are for: the same for every wrapped file of a domain, so that the secret and the file are enough.
pub(crate) fn purpose(domain: &Domain) -> Result<Purpose, Failure> {
    let holder = domain.identity_id(b"", "dualseal split", "")?;
    Ok(Purpose::new(domain, holder.as_bytes(), "FILE")?)
}

/// Encrypts a document into a file of a folder. Returns the document's size.
pub(crate) fn wrap(
    document: &Path,
    secret: &dyn KeyMaterial,
    purpose: &Purpose,
    folder: &mut NewFolder,
    name: &OsStr,
) -> Result<u64, Failure> {
    let shown = folder.path().join(name);
    let failed = |error| Failure::writing(&shown, &error);
    folder.streamed(name, Readers::All, |file| {
        let mut stored = Vec::new();
        let mut encryptor = Encryptor::new(secret, purpose, &mut SystemRng, &mut stored)?;
        let size = input::document(document, |part| {
            encryptor.update(part, &mut stored)?;
            file.write_all(&stored).map_err(failed)?;
            stored.clear();
            Ok(())
        })?;
        encryptor.finish(&mut stored)?;
        file.write_all(&stored).map_err(failed)?;
        Ok(size)
    })
}

/// Where a rebuilt secret or file goes.
pub(crate) struct Sink {
    path: PathBuf,
}

impl Sink {
    /// What goes to a terminal is only what was sent there by name.
    pub(crate) fn new(target: &Target) -> Result<Self, Failure> {
        let path = target.or_stdout();
        if !target.is_named() && std::io::stdout().is_terminal() {
            let hint = "say where to write with --out FILE, or --out - if you mean it";
            return Err(Failure::new(USAGE, "what comes back is secret, and would go to this terminal", hint));
        }
        Ok(Self { path })
    }

    /// Decrypts a wrapped file. Nothing of it is seen before all of it was found to hold. Returns its size, and whether
    /// it went to standard output.
    pub(crate) fn unwrap(
        &self,
        blob: &Path,
        secret: &dyn KeyMaterial,
        purpose: &Purpose,
        target: &Target,
    ) -> Result<(u64, bool), Failure> {
        let to_stdout = input::is_standard(&self.path);
        let twice = to_stdout || Unpublished::asks_twice(&self.path, target.force())?;
        if twice && input::is_stream(blob) {
            let hint = "name a file for one of them: what goes where nothing can be taken back is read twice";
            return Err(Failure::new(USAGE, "the wrapped file and its content cannot both be streams", hint));
        }
        if !to_stdout {
            let (unpublished, size) = Unpublished::streamed(&self.path, Readers::Owner, target.force(), |file| {
                decrypt(blob, secret, purpose, |plain| {
                    file.write_all(plain).map_err(|error| Failure::writing(&self.path, &error))
                })
            })?;
            unpublished.publish()?;
            return Ok((size, false));
        }
        decrypt(blob, secret, purpose, |_| Ok(()))?;
        decrypt(blob, secret, purpose, data).map(|size| (size, true))
    }

    /// Gives out the secret itself, as hexadecimal. Says whether it went to standard output.
    pub(crate) fn secret(&self, hex: &str, target: &Target) -> Result<bool, Failure> {
        let line = Zeroizing::new(format!("{hex}\n"));
        target.prepare(self.path.clone(), &line, Readers::Owner)?.publish()
    }

    /// For people.
    pub(crate) fn shown(&self) -> String {
        crate::output::path_text(&self.path)
    }
}

fn decrypt(
    blob: &Path,
    secret: &dyn KeyMaterial,
    purpose: &Purpose,
    mut each: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let fail = |error: Error| {
        let hint = match &error {
            Error::Rejected(Rejected::Stream(StreamFault::OtherKey)) => {
                "give the wrapped file that was written with these shares, and --domain if it has one"
            }
            _ => "the wrapped file was changed or cut off: give another copy of it",
        };
        Failure::from(error).about(blob.shown()).hint(hint)
    };
    let mut decryptor = Decryptor::new(secret, purpose);
    // Room for what one part gives, so that it does not move and leave plaintext behind.
    let mut plain = Zeroizing::new(Vec::with_capacity(1 << 20));
    let mut size = 0;
    input::document(blob, |part| {
        plain.clear();
        decryptor.update(part, &mut plain).map_err(fail)?;
        size += plain.len() as u64;
        each(&plain)
    })?;
    plain.clear();
    decryptor.finish(&mut plain).map_err(fail)?;
    size += plain.len() as u64;
    each(&plain)?;
    Ok(size)
}
