//! The verification of evidence for a web page: core as WebAssembly, behind five functions that take and give bytes.
//! What a verdict is, core decides; what is here carries it over.
//!
//! One instance of the module verifies one file of evidence. The page hands over a question and the evidence (`open`),
//! then the document in parts (`update`), and reads one answer as JSON (`finish`, `answer`). What it hands over it
//! writes where `room` says. Memory is the module's own: the page reads and writes it from outside, between calls, so
//! that nothing here follows a pointer.
//!
//! `unsafe` in this crate is the attribute that gives a function its name in the module, and nothing else.

mod answer;
mod question;
mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};

use state::State;

static STATE: Mutex<State> = Mutex::new(State::new());

/// A page calls one function at a time, and a panic ends the instance.
fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for so many bytes that are handed over next, all zero, and says where. Null for more than
/// [`state::MOST`].
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    state().room(length)
}

/// Opens the evidence that was handed over behind a question of so many bytes. 1: the document may come. 0: there is
/// an answer already.
#[unsafe(no_mangle)]
pub extern "C" fn open(question: usize) -> u32 {
    u32::from(state().open(question))
}

/// Takes what was handed over as the next part of the document.
#[unsafe(no_mangle)]
pub extern "C" fn update() {
    state().update();
}

/// Verifies the evidence over the whole document; there is an answer then, whatever was called before.
#[unsafe(no_mangle)]
pub extern "C" fn finish() {
    state().finish();
}

/// Where the answer begins: UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    state().answer().as_ptr()
}

/// Its length in bytes; 0 where there is none yet.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    state().answer().len()
}
