//! What holds for the whole source: errors, module order, constant time, redaction, provenance of vectors.

mod constant_time;
mod errors;
mod module_order;
mod secrets_debug;
mod vector_provenance;
