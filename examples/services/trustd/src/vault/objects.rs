//! Where documents lie that are too large for a row: in a store of objects, each under the hash of its bytes.

use bytes::Bytes;
use futures::stream::BoxStream;
use platform::problem::Problem;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// The bytes of an object, in order. A failure ends them.
pub type Pieces = BoxStream<'static, Result<Bytes, Problem>>;
/// What comes later.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send + 'a>>;

/// A store of objects.
pub trait Objects: fmt::Debug + Send + Sync {
    /// Stores an object in bounded memory, durably, and gives its name. Where its pieces fail nothing is stored.
    fn put(&self, pieces: Pieces) -> Soon<'_, String>;

    /// The bytes of an object.
    fn get(&self, name: &str) -> Soon<'_, Pieces>;
}
