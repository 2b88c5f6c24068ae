//! The append-only chain: entries, heads, whole chains and the streaming check.

use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::{BytesLike, counter, locked, text};
use crate::json::{JsonText, record, to_object};
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::krunica::{Appended, JsonLines};
use dualseal::signature::claims_signature;
use dualseal::vault::claims_record;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyIterator, PyList, PyString};
use std::sync::Mutex;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Entry>()?;
    module.add_class::<Head>()?;
    module.add_class::<Krunica>()?;
    module.add_class::<Checker>()
}

/// One entry of a chain: `{h, poruka, prev, seq, t, w3}`. One that was read is well-formed; whether its hash holds is
/// for Checker or Krunica to say.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Entry(pub(crate) dualseal::Entry);

#[pymethods]
impl Entry {
    /// Reads an entry that travels alone, with its `seq`.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, dualseal::Entry::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, dualseal::Entry::from_json)?))
    }

    /// Reads an entry from a line of a chain file, without its LF, which stands at this position. Its link to the entry
    /// before it is not looked at: `hash_holds` says whether position and link are its own.
    #[staticmethod]
    fn from_json_line(py: Python<'_>, line: JsonText<'_>, seq: &Bound<'_, PyInt>) -> Returned<Self> {
        let seq = counter("seq", seq)?;
        Ok(Self(line.read(py, |line| dualseal::Entry::from_json_line(line, seq))?))
    }

    /// The entry as a line of a chain file: canonical JSON without `seq`, and LF.
    fn to_json_line(&self) -> String {
        self.0.to_json_line()
    }

    /// Canonical JSON, with `seq`.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The binary form: 186 bytes and the message.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.to_bytes()?))
    }

    /// Reads the binary form. Whether its hash holds is not looked at.
    #[staticmethod]
    #[pyo3(signature = (stored, /))]
    fn from_bytes(stored: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(dualseal::Entry::from_bytes(&stored.contiguous()?)?))
    }

    /// The members, with `seq`.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// Whether it has the form of a signature's or a vault record's entry, which must have a record, whoever made it.
    #[pyo3(signature = (domain, /))]
    fn claims_record(&self, domain: &Domain) -> bool {
        claims_signature(&domain.0, &self.0) || claims_record(&domain.0, &self.0)
    }

    /// The position in the chain, from 0.
    #[getter]
    fn seq(&self) -> u64 {
        self.0.seq()
    }

    /// The identity that the entry is about.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The message (`poruka`).
    #[getter]
    fn message(&self) -> &str {
        self.0.message()
    }

    /// The hash of the entry before.
    #[getter]
    fn prev(&self) -> String {
        self.0.prev().to_hex()
    }

    /// The time that the appender gave (`t`). No evidence by itself.
    #[getter]
    fn time(&self) -> String {
        self.0.time().to_string()
    }

    /// The entry's hash (`h`), 128 hexadecimal characters.
    #[getter]
    fn hash(&self) -> String {
        self.0.hash().to_hex()
    }

    /// Whether `h` is the hash of the entry's own members, position and link included. Reading an entry does not look:
    /// one that stands alone, as the end of a chain in a store, is asked before it is believed. `h` does not cover the
    /// time.
    #[getter]
    fn hash_holds(&self) -> bool {
        self.0.hash_holds()
    }

    /// The short handle that records carry, 64 hexadecimal characters.
    #[getter]
    fn krunica_hash(&self) -> String {
        self.0.krunica_hash().to_hex()
    }

    /// The entry's leaf in the log's tree: canonical JSON of its hash, its position and its time, without its message.
    #[getter]
    fn leaf(&self) -> String {
        self.0.leaf()
    }

    /// The hash of the leaf, as it stands in the tree: 64 hexadecimal characters.
    #[getter]
    fn leaf_hash(&self) -> String {
        self.0.leaf_hash().to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.hash().as_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("Entry(seq={}, krunica_hash='{}')", self.0.seq(), self.0.krunica_hash())
    }
}

/// Where a chain ends: all that is needed to append to it. `Head()` is `Head.EMPTY`.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Head(pub(crate) dualseal::Head);

#[pymethods]
impl Head {
    /// The head of an empty chain.
    #[classattr]
    const EMPTY: Self = Self(dualseal::Head::EMPTY);

    #[new]
    fn new() -> Self {
        Self::EMPTY
    }

    /// A head as the caller stored it (to_json). Only its form is checked here: a wrong head starts another chain.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, dualseal::Head::from_json)?))
    }

    /// The head as its holder stores it: canonical JSON of at most 4 kB.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Makes the next entry: (entry, new head), to be stored together or not at all.
    fn append(
        &self,
        domain: &Domain,
        identity_id: &Bound<'_, PyString>,
        message: &Bound<'_, PyString>,
        time: &Bound<'_, PyAny>,
    ) -> Returned<(Entry, Head)> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(pair(self.0.append(&domain.0, &identity_id, text("poruka", message)?, moment("time", time)?)?))
    }

    /// The number of entries, which is the `seq` of the next one.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    /// The hash of the last entry, 128 hexadecimal characters; zeros when there is none.
    #[getter]
    fn top(&self) -> String {
        self.0.top().to_hex()
    }

    /// The root of the tree over all entries, times included: 64 hexadecimal characters.
    #[getter]
    fn root(&self) -> String {
        self.0.root().to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.top().as_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("Head(size={}, top='{}')", self.0.size(), self.0.top())
    }
}

