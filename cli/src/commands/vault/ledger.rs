//! The folder of a ledger: what is where.
//!
//! | file | what it holds |
//! |---|---|
//! | `vault.json` | whose it is: `{"identity_id","ledger","tier","version":"2"}`; where it ends, the log's state says |
//! | `master.key`, `tier.key` | secrets: every key of the ledger, and the key that shows the tier |
//! | `records/000000.json` | the records as they are kept, with their traps: for the owner alone |
//! | `stored/000000` | their stored bytes |
//! | `secrets/000000.key` | the secret of an encrypted one; empty when it was erased |

use crate::chain_file::{read, read_for, under};
use crate::context::Context;
use crate::failure::{Failure, HOME, USAGE};
use crate::home::{Home, LEDGER, VAULTS, broken, read_object};
use crate::input;
use crate::output::{canonical, object, text};
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::error::{Layer, VaultFault};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::{OwnSplits, ShardKey};
use dualseal::vault::{LedgerHead, LedgerId, LocatedLedger, StoredHash, StoredHasher, Tier, VaultMaster, VaultRecord};
use dualseal::{Domain, Error, Head, IdentityId, KeyRing, VaultId, Verified};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Which ledger.
#[derive(clap::Args, Debug)]
pub(crate) struct Which {
    /// The name of the ledger
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(super) ledger: String,
}

/// A ledger in a home folder.
#[derive(Debug)]
pub(super) struct Ledger<'a> {
    pub(super) home: &'a Home,
    pub(super) name: String,
    pub(super) identity_id: IdentityId,
    pub(super) tier: Tier,
    pub(super) id: LedgerId,
}

impl<'a> Ledger<'a> {
    /// Opens the ledger of this name.
    pub(super) fn open(home: &'a Home, name: &str) -> Result<Self, Failure> {
        check_name(name)?;
        let path = home.path(&file(name, LEDGER));
        if !path.exists() {
            let hint = "make it by `dualseal vault init`, or name another with --ledger";
            return Err(Failure::new(HOME, format!("no ledger is named {name:?} here"), hint));
        }
        let mut members = read_object(&path)?;
        let mut string = |name| match members.remove(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(broken(&path)),
        };
        let version = string("version")?;
        if version != VERSION {
            let message = format!("{} was made by another version", path.shown());
            return Err(Failure::new(HOME, message, "use the version of dualseal that made it"));
        }
        let (identity_id, tier) = (string("identity_id")?.parse()?, string("tier")?.parse()?);
        Ok(Self { home, name: name.to_owned(), identity_id, tier, id: string("ledger")?.parse()? })
    }

    /// As [`open`](Self::open), to add to it: its last record must be the one that it ends with, which is given with
    /// it.
    pub(super) fn open_to_add(home: &'a Home, name: &str, context: &Context) -> Result<(Self, LedgerHead), Failure> {
        let ledger = Self::open(home, name)?;
        home.authority(context.passphrase())?;
        let end = ledger.end()?;
        let size = end.size();
        let last = match size.checked_sub(1) {
            None => None,
            Some(last) => ledger.record(last)?,
        };
        let goes_on = last.map_or(size == 0, |last| last.ledger_head() == end);
        if goes_on && !ledger.path(&record(size)).exists() {
            return Ok((ledger, end));
        }
        let message = format!("the records of ledger {name:?} are not the ones that this program wrote");
        Err(Failure::new(HOME, message, "see what is wrong by `dualseal vault verify`, and restore a copy"))
    }

    /// Where the log's state says that it ends: as sealed, where the log was opened.
    pub(super) fn end(&self) -> Result<LedgerHead, Failure> {
        self.home.noted()?.ledger(&self.id).copied().ok_or_else(|| broken(&self.path(LEDGER)))
    }

    /// Where the chain ends.
    pub(super) fn head(&self) -> Result<Head, Failure> {
        Ok(self.home.noted()?.head().clone())
    }

