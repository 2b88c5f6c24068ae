//! The trust service.

fn main() {}
