//! `cargo xtask generate`: what is tracked and made of the catalogue of errors, then the header, which is made of the
//! statuses among it, and the docstrings of the type stubs, which are made of the wheel.

use crate::context::Context;
use crate::process::run;
use crate::python;

pub(crate) fn command(context: &Context) -> Result<(), String> {
    let package = |arguments: &[&str]| {
        let mut command = context.cargo();
        command.args(arguments).args(["--quiet", "--profile", "checked", "--package"]);
        command
    };
    run(package(&["run"]).args(["dualseal-tests", "--bin", "generate"]))?;
    let header = ["dualseal-ffi", "--test", "header", "the_headers_are_what_the_sources_say"];
    run(package(&["test"]).args(header).env("DUALSEAL_BLESS", "1"))?;
    python::docstrings(context)
}
