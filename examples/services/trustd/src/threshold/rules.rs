//! threshold: rules
