//! Nothing leaves the vault unless every layer passed before, and nothing is kept that does not hold to the end.

use dualseal::error::{Misuse, StreamFault, VaultFault};
use dualseal::field::Gf2_256;
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::stream::{CHUNK_BYTES, KeyMaterial};
use dualseal::vault::{Encryption, IoError, Provisional, Tier, Unsealed, Unsealer, unseal, unseal_to};
use dualseal::{Error, SystemRng};
use dualseal_tests::vault::Archive;
use std::io::{self, Read, Write};

fn archive(encryption: Encryption, length: usize) -> Archive {
    let mut archive = Archive::new(1);
    archive.seal(&vec![0x5a; length], "DEED", encryption, Tier::Native);
    archive
}

fn material(archive: &Archive) -> Option<&dyn KeyMaterial> {
    archive.kept[0].secret.as_ref().map(|secret| secret as _)
}

/// Between the two passes somebody changes, cuts or lengthens the stored bytes.
#[test]
fn a_change_between_the_passes_is_an_error() {
    for encryption in [Encryption::None, Encryption::Stream] {
        let archive = archive(encryption, CHUNK_BYTES + 100);
        let (verified, stored) = (archive.verified(0), &archive.kept[0].stored);
        let refused = |bytes: &[u8]| unseal(&verified, material(&archive), bytes).unwrap_err();
        let changed = Error::from(VaultFault::StoredChanged);
        let in_chunk = |index| Error::from(StreamFault::Chunk { index });
        let encrypted = encryption == Encryption::Stream;
        for place in [0, 3, 40, 68, 1_000, CHUNK_BYTES, stored.len() - 1] {
            let mut other = stored.clone();
            other[place] ^= 0x80;
            let error = refused(&other);
            let expected = match place {
                _ if !encrypted => changed.clone(),
                // The salt and the commitment are looked at before anything is decrypted.
                4..68 => StreamFault::OtherKey.into(),
                68..=CHUNK_BYTES => in_chunk(0),
                0..4 => error.clone(),
                _ => in_chunk(1),
            };
            assert_eq!(error, expected, "{place} {encryption:?}");
        }
        assert_eq!(refused(&[stored.as_slice(), b"x"].concat()), changed);
        assert_eq!(refused(&stored[..stored.len() - 1]), if encrypted { in_chunk(1) } else { changed.clone() });
        // A whole chunk less is the shorter stream's beginning, and its last chunk does not say that it is the last.
        assert_eq!(refused(&stored[..stored.len() - 116]), if encrypted { in_chunk(0) } else { changed.clone() });
        assert!(refused(&[]) == changed || encrypted);
    }
}

/// The chunks that come out before a change are provisional, and there is no proof without the end.
#[test]
fn provisional_bytes_come_without_a_proof() {
    let archive = archive(Encryption::None, 3 * CHUNK_BYTES);
    let verified = archive.verified(0);
    let mut other = archive.kept[0].stored.clone();
    other[2 * CHUNK_BYTES] ^= 1;
    let (mut unsealer, mut out) = (Unsealer::new(&verified, None).unwrap(), Provisional::new());
    unsealer.update(&other, &mut out).unwrap();
    assert_eq!(out.provisional_bytes(), other, "nobody can know yet");
    assert_eq!(unsealer.finish(&mut out).unwrap_err(), VaultFault::StoredChanged.into());

    // After an error nothing more comes.
    let (mut unsealer, mut out) = (Unsealer::new(&verified, None).unwrap(), Provisional::new());
    unsealer.update(&vec![0; 4 * CHUNK_BYTES], &mut out).unwrap_err();
    assert!(out.provisional_bytes().is_empty());
    assert_eq!(unsealer.update(b"x", &mut out).unwrap_err(), VaultFault::StoredChanged.into());
    assert_eq!(unsealer.finish(&mut out).unwrap_err(), Misuse::StreamEnded.into());
    assert!(out.provisional_bytes().is_empty());
}

#[test]
fn an_encrypted_record_opens_with_its_own_secret_only() {
    let mut archive = archive(Encryption::Stream, 100);
    archive.seal(b"another", "DEED", Encryption::Stream, Tier::Public);
    let (verified, stored) = (archive.verified(0), &archive.kept[0].stored);
    assert_eq!(unseal(&verified, None, stored).unwrap_err(), Misuse::NoVaultSecret.into());
    let drawn = DrawnSecret::<Gf2_256>::draw(&mut SystemRng).unwrap();
    let others: [&dyn KeyMaterial; 2] = [&drawn, archive.kept[1].secret.as_ref().unwrap()];
    for other in others {
        assert_eq!(unseal(&verified, Some(other), stored).unwrap_err(), StreamFault::OtherKey.into());
    }
    // The same 32 bytes from a store do as well as the drawn ones.
    let bytes = archive.kept[0].secret.as_ref().unwrap().to_bytes();
    let read = Secret::<32>::from_slice("secret", bytes.as_slice()).unwrap();
    assert_eq!(*unseal(&verified, Some(&read), stored).unwrap(), vec![0x5a; 100]);
}

