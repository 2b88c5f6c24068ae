//! Domains, and the identifiers and content hashes that they compute.

mod identity_hasher;

use crate::batch::{Telling, on};
use crate::failure::{Raised, Returned};
use crate::input::{BytesLike, counter, text};
use crate::progress::lock;
use crate::values::{Again, again, called, hashed};
use dualseal::IdentityId;
use dualseal::batch::{self, ContentItem};
use dualseal::domain::{Label, Row};
use dualseal::id::{MessageHash, lint};
use identity_hasher::IdentityHasher;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use pyo3::{IntoPyObjectExt, PyTypeCheck};
use std::collections::BTreeMap;
use std::sync::Mutex;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Domain>()?;
    module.add_class::<IdentityHasher>()?;
    module.add_class::<ContentHasher>()?;
    module.add_class::<HashedContent>()?;
    module.add_function(wrap_pyfunction!(lint_ids, module)?)?;
    module.add_function(wrap_pyfunction!(message_hash, module)?)
}

/// The constants that keep one deployment's hashes and statements apart from another's.
///
/// `Domain("ACME")` derives all of them from the name: 1 or more printable ASCII characters without `:`, at least one
/// of them outside `0-9a-f`.
///
/// The other arguments set some by hand, for a deployment that must reproduce identifiers that it already issued:
/// `prefixes={"identifier": "OLD"}` and `suffixes` by row (`identifier`, `vault`, `signature`, `threshold`, `seal`,
/// `shard`, `presence`, `krunica`), `labels={("signature", "CONTENT"): "BODY"}` by row and default text.
/// `legacy_shared_constants=True` allows rows to share a prefix; then a vault identifier can equal a general one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Domain(pub(crate) dualseal::Domain);

/// A content, its creator and its context.
type Item<'py> = (BytesLike<'py>, Bound<'py, PyString>, Bound<'py, PyString>);

