//! Proofs on paper (`examples/services/proof-pdf`): printed with the typesetter, which no other suite compiles, of
//! evidence that the command line makes and of the service's own, and looked at by other people's programs.

use std::process::Command;

use crate::context::Context;
use crate::debian;
use crate::process::run;
use crate::rust;
use crate::services;

/// Where what is printed is looked at.
pub(crate) const TESTS: &str = "examples/services/proof-pdf/tests";
const PACKAGE: &[&str] = &["--package", "proof-pdf", "--features", "typst"];

/// In a target folder of its own: what it compiles is of use to nothing else.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[("pdftotext", &["poppler-utils"]), ("qpdf", &["qpdf"]), ("zbarimg", &["zbar-tools"])])?;
    let dualseal = rust::programs(context)?.join("dualseal");
    run(cargo(context, "test").env("DUALSEAL", &dualseal))?;
    // What callers of the service get: the one of the suite `services`, with the program beside it.
    let printer = context.target.join("pdf/debug/proof-pdf");
    run(services::printed(context)?.env("DUALSEAL", dualseal).env("PROOF_PDF", printer))
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    let mut tests = cargo(context, "test");
    tests.arg("--no-run");
    vec![tests]
}

/// Its lints, for which everything would be compiled once more.
pub(crate) fn lints(context: &Context) -> Result<(), String> {
    run(cargo(context, "clippy").args(["--all-targets", "--", "-D", "warnings"]))
}

fn cargo(context: &Context, command: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args([command, "--locked", "--manifest-path"]).arg(context.root.join(rust::SERVICES)).args(PACKAGE);
    cargo.arg("--target-dir").arg(context.target.join("pdf"));
    cargo
}
