//! The operator's secrets: at rest under a master, which stands in a file of its own.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::secret::Secret;
use dualseal::vault::{LedgerId, VaultMaster};
use dualseal::{Domain, IdentityId, RingKey, SigningKey, SystemRng, VaultId};
use dualseal_examples::Fallible;
use dualseal_examples::files::{self, Readers};
use dualseal_examples::log::Log;
use dualseal_operator::disk::{self, Disk};
use dualseal_operator::secrets::{ErasureKey, Master, MasterSource, Place, Vaulted};
use std::path::{Path, PathBuf};

/// The name of the log that the chain is.
pub(crate) const ORIGIN: &str = "vault.example/log";
const MASTER: &str = "master.pem";
const NAMES: [&str; 8] = ["signing", "vault", "ring-key", "log", "tier", "guardian-1", "guardian-2", "ledger"];
/// More than any secret at rest takes.
const MOST: u64 = 1 << 12;

/// They stand together here; a real operator keeps them in different places.
pub(crate) struct Keys {
    pub(crate) signing: SigningKey,
    pub(crate) master: VaultMaster,
    pub(crate) log: Log,
    pub(crate) tier: Ed25519SigningKey,
    /// The phones of two people who must be there before a secret is rebuilt.
    pub(crate) guardians: [Ed25519SigningKey; 2],
    pub(crate) identity_id: IdentityId,
    pub(crate) ledger: LedgerId,
    at_rest: AtRest,
}

impl Keys {
    /// Reads the secrets of a ledger's folder, or draws them. They are there together or not at all.
    pub(crate) fn open(domain: &Domain, ledger: &Path, disk: &Disk) -> Fallible<Self> {
        let at_rest = AtRest::open(domain, ledger, disk)?;
        let ed25519 = |name| -> Fallible<_> { Ok(Ed25519SigningKey::from_seed(at_rest.secret(name)?.expose())?) };
        let ledger = LedgerId::from_bytes(*at_rest.secret("ledger")?.expose());
        // The names alone could be guessed; the ledger's own drawn name makes the identities new ones.
        let identity = |creator| domain.identity_id(b"vault example", creator, &ledger.to_hex());
        let log = SigningKey::from_secret(at_rest.secret("log")?)?;
        Ok(Self {
            signing: SigningKey::from_secret(at_rest.secret("signing")?)?,
            master: VaultMaster::new(domain, at_rest.secret("vault")?)?,
            log: Log::with_key(domain, ORIGIN, &identity("log")?, log),
            tier: ed25519("tier")?,
            guardians: [ed25519("guardian-1")?, ed25519("guardian-2")?],
            identity_id: identity("operator")?,
            ledger,
            at_rest,
        })
    }

    /// The key that seals the ring.
    pub(crate) fn ring_key(&self, domain: &Domain) -> Fallible<RingKey> {
        Ok(RingKey::new(domain, self.at_rest.secret("ring-key")?))
    }

    /// Draws the key on which the shards of a vault hang, and keeps it. One that a crash left for nothing stays.
    pub(crate) fn draw_erasure_key(&self, domain: &Domain, vault_id: &VaultId) -> Fallible<ErasureKey> {
        let key = ErasureKey::draw(domain, &mut SystemRng)?;
        let stored = key.seal(&self.at_rest.master, erasure_place(vault_id)?, &mut SystemRng)?;
        let path = self.at_rest.erasure_key(vault_id);
        files::whole(self.at_rest.disk.replace(&path, Readers::Owner, |file| {
            Ok(file.write_all(stored.stored()).map_err(|error| disk::Error::writing(&path, error))?)
        }))?;
        Ok(key)
    }

    /// The key of a vault; `None` where it was destroyed.
    pub(crate) fn erasure_key(&self, vault_id: &VaultId) -> Fallible<Option<ErasureKey>> {
        let Some(stored) = self.at_rest.disk.read(&self.at_rest.erasure_key(vault_id), MOST)? else { return Ok(None) };
        let stored = Vaulted::read(erasure_place(vault_id)?, stored.to_vec())?;
        Ok(Some(ErasureKey::open(&self.at_rest.master, &stored)?))
    }

    /// Destroys the key of a vault, and with it its shards wherever they were copied to.
    pub(crate) fn destroy_erasure_key(&self, vault_id: &VaultId) -> Fallible<()> {
        let (disk, path) = (&self.at_rest.disk, self.at_rest.erasure_key(vault_id));
        let doomed = disk.doomed(&path)?;
        disk.remove(&path)?;
        Ok(doomed.map_or(Ok(()), disk::Doomed::wipe)?)
    }

    /// Where the erasure keys are: no backup of the log holds them.
    pub(crate) fn erasure_keys(&self) -> &Path {
        &self.at_rest.erasure_keys
    }
}

/// What is under the master.
struct AtRest {
    disk: Disk,
    master: Master,
    operator: PathBuf,
    erasure_keys: PathBuf,
}

impl AtRest {
    fn open(domain: &Domain, ledger: &Path, disk: &Disk) -> Fallible<Self> {
        let (operator, erasure_keys) = (ledger.join("operator"), ledger.join("erasure-keys"));
        if !operator.is_dir() {
            disk.clear_unfinished(ledger)?;
            let (mut new, master) = (disk.new_folder(&operator)?, Master::draw(domain, &mut SystemRng)?);
            new.write(MASTER, Readers::Owner, master.to_pem(None, &mut SystemRng)?.as_bytes())?;
            for name in NAMES {
                let secret = Secret::<32>::random(&mut SystemRng)?;
                let row = Vaulted::seal(&master, place(name)?, secret.expose(), &mut SystemRng)?;
                new.write(name, Readers::Owner, row.stored())?;
            }
            new.publish()?;
        }
        disk.make_folder(&erasure_keys, Readers::Owner)?;
        let master = MasterSource::file(operator.join(MASTER)).open(domain)?;
        Ok(Self { disk: disk.clone(), master, operator, erasure_keys })
    }

    fn secret(&self, name: &str) -> Fallible<Secret<32>> {
        let path = self.operator.join(name);
        let stored = self.disk.read(&path, MOST)?.ok_or_else(|| format!("{} is missing", path.display()))?;
        Ok(Vaulted::<Master>::read(place(name)?, stored.to_vec())?.open_secret(&self.master)?)
    }

    fn erasure_key(&self, vault_id: &VaultId) -> PathBuf {
        self.erasure_keys.join(vault_id.to_hex())
    }
}

fn place(name: &str) -> Result<Place, dualseal::Error> {
    Place::new("operator", b"vault example", name)
}

fn erasure_place(vault_id: &VaultId) -> Result<Place, dualseal::Error> {
    Place::new("erasure-keys", vault_id.as_bytes(), "key")
}
