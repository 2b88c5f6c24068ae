//! The command line, run as people and scripts run it: each command as a process, in a folder of its own.

mod audit;
mod chain;
mod corpus;
mod examples;
mod faults;
mod keys;
mod run;
mod schema;
mod secrets;
mod session;
mod sharing;
mod sharing_examples;
mod sharing_forms;
mod sharing_schema;
mod story;
mod terminal;
mod vault;
mod verify;
mod writers;
