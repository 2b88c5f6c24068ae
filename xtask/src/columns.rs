//! Columns: the wheel under pyarrow, Polars, DuckDB and Spark, in an environment of their own.

use std::process::Command;

use crate::context::Context;
use crate::debian;
use crate::process::run;
use crate::python::{environment_in, install_wheel};

pub(crate) const TESTS: &str = "python/tests-arrow";
const REQUIREMENTS: &str = "python/tests-arrow/requirements.txt";

/// The tests, and the types of what they and the audit call.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let profile = "checked";
    // The tests of a file share what is made for them.
    run(python(context, profile)?.args(["-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", TESTS]))?;
    let settings = ["--config-file", "python/stubtest.ini", "--strict", "--enable-error-code", "truthy-bool"];
    run(python(context, profile)?
        .args(["-m", "mypy"])
        .args(settings)
        .args([TESTS, "examples/bulk"])
        .env("MYPY_CACHE_DIR", context.target.join("mypy-columns")))
}

/// `cargo xtask assure columns`: the audit over a million rows, here and on two executors.
pub(crate) fn audit(context: &Context) -> Result<(), String> {
    run(python(context, "release")?
        .args(["-m", "pytest", "-q", "-s", "python/tests-arrow/test_bulk.py"])
        .env("DUALSEAL_BULK_ROWS", "1000000"))
}

/// Python with the wheel in it, and what Spark has to find in its processes' environment.
pub(crate) fn python(context: &Context, profile: &str) -> Result<Command, String> {
    debian::require(&[("java", &["openjdk-17-jre-headless"])])?;
    let bin = environment_in(context, &context.target.join("venv-columns"), REQUIREMENTS)?;
    let install = || install_wheel(context, &bin, &context.scratch("wheels/columns")?, profile);
    context.columns.get_or_init(install).clone()?;
    let mut python = context.command(bin.join("python"));
    // It would ask the network for the machine's own address.
    python.env("PYSPARK_PYTHON", bin.join("python")).env("SPARK_LOCAL_IP", "127.0.0.1");
    Ok(python)
}
