//! What every module of the trust service stands on. It holds no cryptography: that is the library's, and what an
//! operator of a log does is `dualseal-operator`'s.

pub mod clock;
pub mod db;
pub mod log;
pub mod problem;
pub mod secrets;
