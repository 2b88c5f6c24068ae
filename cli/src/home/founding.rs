//! Making a home folder: an empty log with its secrets and its mark, all of it or nothing.

use super::secret::{NOTE_KEY, RING_KEY, SEAL_KEY};
use super::{ABOUT, Home, Location, VERSION};
use crate::domain_file::DomainFile;
use crate::failure::Failure;
use crate::output::{canonical, object, text};
use crate::secrets;
use crate::store::{self, Readers};
use dualseal::encoding::hex;
use dualseal::secret::Secret;
use dualseal::{RingKey, SystemRng};
use dualseal_operator::folder::{Folder, Place};

impl Home {
    /// Makes a home folder with an empty log, its secrets under the passphrase where there is one.
    pub(crate) fn found(
        location: &Location,
        domain: &DomainFile,
        origin: Option<&str>,
        passphrase: Option<&str>,
    ) -> Result<(), Failure> {
        let origin = match origin {
            Some(origin) => origin.to_owned(),
            // No two logs may have one name.
            None => format!("log-{}", hex::encode(&Secret::<32>::random(&mut SystemRng)?.expose()[..16])),
        };
        let draw = || Secret::<32>::random(&mut SystemRng);
        let (ring, seal, note) = (draw()?, draw()?, draw()?);
        let mut files = Vec::new();
        for (name, secret) in [(RING_KEY, &ring), (SEAL_KEY, &seal), (NOTE_KEY, &note)] {
            files.push((name, secrets::seed_file(secret, passphrase)?));
        }
        let about = [("domain", domain.to_value()), ("origin", text(origin.as_str())), ("version", text(VERSION))];
        let about = canonical(&object(about));
        store::disk().make_folder(&location.folder, Readers::Owner)?;
        let lock = store::lock(&location.folder, true, location.wait)?;
        if Self::exists(&location.folder) {
            return Ok(());
        }
        let place = location.place(domain, &origin);
        Folder::found_under(&lock, place, RingKey::new(domain.domain(), ring), |change| {
            for (name, secret) in files {
                change.file(name, Readers::Owner, secret.as_bytes())?;
            }
            Ok(change.file(ABOUT, Readers::All, about.as_bytes())?)
        })?;
        Ok(())
    }
}

impl Location {
    /// The operator's place of the log.
    pub(super) fn place(&self, domain: &DomainFile, origin: &str) -> Place {
        let (path, mark) = (self.folder.clone(), self.mark.clone());
        Place { path, mark, domain: domain.domain().clone(), origin: origin.to_owned(), wait: self.wait }
    }
}
