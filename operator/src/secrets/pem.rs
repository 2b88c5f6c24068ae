//! Secret files: PEM (RFC 7468), under a passphrase where one is given. Signing keys are PKCS#8, which other programs
//! read; other secrets are 32 bytes under a label of ours. What is encrypted is an EncryptedPrivateKeyInfo (RFC 5958,
//! section 3) by PBES2 (RFC 8018, section 6.2) with scrypt (RFC 7914, sections 6 and 7) and AES-256-CBC.

use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::{Error, SigningKey};
use pkcs8::der::asn1::{AnyRef, OctetString};
use pkcs8::der::pem;
use pkcs8::der::{Decode, Encode};
use pkcs8::pkcs5::pbes2::{self, Kdf};
use pkcs8::{EncryptedPrivateKeyInfoOwned, EncryptedPrivateKeyInfoRef, LineEnding};
use std::fmt;
use zeroize::Zeroizing;

/// The most bytes that a secret file has: an expanded signing key with its passphrase has some 8,000.
pub const SECRET_FILE_BYTES: usize = 65_536;

const KEY: &str = "PRIVATE KEY";
const ENCRYPTED_KEY: &str = "ENCRYPTED PRIVATE KEY";
const SEED: &str = "DUALSEAL SECRET";
const ENCRYPTED_SEED: &str = "ENCRYPTED DUALSEAL SECRET";
/// A SEQUENCE of one OCTET STRING of 32 bytes: what PBES2 opens must be DER, as PKCS#8's PrivateKeyInfo is (RFC 5958,
/// section 2).
const SEED_HEAD: [u8; 4] = [0x30, 0x22, 0x04, 0x20];

/// The most memory that scrypt may ask for, 128·(N + p)·r bytes (RFC 7914, section 6: N blocks, and one for each of p):
/// twice what is recommended for passwords today, and sixteen times what is written here, with one MiB for p.
const SCRYPT_MEMORY: u64 = 257 << 20;
/// The most work, N·r·p: some seconds.
const SCRYPT_WORK: u64 = 1 << 23;
/// The most rounds of PBKDF2 (RFC 8018, section 5.2), which other programs write: some seconds.
const PBKDF2_ROUNDS: u32 = 10_000_000;
const AES_BLOCK: usize = 16;

/// What a secret file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// A signing key, in PKCS#8.
    SigningKey,
    /// Any other secret of 32 bytes: a master, a ring key, the seed of an Ed25519 key.
    Seed,
}

impl SecretKind {
    /// Its PEM label without a passphrase.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::SigningKey => KEY,
            Self::Seed => SEED,
        }
    }
}

/// A secret file that was read, and not opened yet.
///
/// ```
/// use dualseal::SystemRng;
/// use dualseal::secret::Secret;
/// use dualseal_operator::secrets::{PemFault, SecretFile, seed_to_pem};
///
/// let text = seed_to_pem(&Secret::from_slice("seed", &[7; 32])?, Some("correct horse"), &mut SystemRng)?;
/// assert!(text.starts_with("-----BEGIN ENCRYPTED DUALSEAL SECRET-----"));
/// let file = SecretFile::parse(text.as_bytes())?;
/// assert!(file.is_protected());
/// assert_eq!(file.seed(Some("correct horse"))?.expose(), &[7; 32]);
/// assert_eq!(file.seed(None).unwrap_err(), PemFault::PassphraseNeeded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SecretFile {
    kind: SecretKind,
    protected: bool,
    der: Zeroizing<Vec<u8>>,
}

