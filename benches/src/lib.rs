//! Benchmarks of dualseal; see the files beside this folder.
