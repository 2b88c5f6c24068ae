//! Secret files: PEM, for the owner alone, and under a passphrase where one is given (PKCS#8 PBES2 with scrypt and
//! AES-256-CBC). Signing keys are PKCS#8, which other programs read; other secrets are 32 bytes under a label of ours.

use crate::failure::{Failure, SECRET};
use crate::input;
use crate::output::Output;
use dualseal::SigningKey;
use dualseal::SystemRng;
use dualseal::secret::Secret;
use pkcs8::der::pem;
use pkcs8::der::{Decode, Encode};
use pkcs8::pkcs5::pbes2;
use pkcs8::{EncryptedPrivateKeyInfoOwned, EncryptedPrivateKeyInfoRef, LineEnding, SecretDocument};
use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use zeroize::Zeroizing;

const KEY: &str = "PRIVATE KEY";
const ENCRYPTED_KEY: &str = "ENCRYPTED PRIVATE KEY";
const SEED: &str = "DUALSEAL SECRET";
const ENCRYPTED_SEED: &str = "ENCRYPTED DUALSEAL SECRET";
/// A SEQUENCE of one OCTET STRING of 32 bytes, because what PBES2 opens must be DER.
const SEED_HEAD: [u8; 4] = [0x30, 0x22, 0x04, 0x20];

/// Where the passphrase comes from: a file, else the terminal.
pub(crate) struct Passphrase {
    file: Option<PathBuf>,
    output: Output,
    /// Read or asked for once in a command: a pipe cannot be read twice, and people need not type it twice.
    known: OnceLock<Zeroizing<String>>,
}

impl Passphrase {
    pub(crate) fn new(file: Option<PathBuf>, output: Output) -> Self {
        Self { file, output, known: OnceLock::new() }
    }

    /// The passphrase for new secret files: from the file, or asked for twice; `None` when neither was wished.
    pub(crate) fn for_new(&self, protect: bool) -> Result<Option<Zeroizing<String>>, Failure> {
        if self.known.get().is_some() || self.file.is_some() {
            return self.get("", "").map(Some);
        }
        if !protect {
            return Ok(None);
        }
        let first = Self::ask("New passphrase: ", "a new secret file")?;
        if *first != *Self::ask("The same again: ", "a new secret file")? {
            return Err(Failure::new(SECRET, "the two passphrases differ", "run the command again; nothing was made"));
        }
        Ok(Some(self.known.get_or_init(|| first).clone()))
    }

    /// The passphrase of a secret file that has one.
    fn for_file(&self, path: &Path) -> Result<Zeroizing<String>, Failure> {
        let shown = crate::output::clean(&path.display().to_string());
        self.get(&format!("Passphrase of {shown}: "), &shown)
    }

    fn get(&self, prompt: &str, of: &str) -> Result<Zeroizing<String>, Failure> {
        if let Some(known) = self.known.get() {
            return Ok(known.clone());
        }
        let read = match &self.file {
            Some(file) => {
                warn_if_others_may_read(file, &self.output);
                Self::from_file(file)?
            }
            None => Self::ask(prompt, of)?,
        };
        Ok(self.known.get_or_init(|| read).clone())
    }

    fn from_file(file: &Path) -> Result<Zeroizing<String>, Failure> {
        let bytes = Zeroizing::new(input::small(file)?);
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).ok().filter(|line| !line.is_empty());
        let hint = "write the passphrase as its first line";
        let text = text.ok_or_else(|| Failure::new(SECRET, format!("{} has no passphrase", file.display()), hint))?;
        Ok(Zeroizing::new(text.to_owned()))
    }

    fn ask(prompt: &str, of: &str) -> Result<Zeroizing<String>, Failure> {
        let hint =
            "give --passphrase-file FILE (/dev/fd/3 for a descriptor); who only verifies needs none with --key FILE";
        let none = |what: &str| Failure::new(SECRET, what, hint);
        if !std::io::stderr().is_terminal() {
            return Err(none(&format!("{of} needs a passphrase, and there is no terminal to ask for it")));
        }
        let asked = rpassword::prompt_password(prompt).map(Zeroizing::new);
        let asked = asked.map_err(|error| none(&format!("the passphrase cannot be read: {error}")))?;
        if asked.is_empty() { Err(none("an empty passphrase protects nothing")) } else { Ok(asked) }
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase").field("file", &self.file).finish_non_exhaustive()
    }
}

/// A signing key as the content of its file.
pub(crate) fn key_file(key: &SigningKey, passphrase: Option<&str>) -> Result<Zeroizing<String>, Failure> {
    match passphrase {
        None => Ok(key.to_pkcs8_pem()?),
        Some(passphrase) => encode(ENCRYPTED_KEY, encrypt(&key.to_pkcs8_der(), passphrase)?.as_bytes()),
    }
}

/// A secret of 32 bytes as the content of its file.
pub(crate) fn seed_file(secret: &Secret<32>, passphrase: Option<&str>) -> Result<Zeroizing<String>, Failure> {
    let mut der = Zeroizing::new(Vec::with_capacity(SEED_HEAD.len() + 32));
    der.extend_from_slice(&SEED_HEAD);
    der.extend_from_slice(secret.expose());
    match passphrase {
        None => encode(SEED, &der),
        Some(passphrase) => encode(ENCRYPTED_SEED, encrypt(&der, passphrase)?.as_bytes()),
    }
}