impl SecretFile {
    /// Reads one, strictly, and what its passphrase will cost: a file asks for seconds and 257 MiB at most, whoever
    /// made it.
    ///
    /// # Errors
    /// [`PemFault::NoSecretFile`], [`PemFault::Form`], [`PemFault::UnknownScheme`] or [`PemFault::TooCostly`].
    pub fn parse(text: &[u8]) -> Result<Self, PemFault> {
        if text.len() > SECRET_FILE_BYTES {
            return Err(PemFault::NoSecretFile);
        }
        let (label, der) = pem::decode_vec(text).map_err(|_| PemFault::NoSecretFile)?;
        let der = Zeroizing::new(der);
        let (kind, protected) = match label {
            KEY => (SecretKind::SigningKey, false),
            SEED => (SecretKind::Seed, false),
            ENCRYPTED_KEY => (SecretKind::SigningKey, true),
            ENCRYPTED_SEED => (SecretKind::Seed, true),
            _ => return Err(PemFault::NoSecretFile),
        };
        let file = Self { kind, protected, der };
        if protected {
            file.scheme()?;
        } else if kind == SecretKind::Seed {
            seed(&file.der)?;
        }
        Ok(file)
    }

    /// What it holds.
    #[must_use]
    pub fn kind(&self) -> SecretKind {
        self.kind
    }

    /// Whether it takes a passphrase.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.protected
    }

    /// The secret of 32 bytes. A passphrase that it does not take is not looked at.
    ///
    /// # Errors
    /// [`PemFault::OtherKind`], [`PemFault::PassphraseNeeded`], [`PemFault::WrongPassphrase`], [`PemFault::Form`].
    pub fn seed(&self, passphrase: Option<&str>) -> Result<Secret<32>, PemFault> {
        seed(&self.open(SecretKind::Seed, passphrase)?)
    }

    /// The signing key. A passphrase that it does not take is not looked at.
    ///
    /// # Errors
    /// As [`seed`](Self::seed), and what [`SigningKey::from_pkcs8_der`] says, in [`PemFault::Library`].
    pub fn signing_key(&self, passphrase: Option<&str>) -> Result<SigningKey, PemFault> {
        let der = self.open(SecretKind::SigningKey, passphrase)?;
        SigningKey::from_pkcs8_der(&der).map_err(|error| other_form(&der).unwrap_or(PemFault::Library(error)))
    }

    fn open(&self, kind: SecretKind, passphrase: Option<&str>) -> Result<Zeroizing<Vec<u8>>, PemFault> {
        if self.kind != kind {
            return Err(PemFault::OtherKind { found: self.kind });
        }
        if !self.protected {
            return Ok(self.der.clone());
        }
        let passphrase = passphrase.ok_or(PemFault::PassphraseNeeded)?;
        let (parameters, encrypted) = self.scheme()?;
        let mut buffer = Zeroizing::new(encrypted.to_vec());
        let opened = parameters.decrypt_in_place(passphrase, &mut buffer).map_err(|error| match error {
            pkcs8::pkcs5::Error::DecryptFailed => PemFault::WrongPassphrase,
            _ => PemFault::UnknownScheme,
        })?;
        // The padding alone holds for one wrong passphrase of some 256.
        AnyRef::from_der(opened).map_err(|_| PemFault::WrongPassphrase)?;
        Ok(Zeroizing::new(opened.to_vec()))
    }

    /// How it is encrypted, if it is and costs no more than it may; and what is.
    fn scheme(&self) -> Result<(pbes2::Parameters, &[u8]), PemFault> {
        let info = EncryptedPrivateKeyInfoRef::from_der(&self.der).map_err(|_| PemFault::Form)?;
        let parameters = info.encryption_algorithm.pbes2().ok_or(PemFault::UnknownScheme)?;
        check_cost(&parameters.kdf)?;
        Ok((parameters.clone(), info.encrypted_data.as_bytes()))
    }
}

impl fmt::Debug for SecretFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, protected, der: _ } = self;
        f.debug_struct("SecretFile").field("kind", kind).field("protected", protected).finish_non_exhaustive()
    }
}

/// A signing key as the content of its file.
///
/// # Errors
/// [`Error::Randomness`] within [`PemFault::Library`].
pub fn key_to_pem<R: TryCryptoRng>(
    key: &SigningKey,
    passphrase: Option<&str>,
    rng: &mut R,
) -> Result<Zeroizing<String>, PemFault> {
    match passphrase {
        None => Ok(key.to_pkcs8_pem()?),
        Some(passphrase) => encode(ENCRYPTED_KEY, &encrypt(&key.to_pkcs8_der(), passphrase, rng)?),
    }
}

