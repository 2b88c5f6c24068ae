//! How deep a call goes: what lies below its frame is painted before, and looked at afterwards.

use alloc::format;
use alloc::string::String;
use core::hint::black_box;

/// More than anything here takes, and less than Linux gives.
const DEPTH: usize = 1 << 20;
/// The most that a step may take: a device has no more to give.
pub(crate) const MOST: usize = 320 << 10;
/// A frame of this file's own, and some more.
const OWN: usize = 512;
const PAINT: u8 = 0xa5;

/// Does `work`, and says how many bytes below this frame it wrote to. In WebAssembly, whose stack is not all in memory,
/// nothing is measured.
#[inline(never)]
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Option<usize>) {
    let here = 0_u8;
    let top = black_box(&raw const here).addr() - OWN;
    if cfg!(target_arch = "wasm32") {
        return (work(), None);
    }
    let byte = |depth: usize| core::ptr::with_exposed_provenance_mut::<u8>(top - depth);
    for depth in 0..DEPTH {
        // SAFETY: Linux grows the stack where it is written to, to 8 MiB, and nothing is in use below this frame.
        unsafe { byte(depth).write_volatile(PAINT) };
    }
    let done = work();
    // SAFETY: as above; all of it was written.
    let deepest = (0..DEPTH).rev().find(|depth| unsafe { byte(*depth).read_volatile() } != PAINT);
    (done, Some(deepest.map_or(0, |depth| depth + OWN)))
}

/// In words.
pub(crate) fn said(bytes: Option<usize>) -> String {
    bytes.map_or_else(String::new, |bytes| format!(", {} KiB of stack", bytes.div_ceil(1024)))
}
