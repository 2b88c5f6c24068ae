//! auth: types
