//! In a bucket. A write names the version that it goes on from, so that of two writers one is refused.

use super::{ApartError, Bytes, LONGEST};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, UpdateVersion};

pub(super) async fn read(store: &dyn ObjectStore, name: &str) -> Result<Option<(Bytes, UpdateVersion)>, ApartError> {
    let found = match store.get(&Path::from(name)).await {
        Err(Error::NotFound { .. }) => return Ok(None),
        found => found?,
    };
    if found.meta.size > LONGEST {
        return Err(ApartError::Long);
    }
    let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
    Ok(Some((Bytes::new(found.bytes().await?.to_vec()), version)))
}

pub(super) async fn put(
    store: &dyn ObjectStore,
    name: &str,
    last: Option<&[u8]>,
    next: &[u8],
) -> Result<(), ApartError> {
    let mode = match last {
        None => PutMode::Create,
        Some(last) => match read(store, name).await? {
            Some((found, version)) if found.as_slice() == last => PutMode::Update(version),
            _ => return Err(ApartError::Moved),
        },
    };
    match store.put_opts(&Path::from(name), next.to_vec().into(), mode.into()).await {
        Ok(_) => Ok(()),
        // Where an answer was lost the request was sent again, and met what it had written itself.
        Err(Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotFound { .. }) => {
            let found = read(store, name).await?;
            if found.is_some_and(|(found, _)| found.as_slice() == next) { Ok(()) } else { Err(ApartError::Moved) }
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn destroy(store: &dyn ObjectStore, name: &str) -> Result<bool, ApartError> {
    let path = Path::from(name);
    match store.head(&path).await {
        Err(Error::NotFound { .. }) => return Ok(false),
        found => found?,
    };
    store.delete(&path).await?;
    Ok(true)
}

pub(super) async fn names(store: &dyn ObjectStore, below: &str) -> Result<Vec<String>, ApartError> {
    let below = Path::from(below);
    let listed = store.list_with_delimiter(Some(&below)).await?;
    let objects = listed.objects.into_iter().map(|object| object.location);
    Ok(objects.chain(listed.common_prefixes).filter_map(|path| path.filename().map(str::to_owned)).collect())
}
