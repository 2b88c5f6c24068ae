//! Notes with the lines of their signatures.

use super::key::NoteKey;
use crate::ed25519::Ed25519SigningKey;
use crate::failure::Returned;
use crate::input::{counter, text};
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::encoding::hex;
use dualseal::note::{self, NoteBody, NoteName};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Note>()?;
    module.add_class::<NoteSignature>()
}

/// A log's size and root with the lines of their signatures (C2SP `signed-note`, `tlog-checkpoint`), of which nobody
/// looked at one yet. `str()` gives its text.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Note(pub(crate) note::Note);

#[pymethods]
impl Note {
    /// Signs what a log says, under its name: what its checkpoint states, and nothing else. `root` has 64 hexadecimal
    /// characters.
    #[staticmethod]
    #[pyo3(signature = (key, *, origin, size, root))]
    fn sign(
        key: &Ed25519SigningKey,
        origin: &Bound<'_, PyString>,
        size: &Bound<'_, PyInt>,
        root: &Bound<'_, PyString>,
    ) -> Returned<Self> {
        let origin = NoteName::new(text("origin", origin)?)?;
        let body = NoteBody { origin, size: counter("size", size)?, root: text("root", root)?.parse()? };
        Ok(Self(note::Note::sign(body, &key.0)))
    }

    /// Reads a note. Raises MalformedError for `note` with the line, from 0.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn parse(text: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self(note::Note::from_text(crate::input::text("note", text)?)?))
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.body().origin.as_str()
    }

    /// The number of its leaves.
    #[getter]
    fn size(&self) -> u64 {
        self.0.body().size
    }

    /// The root over them, 64 hexadecimal characters.
    #[getter]
    fn root(&self) -> String {
        self.0.body().root.to_hex()
    }

    /// The three lines that are signed.
    #[getter]
    fn body(&self) -> String {
        self.0.body().to_text()
    }

    /// The lines of signatures.
    #[getter]
    fn signatures(&self) -> Vec<NoteSignature> {
        self.0.signatures().iter().cloned().map(NoteSignature).collect()
    }

    /// Whether the log with this key (a NoteKey or its text) signed it. Raises RejectedError where no line is by it,
    /// and where one that says to be is not.
    #[pyo3(signature = (log, /))]
    fn verify(&self, py: Python<'_>, log: &Bound<'_, PyAny>) -> Returned<()> {
        let log = NoteKey::read(log)?;
        Ok(py.detach(|| self.0.verify(&log))?)
    }

    /// The note with the lines alone that say to be by this key (a NoteKey or its text).
    #[pyo3(signature = (key, /))]
    fn by(&self, key: &Bound<'_, PyAny>) -> Returned<Self> {
        Ok(Self(self.0.by(&NoteKey::read(key)?)))
    }

    /// A witness's cosignature (C2SP `tlog-cosignature`), for whoever saw that the log grew to this and nothing else.
    /// The time is cut to seconds.
    fn cosign(
        &self,
        name: &Bound<'_, PyString>,
        key: &Ed25519SigningKey,
        time: &Bound<'_, PyAny>,
    ) -> Returned<NoteSignature> {
        let (name, time) = (NoteName::new(text("origin", name)?)?, moment("time", time)?);
        Ok(NoteSignature(note::NoteSignature::cosign(self.0.body(), &name, &key.0, time)?))
    }

    /// The note with one more signature, as of a witness; of 64 at most.
    #[pyo3(signature = (signature, /))]
    fn with_signature(&self, signature: &NoteSignature) -> Returned<Self> {
        let mut note = self.0.clone();
        note.add(signature.0.clone())?;
        Ok(Self(note))
    }

    fn __str__(&self) -> String {
        self.0.to_text()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "parse", slf.get().__str__())
    }

    fn __repr__(&self) -> String {
        format!("Note(origin={:?}, size={}, signatures={})", self.origin(), self.size(), self.0.signatures().len())
    }
}

/// One line of a signature, of which nothing was verified.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct NoteSignature(pub(crate) note::NoteSignature);

#[pymethods]
impl NoteSignature {
    /// Who says to have made it.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The key id, as the signer says: 8 hexadecimal characters.
    #[getter]
    fn key_id(&self) -> String {
        hex::encode(self.0.key_id())
    }

    fn __repr__(&self) -> String {
        format!("NoteSignature(name={:?}, key_id='{}')", self.0.name(), self.key_id())
    }
}
