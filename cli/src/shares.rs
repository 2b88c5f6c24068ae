//! Shares of a wrapped file, outside the library: their text, where they are read from and written to, and what a
//! dealing says of them.

pub(crate) mod dealt;
pub(crate) mod form;
pub(crate) mod picture;
pub(crate) mod qr;
pub(crate) mod read;
pub(crate) mod text;
pub(crate) mod wrapped;
