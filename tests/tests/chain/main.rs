//! The krunica, its checkpoints, places in it, and the ring that is checked against it.

mod as_of;
mod checkpoint;
mod checkpoint_chain;
mod checks_in_progress;
mod high_water;
mod krunica;
mod lines;
mod located;
mod reader;
mod ring_changes;
mod ring_check;
mod ring_json;
mod ring_operations;
mod ring_tags;
mod stated_ring;
mod store;
