//! An allocator over a fixed block of memory that never takes anything back: enough for a program of one task.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};

const SIZE: usize = crate::MEMORY;

#[repr(align(64))]
struct Block(UnsafeCell<[u8; SIZE]>);

// SAFETY: the bytes are only reached through `Bump`, which gives every byte away once.
unsafe impl Sync for Block {}

static BLOCK: Block = Block(UnsafeCell::new([0; SIZE]));

struct Bump {
    used: AtomicUsize,
}

#[global_allocator]
static ALLOCATOR: Bump = Bump { used: AtomicUsize::new(0) };

// SAFETY: ranges that were given away do not overlap, because `used` only grows, and they lie within the block.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let mut start = 0;
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            start = used.checked_next_multiple_of(layout.align())?;
            start.checked_add(layout.size()).filter(|end| *end <= SIZE)
        });
        // The block itself is aligned to 64 bytes; nothing in the library asks for more.
        if taken.is_err() || layout.align() > 64 {
            return core::ptr::null_mut();
        }
        // SAFETY: `start` is at most `SIZE`, so the pointer stays within the block or one past it.
        unsafe { BLOCK.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// How much of it was given away.
pub(crate) fn used() -> usize {
    ALLOCATOR.used.load(Ordering::Relaxed)
}
