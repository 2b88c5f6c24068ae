//! qt: rules
