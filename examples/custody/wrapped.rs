//! The file itself: encrypted under each secret that was shared, and decrypted at once under whatever shares gave back.
//! One pass, in constant memory.

use crate::sharing::Shared;
use dualseal::error::StreamFault;
use dualseal::field::{Fp521, Gf2_256};
use dualseal::hash::{HashFunction, Sha3_256, Sha3_512};
use dualseal::id::MessageHash;
use dualseal::secret::Secret;
use dualseal::stream::{Decryptor, Encryptor, KeyMaterial, Purpose};
use dualseal::{Domain, Error, SystemRng};
use dualseal_examples::report::Report;
use dualseal_examples::words::{duration, short, size};
use dualseal_examples::{Fallible, files, timed};
use std::path::Path;

/// What the streams of this story are for.
pub(crate) struct Wrapped {
    purpose: Purpose,
}

/// Somebody who has a secret and reads along.
struct Reader<'a> {
    name: String,
    decryptor: Option<Decryptor<'a, dyn KeyMaterial + 'a>>,
    read: Sha3_256,
    released: u64,
    refused: Option<Error>,
    /// Whether it must be able to read.
    entitled: bool,
}

/// A stream with everybody who reads it.
struct Stream<'a> {
    encryptor: Encryptor,
    stored: Vec<u8>,
    readers: Vec<Reader<'a>>,
}

impl Wrapped {
    pub(crate) fn new(domain: &Domain) -> Fallible<Self> {
        let owner = domain.identity_id(b"custody", "custody", "")?;
        Ok(Self { purpose: Purpose::new(domain, owner.as_bytes(), "FILE")? })
    }

    /// Returns the hash of the file, for the quorums to sign.
    pub(crate) fn tell(
        &self,
        path: &Path,
        prime: &Shared<Fp521>,
        binary: &Shared<Gf2_256>,
        report: &mut Report,
    ) -> Fallible<MessageHash> {
        println!("The file, encrypted under each secret and decrypted under what shares gave back:");
        // The library takes bytes that nobody vouches for only as what they are: some key.
        let unchecked = Secret::<32>::from_slice("secret", &binary.unchecked)?;
        let mut streams = [
            self.stream(
                &prime.secret,
                vec![
                    self.reader(prime.field, "beside a bad share", &prime.beside_a_culprit, true),
                    self.reader(prime.field, "after the refresh", &prime.refreshed, true),
                ],
            )?,
            self.stream(
                &binary.secret,
                vec![
                    self.reader(binary.field, "beside a bad share", &binary.beside_a_culprit, true),
                    self.reader(binary.field, "after the refresh", &binary.refreshed, true),
                    self.reader(binary.field, "from a bad share, unchecked", &unchecked, false),
                    self.reader(binary.field, "under the other secret", &prime.secret, false),
                ],
            )?,
        ];
        let (mut original, mut message) = (Sha3_256::default(), Sha3_512::default());
        let (read, took) = timed(|| -> Fallible<u64> {
            let mut failed = None;
            let bytes = files::stream(path, |part| {
                original.update(part);
                message.update(part);
                for stream in &mut streams {
                    let passed = stream.pass(part);
                    failed = failed.take().or(passed.err());
                }
            })?;
            failed.map_or(Ok(bytes), |error| Err(error.into()))
        });
        let (bytes, original) = (read?, original.finish());
        println!("  {}, {}, in {}", path.display(), size(bytes), duration(took));
        for stream in streams {
            for reader in stream.finish()? {
                reader.tell(bytes, &original, report);
            }
        }
        println!();
        Ok(MessageHash::from_bytes(message.finish()))
    }

    fn stream<'a>(&self, secret: &dyn KeyMaterial, readers: Vec<Reader<'a>>) -> Fallible<Stream<'a>> {
        let mut stored = Vec::new();
        let encryptor = Encryptor::new(secret, &self.purpose, &mut SystemRng, &mut stored)?;
        Ok(Stream { encryptor, stored, readers })
    }

    fn reader<'a>(&'a self, field: &str, what: &str, secret: &'a dyn KeyMaterial, entitled: bool) -> Reader<'a> {
        let decryptor = Some(Decryptor::new(secret, &self.purpose));
        let name = format!("{field}: {what}");
        Reader { name, decryptor, read: Sha3_256::default(), released: 0, refused: None, entitled }
    }
}

impl<'a> Stream<'a> {
    /// Encrypts the next part of the file, and hands it on.
    fn pass(&mut self, part: &[u8]) -> Result<(), Error> {
        self.encryptor.update(part, &mut self.stored)?;
        for reader in &mut self.readers {
            reader.take(&self.stored);
        }
        self.stored.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Reader<'a>>, Error> {
        self.encryptor.finish(&mut self.stored)?;
        for reader in &mut self.readers {
            reader.take(&self.stored);
            reader.end();
        }
        Ok(self.readers)
    }
}

impl Reader<'_> {
    fn take(&mut self, stored: &[u8]) {
        let mut plain = Vec::new();
        let taken = match &mut self.decryptor {
            Some(decryptor) => decryptor.update(stored, &mut plain),
            None => return,
        };
        self.note(&plain, taken);
    }

    /// Only the end says that it was the whole.
    fn end(&mut self) {
        if let Some(decryptor) = self.decryptor.take() {
            let mut plain = Vec::new();
            let ended = decryptor.finish(&mut plain);
            self.note(&plain, ended);
        }
    }

    fn note(&mut self, plain: &[u8], outcome: Result<(), Error>) {
        self.read.update(plain);
        self.released += plain.len() as u64;
        if let Err(error) = outcome {
            self.refused = Some(error);
            self.decryptor = None;
        }
    }

    fn tell(mut self, bytes: u64, original: &[u8; 32], report: &mut Report) {
        let same = self.read.finish() == *original && self.released == bytes;
        match self.refused {
            None => {
                let hash = short(dualseal::encoding::hex::encode(original));
                let seen = if same { format!("the file, SHA3-256 {hash}") } else { "ANOTHER FILE".to_owned() };
                report.line(&self.name, &seen, same && self.entitled);
            }
            // Nothing was released: a stream opens under one secret only.
            Some(error) => {
                let expected = Error::from(StreamFault::OtherKey);
                report.line(&self.name, &error.to_string(), !self.entitled && error == expected && self.released == 0);
            }
        }
    }
}
