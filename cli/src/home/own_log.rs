//! The log of a home folder for whoever reads it after the lock is given up.

use super::Home;
use crate::failure::Failure;
use crate::secrets::Passphrase;
use dualseal::checkpoint::Checkpoint;
use dualseal::reader::TrustedHead;
use dualseal::{Entry, KeyRing, Verified};
use dualseal_operator::folder::Folder;
use dualseal_operator::own::{OwnChain, OwnError, OwnRead};
use std::ops::Deref;
use std::path::PathBuf;

/// A home folder's own log, as it ended while the folder was locked.
#[derive(Debug)]
pub(crate) struct OwnLog {
    chain: OwnChain,
    folder: Folder,
    /// Where the master of the seal keys is, if there is one.
    pub(super) master: Option<PathBuf>,
}

impl Home {
    /// Gives up the lock.
    pub(crate) fn into_log(self, ring: &KeyRing, passphrase: &Passphrase) -> Result<OwnLog, Failure> {
        // Opening sees that it ends with the last entry.
        self.state(passphrase)?;
        let (chain, master) = (self.own_chain(self.own_checkpoint(ring)?)?, self.seal_master());
        Ok(OwnLog { chain, folder: self.into_folder(passphrase)?, master })
    }
}

impl OwnLog {
    /// Reads the chain past checkpoints, with the ring key.
    pub(crate) fn read(
        &self,
        begun: &TrustedHead,
        checkpoints: &[&Verified<Checkpoint>],
        keep: &(dyn Fn(&Entry) -> bool + Sync),
        each: &mut dyn FnMut(&Entry),
    ) -> Result<OwnRead, OwnError> {
        self.chain.read(self.folder.authority(), begun, checkpoints, keep, each)
    }
}

impl Deref for OwnLog {
    type Target = OwnChain;

    fn deref(&self) -> &OwnChain {
        &self.chain
    }
}
