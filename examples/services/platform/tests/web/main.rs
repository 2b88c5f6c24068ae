//! The web's conventions, over a router of a few handlers: in the process, and over real sockets.

mod hosts;
mod idempotency;
mod layers;
mod origins;
mod pages;
mod service;
mod slots;
mod sockets;
mod watching;