/// The stored bytes of one record, with the header of another type or identity, do not open: the purpose is bound.
#[test]
fn a_secret_opens_one_purpose() {
    let mut archive = Archive::new(1);
    archive.seal(b"x", "DEED", Encryption::Stream, Tier::Public);
    let stored = archive.kept[0].stored.clone();
    // Sealed again as a plain record of another type: what it stores is the first one's stream.
    let index = archive.seal(&stored, "WILL", Encryption::None, Tier::Public);
    let out = unseal(&archive.verified(index), None, &archive.kept[index].stored).unwrap();
    assert_eq!(*out, stored, "no more than was put in comes out");
}

/// The fragment is in the record and in nothing that comes out.
#[test]
fn the_fragment_stays_in() {
    let archive = archive(Encryption::Stream, 5_000);
    let record = archive.kept[0].record();
    let fragment = record.fragment().unwrap().secret().expose();
    let out = unseal(&archive.verified(0), material(&archive), &archive.kept[0].stored).unwrap();
    assert!(!out.windows(32).any(|bytes| bytes == fragment));
    assert!(!archive.kept[0].stored.windows(32).any(|bytes| bytes == fragment));
    assert!(record.to_stored_json().contains(&hex::encode(fragment)));
    assert!(!record.redacted().to_stored_json().contains(&hex::encode(fragment)));
}

/// Whoever writes a record without asking for the fragment gives none away: only the call that names the store does.
#[test]
fn a_record_is_written_redacted_unless_it_is_for_the_store() {
    let archive = archive(Encryption::Stream, 5_000);
    let record = archive.kept[0].record();
    let fragment = hex::encode(record.fragment().unwrap().secret().expose());
    assert!(!record.to_json().contains(&fragment));
    assert!(record.to_json().contains("\"L7\":{\"fragment\":null}"));
    assert_eq!(record.to_json(), *record.redacted().to_stored_json());
    assert_eq!(*record.to_stored_json(), archive.kept[0].json);
}

/// Gives some bytes and then fails.
struct Breaks<'a>(&'a [u8]);

impl Read for Breaks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("unplugged")) } else { self.0.read(buffer) }
    }
}

/// Is interrupted before each read.
struct Interrupted<'a>(&'a [u8], bool);

impl Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(io::ErrorKind::Interrupted.into()) } else { self.0.read(buffer) }
    }
}

#[test]
fn an_interrupted_reader_is_read_on() {
    let archive = archive(Encryption::Stream, 2 * CHUNK_BYTES);
    let (verified, mut plain) = (archive.verified(0), Vec::new());
    let mut stored = Interrupted(&archive.kept[0].stored, false);
    let Unsealed { .. } = unseal_to(&verified, material(&archive), &mut stored, &mut plain).unwrap();
    assert_eq!(plain.len(), 2 * CHUNK_BYTES);
}

/// Takes so many bytes and then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn readers_and_writers_that_fail_are_told_apart() {
    let archive = archive(Encryption::Stream, 2 * CHUNK_BYTES);
    let (verified, stored) = (archive.verified(0), &archive.kept[0].stored);
    let secret = material(&archive);
    let read = unseal_to(&verified, secret, &mut Breaks(&stored[..100_000]), &mut io::sink()).unwrap_err();
    assert!(matches!(&read, IoError::Read(_)) && read.to_string() == "cannot read: unplugged");
    let write = unseal_to(&verified, secret, &mut stored.as_slice(), &mut Full(10)).unwrap_err();
    assert!(matches!(&write, IoError::Write(_)) && write.to_string() == "cannot write: full");
    let refused = unseal_to(&verified, secret, &mut &stored[1..], &mut io::sink()).unwrap_err();
    assert!(matches!(&refused, IoError::Dualseal(Error::Malformed(_))), "{refused:?}");
    assert!(std::error::Error::source(&refused).is_some());

    let (vault, place) = (archive.vault(Tier::Public), archive.place());
    let seal = |from: &mut dyn Read, to: &mut dyn Write| {
        vault.seal_from("DEED", Encryption::Stream, &place, &mut SystemRng, from, to).map(drop).unwrap_err()
    };
    assert!(matches!(seal(&mut Breaks(b"some"), &mut io::sink()), IoError::Read(_)));
    assert!(matches!(seal(&mut vec![0; 200_000].as_slice(), &mut Full(0)), IoError::Write(_)));
}
