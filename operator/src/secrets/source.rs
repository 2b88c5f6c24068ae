//! Where a master comes from: an argument of whoever opens a store.

use super::key::Master;
use super::pem::{PemFault, SECRET_FILE_BYTES, SecretFile};
use crate::disk::is_one;
use crate::paths::Show;
use dualseal::secret::Secret;
use dualseal::{Domain, Error};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// An error of the caller's own, from a callback.
pub type Outside = Box<dyn std::error::Error + Send + Sync>;

/// Gives a passphrase when one is needed: at most once, and not where the file takes none. It is wiped as soon as the
/// file was opened with it.
pub struct Passphrase<'a>(Box<dyn FnOnce() -> Result<Zeroizing<String>, Outside> + 'a>);

impl<'a> Passphrase<'a> {
    /// From a function that asks for it or reads it.
    #[must_use]
    pub fn new(ask: impl FnOnce() -> Result<Zeroizing<String>, Outside> + 'a) -> Self {
        Self(Box::new(ask))
    }

    fn get(self) -> Result<Zeroizing<String>, MasterFault> {
        (self.0)().map_err(MasterFault::Passphrase)
    }
}

impl fmt::Debug for Passphrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase").finish_non_exhaustive()
    }
}

/// Where a master comes from.
///
/// ```
/// use dualseal::secret::Secret;
/// use dualseal::{Domain, SystemRng};
/// use dualseal_operator::secrets::{Master, MasterSource, Passphrase};
/// use zeroize::Zeroizing;
///
/// let domain = Domain::default();
/// let master = Master::draw(&domain, &mut SystemRng)?;
///
/// // Kept anywhere, under a passphrase that is asked for.
/// let pem = master.to_pem(Some("correct horse"), &mut SystemRng)?;
/// let ask = Passphrase::new(|| Ok(Zeroizing::new("correct horse".to_owned())));
/// assert_eq!(MasterSource::passphrase(pem.as_bytes(), ask).open(&domain)?.key_id(), master.key_id());
///
/// // From a key service, or a device.
/// let service = || Ok(Secret::from_slice("master", &[7; 32])?);
/// MasterSource::callback(service).open(&domain)?;
///
/// // From `LoadCredential=dualseal-master:…` of a systemd unit; `credentials_directory` asks the environment for it.
/// let absent = MasterSource::credential("/run/credentials/example.service", "dualseal-master").open(&domain);
/// assert!(absent.is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MasterSource<'a> {
    origin: Origin<'a>,
    passphrase: Option<Passphrase<'a>>,
}

enum Origin<'a> {
    File(PathBuf),
    Credential { directory: PathBuf, name: String },
    Pem(&'a [u8]),
    Callback(Box<dyn FnOnce() -> Result<Secret<32>, Outside> + 'a>),
}

impl<'a> MasterSource<'a> {
    /// A secret file, as [`Master::to_pem`] writes it.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { origin: Origin::File(path.into()), passphrase: None }
    }

    /// The systemd credential of this name, a secret file too, in the directory that `$CREDENTIALS_DIRECTORY` names
    /// ([`credentials_directory`]).
    #[must_use]
    pub fn credential(directory: impl Into<PathBuf>, name: &str) -> Self {
        Self { origin: Origin::Credential { directory: directory.into(), name: name.to_owned() }, passphrase: None }
    }

    /// The content of a secret file that is kept anywhere, and that only its passphrase opens.
    #[must_use]
    pub fn passphrase(pem: &'a [u8], passphrase: Passphrase<'a>) -> Self {
        Self { origin: Origin::Pem(pem), passphrase: Some(passphrase) }
    }

    /// Anything else that gives 32 bytes, such as a key service or a device.
    #[must_use]
    pub fn callback(give: impl FnOnce() -> Result<Secret<32>, Outside> + 'a) -> Self {
        Self { origin: Origin::Callback(Box::new(give)), passphrase: None }
    }

    /// With what gives the passphrase, for a file or credential that takes one.
    #[must_use]
    pub fn with_passphrase(self, passphrase: Passphrase<'a>) -> Self {
        Self { passphrase: Some(passphrase), ..self }
    }

    /// Gets the master.
    ///
    /// # Errors
    /// [`MasterFault`] names what was wrong, and with which file.
    pub fn open(self, domain: &Domain) -> Result<Master, MasterFault> {
        let Self { origin, passphrase } = self;
        let secret = match origin {
            Origin::File(path) => from_path(path, passphrase)?,
            Origin::Credential { directory, name } => {
                // A name with a path in it would be a file anywhere.
                if !is_one(&name) {
                    return Err(MasterFault::CredentialName { name });
                }
                from_path(directory.join(name), passphrase)?
            }
            Origin::Pem(text) => from_pem(text, passphrase, true).map_err(|fault| fault.at(None))?,
            Origin::Callback(give) => give().map_err(MasterFault::Callback)?,
        };
        Master::new(domain, secret).map_err(MasterFault::Library)
    }
}

