//! A disk whose power goes before any one operation: what has the final name is the old file or the new one, whole.

use super::*;
use crate::disk::{Lost, Operation, Refused};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::error::StreamFault;
use dualseal::key::Unprepared;
use dualseal::rand_core::TryRng;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::stream::CHUNK_BYTES;
use dualseal::vault::{LedgerHead, LedgerId, Operator, Standing, StoredHash, TierPolicy, VaultMaster, VaultVerifier};
use dualseal::{Domain, Error, Head, IdentityId, KeyRing, SigningKey, Timestamp};
use std::convert::Infallible;
use std::path::PathBuf;

/// Draws that come again.
struct Repeatable(u64);

impl TryRng for Repeatable {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|drawn| u32::try_from(drawn >> 32).unwrap())
    }

    /// SplitMix64.
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut drawn = self.0;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(drawn ^ (drawn >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}

/// A folder of its own.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dualseal-file-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An operator, and a document of several chunks that it sealed.
struct World {
    domain: Domain,
    id: IdentityId,
    master: VaultMaster,
    key: SigningKey,
    ledger: LedgerHead,
    document: Vec<u8>,
}

impl World {
    fn new() -> Self {
        let domain = Domain::default();
        Self {
            id: domain.identity_id(b"", "ana", "").unwrap(),
            master: VaultMaster::new(&domain, Secret::from_slice("master", &[9; 32]).unwrap()).unwrap(),
            key: SigningKey::from_seed(&[7; 32]).unwrap(),
            ledger: LedgerHead::new(&LedgerId::from_bytes([1; 32])),
            document: (0..=250).cycle().take(2 * CHUNK_BYTES + 100).collect(),
            domain,
        }
    }

    fn place(&self) -> Destination<'_> {
        const EMPTY: &Head = &Head::EMPTY;
        Destination { ledger: &self.ledger, head: EMPTY, note: "", time: Timestamp::MIN }
    }

    fn vault(&self) -> VaultSealer<'_> {
        VaultSealer::new(&self.master, &self.id, &self.key)
    }

    fn sealed(&self) -> (Verified<OperatorRecord>, Vec<u8>) {
        let (sealed, stored) =
            self.vault().seal(&self.document, "DEED", Encryption::Stream, &self.place(), &mut Repeatable(3)).unwrap();
        let checkpoint = self.checkpoint(&sealed.head);
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint).unwrap();
        let watched = reader.ledger(self.ledger.ledger(), Some(&self.master)).unwrap();
        reader.push(&sealed.entry).unwrap();
        let at = reader.finish().unwrap().take(watched).unwrap().locate(&sealed.record);
        let ring = KeyRing::pinned(&self.id, self.key.public_key().clone());
        let policy = Operator { master: &self.master, tiers: TierPolicy::any() };
        let report = VaultVerifier::new(&self.domain, &ring, &Unprepared).verify(
            sealed.record,
            &StoredHash::of(&self.domain, &stored),
            &self.id,
            &policy,
            Standing { place: at.as_ref(), after: None },
        );
        (report.into_verdict().valid().unwrap(), stored)
    }

    fn checkpoint(&self, head: &Head) -> Verified<Checkpoint> {
        let signer = CheckpointSigner::new(&self.domain, "log", &self.id, &self.key).unwrap();
        let signed =
            signer.sign(&HighWaterMark::first("log", head, None).unwrap(), Timestamp::MIN, &mut Repeatable(1)).unwrap();
        let key_hash = *self.key.public_key().hash();
        let pins = Pins { origin: "log".into(), identity_id: self.id, key_hash, least_size: 1 };
        CheckpointVerifier::new(&self.domain, &pins, None, &Unprepared).verify(signed).valid().unwrap()
    }
}

/// What `World::sealed` drew first.
fn secret() -> Secret<32> {
    let mut rng = Repeatable(3);
    Secret::random(&mut rng).unwrap()
}

/// Replaces a file by what `write` writes while the power goes before operation 0, 1, 2 …, until it lasts. What was not
/// forced to the disk when the power goes is lost. Whoever runs on without the disk has what was made exactly where the
/// new file has the name.
fn with_every_crash<T: PartialEq + fmt::Debug>(
    name: &str,
    new: &[u8],
    made: &T,
    write: impl Fn(&mut dyn Write) -> Result<T, IoError>,
) {
    for nameless in [true, false] {
        let folder = Temporary::new(name);
        let to = folder.0.join("document");
        for power in 0.. {
            fs::write(&to, "the old one").unwrap();
            let disk = Disk::stopping_at(power, Lost::Contents);
            let disk = if nameless { disk } else { disk.with_names_only() };
            let done = replace(&disk, &to, &write);
            let found = fs::read(&to).unwrap();
            match done {
                Ok(returned) => {
                    assert!(found == new && returned == *made && folder.names() == ["document"]);
                    assert!(power >= 8, "{power}");
                    break;
                }
                Err(FileError::Failed(IoError::Write(_))) => {
                    assert!(found == b"the old one", "after {power} operations: {} bytes", found.len());
                }
                Err(FileError::NotForced { made: kept, .. }) => {
                    assert!(found == new && *kept == *made, "{power} operations");
                }
                Err(other) => panic!("after {power} operations: {other:?}"),
            }
            Disk::new().clear_unfinished(&folder.0).unwrap();
        }
    }
}

