//! dsa: store
