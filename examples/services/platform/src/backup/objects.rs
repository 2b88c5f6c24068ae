//! The objects of a backup, as files in a folder of their own. Each is read to its end, where its bytes are held against
//! its name.

use super::BackupFault;
use crate::bucket;
use crate::objects::{ObjectFault, Objects, location};
use dualseal::encoding::hex;
use dualseal_operator::disk::{Disk, Readers};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, WriteMultipart};
use std::path::Path;

const PAGE: usize = 256;
const AT_ONCE: usize = 4;

/// Copies what was named when the backup began, or since; says how many, and how many bytes.
pub(super) async fn copy(objects: &Objects, since: i64, folder: &Path) -> Result<(u64, u64), BackupFault> {
    Disk::new().make_folder(folder, Readers::Owner)?;
    let store = bucket::folder(folder)?;
    let (mut many, mut bytes, mut after) = (0, 0, None);
    loop {
        let page = objects.page(since, after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok((many, bytes)) };
        after = Some(last.hash);
        for object in &page {
            copy_one(objects, &object.hash, &*store).await?;
            many += 1;
            bytes += object.bytes;
        }
    }
}

async fn copy_one(objects: &Objects, hash: &[u8; 32], store: &dyn ObjectStore) -> Result<(), BackupFault> {
    let (_, mut parts) = objects.get(hash).await?;
    let mut writer = WriteMultipart::new(store.put_multipart(&location(hash)).await?);
    loop {
        match parts.try_next().await {
            Ok(Some(part)) => {
                writer.wait_for_capacity(AT_ONCE).await?;
                writer.put(part);
            }
            Ok(None) => {
                writer.finish().await?;
                return Ok(());
            }
            Err(fault) => {
                writer.abort().await?;
                return Err(fault.into());
            }
        }
    }
}

/// Puts the objects of a backup into the store of a service; says how many.
pub(super) async fn restore(objects: &Objects, folder: &Path) -> Result<u64, BackupFault> {
    let store = bucket::folder(folder)?;
    let (mut files, mut many) = (store.list(None), 0);
    while let Some(file) = files.try_next().await? {
        let name = file.location.filename().unwrap_or_default();
        let Ok(hash) = hex::decode::<32>("object", name) else {
            return Err(BackupFault::Other("a file among the objects is none"));
        };
        let parts = store.get(&file.location).await?.into_stream().map_err(ObjectFault::from);
        if objects.put(parts, file.size).await?.hash != hash {
            return Err(ObjectFault::Edited.into());
        }
        many += 1;
    }
    Ok(many)
}
