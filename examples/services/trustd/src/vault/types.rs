//! vault: types
