//! Identifiers of content that comes in parts.

use crate::input::BytesLike;
use crate::progress::lock;
use dualseal::id;
use dualseal::{Domain, Error};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::Mutex;

struct Given {
    domain: Domain,
    creator: String,
    context: String,
}

type Hasher<'a> = id::IdentityHasher<'a>;

self_cell! {
    struct Progress {
        owner: Given,
        #[covariant]
        dependent: Hasher,
    }
}

/// Computes an identifier in parts. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct IdentityHasher(Mutex<Progress>);

impl IdentityHasher {
    pub(super) fn begin(domain: Domain, creator: String, context: String) -> Result<Self, Error> {
        let given = Given { domain, creator, context };
        let begun = Progress::try_new(given, |given| given.domain.identity_hasher(&given.creator, &given.context))?;
        Ok(Self(Mutex::new(begun)))
    }
}

#[pymethods]
impl IdentityHasher {
    /// Takes the next part of the content, any bytes-like object.
    #[pyo3(signature = (content, /))]
    fn update(&self, py: Python<'_>, content: BytesLike<'_>) -> PyResult<()> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, hasher| content.feed(py, |part| hasher.update(part)))
    }

    /// The identifier of all parts so far, 64 hexadecimal characters; the hasher can go on.
    fn finish(&self, py: Python<'_>) -> String {
        lock(py, &self.0).borrow_dependent().clone().finish().to_hex()
    }

    /// As finish, by the name that hashlib has for it.
    fn hexdigest(&self, py: Python<'_>) -> String {
        self.finish(py)
    }
}
