//! What holds for the whole source: errors and what is made of them, module order, circles, names of the glossary,
//! constant time, redaction, provenance of vectors, names of what an operator's store refuses.

mod circles;
mod constant_time;
mod debug_names;
mod errors;
mod evidence;
mod generated;
mod glossary;
mod module_order;
mod refusals;
mod secrets_debug;
mod vector_provenance;
