//! Every known answer of core's that C, Go and Python read too, made and verified again where there is nothing but an
//! allocator: by the same functions as in the workspace's tests, with the files in the program. The exit status is 0
//! when each of them says what its file says, of as many answers as it has.
#![no_std]
#![no_main]

#[macro_use]
extern crate alloc;
// As the shared files name them.
extern crate alloc as std;
extern crate self as dualseal_tests;

mod allocator;
mod answers;
mod files;
mod listed;
mod primitive;
#[cfg(target_os = "linux")]
mod runtime;
mod stack;
mod start;
mod vectors;

#[path = "../../src/asking.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod asking;
#[path = "../../src/fixed.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod fixed;
#[path = "../../src/log.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod log;
#[path = "../../src/nodes.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod nodes;
#[path = "../../src/parties.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod parties;
#[path = "../../src/prelude.rs"]
mod prelude;
#[path = "../../src/random.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod random;
#[path = "../../src/reading.rs"]
mod reading;
#[path = "../../src/registry.rs"]
#[allow(dead_code, reason = "the workspace's tests ask for more")]
mod registry;

pub(crate) use fixed::*;

/// What the allocator has, which takes nothing back.
const MEMORY: usize = 128 << 20;

/// 0, or what `start` says of a panic.
fn run() -> u8 {
    u8::from(!answers::all_hold())
}
