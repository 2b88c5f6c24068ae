//! threshold: store
