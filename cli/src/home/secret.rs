//! The secrets of a home folder: signing keys, the ring key, the seal master.

use super::{Home, OwnLog, Step};
use crate::failure::{Failure, HOME};
use crate::secrets::{self, Passphrase};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::seal::SealKey;
use dualseal::secret::Secret;
use dualseal::vault::VaultMaster;
use dualseal::{IdentityId, PublicKey, RingKey, SigningKey, SystemRng};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use zeroize::Zeroizing;

const RING_KEY: &str = "ring.key";
const SEAL_KEY: &str = "seal.key";
/// The Ed25519 key of the log's notes.
const NOTE_KEY: &str = "note.key";
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

    /// The authority over the ring.
    pub(crate) fn ring_key(&self, passphrase: &Passphrase) -> Result<RingKey, Failure> {
        let secret = secrets::read_seed(&self.present(RING_KEY)?, passphrase)?;
        Ok(RingKey::new(self.domain().domain(), secret))
    }

    /// The same, opened once: what checkpoints state of the ring is read with it.
    pub(crate) fn authority(&self, passphrase: &Passphrase) -> Result<&RingKey, Failure> {
        if let Some(known) = self.authority.get() {
            return Ok(known);
        }
        let key = self.ring_key(passphrase)?;
        Ok(self.authority.get_or_init(|| key))
    }

    /// The same, where it was opened already.
    pub(crate) fn known_authority(&self) -> Option<&RingKey> {
        self.authority.get()
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

    /// The masters of all ledgers here, which alone tell the entries of their records from those that anybody wrote.
    pub(super) fn vault_masters(&self, passphrase: &Passphrase) -> Result<Vec<VaultMaster>, Failure> {
        let vaults = self.path(VAULTS);
        let mut paths = Vec::new();
        if vaults.exists() {
            let unread = |error: io::Error| Failure::reading(&vaults, &error);
            for ledger in fs::read_dir(&vaults).map_err(unread)? {
                paths.push(ledger.map_err(unread)?.path());
            }
        }
        paths.retain(|path| path.join(LEDGER).exists());
        paths.sort();
        let master = |path: &PathBuf| {
            let secret = secrets::read_seed(&path.join(MASTER), passphrase)?;
            Ok(VaultMaster::new(self.domain().domain(), secret)?)
        };
        paths.iter().map(master).collect()
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
            self.ring_key(passphrase)?;
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
    /// The authority over the ring, drawn with the first key.
    pub(crate) fn ring_key(&mut self, new: Option<&str>, passphrase: &Passphrase) -> Result<RingKey, Failure> {
        if self.home.path(RING_KEY).exists() {
            return self.home.ring_key(passphrase);
        }
        let secret = Secret::random(&mut SystemRng)?;
        self.secret(RING_KEY, &secrets::seed_file(&secret, new)?)?;
        let master = Secret::random(&mut SystemRng)?;
        self.secret(SEAL_KEY, &secrets::seed_file(&master, new)?)?;
        Ok(RingKey::new(self.home.domain().domain(), secret))
    }

    /// The key of the log's notes, drawn with the first key.
    pub(crate) fn note_key(&mut self, new: Option<&str>) -> Result<Ed25519SigningKey, Failure> {
        let secret = Secret::random(&mut SystemRng)?;
        self.secret(NOTE_KEY, &secrets::seed_file(&secret, new)?)?;
        Ok(Ed25519SigningKey::from_seed(secret.expose())?)
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
            self.secret(&retired_name(identity_id, old), &Zeroizing::new(kept))?;
        }
        self.secret(&key_name(identity_id), &secrets::key_file(key, passphrase)?)
    }
}

/// The file of an identity's current signing key.
fn key_name(identity_id: &IdentityId) -> String {
    format!("keys/{identity_id}.pem")
}

fn retired_name(identity_id: &IdentityId, key: &PublicKey) -> String {
    format!("keys/{identity_id}.{}.pem", key.hash())
}
