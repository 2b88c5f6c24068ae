//! logs: rules
