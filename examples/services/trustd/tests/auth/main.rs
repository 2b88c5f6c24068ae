//! The addresses under `/api/v1/auth`, and the command line's verbs, over a real platform.

mod commands;
mod decoy;
mod http;
mod place;
mod slow;