impl fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Credential { directory, name } => f.debug_tuple("Credential").field(directory).field(name).finish(),
            Self::Pem(_) => f.write_str("Pem"),
            Self::Callback(_) => f.write_str("Callback"),
        }
    }
}

/// Asks the environment for `$CREDENTIALS_DIRECTORY`, which systemd sets for a unit that has credentials.
///
/// # Errors
/// [`MasterFault::NoCredentials`].
pub fn credentials_directory() -> Result<PathBuf, MasterFault> {
    let directory = std::env::var_os("CREDENTIALS_DIRECTORY").filter(|directory| !directory.is_empty());
    directory.map(PathBuf::from).ok_or(MasterFault::NoCredentials)
}

/// What can be wrong with PEM, before it is said where it stood.
enum Unopened {
    Pem(PemFault),
    Other(MasterFault),
}

impl Unopened {
    fn at(self, path: Option<PathBuf>) -> MasterFault {
        match self {
            Self::Pem(fault) => MasterFault::Pem { path, fault },
            Self::Other(fault) => fault,
        }
    }
}

fn from_path(path: PathBuf, passphrase: Option<Passphrase<'_>>) -> Result<Secret<32>, MasterFault> {
    match read(&path) {
        Ok(text) => from_pem(&text, passphrase, false).map_err(|fault| fault.at(Some(path))),
        Err(error) => Err(MasterFault::Read { path, error }),
    }
}

/// Never more than a secret file has, into a buffer that does not move.
fn read(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let most = SECRET_FILE_BYTES + 1;
    let mut text = Zeroizing::new(Vec::with_capacity(2 * most));
    file.take(most as u64).read_to_end(&mut text)?;
    Ok(text)
}

fn from_pem(text: &[u8], passphrase: Option<Passphrase<'_>>, protected: bool) -> Result<Secret<32>, Unopened> {
    let file = SecretFile::parse(text).map_err(Unopened::Pem)?;
    if protected && !file.is_protected() {
        return Err(Unopened::Pem(PemFault::NotProtected));
    }
    let given = match passphrase.filter(|_| file.is_protected()) {
        Some(passphrase) => Some(passphrase.get().map_err(Unopened::Other)?),
        None => None,
    };
    file.seed(given.as_deref().map(String::as_str)).map_err(Unopened::Pem)
}

/// Why there is no master.
#[derive(Debug)]
#[non_exhaustive]
pub enum MasterFault {
    /// Its file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Its file does not open.
    Pem {
        /// The file, where there is one.
        path: Option<PathBuf>,
        /// What is wrong with it.
        fault: PemFault,
    },
    /// The name of a credential is not one name.
    CredentialName {
        /// The name.
        name: String,
    },
    /// The environment names no directory of credentials.
    NoCredentials,
    /// The passphrase could not be had.
    Passphrase(Outside),
    /// The callback gave no master.
    Callback(Outside),
    /// What was given is no master: all zeros.
    Library(Error),
}

impl MasterFault {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read { .. } => "check the path, and whether this user may read it",
            Self::Pem { fault, .. } => fault.hint(),
            Self::CredentialName { .. } => "give the name alone, as in `LoadCredential=NAME:PATH`",
            Self::NoCredentials => "set `LoadCredential=` in the systemd unit, or give the master by a file",
            Self::Passphrase(_) | Self::Callback(_) => "see what its source says, and try again",
            Self::Library(_) => "give 32 bytes that were drawn",
        }
    }
}

impl fmt::Display for MasterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, error } => write!(f, "cannot read {}: {error}", path.shown()),
            Self::Pem { path: Some(path), fault } => write!(f, "{}: {fault}", path.shown()),
            Self::Pem { path: None, fault } => write!(f, "the master: {fault}"),
            Self::CredentialName { name } => write!(f, "{name:?} is not the name of a credential"),
            Self::NoCredentials => f.write_str("CREDENTIALS_DIRECTORY is not set"),
            Self::Passphrase(error) => write!(f, "the passphrase of the master: {error}"),
            Self::Callback(error) => write!(f, "the source of the master: {error}"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MasterFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } => Some(error),
            Self::Pem { fault, .. } => Some(fault),
            Self::Passphrase(error) | Self::Callback(error) => Some(&**error),
            Self::Library(error) => Some(error),
            Self::CredentialName { .. } | Self::NoCredentials => None,
        }
    }
}
