//! vault: store
