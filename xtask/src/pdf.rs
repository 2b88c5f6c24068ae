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

/// In the folder of the services, half of what it compiles is there.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[("pdftotext", &["poppler-utils"]), ("qpdf", &["qpdf"]), ("zbarimg", &["zbar-tools"])])?;
    let dualseal = rust::programs(context)?.join("dualseal");
    run(tests(context).env("DUALSEAL", &dualseal))?;
    // What callers of the service get: the one of the suite `services`, with the program beside it.
    let printer = services::target(context).join("debug/proof-pdf");
    run(services::printed(context)?.env("DUALSEAL", dualseal).env("PROOF_PDF", printer))
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    let mut tests = tests(context);
    tests.arg("--no-run");
    vec![tests]
}

fn tests(context: &Context) -> Command {
    let mut tests = services::linted(context, "test");
    tests.args(["--package", "proof-pdf", "--features", "typst"]);
    tests
}
