//! Secret files of the command line: the passphrase that opens them, asked for or from a file, and what people are told
//! of them.

use crate::failure::{Failure, SECRET};
use crate::input;
use crate::output::Output;
use dualseal::SigningKey;
use dualseal::SystemRng;
use dualseal::secret::Secret;
use dualseal_operator::paths::Show;
use dualseal_operator::secrets::{
    PemFault, SecretFile, SecretKind, key_to_pem, others_may_read, others_may_write, seed_to_pem,
};
use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use zeroize::Zeroizing;

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
        let shown = crate::output::clean(&path.shown().to_string());
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
        let text = text.ok_or_else(|| Failure::new(SECRET, format!("{} has no passphrase", file.shown()), hint))?;
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
    key_to_pem(key, passphrase, &mut SystemRng).map_err(unwritten)
}

/// A secret of 32 bytes as the content of its file.
pub(crate) fn seed_file(secret: &Secret<32>, passphrase: Option<&str>) -> Result<Zeroizing<String>, Failure> {
    seed_to_pem(secret, passphrase, &mut SystemRng).map_err(unwritten)
}

/// Reads a signing key.
pub(crate) fn read_key(path: &Path, passphrase: &Passphrase) -> Result<SigningKey, Failure> {
    let read = Read::open(path, SecretKind::SigningKey, passphrase)?;
    read.file.signing_key(read.passphrase()).map_err(|fault| read.failure(fault))
}

/// Reads a secret of 32 bytes.
pub(crate) fn read_seed(path: &Path, passphrase: &Passphrase) -> Result<Secret<32>, Failure> {
    let read = Read::open(path, SecretKind::Seed, passphrase)?;
    read.file.seed(read.passphrase()).map_err(|fault| read.failure(fault))
}

/// Whether the file of a secret is under a passphrase: new secrets beside it then are as well.
pub(crate) fn is_protected(path: &Path) -> Result<bool, Failure> {
    let text = Zeroizing::new(input::small(path)?);
    Ok(text.starts_with(b"-----BEGIN ENCRYPTED "))
}

/// Whether a secret file has the form of one, as far as can be told without its passphrase.
pub(crate) fn well_formed(text: &[u8]) -> Result<(), Failure> {
    let told = |fault| match fault {
        // Its label says that it is one.
        PemFault::NoSecretFile => PemFault::Form,
        fault => fault,
    };
    let failure = |fault: PemFault| Failure::new(SECRET, fault.to_string(), fault.hint());
    SecretFile::parse(text).map(drop).map_err(told).map_err(failure)
}

/// Whether a signing key without a passphrase has the form of one, which is named where it is another.
pub(crate) fn key_form(text: &[u8]) -> Result<(), Failure> {
    let told = |fault| match fault {
        PemFault::Library(error) => Failure::from(error),
        fault => Failure::new(SECRET, fault.to_string(), fault.hint()),
    };
    SecretFile::parse(text).and_then(|file| file.signing_key(None)).map(drop).map_err(told)
}

/// A secret file of the kind that is wanted, with the passphrase that it takes.
struct Read<'a> {
    path: &'a Path,
    kind: SecretKind,
    file: SecretFile,
    passphrase: Option<Zeroizing<String>>,
}

impl<'a> Read<'a> {
    fn open(path: &'a Path, kind: SecretKind, passphrase: &Passphrase) -> Result<Self, Failure> {
        warn_if_others_may_read(path, &passphrase.output);
        let text = Zeroizing::new(input::small(path)?);
        let file = SecretFile::parse(&text).map_err(|fault| failure(path, kind, fault))?;
        // Nobody is asked for the passphrase of a file that is not the one that is wanted.
        if file.kind() != kind {
            return Err(failure(path, kind, PemFault::OtherKind { found: file.kind() }));
        }
        let passphrase = if file.is_protected() { Some(passphrase.for_file(path)?) } else { None };
        Ok(Self { path, kind, file, passphrase })
    }

    fn passphrase(&self) -> Option<&str> {
        self.passphrase.as_deref().map(String::as_str)
    }

    fn failure(&self, fault: PemFault) -> Failure {
        failure(self.path, self.kind, fault)
    }
}

fn failure(path: &Path, kind: SecretKind, fault: PemFault) -> Failure {
    let shown = path.shown();
    let message = match fault {
        PemFault::Library(error) => return Failure::from(error).about(shown),
        PemFault::NoSecretFile | PemFault::OtherKind { .. } => {
            format!("{shown} is no file of the kind {:?}", kind.label())
        }
        PemFault::WrongPassphrase => format!("{shown} does not open with this passphrase"),
        _ => format!("{shown}: {fault}"),
    };
    Failure::new(SECRET, message, fault.hint())
}

fn unwritten(fault: PemFault) -> Failure {
    match fault {
        PemFault::Library(error) => Failure::from(error),
        fault => Failure::defect(&fault.to_string()),
    }
}

/// A secret file that others may read is told of.
pub(crate) fn warn_if_others_may_read(path: &Path, output: &Output) {
    if let Some(mode) = others_may_read(path) {
        let shown = path.shown();
        output.warn(&format!("{shown} has mode {mode:03o}: others may read this secret; run chmod 600"));
    }
}

/// A home folder that others may write to is told of: they put files of theirs in the place of the ones that are there.
pub(crate) fn warn_if_others_may_write(folder: &Path, output: &Output) {
    if let Some(mode) = others_may_write(folder) {
        let shown = folder.shown();
        output.warn(&format!("{shown} has mode {mode:03o}: others may change what is in it; run chmod 700"));
    }
}
