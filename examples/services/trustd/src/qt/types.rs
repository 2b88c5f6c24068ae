//! qt: types
