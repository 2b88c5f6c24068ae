//! The step: state in, changes out.
