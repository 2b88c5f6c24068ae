//! qt: store
