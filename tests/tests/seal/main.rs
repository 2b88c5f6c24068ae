//! Dual and legacy seals.

mod answers;
mod key;
mod matrix;
mod rotation;
mod stream;
mod text;
mod threats;
