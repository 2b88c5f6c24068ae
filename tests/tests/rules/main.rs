//! What holds for the whole source: errors, module order, circles, constant time, redaction, provenance of vectors.

mod circles;
mod constant_time;
mod errors;
mod module_order;
mod secrets_debug;
mod vector_provenance;