#[pymethods]
impl Domain {
    #[new]
    #[pyo3(
        signature = (
            name = Given::Default,
            *,
            prefixes = Given::Default,
            suffixes = Given::Default,
            labels = Given::Default,
            legacy_shared_constants = false,
        ),
        text_signature = "\
            (name='DUALSEAL', *, prefixes={}, suffixes={}, labels={}, legacy_shared_constants=False)"
    )]
    fn new(
        name: Given<'_, PyString>,
        prefixes: Given<'_, PyDict>,
        suffixes: Given<'_, PyDict>,
        labels: Given<'_, PyDict>,
        legacy_shared_constants: bool,
    ) -> Returned<Self> {
        let mut builder = match &name {
            Given::Value(name) => dualseal::Domain::builder(text("name", name)?),
            Given::Default => dualseal::Domain::builder("DUALSEAL"),
        };
        for (row, prefix) in prefixes.items::<Bound<'_, PyString>>()? {
            builder = builder.prefix(text("row", &row)?.parse()?, text("prefix", &prefix)?);
        }
        for (row, suffix) in suffixes.items::<Bound<'_, PyString>>()? {
            builder = builder.suffix(text("row", &row)?.parse()?, text("suffix", &suffix)?);
        }
        for ((row, default), label) in labels.items::<(Bound<'_, PyString>, Bound<'_, PyString>)>()? {
            let default = Label::find(text("row", &row)?.parse()?, text("label", &default)?)?;
            builder = builder.label(default, text("label", &label)?);
        }
        if legacy_shared_constants {
            builder = builder.legacy_shared_constants();
        }
        Ok(Self(builder.build()?))
    }

    /// The identifier of `content` by `creator` in `context`, 64 hexadecimal characters, computed offline.
    ///
    /// creator and context may be empty, contain no `::` and do not begin with `:`; no Unicode normalisation is
    /// applied. A low-entropy identity can be guessed from its identifier: put a random value into context.
    fn identity_id(
        &self,
        py: Python<'_>,
        content: BytesLike<'_>,
        creator: &Bound<'_, PyString>,
        context: &Bound<'_, PyString>,
    ) -> Returned<String> {
        let mut hasher = self.0.identity_hasher(text("creator", creator)?, text("context", context)?)?;
        content.feed(py, |part| hasher.update(part))?;
        Ok(hasher.finish().to_hex())
    }

    /// As identity_id, for content that comes in parts: files of any size, through `hashlib.file_digest` too.
    fn identity_hasher(
        &self,
        creator: &Bound<'_, PyString>,
        context: &Bound<'_, PyString>,
    ) -> Returned<IdentityHasher> {
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        Ok(IdentityHasher::begin(self.0.clone(), creator.to_owned(), context.to_owned())?)
    }

    /// Identifies many contents without the interpreter lock: for each item, in order, what identity_id returns, or the
    /// MalformedError that it would raise, none stopping the rest. An item is a content, its creator and its context.
    ///
    /// `progress` is called now and then with the number of items that have a result, and of all. What it raises is
    /// raised when all have one. Text with a lone surrogate is no text, and raises before any item is identified.
    ///
    /// It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
    /// the machine runs at once. `progress` is called on the calling thread, whichever these are.
    #[pyo3(signature = (items, *, progress = None, threads = None))]
    fn identify_many<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Item<'py>>,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Bound<'py, PyAny>>> {
        let mut read = Vec::with_capacity(items.len());
        for (content, creator, context) in &items {
            read.push((content.contiguous()?, text("creator", creator)?, text("context", context)?));
        }
        let (threads, mut telling) = (on(threads)?, Telling::new(progress));
        let found = py.detach(|| {
            let items = read.iter().map(|(content, creator, context)| ContentItem { content, creator, context });
            batch::identify(&self.0, items.collect(), threads, &mut |progress| telling.tell(progress))
        });
        telling.finish()?;
        let result = |found| match found {
            Ok(id) => IdentityId::to_hex(&id).into_bound_py_any(py),
            Err(error) => PyErr::from(Raised::from(error)).into_bound_py_any(py),
        };
        Ok(found.into_iter().map(result).collect::<PyResult<_>>()?)
    }

    /// As identity_id without its rules, for identifiers issued elsewhere before. Different inputs can share one;
    /// lint_ids finds them.
    fn legacy_identity_id(
        &self,
        py: Python<'_>,
        content: BytesLike<'_>,
        creator: &Bound<'_, PyString>,
        context: &Bound<'_, PyString>,
    ) -> Returned<String> {
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        let content = content.contiguous()?;
        Ok(py.detach(|| self.0.legacy_identity_id(&content, creator, context)).to_hex())
    }

    /// The vault identifier of a payload at position `seq` (0 to 2^53-1) of its ledger, 64 hexadecimal characters.
    fn vault_id(
        &self,
        py: Python<'_>,
        payload: BytesLike<'_>,
        creator: &Bound<'_, PyString>,
        context: &Bound<'_, PyString>,
        seq: &Bound<'_, PyInt>,
    ) -> Returned<String> {
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        let mut hasher = self.0.vault_hasher(creator, context, counter("seq", seq)?)?;
        payload.feed(py, |part| hasher.update(part))?;
        Ok(hasher.finish().to_hex())
    }

    /// As vault_id without its rules on creator and context, for identifiers issued elsewhere before.
    fn legacy_vault_id(
        &self,
        py: Python<'_>,
        payload: BytesLike<'_>,
        creator: &Bound<'_, PyString>,
        context: &Bound<'_, PyString>,
        seq: &Bound<'_, PyInt>,
    ) -> Returned<String> {
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        let seq = counter("seq", seq)?;
        let payload = payload.contiguous()?;
        Ok(py.detach(|| self.0.legacy_vault_id(&payload, creator, context, seq)).to_hex())
    }

    /// Content, hashed for `identity_id`, who signs it or is expected to have signed it.
    fn content_hash(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        content: BytesLike<'_>,
    ) -> Returned<HashedContent> {
        let mut hasher = self.0.content_hasher(&text("identity_id", identity_id)?.parse()?);
        content.feed(py, |part| hasher.update(part))?;
        Ok(HashedContent(hasher.finish()))
    }

    /// As content_hash, for content that comes in parts: files of any size, through `hashlib.file_digest` too.
    fn content_hasher(&self, identity_id: &Bound<'_, PyString>) -> Returned<ContentHasher> {
        let hasher = self.0.content_hasher(&text("identity_id", identity_id)?.parse()?);
        Ok(ContentHasher(Mutex::new(hasher)))
    }

    /// Binds a threshold session to a message by its message_hash (128 hexadecimal characters).
    fn threshold_binding(
        &self,
        session_id: &Bound<'_, PyString>,
        message_hash: &Bound<'_, PyString>,
    ) -> Returned<String> {
        let session = text("session_id", session_id)?.parse()?;
        let message = text("message_hash", message_hash)?.parse()?;
        Ok(self.0.threshold_binding(&session, &message).to_hex())
    }

    fn __hash__(&self) -> u64 {
        hashed(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        let domain = &slf.get().0;
        let prefixes: BTreeMap<_, _> = domain.rows().map(|(row, prefix, _)| (row.as_str(), prefix)).collect();
        let suffixes: BTreeMap<_, _> = domain.rows().map(|(row, _, suffix)| (row.as_str(), suffix)).collect();
        let label = |(row, default, text): (Row, &'static str, _)| ((row.as_str(), default), text);
        let labels: BTreeMap<_, _> = domain.labels().map(label).collect();
        called(slf.py(), "domain", (prefixes, suffixes, labels))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// An argument that may be left out, but not be None: a setting that is missing must not read as the default domain.
enum Given<'py, T> {
    Default,
    Value(Bound<'py, T>),
}

impl<'py, T: PyTypeCheck> FromPyObject<'_, 'py> for Given<'py, T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Value(object.cast::<T>()?.to_owned()))
    }
}

