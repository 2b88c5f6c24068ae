//! auth: rules
