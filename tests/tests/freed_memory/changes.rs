//! What is appended to the files of a folder: vault records have the seeds of decoy keys in them.

use crate::{bytes, forms, leaks};
use dualseal_operator::disk::{CommitError, Disk, Error, Hold, Lost};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Two files, one of which is appended to again behind the other.
fn change(disk: &Disk, folder: &Path, line: &[u8]) -> Result<Result<(), CommitError>, Error> {
    let lock = disk.lock(folder, Hold::Exclusive, Duration::ZERO)?;
    let mut change = lock.change()?;
    for turn in 0..8 {
        for name in ["records", "decoys"] {
            change.append(name, turn * line.len() as u64, line)?;
        }
    }
    Ok(change.commit())
}

/// A change that is committed, one that is dropped, and one that is finished after the power went at each of its
/// operations.
#[test]
fn what_is_appended() {
    let secret: [u8; 32] = bytes("appended");
    // Longer than what is read at once.
    let line = [hex::encode(secret).as_bytes(), &vec![b' '; 9_000], &secret, b"\n"].concat();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("freed-memory-changes");
    let new = || {
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
    };
    let (mut finished, mut begun) = (0, 0);
    let found = leaks(&forms("appended", &secret), || {
        for lost in [Lost::Nothing, Lost::Everything] {
            for at in 0.. {
                new();
                let disk = Disk::stopping_at(at, lost);
                match change(&disk, &path, &line) {
                    Ok(Ok(())) => break,
                    Ok(Err(CommitError::Unfinished(_))) => finished += 1,
                    _ => begun += 1,
                }
                drop(disk);
                drop(Disk::new().lock(&path, Hold::Exclusive, Duration::ZERO).unwrap());
            }
        }
        new();
        change(&Disk::new(), &path, &line).unwrap().unwrap();
    });
    assert_eq!(found, [] as [&str; 0]);
    assert!(finished > 10 && begun > 10, "{finished} {begun}");
    for name in ["records", "decoys"] {
        assert_eq!(fs::read(path.join(name)).unwrap(), line.repeat(8));
    }
    fs::remove_dir_all(path).unwrap();
}
