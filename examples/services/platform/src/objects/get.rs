//! Reading an object, held against its name.

use super::{Object, ObjectFault, Objects, location};
use bytes::Bytes;
use dualseal::hash::{HashFunction, Sha3_256};
use futures::stream::{BoxStream, try_unfold};
use futures::{StreamExt, TryStreamExt};
use object_store::{Error, ObjectStoreExt};
use std::os::unix::fs::MetadataExt;

impl Objects {
    /// Reads it as a stream. Where its bytes are not those of its name the stream ends with a fault, in the place of
    /// its last part: whoever takes it to its end has the object.
    ///
    /// # Errors
    /// [`ObjectFault::Missing`]; what the store says.
    pub async fn get(
        &self,
        hash: &[u8; 32],
    ) -> Result<(Object, BoxStream<'static, Result<Bytes, ObjectFault>>), ObjectFault> {
        let found = match self.store.get(&location(hash)).await {
            Err(Error::NotFound { .. }) => return Err(ObjectFault::Missing),
            found => found?,
        };
        let object = Object { hash: *hash, bytes: found.meta.size };
        let parts = found.into_stream().map_err(ObjectFault::from).boxed();
        let begun = Held { parts, hash: Some(Sha3_256::default()), waits: None, expected: *hash };
        Ok((object, try_unfold(begun, Held::next).boxed()))
    }

    /// What it is like in its store, without reading it: its tag there, its length, when it was written last, and of a
    /// file also when anything of it was changed, which its writer does not set as he likes.
    ///
    /// # Errors
    /// [`ObjectFault::Missing`]; what the store says.
    pub async fn stamp(&self, hash: &[u8; 32]) -> Result<String, ObjectFault> {
        let found = match self.store.head(&location(hash)).await {
            Err(Error::NotFound { .. }) => return Err(ObjectFault::Missing),
            found => found?,
        };
        let changed = match &self.folder {
            Some(folder) => {
                let file = tokio::fs::metadata(folder.join(location(hash).as_ref())).await?;
                Some((file.ctime(), file.ctime_nsec()))
            }
            None => None,
        };
        Ok(format!("{:?} {} {:?} {changed:?}", found.e_tag, found.size, found.last_modified))
    }

    /// The whole of it, of at most so many bytes.
    ///
    /// # Errors
    /// [`ObjectFault::Long`]; as [`get`](Self::get).
    pub async fn read(&self, hash: &[u8; 32], most: u64) -> Result<Vec<u8>, ObjectFault> {
        let (object, mut parts) = self.get(hash).await?;
        if object.bytes > most {
            return Err(ObjectFault::Long);
        }
        let mut bytes = Vec::new();
        while let Some(part) = parts.try_next().await? {
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }
}

/// A part is handed over when another one follows it.
struct Held {
    parts: BoxStream<'static, Result<Bytes, ObjectFault>>,
    /// None once the last part was handed over.
    hash: Option<Sha3_256>,
    waits: Option<Bytes>,
    expected: [u8; 32],
}

impl Held {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, ObjectFault> {
        let Some(mut hash) = self.hash.take() else { return Ok(None) };
        while let Some(part) = self.parts.try_next().await? {
            hash.update(&part);
            if let Some(before) = self.waits.replace(part) {
                self.hash = Some(hash);
                return Ok(Some((before, self)));
            }
        }
        if hash.finish() != self.expected {
            return Err(ObjectFault::Edited);
        }
        Ok(self.waits.take().map(|last| (last, self)))
    }
}
