//! Where objects, and what lies apart, are kept: a folder, or a bucket of an S3 server.

use crate::config::S3Config;
use object_store::ObjectStore;
use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a store of objects is not opened.
#[derive(Debug)]
pub enum BucketFault {
    /// The address is not `s3://BUCKET/PREFIX`.
    Address,
    /// A setting of `[s3]` is missing.
    Setting(&'static str),
    /// A file of a key.
    File {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The store itself.
    Store(object_store::Error),
}

impl From<object_store::Error> for BucketFault {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for BucketFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str("the address of the bucket is not s3://BUCKET/PREFIX"),
            Self::Setting(name) => write!(f, "{name} is not set, which a bucket needs"),
            Self::File { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BucketFault {}

/// Opens `s3://BUCKET/PREFIX`. Its keys come from files, so that no environment and no list of processes shows them.
///
/// # Errors
/// [`BucketFault`].
pub fn bucket(address: &str, s3: &S3Config) -> Result<Arc<dyn ObjectStore>, BucketFault> {
    let rest = address.strip_prefix("s3://").ok_or(BucketFault::Address)?;
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if name.is_empty() {
        return Err(BucketFault::Address);
    }
    // Whoever came first has set one; they are the same.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_region(s3.region.as_deref().unwrap_or("us-east-1"))
        .with_access_key_id(key(s3.access_key_file.as_deref(), "s3.access_key_file")?)
        .with_secret_access_key(key(s3.secret_key_file.as_deref(), "s3.secret_key_file")?)
        .with_allow_http(s3.allow_http)
        .with_conditional_put(S3ConditionalPut::ETagMatch);
    if let Some(endpoint) = &s3.endpoint {
        builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
    }
    Ok(Arc::new(PrefixStore::new(builder.build()?, prefix)))
}

/// Opens a folder, which is there; what is put into it is forced to the disk.
///
/// # Errors
/// [`BucketFault::Store`].
pub fn folder(path: &Path) -> Result<Arc<dyn ObjectStore>, BucketFault> {
    Ok(Arc::new(LocalFileSystem::new_with_prefix(path)?.with_fsync(true)))
}

fn key(path: Option<&Path>, setting: &'static str) -> Result<String, BucketFault> {
    let path = path.ok_or(BucketFault::Setting(setting))?;
    let text = fs::read_to_string(path).map_err(|error| BucketFault::File { path: path.to_owned(), error })?;
    Ok(text.trim().to_owned())
}
