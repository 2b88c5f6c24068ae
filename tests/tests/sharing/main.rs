//! Secret sharing on both fields.

mod dealing;
mod exhaustive;
mod field;
mod interop;
mod misdealt;
mod refused;
mod repeated;
mod unattested;
