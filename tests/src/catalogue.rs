//! What is made of the catalogue of errors and of the verdicts: C's statuses, Python's exceptions, and a page of
//! documentation. `cargo xtask generate` writes them, and a test compares what is tracked.

mod c;
mod line;
mod page;
mod python;
mod words;

/// Each file that is made, by its path in the tree, and what belongs into it.
pub fn generated() -> [(&'static str, String); 3] {
    let lines = line::lines();
    [
        ("ffi/src/status.rs", c::statuses(&lines)),
        ("python/python/dualseal/_errors.py", python::exceptions(&lines)),
        ("docs/ERRORS.md", page::page(&lines)),
    ]
}

/// The classes of Python's exceptions.
pub fn exception_classes() -> Vec<&'static str> {
    python::classes()
}
