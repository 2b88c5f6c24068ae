//! Where a master comes from.

use crate::at_rest::master;
use dualseal::secret::Secret;
use dualseal::{Domain, SigningKey, SystemRng};
use dualseal_operator::secrets::{
    Master, MasterFault, MasterSource, Outside, Passphrase, PemFault, SECRET_FILE_BYTES, SecretKind,
    credentials_directory, key_to_pem, others_may_read, others_may_write,
};
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// A new folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn open(source: MasterSource<'_>) -> Result<Master, MasterFault> {
    source.open(&Domain::default())
}

fn pem_fault(source: MasterSource<'_>) -> PemFault {
    match open(source) {
        Err(MasterFault::Pem { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

/// Answers once, and counts.
fn asked<'a>(count: &'a Cell<u32>, answer: &'a str) -> Passphrase<'a> {
    Passphrase::new(move || {
        count.set(count.get() + 1);
        Ok(Zeroizing::new(answer.to_owned()))
    })
}

#[test]
fn from_a_file() {
    let (folder, count) = (folder("from-a-file"), Cell::new(0));
    let (plain, protected) = (folder.join("plain.key"), folder.join("protected.key"));
    fs::write(&plain, &*master(1).to_pem(None, &mut SystemRng).unwrap()).unwrap();
    fs::write(&protected, &*master(2).to_pem(Some("correct horse"), &mut SystemRng).unwrap()).unwrap();
    assert_eq!(open(MasterSource::file(&plain)).unwrap().key_id(), master(1).key_id());
    let with = |path: &PathBuf, answer| MasterSource::file(path).with_passphrase(asked(&count, answer));
    assert_eq!(open(with(&plain, "")).unwrap().key_id(), master(1).key_id());
    assert_eq!(count.get(), 0, "nobody is asked for what is not needed");
    assert_eq!(open(with(&protected, "correct horse")).unwrap().key_id(), master(2).key_id());
    assert_eq!(count.get(), 1);
    assert_eq!(pem_fault(with(&protected, "wrong horse")), PemFault::WrongPassphrase);
    assert_eq!(pem_fault(MasterSource::file(&protected)), PemFault::PassphraseNeeded);

    let key = folder.join("key.pem");
    fs::write(&key, &*key_to_pem(&SigningKey::from_seed(&[1; 32]).unwrap(), None, &mut SystemRng).unwrap()).unwrap();
    assert_eq!(pem_fault(MasterSource::file(&key)), PemFault::OtherKind { found: SecretKind::SigningKey });
    fs::write(&key, vec![b'x'; SECRET_FILE_BYTES * 3]).unwrap();
    assert_eq!(pem_fault(MasterSource::file(&key)), PemFault::NoSecretFile);
    for path in [folder.join("absent"), folder.clone()] {
        let fault = open(MasterSource::file(&path)).unwrap_err();
        assert!(matches!(&fault, MasterFault::Read { path: of, .. } if *of == path), "{fault:?}");
        assert!(fault.to_string().contains(&*path.to_string_lossy()) && !fault.hint().is_empty());
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn from_a_credential() {
    let folder = folder("from-a-credential");
    fs::write(folder.join("master"), &*master(1).to_pem(None, &mut SystemRng).unwrap()).unwrap();
    fs::create_dir_all(folder.join("inner")).unwrap();
    assert_eq!(open(MasterSource::credential(&folder, "master")).unwrap().key_id(), master(1).key_id());
    for name in ["", ".", "..", "../master", "inner/../master", "./master", "master/", "/etc/passwd"] {
        let fault = open(MasterSource::credential(&folder, name)).unwrap_err();
        assert!(matches!(&fault, MasterFault::CredentialName { name: of } if of == name), "{name}: {fault:?}");
    }
    assert!(matches!(open(MasterSource::credential(&folder, "absent")), Err(MasterFault::Read { .. })));
    fs::remove_dir_all(folder).unwrap();
}

/// The environment is asked only by the function that says so. This test runs itself with the variable set.
#[test]
fn the_environment_names_the_credentials() {
    let given = std::env::var_os("CREDENTIALS_DIRECTORY").filter(|directory| !directory.is_empty());
    if let Some(directory) = given {
        assert_eq!(credentials_directory().unwrap(), PathBuf::from(directory));
        return;
    }
    assert!(matches!(credentials_directory(), Err(MasterFault::NoCredentials)));
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "master::the_environment_names_the_credentials"]);
    let ran = child.env("CREDENTIALS_DIRECTORY", "given/to/the/unit").output().unwrap();
    assert!(ran.status.success() && String::from_utf8_lossy(&ran.stdout).contains("1 passed"), "{ran:?}");
}

#[test]
fn from_a_passphrase() {
    let count = Cell::new(0);
    let pem = master(1).to_pem(Some("correct horse"), &mut SystemRng).unwrap();
    let source = MasterSource::passphrase(pem.as_bytes(), asked(&count, "correct horse"));
    assert_eq!(open(source).unwrap().key_id(), master(1).key_id());
    let wrong = MasterSource::passphrase(pem.as_bytes(), asked(&count, "wrong horse"));
    assert_eq!(pem_fault(wrong), PemFault::WrongPassphrase);
    assert_eq!(count.get(), 2);
    // Whoever may write where it is kept puts a master of theirs there.
    let pem = master(2).to_pem(None, &mut SystemRng).unwrap();
    let source = MasterSource::passphrase(pem.as_bytes(), asked(&count, "correct horse"));
    assert_eq!(pem_fault(source), PemFault::NotProtected);
    assert_eq!(count.get(), 2);
    let pem = master(1).to_pem(Some("correct horse"), &mut SystemRng).unwrap();
    let none = Passphrase::new(|| Err(Outside::from("nobody answers")));
    let fault = open(MasterSource::passphrase(pem.as_bytes(), none)).unwrap_err();
    assert!(matches!(fault, MasterFault::Passphrase(_)) && fault.to_string().contains("nobody answers"));
}

#[test]
fn from_a_callback() {
    let given = |byte| MasterSource::callback(move || Ok(Secret::from_slice("master", &[byte; 32])?));
    assert_eq!(open(given(1)).unwrap().key_id(), master(1).key_id());
    assert!(matches!(open(given(0)), Err(MasterFault::Library(_))), "all zeros");
    let fault = open(MasterSource::callback(|| Err(Outside::from("the device is locked")))).unwrap_err();
    assert!(matches!(fault, MasterFault::Callback(_)) && fault.to_string().contains("the device is locked"));
}

#[cfg(unix)]
#[test]
fn modes_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("modes");
    let file = folder.join("master.key");
    fs::write(&file, "").unwrap();
    let set = |path: &PathBuf, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for (mode, told) in [(0o600, None), (0o400, None), (0o640, Some(0o640)), (0o602, Some(0o602))] {
        set(&file, mode);
        assert_eq!(others_may_read(&file), told);
    }
    for (mode, told) in [(0o700, None), (0o755, None), (0o770, Some(0o770)), (0o702, Some(0o702))] {
        set(&folder, mode);
        assert_eq!(others_may_write(&folder), told);
        assert_eq!(others_may_read(&folder), None, "a folder is no secret file");
    }
    fs::remove_dir_all(folder).unwrap();
}
