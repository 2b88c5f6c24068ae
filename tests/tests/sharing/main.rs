//! Secret sharing on both fields.

mod dealing;
mod exhaustive;
mod field;
mod interop;
mod refused;
mod unattested;
