//! How deep a call goes: what lies below its frame is painted before, and looked at afterwards.

use core::hint::black_box;

/// More than anything here takes, and less than Linux gives.
const DEPTH: usize = 1 << 20;
/// A frame of this file's own, and some more.
const OWN: usize = 512;
const PAINT: u8 = 0xa5;

/// Does `work`, and says how many bytes below this frame it wrote to. In WebAssembly, whose stack is not all in memory,
/// nothing is measured.
#[inline(never)]
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let here = 0_u8;
    let top = black_box(&raw const here).addr() - OWN;
    if cfg!(target_arch = "wasm32") {
        return (work(), 0);
    }
    let byte = |depth: usize| core::ptr::with_exposed_provenance_mut::<u8>(top - depth);
    for depth in 0..DEPTH {
        // SAFETY: Linux grows the stack where it is written to, to 8 MiB, and nothing is in use below this frame.
        unsafe { byte(depth).write_volatile(PAINT) };
    }
    let done = work();
    // SAFETY: as above; all of it was written.
    let deepest = (0..DEPTH).rev().find(|depth| unsafe { byte(*depth).read_volatile() } != PAINT);
    (done, deepest.map_or(0, |depth| depth + OWN))
}
