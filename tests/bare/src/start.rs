//! Entry and exit without a C runtime, what the compiler expects of one, and the handler of panics.

use core::arch::{asm, global_asm};
use core::panic::PanicInfo;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("this program makes its system calls by hand, on x86-64 Linux");

// The kernel enters with the stack aligned to 16 bytes; the call makes it what a function expects.
global_asm!(".globl _start", "_start:", "xor ebp, ebp", "call {entry}", "ud2", entry = sym entry);

extern "C" fn entry() -> ! {
    exit(crate::run())
}

/// System call 60, `exit`.
pub(crate) fn exit(status: u8) -> ! {
    // SAFETY: the call takes a number and does not return.
    unsafe {
        asm!("syscall", in("rax") 60, in("rdi") u64::from(status), options(noreturn, nostack));
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    exit(3)
}
