//! vault: rules
