//! Every text that C hands in, through the C ABI: JSON of every function, lines of a chain, seals. The first byte says
//! at which door, the second what is done to a text that is good there: nothing, or it is replaced by the rest of the
//! input, or the rest says what is changed in it. Whatever it is, there is a status, an error where the status says so,
//! nothing written on a refusal, and nothing left allocated.
#![no_main]

use dualseal_fuzz_abi as _;
use libfuzzer_sys::fuzz_target;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI64, Ordering};

/// The system's, counting what was given and did not come back.
struct Counting;

static ALLOCATED: AtomicI64 = AtomicI64::new(0);

// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract is that of the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe extern "C" {
    fn json_doors() -> usize;
    fn json_door_name(door: usize) -> *const c_char;
    fn json_door_text(door: usize) -> *const c_char;
    fn json_door_call(door: usize, given: *const c_char, length: usize, told: *mut i32) -> *const c_char;
}

/// As often as what is left may be what the library makes once, or keeps in a handle in place of what it kept before.
const AGAIN: usize = 3;

fn changed(text: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    let mut rest = edits;
    // Where, how much goes, and what comes.
    while let [high, low, gone, come, tail @ ..] = rest {
        let at = usize::from(u16::from_be_bytes([*high, *low])).min(text.len());
        let end = (at + usize::from(*gone)).min(text.len());
        let (come, tail) = tail.split_at(usize::from(*come).min(tail.len()));
        text.splice(at..end, come.iter().copied());
        rest = tail;
    }
    text
}

fn name(door: usize) -> &'static str {
    // SAFETY: a string of the program's own.
    unsafe { CStr::from_ptr(json_door_name(door)) }.to_str().expect("a name")
}

fuzz_target!(|input: &[u8]| {
    let [door, how, rest @ ..] = input else { return };
    // SAFETY: it sets up what the calls need, once.
    let door = usize::from(*door) % unsafe { json_doors() };
    // SAFETY: a string that is kept for as long as the program runs.
    let good = unsafe { CStr::from_ptr(json_door_text(door)) }.to_bytes();
    let text = match how % 3 {
        0 => good.to_vec(),
        1 => changed(good, rest),
        _ => rest.to_vec(),
    };
    for again in 0.. {
        let before = ALLOCATED.load(Ordering::Relaxed);
        let mut told = 0;
        // SAFETY: a text of this length, and a place for the status.
        let broken = unsafe { json_door_call(door, text.as_ptr().cast(), text.len(), &raw mut told) };
        if !broken.is_null() {
            // SAFETY: a string of the program's own.
            let broken = unsafe { CStr::from_ptr(broken) }.to_str().expect("a sentence");
            panic!("{}: {broken}: status {told}", name(door));
        }
        let left = ALLOCATED.load(Ordering::Relaxed) - before;
        if left <= 0 {
            break;
        }
        assert!(again < AGAIN, "{}: {left} allocations are left, status {told}", name(door));
    }
});
