//! Crash-safe writing: one file, one folder, or a change of several files by a journal.
