//! dsa: rules
