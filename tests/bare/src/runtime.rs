//! The few symbols that compiled Rust expects of a C library: memory functions, and the unwinder that the precompiled
//! `alloc` refers to, which a program that aborts on panic never calls.
//!
//! Written with string instructions, so that the compiler cannot turn a loop in here into a call of itself.

use core::arch::asm;

/// Copies `n` bytes that do not overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    // SAFETY: the caller vouches for both ranges; the direction flag is clear on entry to a function.
    unsafe {
        asm!("rep movsb", inout("rcx") n => _, inout("rdi") to => _, inout("rsi") from => _,
            options(nostack, preserves_flags));
    }
    to
}

/// Copies `n` bytes that may overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    // Where the target begins inside the source, copying upwards would overwrite what is still to be copied.
    if to.addr().wrapping_sub(from.addr()) >= n {
        // SAFETY: as above, and copying upwards never reads a byte that it wrote.
        return unsafe { memcpy(to, from, n) };
    }
    // SAFETY: as above; `n` is at least 1, and the direction flag is clear again afterwards.
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rcx") n => _, inout("rdi") to.add(n - 1) => _,
            inout("rsi") from.add(n - 1) => _, options(nostack));
    }
    to
}

/// Fills `n` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, n: usize) -> *mut u8 {
    // SAFETY: the caller vouches for the range. C passes the byte as an int and means its lowest eight bits.
    unsafe {
        asm!("rep stosb", inout("rcx") n => _, inout("rdi") to => _, in("al") byte.to_le_bytes()[0],
            options(nostack, preserves_flags));
    }
    to
}

/// The difference of the first bytes that differ.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    for at in 0..n {
        // SAFETY: the caller vouches for `n` bytes on both sides.
        let (a, b) = unsafe { (*a.add(at), *b.add(at)) };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

/// As `memcmp`, where only equality counts.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: the same contract.
    unsafe { memcmp(a, b, n) }
}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    crate::start::exit(4)
}

#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    crate::start::exit(4)
}