#[test]
fn a_crash_leaves_the_old_file_or_the_new_one() {
    let world = World::new();
    let (verified, stored) = world.sealed();
    let (secret, vault) = (secret(), world.vault());
    with_every_crash("unseal", &world.document, &(stored.len() as u64), |file| {
        unseal_to(&verified, Some(&secret), &mut stored.as_slice(), file).map(|unsealed| unsealed.length())
    });
    let made = (verified.record().record().to_stored_json(), Some(secret.expose().to_vec()));
    with_every_crash("seal", &stored, &made, |file| {
        let (place, mut rng) = (world.place(), Repeatable(3));
        let document = &mut world.document.as_slice();
        let sealed = vault.seal_from("DEED", Encryption::Stream, &place, &mut rng, document, file)?;
        Ok((sealed.record.to_stored_json(), sealed.secret.map(|secret| secret.to_bytes().as_slice().to_vec())))
    });
}

/// Of a folder that cannot be forced to the disk nothing more is known than that: what was made is handed over.
#[test]
fn what_is_named_is_handed_over() {
    let folder = Temporary::new("handed");
    let write = |disk: &Disk| {
        replace(disk, &folder.0.join("x"), |file| {
            file.write_all(b"text").map_err(IoError::Write)?;
            Ok("made")
        })
    };
    let probe = Disk::failing_at(u64::MAX);
    write(&probe).unwrap();
    let at = probe.history().iter().position(|(operation, _)| *operation == Operation::ForceFolder).unwrap();
    fs::remove_file(folder.0.join("x")).unwrap();
    let error = write(&Disk::failing_at(at as u64)).unwrap_err();
    assert_eq!(error.to_string(), "the file is written, but its folder not forced to the disk: the disk failed");
    assert!(matches!(error, FileError::NotForced { made, .. } if *made == "made"));
    assert_eq!((folder.names(), fs::read(folder.0.join("x")).unwrap()), (vec!["x".to_owned()], b"text".to_vec()));
}

