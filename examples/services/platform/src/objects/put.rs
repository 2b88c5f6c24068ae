//! Storing what comes as a stream. Its name is known when all of it was read, so it waits in a file without a name: no
//! crash leaves half an object, and memory holds a part of it at a time.

use super::{Object, ObjectFault, Objects, location};
use crate::db::statements;
use crate::values;
use bytes::Bytes;
use dualseal::hash::{HashFunction, Sha3_256};
use dualseal_operator::disk::{Disk, Spool};
use futures::{Stream, StreamExt};
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMultipartOptions, WriteMultipart};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::pin::pin;

statements! {
    /// Whoever collects holds the row, and is waited for: afterwards the object is gone, or stays.
    TOUCH = "INSERT INTO objects (hash, bytes, made) VALUES ($1, $2, $3) \
             ON CONFLICT (hash) DO UPDATE SET made = excluded.made";
}

/// What is read and hashed at a time.
const PART: usize = 1 << 20;
/// Parts of an upload that are under way.
const AT_ONCE: usize = 4;
/// What a server of S3 takes for a part, but for the last.
const UPLOADED: usize = 5 << 20;

impl Objects {
    /// Stores a stream of at most so many bytes. It is on the disk, or in the bucket, when this returns, and stays for
    /// a day without a name.
    ///
    /// # Errors
    /// [`ObjectFault::Long`], before more is taken; [`ObjectFault::Source`]; what the store says.
    pub async fn put<S, E>(&self, stream: S, most: u64) -> Result<Object, ObjectFault>
    where
        S: Stream<Item = Result<Bytes, E>> + Send,
        ObjectFault: From<E>,
    {
        let folder = self.spool.clone();
        let mut spooled = Spooled::begin(folder).await?;
        let mut stream = pin!(stream);
        while let Some(bytes) = stream.next().await {
            let bytes = bytes?;
            if spooled.object.bytes.saturating_add(bytes.len() as u64) > most {
                return Err(ObjectFault::Long);
            }
            spooled = spooled.push(bytes).await?;
        }
        let (object, spool) = spooled.end();
        let row = values![&object.hash[..], object.bytes, self.clock.millis()];
        self.db.execute(TOUCH, row).await?;
        if !self.is_there(&object).await? {
            upload(&*self.store, spool, &object).await?;
        }
        Ok(object)
    }

    /// Stores bytes that are in memory already.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn put_bytes(&self, bytes: impl Into<Bytes>) -> Result<Object, ObjectFault> {
        let bytes: Bytes = bytes.into();
        let most = bytes.len() as u64;
        self.put(futures::stream::iter([Ok::<_, ObjectFault>(bytes)]), most).await
    }

    /// One that was cut off by somebody else is stored anew.
    async fn is_there(&self, object: &Object) -> Result<bool, ObjectFault> {
        match self.store.head(&location(&object.hash)).await {
            Ok(found) => Ok(found.size == object.bytes),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// A file without a name, with what was hashed of it.
struct Spooled {
    spool: Spool,
    hash: Sha3_256,
    object: Object,
}

impl Spooled {
    async fn begin(folder: std::path::PathBuf) -> Result<Self, ObjectFault> {
        let spool = blocking(move || spool_in(&folder)).await?;
        Ok(Self { spool, hash: Sha3_256::default(), object: Object { hash: [0; 32], bytes: 0 } })
    }

    async fn push(mut self, bytes: Bytes) -> Result<Self, ObjectFault> {
        self.object.bytes += bytes.len() as u64;
        let pushed = blocking(move || {
            self.hash.update(&bytes);
            self.spool.write_all(&bytes)?;
            Ok(self)
        });
        pushed.await
    }

    fn end(mut self) -> (Object, Spool) {
        self.object.hash = self.hash.finish();
        (self.object, self.spool)
    }
}

fn spool_in(folder: &Path) -> Result<Spool, io::Error> {
    Disk::new().spool(folder).map_err(dualseal_operator::disk::Error::into_io)
}

async fn upload(store: &dyn ObjectStore, mut spool: Spool, object: &Object) -> Result<(), ObjectFault> {
    let upload = store.put_multipart_opts(&location(&object.hash), PutMultipartOptions::default()).await?;
    let mut writer = WriteMultipart::new_with_chunk_size(upload, UPLOADED);
    spool = blocking(move || spool.rewind().map(|()| spool)).await?;
    loop {
        let (again, part) = blocking(move || {
            let mut part = Vec::with_capacity(PART);
            Read::by_ref(&mut spool).take(PART as u64).read_to_end(&mut part)?;
            Ok((spool, part))
        })
        .await?;
        spool = again;
        if part.is_empty() {
            break;
        }
        writer.wait_for_capacity(AT_ONCE).await?;
        writer.put(part.into());
    }
    writer.finish().await?;
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ObjectFault> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|_| io::Error::other("the thread that wrote an object did not end"))??)
}
