//! logs: types
