//! Files of quorums' shares, one for each number of a session: `sessions/SESSION-NUMBER.json`.

use super::{Keeper, KeeperError};
use dualseal::id::SessionId;
use dualseal::presence::NodeShares;
use dualseal::shamir::Index;
use dualseal::threshold::{Session, SessionShare};
use dualseal::{Domain, Timestamp};
use dualseal_operator::disk::{Disk, Readers};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const FOLDER: &str = "sessions";

/// A session, and the number of a share of it.
pub(in crate::node) type Number = (SessionId, Index);

/// A share with the record that commits to it.
type Share = (Zeroizing<String>, String);

/// The shares of one number, as they are written.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharesFile {
    current: Option<Share>,
    prepared: Option<(Share, String)>,
}

impl Keeper {
    pub(super) fn begin_shares(disk: &Disk, folder: &Path) -> Result<(), KeeperError> {
        let folder = folder.join(FOLDER);
        disk.make_folder(&folder, Readers::Owner)?;
        disk.clear_unfinished(&folder)?;
        Ok(())
    }

    fn shares_path(&self, (session_id, index): &Number) -> PathBuf {
        self.folder.join(FOLDER).join(format!("{session_id}-{index}.json"))
    }

    /// What is here of a number.
    pub(in crate::node) fn shares(&self, domain: &Domain, number: &Number) -> Result<NodeShares, KeeperError> {
        let path = self.shares_path(number);
        let broken = || KeeperError::File(path.clone());
        let read = |(share, record): &Share| {
            let share = SessionShare::from_json(share.as_bytes()).map_err(|_| broken())?;
            let is_of = (*share.session_id(), share.index()) == *number;
            let record = Session::from_json(record.as_bytes()).map_err(|_| broken())?;
            if is_of { Ok((share, record)) } else { Err(broken()) }
        };
        let file: SharesFile = Self::read(&path)?.unwrap_or_default();
        let current = file.current.as_ref().map(read).transpose()?;
        let mut shares = NodeShares::new(domain, current).map_err(|_| broken())?;
        if let Some((prepared, until)) = &file.prepared {
            let until: Timestamp = until.parse().map_err(|_| broken())?;
            let (share, record) = read(prepared)?;
            shares.prepare(domain, share, record, until).map_err(|_| broken())?;
        }
        Ok(shares)
    }

    /// Writes what is here of a number; where that is nothing, the file goes.
    pub(in crate::node) fn keep_shares(&self, number: &Number, shares: &NodeShares) -> Result<(), KeeperError> {
        let written = |share: &SessionShare, record: &Session| (share.to_json(), record.to_json());
        let file = SharesFile {
            current: shares.current().map(|(share, record)| written(share, record)),
            prepared: shares.prepared().map(|(share, record, until)| (written(share, record), until.to_string())),
        };
        self.replace(&self.shares_path(number), &file, file.current.is_some() || file.prepared.is_some())
    }

    /// The numbers of which there is something here.
    pub(in crate::node) fn numbers(&self) -> Result<Vec<Number>, KeeperError> {
        let number = |name: &str| {
            let (session_id, index) = name.split_once('-')?;
            Some((session_id.parse().ok()?, Index::new(index.parse().ok()?).ok()?))
        };
        Ok(self.names(FOLDER)?.iter().filter_map(|name| number(name)).collect())
    }
}
