//! What the standard library's prelude has, and a program without one asks for by name: `tests/bare` compiles some of
//! these files, and some of the tests, once more.

pub use std::borrow::ToOwned;
pub use std::boxed::Box;
pub use std::string::{String, ToString};
pub use std::vec::Vec;