/// Reads a signing key.
pub(crate) fn read_key(path: &Path, passphrase: &Passphrase) -> Result<SigningKey, Failure> {
    let der = read(path, passphrase, [KEY, ENCRYPTED_KEY])?;
    SigningKey::from_pkcs8_der(&der).map_err(|error| Failure::from(error).about(path.display()))
}

/// Reads a secret of 32 bytes.
pub(crate) fn read_seed(path: &Path, passphrase: &Passphrase) -> Result<Secret<32>, Failure> {
    let der = read(path, passphrase, [SEED, ENCRYPTED_SEED])?;
    let bytes = der.strip_prefix(&SEED_HEAD).unwrap_or_default();
    Secret::from_slice("secret", bytes).map_err(|error| Failure::from(error).about(path.display()))
}

/// Whether the file of a secret is under a passphrase: new secrets beside it then are as well.
pub(crate) fn is_protected(path: &Path) -> Result<bool, Failure> {
    let text = Zeroizing::new(input::small(path)?);
    Ok(text.starts_with(b"-----BEGIN ENCRYPTED "))
}

/// Whether PEM holds a secret of whatever kind, by its label.
pub(crate) fn is_secret(block: &str) -> bool {
    let secret = |label: &str| label.ends_with(KEY) || label.ends_with(SEED);
    pem::decode_label(block.as_bytes()).is_ok_and(secret)
}

/// Whether a secret file has the form of one, as far as can be told without its passphrase.
pub(crate) fn well_formed(text: &[u8]) -> Result<(), Failure> {
    let wrong = || Failure::new(SECRET, "it is not PEM of this form", "restore the file from a copy");
    let (label, der) = pem::decode_vec(text).map_err(|_| wrong())?;
    let der = Zeroizing::new(der);
    let good = match label {
        SEED => der.len() == SEED_HEAD.len() + 32 && der.starts_with(&SEED_HEAD),
        _ => EncryptedPrivateKeyInfoRef::from_der(&der).is_ok(),
    };
    if good { Ok(()) } else { Err(wrong()) }
}

fn read(path: &Path, passphrase: &Passphrase, [plain, encrypted]: [&str; 2]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    warn_if_others_may_read(path, &passphrase.output);
    let text = Zeroizing::new(input::small(path)?);
    let other = || {
        let message = format!("{} is no file of the kind {plain:?}", path.display());
        Failure::new(SECRET, message, "give the secret file that this program wrote, whole")
    };
    let (label, der) = pem::decode_vec(&text).map_err(|_| other())?;
    let der = Zeroizing::new(der);
    if label == plain {
        return Ok(der);
    }
    if label != encrypted {
        return Err(other());
    }
    let passphrase = passphrase.for_file(path)?;
    let info = EncryptedPrivateKeyInfoRef::from_der(&der).map_err(|_| other())?;
    let wrong = |_| {
        let message = format!("{} does not open with this passphrase", path.display());
        Failure::new(SECRET, message, "try again with the passphrase that it was made with")
    };
    let opened = info.decrypt(passphrase.as_bytes()).map_err(wrong)?;
    Ok(Zeroizing::new(opened.as_bytes().to_vec()))
}

fn encrypt(der: &[u8], passphrase: &str) -> Result<SecretDocument, Failure> {
    let failed = || Failure::from(dualseal::Error::Randomness).about("passphrase");
    let parameters = pbes2::Parameters::generate_recommended(&mut SystemRng).map_err(|_| failed())?;
    let encrypted = parameters.encrypt(passphrase.as_bytes(), der).map_err(|_| failed())?;
    let encrypted_data = pkcs8::der::asn1::OctetString::new(encrypted).map_err(|_| failed())?;
    let info = EncryptedPrivateKeyInfoOwned { encryption_algorithm: parameters.into(), encrypted_data };
    let der = info.to_der().map(Zeroizing::new).map_err(|_| failed())?;
    SecretDocument::try_from(der.as_slice()).map_err(|_| failed())
}

fn encode(label: &str, der: &[u8]) -> Result<Zeroizing<String>, Failure> {
    let failed = |_| Failure::defect("a secret cannot be encoded");
    pem::encode_string(label, LineEnding::LF, der).map(Zeroizing::new).map_err(failed)
}

/// A secret file that others may read is told of.
pub(crate) fn warn_if_others_may_read(path: &Path, output: &Output) {
    if let Some(mode) = mode(path, 0o077).filter(|_| path.is_file()) {
        let shown = path.display();
        output.warn(&format!("{shown} has mode {mode:03o}: others may read this secret; run chmod 600"));
    }
}

/// A home folder that others may write to is told of: they put files of theirs in the place of the ones that are there.
pub(crate) fn warn_if_others_may_write(folder: &Path, output: &Output) {
    if let Some(mode) = mode(folder, 0o022) {
        let shown = folder.display();
        output.warn(&format!("{shown} has mode {mode:03o}: others may change what is in it; run chmod 700"));
    }
}

/// The mode, where it lets others do what they should not. A pipe or a descriptor has none that would say something.
#[cfg(unix)]
fn mode(path: &Path, others: u32) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & others != 0).then_some(mode)
}

/// There are no modes here that would say something.
#[cfg(not(unix))]
fn mode(_: &Path, _: u32) -> Option<u32> {
    None
}
