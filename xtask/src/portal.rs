//! The portal (`examples/portal`): its tests, on SQLite and on PostgreSQL, and in Debian's Chromium.

use std::process::Command;

use crate::context::Context;
use crate::debian;
use crate::process::run;
use crate::python;
use crate::rust;
use crate::services;
use crate::suite::Suite;
use crate::verifier;

pub(crate) const FOLDER: &str = "examples/portal";
const REQUIREMENTS: &str = "examples/portal/tests/requirements.txt";

/// What `cargo xtask portal` runs.
pub(crate) const ALONE: &[Suite] = &[Suite::new("portal", "the portal: SQLite, PostgreSQL, Chromium", suite)];

/// All of it on SQLite, and on PostgreSQL what is not about pages. What stands after `cargo xtask portal` goes to
/// pytest, in the folder of the portal.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    run(&mut pytest(context)?)?;
    if context.extra.is_empty() {
        run(pytest(context)?.args(["-m", "not pages"]).env("PORTAL_DATABASE", "postgresql"))?;
    }
    Ok(())
}

fn pytest(context: &Context) -> Result<Command, String> {
    let mut python = python(context)?;
    python.args(["-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup"]).args(&context.extra);
    python.current_dir(context.root.join(FOLDER));
    Ok(python)
}

/// The interpreter that has what the tests need, the wheel as well, with the programs that they ask.
pub(crate) fn python(context: &Context) -> Result<Command, String> {
    debian::require(&[
        ("chromium", &["chromium"]),
        ("zbarimg", &["zbar-tools"]),
        ("pdftotext", &["poppler-utils"]),
        ("qpdf", &["qpdf"]),
        ("xgettext", &["gettext"]),
        ("npm", &["npm"]),
    ])?;
    services::postgresql()?;
    let venv = context.target.join("venv-portal");
    let install = || {
        let bin = python::environment_in(context, &venv, REQUIREMENTS)?;
        python::with_wheel(context)?;
        python::install_built(context, &bin, &context.target.join(python::WHEELS))
    };
    context.portal.get_or_init(install).clone()?;
    let bin = venv.join("bin");
    verifier::page(context)?;
    let mut python = context.command(bin.join("python"));
    python.env("AXE", verifier::axe(context)?.join("axe.min.js")).env("PORTAL_VERIFIER", verifier::out(context));
    python.env("DUALSEAL", rust::programs(context)?.join("dualseal"));
    Ok(python)
}