/// A secret of 32 bytes as the content of its file.
///
/// # Errors
/// [`Error::Randomness`] within [`PemFault::Library`].
pub fn seed_to_pem<R: TryCryptoRng>(
    secret: &Secret<32>,
    passphrase: Option<&str>,
    rng: &mut R,
) -> Result<Zeroizing<String>, PemFault> {
    let mut der = Zeroizing::new(Vec::with_capacity(SEED_HEAD.len() + 32));
    der.extend_from_slice(&SEED_HEAD);
    der.extend_from_slice(secret.expose());
    match passphrase {
        None => encode(SEED, &der),
        Some(passphrase) => encode(ENCRYPTED_SEED, &encrypt(&der, passphrase, rng)?),
    }
}

/// Whether a text holds a secret of whatever kind in PEM, by the label of its first line, be the rest whole or not, and
/// its lines moved in or not: whoever was given it was given more than they asked for. A sentence may name a label.
#[must_use]
pub fn is_secret(text: &str) -> bool {
    let mut labels = text
        .split(['\n', '\r'])
        .filter_map(|line| line.trim().strip_prefix("-----BEGIN ").and_then(|rest| rest.strip_suffix("-----")));
    labels.any(|label| label.ends_with(KEY) || label.ends_with(SEED))
}

fn seed(der: &[u8]) -> Result<Secret<32>, PemFault> {
    let bytes = der.strip_prefix(&SEED_HEAD).ok_or(PemFault::Form)?;
    Secret::from_slice("secret", bytes).map_err(|_| PemFault::Form)
}

/// What a file says of its cost is what its maker wrote. N is a power of two: another one, 0 among them, ends the
/// program in the function that takes it.
fn check_cost(kdf: &Kdf) -> Result<(), PemFault> {
    let (formed, cheap) = match kdf {
        Kdf::Scrypt(scrypt) => {
            let (n, r, p) = (scrypt.cost_parameter, scrypt.block_size.into(), u64::from(scrypt.parallelization));
            let blocks = n.saturating_add(p).saturating_mul(r);
            let work = n.saturating_mul(r).saturating_mul(p);
            let cheap = blocks <= SCRYPT_MEMORY / 128 && work <= SCRYPT_WORK;
            (n.is_power_of_two() && n > 1 && r > 0 && p > 0, cheap)
        }
        Kdf::Pbkdf2(pbkdf2) => (pbkdf2.iteration_count > 0, pbkdf2.iteration_count <= PBKDF2_ROUNDS),
        _ => return Err(PemFault::UnknownScheme),
    };
    match (formed, cheap) {
        (false, _) => Err(PemFault::Form),
        (true, false) => Err(PemFault::TooCostly),
        (true, true) => Ok(()),
    }
}

fn encrypt<R: TryCryptoRng>(der: &[u8], passphrase: &str, rng: &mut R) -> Result<Vec<u8>, PemFault> {
    let parameters = pbes2::Parameters::generate_recommended(rng).map_err(|_| Error::Randomness)?;
    let mut buffer = Zeroizing::new(Vec::with_capacity(der.len() + AES_BLOCK));
    buffer.extend_from_slice(der);
    buffer.extend_from_slice(&[0; AES_BLOCK]);
    let encrypted = parameters.encrypt_in_place(passphrase, &mut buffer, der.len());
    let encrypted_data = OctetString::new(encrypted.map_err(|_| PemFault::Encoding)?);
    let encrypted_data = encrypted_data.map_err(|_| PemFault::Encoding)?;
    let info = EncryptedPrivateKeyInfoOwned { encryption_algorithm: parameters.into(), encrypted_data };
    info.to_der().map_err(|_| PemFault::Encoding)
}

fn encode(label: &str, der: &[u8]) -> Result<Zeroizing<String>, PemFault> {
    pem::encode_string(label, LineEnding::LF, der).map(Zeroizing::new).map_err(|_| PemFault::Encoding)
}

/// The object identifier of ML-DSA-65 (RFC 9881, section 2).
const ML_DSA_65: [u8; 11] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12];