#[test]
fn files_come_and_go_as_in_memory() {
    let (folder, world) = (Temporary::new("whole"), World::new());
    let (document, store, out) = (folder.0.join("document"), folder.0.join("store"), folder.0.join("out"));
    fs::write(&document, &world.document).unwrap();
    let (place, mut rng) = (world.place(), Repeatable(3));
    let sealed = seal_file(&world.vault(), "DEED", Encryption::Stream, &place, &mut rng, &document, &store).unwrap();
    let (verified, stored) = world.sealed();
    assert!(fs::read(&store).unwrap() == stored);
    assert_eq!(*sealed.record.to_stored_json(), *verified.record().record().to_stored_json());
    let unsealed = unseal_file(&verified, Some(&secret()), &store, &out).unwrap();
    assert_eq!(unsealed.length(), stored.len() as u64);
    assert!(fs::read(&out).unwrap() == world.document);
    assert_eq!(folder.names(), ["document", "out", "store"]);
    #[cfg(unix)]
    for path in [&store, &out] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// Of a document whose last chunk does not hold, nothing is left, and what had the name keeps it.
#[test]
fn what_does_not_hold_leaves_nothing_behind() {
    let (folder, world) = (Temporary::new("changed"), World::new());
    let (store, out) = (folder.0.join("store"), folder.0.join("out"));
    let (verified, mut stored) = world.sealed();
    *stored.last_mut().unwrap() ^= 1;
    fs::write(&store, stored).unwrap();
    fs::write(&out, "the old one").unwrap();
    let error = unseal_file(&verified, Some(&secret()), &store, &out).unwrap_err();
    let expected = Error::from(StreamFault::Chunk { index: 2 });
    assert!(matches!(&error, FileError::Failed(IoError::Dualseal(error)) if *error == expected), "{error:?}");
    assert_eq!(
        (fs::read(&out).unwrap(), folder.names()),
        (b"the old one".to_vec(), vec!["out".into(), "store".into()])
    );
}

/// What somebody laid where a writer might write first is neither written to nor removed.
#[test]
fn what_lies_there_already_is_left_alone() {
    let (folder, world) = (Temporary::new("there"), World::new());
    let (store, out, elsewhere) = (folder.0.join("store"), folder.0.join("out"), folder.0.join("elsewhere"));
    let (verified, stored) = world.sealed();
    fs::write(&store, stored).unwrap();
    let unfinished = folder.0.join("out.unfinished");
    link(&elsewhere, &unfinished);
    let _length = unseal_file(&verified, Some(&secret()), &store, &out).unwrap().length();
    assert!(fs::symlink_metadata(&unfinished).is_ok() && !elsewhere.exists());
    assert!(fs::read(&out).unwrap() == world.document);
    for nameless in ["/", "..", ""] {
        let error = unseal_file(&verified, Some(&secret()), &store, Path::new(nameless)).unwrap_err();
        assert!(
            matches!(&error, FileError::Failed(IoError::Write(error)) if error.kind() == ErrorKind::InvalidInput),
            "{error:?}"
        );
    }
    assert!(matches!(
        unseal_file(&verified, None, Path::new("/nowhere/at/all"), &out),
        Err(FileError::Failed(IoError::Read(_)))
    ));
}

/// A name that stands for a device, a pipe or a socket, or leads to one, would be a plain file afterwards: a machine
/// without its null device is broken. Nothing is read or written first.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let (folder, world) = (Temporary::new("special"), World::new());
    let (verified, stored) = world.sealed();
    let [store, socket, inside] = ["store", "socket", "inside"].map(|name| folder.0.join(name));
    fs::write(&store, &stored).unwrap();
    let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    fs::create_dir(&inside).unwrap();
    let links = [("to-socket", &socket), ("to-file", &inside.join("kept")), ("to-nothing", &inside.join("none"))];
    fs::write(inside.join("kept"), "kept").unwrap();
    for (name, to) in links {
        link(to, &folder.0.join(name));
    }
    let before = folder.names();
    for name in ["socket", "inside", "to-socket", "to-file", "to-nothing"] {
        let to = folder.0.join(name);
        let unsealed = unseal_file(&verified, Some(&secret()), &store, &to).map(drop);
        let (place, mut rng) = (world.place(), Repeatable(3));
        let sealed = seal_file(&world.vault(), "DEED", Encryption::None, &place, &mut rng, &store, &to).map(drop);
        let replaced: Result<(), FileError<()>> = replace(&Disk::new(), &to, |_| panic!("{name} was written"));
        for error in [failed(unsealed), failed(sealed), failed(replaced)] {
            let IoError::Write(error) = error else { panic!("{name}: {error:?}") };
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}");
            let inner = error.into_inner().and_then(|inner| inner.downcast::<Refused>().ok());
            assert_eq!(inner.as_deref(), Some(&Refused::NotAFile), "{name}");
        }
    }
    assert!(fs::symlink_metadata(&socket).unwrap().file_type().is_socket());
    assert!(fs::symlink_metadata(folder.0.join("to-socket")).unwrap().is_symlink());
    assert_eq!((folder.names(), fs::read(inside.join("kept")).unwrap()), (before, b"kept".to_vec()));
    assert_eq!(fs::read_dir(&inside).unwrap().count(), 1);
}

/// Sealed in place, a document would be gone for whoever loses the secret before it is kept; unsealed in place, the
/// ledger would have lost its stored bytes.
#[test]
fn a_file_is_not_replaced_by_its_other_form() {
    let (folder, world) = (Temporary::new("itself"), World::new());
    let (verified, stored) = world.sealed();
    let (file, alias) = (folder.0.join("file"), folder.0.join("alias"));
    fs::write(&file, &stored).unwrap();
    link(&file, &alias);
    let same = folder.0.join(".").join("file");
    for (from, to) in [(&file, &file), (&file, &same), (&alias, &file)] {
        let unsealed = unseal_file(&verified, Some(&secret()), from, to).map(drop);
        let (place, mut rng) = (world.place(), Repeatable(3));
        let sealed = seal_file(&world.vault(), "DEED", Encryption::None, &place, &mut rng, from, to).map(drop);
        for error in [failed(unsealed), failed(sealed)] {
            assert_eq!(error.to_string(), "cannot write: it is the file that is read, and is not replaced");
            let IoError::Write(error) = error else { panic!("{error:?}") };
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            let inner = error.into_inner().and_then(|inner| inner.downcast::<SameFile>().ok());
            assert_eq!(inner.as_deref(), Some(&SameFile));
        }
        assert!(fs::read(&file).unwrap() == stored);
    }
}

fn failed<T: fmt::Debug, M: fmt::Debug>(done: Result<T, FileError<M>>) -> IoError {
    match done {
        Err(FileError::Failed(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[cfg(not(unix))]
fn link(_: &Path, at: &Path) {
    fs::write(at, "").unwrap();
}
