//! The keys of notes.

use crate::enums::{note_kind, note_kind_object};
use crate::failure::Returned;
use crate::input::text;
use crate::values::{Again, again, hashed};
use dualseal::encoding::hex;
use dualseal::note::{self, NoteName};
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NoteKey>()
}

/// An Ed25519 public key (64 hexadecimal characters) under the name that it signs as: of a log, or of a witness.
///
/// A name has 1 to 255 bytes, no white space, no `+`, no control character, no `::` and no leading `:`. `str()` gives
/// the text that is published: `<name>+<key id>+<base64 of the type and the key>`.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct NoteKey(pub(crate) note::NoteKey);

impl NoteKey {
    /// A NoteKey, or the text of one.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> Returned<note::NoteKey> {
        match value.cast::<Self>() {
            Ok(key) => Ok(key.get().0.clone()),
            Err(_) => Self::parse(value.cast::<PyString>().map_err(PyErr::from)?).map(|key| key.0),
        }
    }
}

#[pymethods]
impl NoteKey {
    #[new]
    fn new(name: &Bound<'_, PyString>, kind: &Bound<'_, PyString>, public_key: &Bound<'_, PyString>) -> Returned<Self> {
        let (name, kind) = (NoteName::new(text("origin", name)?)?, note_kind(kind)?);
        Ok(Self(note::NoteKey::new(name, kind, &text("public_key", public_key)?.parse()?)))
    }

    /// Reads the text that logs and witnesses publish.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn parse(text: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self(note::NoteKey::from_text(crate::input::text("note_key", text)?)?))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name().as_str()
    }

    /// What it signs.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        note_kind_object(py, self.0.kind())
    }

    /// The key itself, 64 hexadecimal characters.
    #[getter]
    fn public_key(&self) -> String {
        self.0.key().to_hex()
    }

    /// The key id, 8 hexadecimal characters: the beginning of SHA-256 over name, type and key.
    #[getter]
    fn key_id(&self) -> String {
        hex::encode(&self.0.id())
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
        format!("NoteKey('{}')", self.0.to_text())
    }
}
