//! What an operator does: on disks that fail or lose their power, in folders that somebody else prepared, and by two at
//! once; the step over its drivers, what it writes, and what a store refuses at opening; its secrets at rest.

mod acts;
mod at_rest;
mod disk_faults;
#[cfg(unix)]
mod disk_planted;
mod disk_writers;
mod erasure;
mod evidence;
mod folder;
mod histories;
mod kept_secrets;
#[cfg(unix)]
mod kills;
mod log;
mod mark;
mod master;
mod opening;
mod own;
mod place;
mod rotation;
mod secret_files;
mod sql;
#[cfg(target_os = "linux")]
mod sql_disk;
mod sql_faults;
mod step;
mod tiles;
mod vault;
mod writers;
