//! What lies apart from the database, where no backup of it reaches: the signer's high-water mark and the owners'
//! erasure keys. All processes of the service share it. A mirror of it has its current copy only: an old one would
//! bring back what was erased.
//!
//! | file | what it is |
//! |---|---|
//! | `folder` | in a folder |
//! | `bucket` | in a bucket, by conditional writes |

mod bucket;
mod folder;

use crate::bucket::{self as buckets, BucketFault};
use crate::config::Config;
use dualseal_operator::disk;
use object_store::ObjectStore;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The most bytes of one text that lies apart.
pub const LONGEST: u64 = 1 << 20;

/// A place apart: a folder or a bucket.
#[derive(Clone, Debug)]
pub struct Apart(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Folder(PathBuf),
    Bucket(Arc<dyn ObjectStore>),
}

/// Why something is not read or written there.
#[derive(Debug)]
pub enum ApartError {
    /// Somebody else wrote it meanwhile.
    Moved,
    /// It is longer than this program writes it.
    Long,
    /// The disk.
    Disk(disk::Error),
    /// The bucket.
    Bucket(object_store::Error),
    /// A thread that did not end.
    Stopped,
}

impl From<disk::Error> for ApartError {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<object_store::Error> for ApartError {
    fn from(error: object_store::Error) -> Self {
        Self::Bucket(error)
    }
}

impl fmt::Display for ApartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => f.write_str("somebody else wrote it meanwhile"),
            Self::Long => f.write_str("it is longer than this program writes it"),
            Self::Disk(error) => error.fmt(f),
            Self::Bucket(error) => error.fmt(f),
            Self::Stopped => f.write_str("the thread that wrote it did not end"),
        }
    }
}

impl std::error::Error for ApartError {}

type Bytes = Zeroizing<Vec<u8>>;

impl Apart {
    /// In a folder, which is made when something is written into it.
    #[must_use]
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self(Kind::Folder(path.into()))
    }

    /// In a store of objects that writes where a version still stands, and only there.
    #[must_use]
    pub fn bucket(store: Arc<dyn ObjectStore>) -> Self {
        Self(Kind::Bucket(store))
    }

    /// Where the settings say.
    ///
    /// # Errors
    /// [`BucketFault`].
    pub fn open(config: &Config) -> Result<Self, BucketFault> {
        Ok(match &config.keys.apart {
            Some(address) if address.starts_with("s3://") => Self::bucket(buckets::bucket(address, &config.s3)?),
            Some(path) => Self::folder(path),
            None => Self::folder(config.data.join("apart")),
        })
    }

    /// What has this name.
    ///
    /// # Errors
    /// [`ApartError`].
    pub async fn read(&self, name: &str) -> Result<Option<Bytes>, ApartError> {
        match &self.0 {
            Kind::Folder(path) => folder::read(path.join(name)).await,
            Kind::Bucket(store) => Ok(bucket::read(&**store, name).await?.map(|(bytes, _)| bytes)),
        }
    }

    /// Puts it in the place of what was read before, and of nothing else; `None` where nothing was there.
    ///
    /// # Errors
    /// [`ApartError::Moved`].
    pub async fn put(&self, name: &str, last: Option<&[u8]>, next: &[u8]) -> Result<(), ApartError> {
        match &self.0 {
            Kind::Folder(path) => folder::put(path.join(name), last, next).await,
            Kind::Bucket(store) => bucket::put(&**store, name, last, next).await,
        }
    }

    /// Destroys what has this name: in a folder it is overwritten, where the file system writes in place. Says whether
    /// it was there.
    ///
    /// # Errors
    /// [`ApartError`].
    pub async fn destroy(&self, name: &str) -> Result<bool, ApartError> {
        match &self.0 {
            Kind::Folder(path) => folder::destroy(path.join(name)).await,
            Kind::Bucket(store) => bucket::destroy(&**store, name).await,
        }
    }

    /// The names directly below one.
    ///
    /// # Errors
    /// [`ApartError`].
    pub async fn names(&self, below: &str) -> Result<Vec<String>, ApartError> {
        match &self.0 {
            Kind::Folder(path) => folder::names(path.join(below)).await,
            Kind::Bucket(store) => bucket::names(&**store, below).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Apart, ApartError};
    use object_store::memory::InMemory;
    use std::sync::Arc;

    /// Both keep the same promises.
    async fn promises(apart: Apart) {
        assert!(apart.read("a/b").await.unwrap().is_none());
        assert!(apart.names("a").await.unwrap().is_empty());
        assert!(matches!(apart.put("a/b", Some(b"x"), b"1").await, Err(ApartError::Moved)));
        apart.put("a/b", None, b"1").await.unwrap();
        assert!(matches!(apart.put("a/b", None, b"2").await, Err(ApartError::Moved)));
        assert!(matches!(apart.put("a/b", Some(b"x"), b"2").await, Err(ApartError::Moved)));
        apart.put("a/b", Some(b"1"), b"2").await.unwrap();
        apart.put("a/c", None, b"3").await.unwrap();
        apart.put("a/d/e", None, b"4").await.unwrap();
        assert_eq!(apart.read("a/b").await.unwrap().unwrap().as_slice(), b"2");
        let mut names = apart.names("a").await.unwrap();
        names.sort();
        assert_eq!(names, ["b", "c", "d"]);
        assert!(apart.destroy("a/b").await.unwrap());
        assert!(!apart.destroy("a/b").await.unwrap());
        assert!(apart.read("a/b").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_folder_writes_over_what_was_read_alone() {
        let folder = tempfile::tempdir().unwrap();
        promises(Apart::folder(folder.path().join("apart"))).await;
    }

    #[tokio::test]
    async fn a_bucket_writes_over_what_was_read_alone() {
        promises(Apart::bucket(Arc::new(InMemory::new()))).await;
    }

    /// Of many who replace the same text one succeeds.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_many_writers_one_is_first() {
        let folder = tempfile::tempdir().unwrap();
        for apart in [Apart::folder(folder.path()), Apart::bucket(Arc::new(InMemory::new()))] {
            apart.put("mark", None, b"0").await.unwrap();
            let tasks = (1..9_u8).map(|number| {
                let apart = apart.clone();
                tokio::spawn(async move { apart.put("mark", Some(b"0"), &[number]).await.is_ok() })
            });
            let done = futures::future::join_all(tasks).await;
            assert_eq!(done.into_iter().filter(|done| *done.as_ref().unwrap()).count(), 1);
        }
    }
}
