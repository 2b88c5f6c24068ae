//! What `dualseal` computes most, in vectors: Keccak-f\[1600\] over several states at once, ML-DSA-65 verification from
//! an expanded public key, and key pairs in little of the stack.
//!
//! Each kernel is one piece of source, compiled once for every [`Level`]; which one runs is the caller's argument, so
//! that a test forces each of them. Two things are `unsafe`: the call from code that was compiled for any processor
//! into code that was compiled for one with more instructions, for which the `Level` in hand is the proof that this
//! processor is one; and Keccak's taking an array of words for one of vectors, and back.
#![no_std]
#![warn(missing_docs)]

pub mod keccak;
mod level;
pub mod mldsa;

pub use level::Level;
