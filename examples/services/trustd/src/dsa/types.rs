//! dsa: types
