//! Results of verifications, as they are told. One is never true or false.

use crate::enums::key_state_object;
use crate::failure::Returned;
use crate::json::{JsonText, to_object};
use crate::values::{Again, again, hashed};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VerificationResult>()?;
    module.add_class::<PublicResult>()
}

/// The same members for whoever is told, in a class for each, so that a function can ask for the public one.
macro_rules! result {
    ($(#[$doc:meta])* $name:ident, $told:ty, $members:expr) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, module = "dualseal")]
        #[derive(PartialEq)]
        pub(crate) struct $name(pub(crate) $told);

        impl $name {
            fn members(&self) -> &dualseal::VerificationResult {
                $members(&self.0)
            }
        }

        #[pymethods]
        impl $name {
            /// `validan`: None when the key is suspended.
            #[getter]
            fn valid(&self) -> Option<bool> {
                self.members().valid
            }

            /// The identity that the record names.
            #[getter]
            fn identity_id(&self) -> String {
                self.members().identity_id.to_hex()
            }

            /// The algorithm that the record names.
            #[getter]
            fn algorithm(&self) -> &'static str {
                self.members().algorithm.as_str()
            }

            /// The time that the record gives, no evidence of time; None for a seal.
            #[getter]
            fn time(&self) -> Option<String> {
                self.members().time.map(|time| time.to_string())
            }

            /// `bela_stanje`; None when the record's key is not one of its identity.
            #[getter]
            fn state<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                self.members().state.map(|state| key_state_object(py, state)).transpose()
            }

            /// `razlog`; None when there is nothing to say.
            #[getter]
            fn reason(&self) -> Option<&str> {
                self.members().reason.as_deref()
            }

            /// Reads the JSON, in any spacing and member order. What it says was concluded elsewhere.
            #[staticmethod]
            #[pyo3(signature = (json, /))]
            fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
                Ok(Self(json.read(py, <$told>::from_json)?))
            }

            /// Canonical JSON.
            fn to_json(&self) -> String {
                self.0.to_json()
            }

            /// The members, by their names on the wire.
            fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
                to_object(py, &self.0.to_json())
            }

            #[allow(clippy::unused_self, reason = "Python's protocol has it")]
            fn __bool__(&self) -> PyResult<bool> {
                let says = concat!("a ", stringify!($name), " is neither true nor false: compare its valid with True");
                Err(PyTypeError::new_err(says))
            }

            fn __hash__(&self) -> u64 {
                hashed(self.0.to_json())
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
                again(slf, "from_json", slf.get().0.to_json())
            }

            fn __repr__(&self) -> String {
                format!(concat!(stringify!($name), "({})"), self.0.to_json())
            }
        }
    };
}

result! {
    /// What the operator is told of a verification: decoys by their name, and the reason of each refusal. Its truth
    /// value raises TypeError.
    VerificationResult, dualseal::VerificationResult, std::convert::identity
}

result! {
    /// What everybody else is told: of a decoy what is told of a valid record. A courtesy, no evidence. Its truth value
    /// raises TypeError.
    PublicResult, dualseal::PublicResult, AsRef::as_ref
}
