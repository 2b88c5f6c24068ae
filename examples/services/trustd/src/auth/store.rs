//! auth: store
