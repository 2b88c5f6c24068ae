//! The operator's secrets.

use crate::store::{Store, read_text};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::encoding::hex;
use dualseal::secret::Secret;
use dualseal::vault::{LedgerId, VaultMaster};
use dualseal::{Domain, IdentityId, RingKey, SigningKey, SystemRng};
use dualseal_examples::Fallible;
use dualseal_examples::files::Readers;
use dualseal_examples::log::Log;

/// The name of the log that the chain is.
pub(crate) const ORIGIN: &str = "vault.example/log";
/// They stand together here; a real operator keeps them in different places.
pub(crate) struct Keys {
    pub(crate) signing: SigningKey,
    pub(crate) master: VaultMaster,
    pub(crate) ring_key: RingKey,
    pub(crate) log: Log,
    pub(crate) tier: Ed25519SigningKey,
    /// The phones of two people who must be there before a secret is rebuilt.
    pub(crate) guardians: [Ed25519SigningKey; 2],
    pub(crate) identity_id: IdentityId,
    pub(crate) ledger: LedgerId,
}

impl Keys {
    /// Reads the secrets of a folder, or draws them. They are there together or not at all.
    pub(crate) fn open(domain: &Domain, store: &Store) -> Fallible<Self> {
        let folder = store.operator();
        let names = ["signing", "master", "ring-key", "log", "tier", "guardian-1", "guardian-2", "ledger"];
        if !folder.is_dir() {
            let mut new = store.disk.new_folder(&folder)?;
            for name in names {
                let secret = Secret::<32>::random(&mut SystemRng)?;
                new.write(format!("{name}.hex"), Readers::Owner, hex::encode_secret(&secret).as_bytes())?;
            }
            new.publish()?;
        }
        let read = |name: &'static str| -> Fallible<Secret<32>> {
            Ok(hex::decode_secret(name, &read_text(&folder.join(format!("{name}.hex")))?)?)
        };
        let ed25519 = |name| -> Fallible<_> { Ok(Ed25519SigningKey::from_seed(read(name)?.expose())?) };
        let ledger = LedgerId::from_bytes(*read("ledger")?.expose());
        // The name alone could be guessed; the ledger's own drawn name makes the identity a new one.
        let identity_id = domain.identity_id(b"vault example", "operator", &ledger.to_hex())?;
        Ok(Self {
            signing: SigningKey::from_secret(read("signing")?)?,
            master: VaultMaster::new(domain, read("master")?)?,
            ring_key: RingKey::new(domain, read("ring-key")?),
            log: Log::with_key(domain, ORIGIN, &identity_id, SigningKey::from_secret(read("log")?)?),
            tier: ed25519("tier")?,
            guardians: [ed25519("guardian-1")?, ed25519("guardian-2")?],
            identity_id,
            ledger,
        })
    }
}
