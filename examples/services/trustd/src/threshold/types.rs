//! threshold: types
