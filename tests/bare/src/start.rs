//! Where the program begins, and the two system calls that it makes by hand: of Linux on x86-64, and on ARM and RISC-V,
//! whose targets know no operating system, as `qemu-arm` and `qemu-riscv32` answer them. In WebAssembly there is
//! neither: whoever instantiates the module calls, and is told.

use alloc::format;
use core::panic::PanicInfo;

#[cfg(not(target_arch = "wasm32"))]
mod system {
    use core::arch::global_asm;

    // The kernel enters with the stack aligned to 16 bytes; the call makes it what a function expects.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    global_asm!(
        ".globl _start", "_start:", "xor ebp, ebp", "call {entry}", "ud2",
        ".globl system_call", "system_call:", "mov rax, rcx", "syscall", "ret",
        entry = sym super::entry,
    );
    #[cfg(target_arch = "arm")]
    global_asm!(
        ".thumb", ".globl _start", ".type _start, %function", ".thumb_func", "_start:", "bl {entry}", "udf #0",
        ".globl system_call", ".type system_call, %function", ".thumb_func",
        "system_call:", "push {{r7, lr}}", "mov r7, r3", "svc #0", "pop {{r7, pc}}",
        entry = sym super::entry,
    );
    #[cfg(target_arch = "riscv32")]
    global_asm!(
        ".globl _start", "_start:", "call {entry}", "unimp",
        ".globl system_call", "system_call:", "mv a7, a3", "ecall", "ret",
        entry = sym super::entry,
    );

    /// The numbers of `exit` and `write`.
    #[cfg(target_arch = "x86_64")]
    pub(super) const CALLS: (usize, usize) = (60, 1);
    #[cfg(target_arch = "arm")]
    pub(super) const CALLS: (usize, usize) = (1, 4);
    #[cfg(target_arch = "riscv32")]
    pub(super) const CALLS: (usize, usize) = (93, 64);

    unsafe extern "C" {
        pub(super) fn system_call(first: usize, second: usize, third: usize, number: usize) -> usize;
    }
}

#[cfg(not(target_arch = "wasm32"))]
extern "C" fn entry() -> ! {
    exit(crate::run())
}

/// Ends the program.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn exit(status: u8) -> ! {
    loop {
        // SAFETY: the call takes a number and does not return.
        unsafe { system::system_call(status.into(), 0, 0, system::CALLS.0) };
    }
}

/// Writes to the standard output.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn say(text: &str) {
    // SAFETY: the call reads so many bytes of a text, and nobody waits for what it answers.
    unsafe { system::system_call(1, text.as_ptr().addr(), text.len(), system::CALLS.1) };
}

/// What whoever instantiates the module calls.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "C" fn steps_that_failed() -> u32 {
    crate::run().into()
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn exit(_: u8) -> ! {
    core::arch::wasm32::unreachable()
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    #[link_name = "say"]
    fn host_says(text: *const u8, length: usize);
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn say(text: &str) {
    // SAFETY: whoever instantiates the module reads so many bytes of its memory.
    unsafe { host_says(text.as_ptr(), text.len()) };
}

/// What ARM's tables of frames name, which a program that aborts on panic never reads.
#[cfg(target_arch = "arm")]
#[unsafe(no_mangle)]
extern "C" fn __aeabi_unwind_cpp_pr0() -> ! {
    exit(4)
}

#[panic_handler]
fn panic(panic: &PanicInfo<'_>) -> ! {
    say(&format!("{panic}\n"));
    exit(3)
}
