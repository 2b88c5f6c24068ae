//! The secrets of a home folder: signing keys, the ring key, the seal master.

use super::{Home, OwnLog, Step};
use crate::failure::{Failure, HOME};
use crate::secrets::{self, Passphrase};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::seal::SealKey;
use dualseal::{IdentityId, PublicKey, SigningKey};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use zeroize::Zeroizing;

pub(super) const RING_KEY: &str = "ring.key";
pub(super) const SEAL_KEY: &str = "seal.key";
/// The Ed25519 key of the log's notes.
pub(super) const NOTE_KEY: &str = "note.key";
/// Where each ledger has a folder.
pub(crate) const VAULTS: &str = "vaults";
/// What the folder of a ledger holds: where it ends, and its master.
pub(crate) const LEDGER: &str = "vault.json";
pub(crate) const MASTER: &str = "master.key";

impl Home {
    /// The path of an identity's current signing key.
    pub(crate) fn key_path(&self, identity_id: &IdentityId) -> PathBuf {
        self.path(&key_name(identity_id))
    }

    /// The signing key of an identity.
    pub(crate) fn signing_key(&self, identity_id: &IdentityId, passphrase: &Passphrase) -> Result<SigningKey, Failure> {
        let path = self.path(&key_name(identity_id));
        if !path.exists() {
            let message = format!("the signing key of {identity_id} is not in this home folder");
            return Err(Failure::new(HOME, message, "make one by `dualseal key new`, or import it by `key import`"));
        }
        secrets::read_key(&path, passphrase)
    }

    /// The key of the log's notes, where there is one.
    pub(crate) fn note_key(&self, passphrase: &Passphrase) -> Result<Option<Ed25519SigningKey>, Failure> {
        let path = self.path(NOTE_KEY);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Ed25519SigningKey::from_seed(secrets::read_seed(&path, passphrase)?.expose())?))
    }

    /// An identity's seal key.
    pub(crate) fn seal_key(&self, identity_id: &IdentityId, passphrase: &Passphrase) -> Result<SealKey, Failure> {
        let master = secrets::read_seed(&self.present(SEAL_KEY)?, passphrase)?;
        Ok(SealKey::derive(self.domain().domain(), &master, identity_id))
    }

    /// Whether there is an authority over the ring.
    pub(crate) fn has_ring_key(&self) -> bool {
        self.path(RING_KEY).exists()
    }

    /// Where the master of the seal keys is, if there is one.
    pub(super) fn seal_master(&self) -> Option<PathBuf> {
        Some(self.path(SEAL_KEY)).filter(|path| path.exists())
    }

    /// Whether this folder can derive seal keys.
    pub(crate) fn has_seal_key(&self) -> bool {
        self.path(SEAL_KEY).exists()
    }

    /// The passphrase for a new secret file: asked for, or that of the secrets that are there already, so that one
    /// opens all of them.
    pub(crate) fn passphrase_for_new(
        &self,
        protect: bool,
        passphrase: &Passphrase,
    ) -> Result<Option<Zeroizing<String>>, Failure> {
        if self.is_protected()? {
            self.authority(passphrase)?;
        }
        passphrase.for_new(protect)
    }

    /// Whether the secrets of this folder are under a passphrase.
    pub(crate) fn is_protected(&self) -> Result<bool, Failure> {
        let path = self.path(RING_KEY);
        if path.exists() { secrets::is_protected(&path) } else { Ok(false) }
    }
}

impl OwnLog {
    /// The seal keys of several identities; the secret is opened once. It is written once, too: no lock is needed.
    pub(crate) fn seal_keys(
        &self,
        identities: impl IntoIterator<Item = IdentityId>,
        passphrase: &Passphrase,
    ) -> Result<BTreeMap<IdentityId, SealKey>, Failure> {
        let Some(master) = &self.master else { return Ok(BTreeMap::new()) };
        let master = secrets::read_seed(master, passphrase)?;
        let derive = |id| (id, SealKey::derive(self.domain(), &master, &id));
        Ok(identities.into_iter().map(derive).collect())
    }

    /// Whether it can derive seal keys.
    pub(crate) fn has_seal_key(&self) -> bool {
        self.master.is_some()
    }
}

impl Step<'_> {
    /// Puts the secrets of the home folder itself under a passphrase, before there is any key.
    pub(crate) fn protect(&mut self, passphrase: &str, known: &Passphrase) -> Result<(), Failure> {
        for name in [RING_KEY, SEAL_KEY, NOTE_KEY] {
            let secret = secrets::read_seed(&self.home.present(name)?, known)?;
            self.reprotect(name, &secrets::seed_file(&secret, Some(passphrase))?)?;
        }
        Ok(())
    }

    /// A new signing key in place of the identity's present one, whose file is kept under its hash.
    pub(crate) fn signing_key(
        &mut self,
        identity_id: &IdentityId,
        key: &SigningKey,
        old: Option<&PublicKey>,
        passphrase: Option<&str>,
    ) -> Result<(), Failure> {
        let present = self.home.path(&key_name(identity_id));
        if let Some(old) = old.filter(|_| present.exists()) {
            let kept = fs::read_to_string(&present).map_err(|error| Failure::reading(&present, &error))?;
            self.secret(&retired_name(identity_id, old), &Zeroizing::new(kept));
        }
        self.secret(&key_name(identity_id), &secrets::key_file(key, passphrase)?);
        Ok(())
    }
}

/// The file of an identity's current signing key.
fn key_name(identity_id: &IdentityId) -> String {
    format!("keys/{identity_id}.pem")
}

fn retired_name(identity_id: &IdentityId, key: &PublicKey) -> String {
    format!("keys/{identity_id}.{}.pem", key.hash())
}