/// As a change of a chain is told in Python.
pub(crate) fn pair(appended: Appended) -> (Entry, Head) {
    (Entry(appended.entry), Head(appended.head))
}

/// A whole chain in memory. For a long one, keep the entries in a store and use Head and Checker.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Krunica(Mutex<dualseal::Krunica>);

#[pymethods]
impl Krunica {
    /// An empty chain.
    #[new]
    fn new() -> Self {
        Self(Mutex::new(dualseal::Krunica::new()))
    }

    /// Reads a list of entries without `seq` and checks every one.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(Mutex::new(json.read(py, dualseal::Krunica::from_json)?)))
    }

    /// Reads JSON lines (an entry a line, each line ended by LF) and checks every one.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn from_json_lines(py: Python<'_>, text: JsonText<'_>) -> Returned<Self> {
        let chain = text.read(py, |text| {
            let (mut lines, mut chain) = (JsonLines::new(), dualseal::Krunica::new());
            lines.push(text, |line| {
                let entry = dualseal::krunica::Checker::resume(chain.head().clone()).push_json(line)?;
                Ok(chain.push(entry)?)
            })?;
            lines.finish()?;
            Ok(chain)
        })?;
        Ok(Self(Mutex::new(chain)))
    }

    /// Appends an entry and returns it.
    fn append(
        &self,
        domain: &Domain,
        identity_id: &Bound<'_, PyString>,
        message: &Bound<'_, PyString>,
        time: &Bound<'_, PyAny>,
    ) -> Returned<Entry> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let (message, time) = (text("poruka", message)?, moment("time", time)?);
        Ok(Entry(locked(&self.0).append(&domain.0, &identity_id, message, time)?))
    }

    /// Adds an entry that another operation made at this chain's head. On an error the chain is as it was.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        locked(&self.0).push(entry.0.clone()).map_err(dualseal::Error::from)?;
        Ok(())
    }

    /// Where the chain ends.
    #[getter]
    fn head(&self) -> Head {
        Head(locked(&self.0).head().clone())
    }

    /// Canonical JSON: the list of entries, without `seq`.
    fn to_json(&self) -> String {
        locked(&self.0).to_json()
    }

    /// JSON lines: an entry a line, without `seq`, each line ended by LF.
    fn to_json_lines(&self) -> String {
        locked(&self.0).entries().iter().map(dualseal::Entry::to_json_line).collect()
    }

    /// The entries as dictionaries, without `seq`.
    fn to_list<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        let json = self.to_json();
        to_object(py, &json)
    }

    fn __len__(&self) -> usize {
        locked(&self.0).entries().len()
    }

    fn __getitem__(&self, seq: isize) -> PyResult<Entry> {
        let chain = locked(&self.0);
        let from_end = || chain.entries().len().checked_add_signed(seq);
        let index = usize::try_from(seq).ok().or_else(from_end);
        let entry = index.and_then(|index| chain.entries().get(index));
        entry.cloned().map(Entry).ok_or_else(|| PyIndexError::new_err("no entry at this position"))
    }

    /// The entries as they stand now.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let entries: Vec<Entry> = locked(&self.0).entries().iter().cloned().map(Entry).collect();
        PyList::new(py, entries)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("Krunica(size={})", locked(&self.0).head().size())
    }
}

/// Checks the entries of a chain as they come, in constant memory. After a fault it stays where it was.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Checker(Mutex<dualseal::krunica::Checker>);

#[pymethods]
impl Checker {
    /// Begins at an empty chain, or goes on from a head that was checked before and kept where nobody else writes.
    #[new]
    #[pyo3(signature = (head = None))]
    fn new(head: Option<&Head>) -> Self {
        Self(Mutex::new(dualseal::krunica::Checker::resume(head.map_or(dualseal::Head::EMPTY, |head| head.0.clone()))))
    }

    /// Checks the next entry.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        locked(&self.0).push(&entry.0).map_err(dualseal::Error::from)?;
        Ok(())
    }

    /// Checks the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        let read = |json: &[u8]| locked(&self.0).push_json(json).map_err(dualseal::Error::from);
        Ok(Entry(json.read(py, read)?))
    }

    /// Checks the next entries, each as JSON without `seq`, as it stands on a line, without the interpreter lock. The
    /// first that does not fit raises, and those before it are checked: `head.size` says how many there are.
    #[pyo3(signature = (lines, /))]
    fn push_many(&self, py: Python<'_>, lines: Vec<JsonText<'_>>) -> Returned<Vec<Entry>> {
        let lines = lines.iter().map(JsonText::bytes).collect::<Returned<Vec<_>>>()?;
        let lines: Vec<&[u8]> = lines.iter().map(|line| &**line).collect();
        let checked = py.detach(|| {
            let mut checker = locked(&self.0);
            lines.into_iter().map(|line| checker.push_json(line)).collect::<Result<Vec<_>, _>>()
        });
        Ok(checked.map_err(dualseal::Error::from)?.into_iter().map(Entry).collect())
    }

    /// Where the entries checked so far end.
    #[getter]
    fn head(&self) -> Head {
        Head(locked(&self.0).head().clone())
    }

    fn __repr__(&self) -> String {
        format!("Checker(size={})", locked(&self.0).head().size())
    }
}