    /// Its domain.
    pub(super) fn domain(&self) -> &'a Domain {
        self.home.domain().domain()
    }

    /// A file of it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.home.path(&self.file(name))
    }

    /// The same, as the home folder names it.
    pub(super) fn file(&self, name: &str) -> String {
        file(&self.name, name)
    }

    /// The record at a place, where there is one. A record that was moved there from another place, ledger or identity
    /// is whole, and every layer of it holds: only what was asked for tells that it is another one.
    pub(super) fn record(&self, seq: u64) -> Result<Option<VaultRecord>, Failure> {
        let Some(record) = self.file_at(seq)? else { return Ok(None) };
        let header = record.header();
        let fault = if header.ledger != self.id {
            VaultFault::OtherLedger { seq }
        } else if header.seq != seq || header.identity_id != self.identity_id {
            VaultFault::LedgerRecord { seq, layer: Layer::L0 }
        } else {
            return Ok(Some(record));
        };
        let path = self.path(&self::record(seq));
        let failure = Failure::from(Error::from(fault)).about(format!("record {seq} is not in {}", path.shown()));
        Err(failure.hint("see what is wrong by `dualseal vault verify`, and restore a copy"))
    }

    /// Whatever record the file of a place holds, for a check that looks at all of them in order.
    pub(super) fn file_at(&self, seq: u64) -> Result<Option<VaultRecord>, Failure> {
        let path = self.path(&record(seq));
        if !path.exists() {
            return Ok(None);
        }
        read_record(&path).map(Some)
    }

    /// The head that the record at a place must follow, where the one before it is here.
    pub(super) fn head_before(&self, seq: u64) -> Result<Option<LedgerHead>, Failure> {
        match seq.checked_sub(1) {
            None => Ok(Some(LedgerHead::new(&self.id))),
            Some(before) => Ok(self.record(before)?.map(|record| record.ledger_head())),
        }
    }

    /// Hands every record to `each`, in order.
    pub(super) fn each(&self, mut each: impl FnMut(VaultRecord) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut seq = 0;
        while let Some(record) = self.record(seq)? {
            each(record)?;
            seq += 1;
        }
        Ok(())
    }

    /// The place of the record that is named by its place or its vault id, and the record.
    pub(super) fn find(&self, which: &str) -> Result<(u64, VaultRecord), Failure> {
        let found = if which.len() == 64 {
            let mut found = None;
            self.each(|record| {
                if record.header().vault_id.to_hex() == which {
                    found = Some((record.header().seq, record));
                }
                Ok(())
            })?;
            found
        } else if let Ok(seq) = which.parse() {
            self.record(seq)?.map(|record| (seq, record))
        } else {
            None
        };
        found.ok_or_else(|| {
            let hint = "see the records by `dualseal vault list`";
            Failure::new(USAGE, format!("no record {which:?} is in the ledger {:?}", self.name), hint)
        })
    }

    /// The hash of the stored bytes of a record.
    pub(super) fn stored_hash(&self, seq: u64) -> Result<StoredHash, Failure> {
        stored_hash(self.domain(), &self.path(&stored(seq)))
    }

    /// Where the chain and the last checkpoint say that its records stand, for whoever has not the master; `None`
    /// without a checkpoint.
    pub(super) fn located(&self, ring: &KeyRing) -> Result<Option<LocatedLedger>, Failure> {
        let checkpoint = self.home.last_checkpoint(ring)?;
        checkpoint.map(|checkpoint| self.located_under(&checkpoint, None)).transpose()
    }

    /// Where the chain says that its records stand. Without the master nobody can tell its entries from those that
    /// somebody else wrote to the log.
    pub(super) fn located_under(
        &self,
        checkpoint: &Verified<Checkpoint>,
        master: Option<&VaultMaster>,
    ) -> Result<LocatedLedger, Failure> {
        let chain = self.home.path(CHAIN);
        let reader = under(self.domain(), checkpoint)?;
        read_for(&chain, reader, |reader| reader.ledger(&self.id, master))
    }

    /// The splits of vaults, each, up to the head of the chain.
    pub(super) fn splits<'v>(
        &self,
        master: &VaultMaster,
        vaults: impl IntoIterator<Item = &'v VaultId>,
        head: &Head,
    ) -> Result<Vec<OwnSplits>, Failure> {
        let key = ShardKey::derive(self.domain(), master.secret(), &self.identity_id);
        let mut reader = ChainReader::new(self.domain(), &TrustedHead::beginning()).up_to(head);
        let watched = vaults.into_iter().map(|vault_id| reader.own_splits(&key, vault_id));
        let watched = watched.collect::<Result<Vec<_>, _>>()?;
        let mut proofs = read(&self.home.path(CHAIN), reader)?;
        Ok(watched.into_iter().map(|watched| proofs.take(watched)).collect::<Result<_, _>>()?)
    }
}

/// The content of `vault.json`.
pub(super) fn about_json(identity_id: &IdentityId, tier: Tier, ledger: &LedgerId) -> String {
    canonical(&object([
        ("identity_id", text(identity_id.to_hex())),
        ("ledger", text(ledger.to_hex())),
        ("tier", text(tier.as_str())),
        ("version", text(VERSION)),
    ]))
}

const VERSION: &str = "2";

/// The name of a file of a ledger within the home folder.
pub(super) fn file(ledger: &str, name: &str) -> String {
    format!("{VAULTS}/{ledger}/{name}")
}

/// The file of a record.
pub(super) fn record(seq: u64) -> String {
    format!("records/{seq:06}.json")
}

/// The file of its stored bytes.
pub(super) fn stored(seq: u64) -> String {
    format!("stored/{seq:06}")
}

/// The file of its secret.
pub(super) fn secret(seq: u64) -> String {
    format!("secrets/{seq:06}.key")
}

/// A name that is a folder's everywhere.
pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if (1..=64).contains(&name.len()) && name.bytes().all(plain) {
        return Ok(());
    }
    let hint = "use up to 64 of the characters a-z, 0-9, - and _";
    Err(Failure::new(USAGE, format!("{name:?} cannot be the name of a ledger"), hint))
}

/// Reads a record. It may hold a fragment.
pub(super) fn read_record(path: &Path) -> Result<VaultRecord, Failure> {
    let text = Zeroizing::new(input::small(path)?);
    VaultRecord::from_json(&text).map_err(|error| Failure::from(error).about(path.shown()))
}

/// The hash of stored bytes in a file.
pub(super) fn stored_hash(domain: &Domain, path: &Path) -> Result<StoredHash, Failure> {
    let mut hasher = StoredHasher::new(domain);
    input::parts(path, |part| hasher.update(part))?;
    Ok(hasher.finish())
}
