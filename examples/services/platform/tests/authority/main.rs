//! Authority over a real database and a real log: what counts as a token and what does not, how tokens end, how they
//! are got, and what a decoy gets.

mod again;
mod brought;
mod decoy;
mod ends;
mod exchanged;
mod forged;
mod house;
mod issued;
mod login;
mod matrix;
mod nodes;
mod outside;
mod slow;
