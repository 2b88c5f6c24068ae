//! What a suite is.

use std::process::Command;

use crate::context::Context;

/// One named check. It fails by returning what went wrong; there is no way to skip one.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn(&Context) -> Result<(), String>,
    /// What it compiles in folders of its own, which may be done before it begins.
    pub(crate) compiles: Option<fn(&Context) -> Vec<Command>>,
}

impl Suite {
    pub(crate) const fn new(name: &'static str, about: &'static str, run: fn(&Context) -> Result<(), String>) -> Self {
        Self { name, about, run, compiles: None }
    }

    pub(crate) const fn compiling(mut self, compiles: fn(&Context) -> Vec<Command>) -> Self {
        self.compiles = Some(compiles);
        self
    }
}