impl<'py> Given<'py, PyDict> {
    /// Its names and texts.
    fn items<K: FromPyObjectOwned<'py>>(&self) -> PyResult<Vec<(K, Bound<'py, PyString>)>> {
        let Self::Value(dict) = self else { return Ok(Vec::new()) };
        let item = |(name, text): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            Ok((name.extract::<K>().map_err(Into::into)?, text.cast_into::<PyString>()?))
        };
        dict.iter().map(item).collect()
    }
}

/// Hashes content in parts. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ContentHasher(Mutex<dualseal::id::ContentHasher>);

#[pymethods]
impl ContentHasher {
    /// Takes the next part of the content, any bytes-like object.
    #[pyo3(signature = (content, /))]
    fn update(&self, py: Python<'_>, content: BytesLike<'_>) -> PyResult<()> {
        let mut guard = lock(py, &self.0);
        let hasher = &mut *guard;
        content.feed(py, |part| hasher.update(part))
    }

    /// All parts so far, hashed for the identity; the hasher can go on.
    fn finish(&self, py: Python<'_>) -> HashedContent {
        let guard = lock(py, &self.0);
        HashedContent(guard.clone().finish())
    }

    /// The hash alone, 64 hexadecimal characters.
    fn hexdigest(&self, py: Python<'_>) -> String {
        self.finish(py).0.to_hex()
    }
}

/// Content at hand, hashed for the identity that signs it or is expected to have signed it.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct HashedContent(pub(crate) dualseal::HashedContent);

#[pymethods]
impl HashedContent {
    /// Content that was hashed elsewhere for this identity, by its `sadrzaj_hash` of 64 hexadecimal characters. Of a
    /// record that is verified, its own two members would be compared with themselves.
    #[staticmethod]
    fn from_parts(identity_id: &Bound<'_, PyString>, hash: &Bound<'_, PyString>) -> Returned<Self> {
        let (identity_id, hash) = (text("identity_id", identity_id)?.parse()?, text("sadrzaj_hash", hash)?.parse()?);
        Ok(Self(dualseal::HashedContent::from_parts(&identity_id, hash)))
    }

    /// Whose signature it is for.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// What a signature is over (`sadrzaj_hash`), 64 hexadecimal characters.
    #[getter]
    fn hash(&self) -> String {
        self.0.to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed((self.identity_id(), self.hash()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_parts", (slf.get().identity_id(), slf.get().hash()))
    }

    fn __repr__(&self) -> String {
        format!("HashedContent(identity_id='{}', hash='{}')", self.identity_id(), self.hash())
    }
}

/// Says which of the stored (creator, context) pairs break the rules of Domain.identity_id: (index, field) for each.
#[pyfunction]
#[pyo3(signature = (pairs, /))]
fn lint_ids(pairs: &Bound<'_, PyAny>) -> Returned<Vec<(usize, &'static str)>> {
    let mut owned = Vec::new();
    for pair in pairs.try_iter()? {
        let (creator, context): (Bound<'_, PyString>, Bound<'_, PyString>) = pair?.extract()?;
        owned.push((text("creator", &creator)?.to_owned(), text("context", &context)?.to_owned()));
    }
    let found = lint(owned.iter().map(|(creator, context)| (creator.as_str(), context.as_str())));
    Ok(found.into_iter().map(|ambiguity| (ambiguity.index, ambiguity.field)).collect())
}

/// SHA3-512 over a message that a quorum signs, 128 hexadecimal characters.
#[pyfunction]
#[pyo3(signature = (message, /))]
fn message_hash(py: Python<'_>, message: BytesLike<'_>) -> Returned<String> {
    let message = message.contiguous()?;
    Ok(py.detach(|| MessageHash::of(&message)).to_hex())
}
