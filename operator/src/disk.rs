//! Crash-safe writing: one file, one folder, or a change of several files by a journal.
//!
//! | what | how |
//! |---|---|
//! | one file | [`Disk::replace`], [`Disk::create_whole`], or [`Disk::new_file`] for one that gets its name later |
//! | one folder | [`Disk::new_folder`] |
//! | several files of a folder | [`Disk::lock`], [`Lock::change`]: files put in place, and appends to others |
//!
//! Whenever the program ends or the power goes, the old state is there or the new one. Content is forced to the disk
//! before it gets its name, and the folder after it; where only the latter fails, what was made is handed over with the
//! error ([`FileError::NotForced`], [`CommitError`]).
//!
//! No device, pipe, socket, folder or link is replaced or written through: not under the name itself, not as a folder
//! within a locked one, not by a journal that somebody else wrote. The names in a journal lead only down. The folder
//! itself, and what is above a single file, is what the caller named, links included.
//!
//! # For those who build on it
//!
//! Everything that touches the disk is an [`Operation`]. A test does the same thing on disks that fail
//! ([`Disk::failing_at`]) or stop ([`Disk::stopping_at`]) at operation 0, 1, 2…, until it succeeds, and looks each time
//! at what is left, through a lock on [`Disk::new`]:
//!
//! ```
//! use dualseal_operator::disk::{Disk, Hold, Lost, Readers};
//! use std::time::Duration;
//!
//! let folder = std::env::temp_dir().join(format!("dualseal-disk-doc-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! let add = |disk: &Disk| -> Result<(), Box<dyn std::error::Error>> {
//!     let lock = disk.lock(&folder, Hold::Exclusive, Duration::ZERO)?;
//!     let mut change = lock.change()?;
//!     change.file("head", Readers::All, b"1")?;
//!     change.append("lines", 0, b"first\n")?;
//!     Ok(change.commit()?)
//! };
//! let mut at = 0;
//! while add(&Disk::stopping_at(at, Lost::Everything)).is_err() {
//!     let lock = Disk::new().lock(&folder, Hold::Shared, Duration::ZERO)?;
//!     let [head, lines] = ["head", "lines"].map(|name| std::fs::exists(lock.folder().join(name)));
//!     assert_eq!(head?, lines?);
//!     # std::fs::remove_file(folder.join("head")).ok();
//!     # std::fs::remove_file(folder.join("lines")).ok();
//!     at += 1;
//! }
//! assert!(at > 10);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod error;
mod faults;
mod journal;
mod lock;
mod machine;
mod nameless;
mod new_file;
mod new_folder;
mod parts;
mod readers;
mod unfinished;
mod wipe;
mod wiped;
mod within;

pub use change::{Change, CommitError};
pub use error::{Error, FileError, Operation, Refused};
pub use faults::Lost;
pub use lock::{FileLock, Hold, Lock};
pub use machine::{Disk, Readable};
pub use new_file::{Existing, NewFile, Spool};
pub use new_folder::NewFolder;
pub use readers::Readers;
pub use unfinished::{Abandoned, abandon, is_unfinished, when_unfinished};
pub use wipe::Doomed;
pub(crate) use within::is_one;
