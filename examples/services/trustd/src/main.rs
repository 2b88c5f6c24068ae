//! trustd
fn main() {}
