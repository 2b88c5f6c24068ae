//! logs: store