/// An ML-DSA-65 key in another form than the one that is read, by the first byte of the private key in its octets (RFC
/// 9881, section 6): an OCTET STRING is the expanded key, a SEQUENCE both.
fn other_form(der: &[u8]) -> Option<PemFault> {
    let at = der.windows(ML_DSA_65.len()).take(24).position(|window| window == ML_DSA_65)?;
    let octets = der.get(at + ML_DSA_65.len()..)?.strip_prefix(&[0x04])?;
    let content = match octets.first()? {
        length @ 0x81..=0x84 => octets.get(1 + usize::from(length & 0x7f)..)?,
        _ => octets.get(1..)?,
    };
    match content.first()? {
        0x04 => Some(PemFault::OtherForm { has_seed: false }),
        0x30 => Some(PemFault::OtherForm { has_seed: true }),
        _ => None,
    }
}

/// Why a secret file is not opened, or not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PemFault {
    /// Not PEM, or under a label of something else, or longer than [`SECRET_FILE_BYTES`].
    NoSecretFile,
    /// The file holds a secret of the other kind.
    OtherKind {
        /// The kind that it holds.
        found: SecretKind,
    },
    /// What the PEM encodes is not what its label says.
    Form,
    /// It is encrypted in a way that this program does not know.
    UnknownScheme,
    /// Its passphrase costs more memory or time than any honest file's does.
    TooCostly,
    /// It takes a passphrase, and none was given.
    PassphraseNeeded,
    /// It does not open with this passphrase, or it was changed: it cannot tell which.
    WrongPassphrase,
    /// It takes no passphrase where only a passphrase is to open it.
    NotProtected,
    /// It is an ML-DSA-65 key in another form of PKCS#8 than the seed alone (RFC 9881, section 6).
    OtherForm {
        /// Whether the seed stands in it beside the expanded key.
        has_seed: bool,
    },
    /// A secret could not be encoded, which is a defect of this program.
    Encoding,
    /// What the library says: a key of the wrong form, a generator that failed.
    Library(Error),
}

impl PemFault {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSecretFile | Self::OtherKind { .. } => "give the secret file that this program wrote, whole",
            Self::Form => "restore the file from a copy",
            Self::UnknownScheme => "encrypt it with PBES2 and AES, as `openssl pkcs8 -topk8 -scrypt` does",
            Self::TooCostly => "do not open it; restore the file from a copy",
            Self::PassphraseNeeded => "give the passphrase that it was made with",
            Self::WrongPassphrase => "try again with the passphrase that it was made with",
            Self::NotProtected => "give what was written under the passphrase",
            Self::OtherForm { has_seed: true } => {
                "write it in the seed form, as `openssl pkey -provparam ml-dsa.output_formats=seed-only` does"
            }
            Self::OtherForm { has_seed: false } => {
                "give the seed form of the key: nobody computes the seed from the expanded key"
            }
            Self::Encoding => "report this as a defect",
            Self::Library(Error::Randomness) => "try again on a machine whose random number generator works",
            Self::Library(_) => "give a key that this program or another wrote in PKCS#8",
        }
    }
}

impl From<Error> for PemFault {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl fmt::Display for PemFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSecretFile => f.write_str("it is no secret file"),
            Self::OtherKind { found } => write!(f, "it is a file of the kind {:?}", found.label()),
            Self::Form => f.write_str("it is not PEM of this form"),
            Self::UnknownScheme => f.write_str("it is encrypted in a way that is not known here"),
            Self::OtherForm { has_seed: true } => {
                f.write_str("it is a key in the form with both seed and expanded key, and the seed alone is read")
            }
            Self::OtherForm { has_seed: false } => {
                f.write_str("it is a key in the expanded form, and the seed alone is read")
            }
            Self::TooCostly => f.write_str("its passphrase would cost more memory or time than it may"),
            Self::PassphraseNeeded => f.write_str("it needs a passphrase"),
            Self::WrongPassphrase => f.write_str("it does not open with this passphrase"),
            Self::NotProtected => f.write_str("it is not under a passphrase"),
            Self::Encoding => f.write_str("a secret cannot be encoded"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PemFault {}
