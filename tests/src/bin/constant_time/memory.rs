//! Tells memcheck which bytes are secret: undefined, as it calls it. Its requests are instructions that do nothing on
//! a processor, and that valgrind knows (`valgrind.h` and `memcheck.h`).
#![allow(unsafe_code, reason = "valgrind's requests are made in machine code")]

const RUNNING_ON_VALGRIND: usize = 0x1001;
/// 'M' and 'C', and the number of the request.
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Whether valgrind runs this program.
pub(crate) fn is_watched() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// The bytes of a value, and none that it refers to, are secret from here on.
pub(crate) fn poison<T: ?Sized>(value: &T) {
    request(MAKE_MEM_UNDEFINED, std::ptr::from_ref(value).cast::<u8>().expose_provenance(), size_of_val(value));
}

/// The bytes of a value are public from here on, whatever they were computed from.
pub(crate) fn publish<T: ?Sized>(value: &T) {
    request(MAKE_MEM_DEFINED, std::ptr::from_ref(value).cast::<u8>().expose_provenance(), size_of_val(value));
}

/// What valgrind answers, and 0 without it.
#[cfg(target_arch = "x86_64")]
fn request(number: usize, address: usize, length: usize) -> usize {
    let arguments = [number, address, length, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: the four rotations are by 128 bits together and leave `rdi` as it was, and the exchange is of a register
    // with itself; valgrind, which takes them for a request, reads the six words that `rax` points to and writes `rdx`.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            inout("rdx") answer,
            in("rax") arguments.as_ptr(),
            options(nostack),
        );
    }
    answer
}

/// The clock needs no valgrind, and these requests are written for one processor alone.
#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: usize, _: usize) -> usize {
    0
}
