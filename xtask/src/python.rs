//! Python: the virtual environment, the wheel in it, and the suites that run on both.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, files_in, read, write};
use crate::debian;
use crate::process::{self, run};
use crate::rust;
use crate::services;

const REQUIREMENTS: &str = "tests/requirements.txt";
/// Below the build directory: the wheel in the profile `checked`.
pub(crate) const WHEELS: &str = "wheels/checked";
/// The tests of the wheel in a project of Django.
pub(crate) const DJANGO: &str = "python/tests-django";

/// The `bin` directory of the virtual environment with every requirement installed. It is made anew when the
/// requirements or the interpreter change, and otherwise left as it is.
pub(crate) fn environment(context: &Context) -> Result<PathBuf, String> {
    context.python.get_or_init(|| make_environment(context)).clone()
}

fn make_environment(context: &Context) -> Result<PathBuf, String> {
    environment_in(context, &context.target.join("venv"), REQUIREMENTS)
}

/// As [`environment`], in a directory of its own, with the requirements of a file in the tree.
pub(crate) fn environment_in(context: &Context, directory: &Path, requirements: &str) -> Result<PathBuf, String> {
    debian::require(&[("python3", &["python3", "python3-venv"])])?;
    let version = process::read(context.command("python3").args(["-c", "import sys; print(sys.version)"]))?;
    let recent = "import sys; sys.exit(sys.version_info < (3, 11))";
    process::read(context.command("python3").args(["-c", recent]))
        .map_err(|_| format!("missing: Python 3.11 or later; python3 is {version}"))?;
    // Debian leaves these two modules out of its python3 package.
    if process::read(context.command("python3").args(["-c", "import ensurepip, venv"])).is_err() {
        debian::install(&["python3-venv"])?;
    }
    let bin = directory.join("bin");
    let stamp = directory.join("requirements.stamp");
    let wanted = format!("{version}\n{}", requirements_text(context, requirements)?);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(bin);
    }
    run(context.command("python3").args(["-m", "venv", "--clear"]).arg(directory))?;
    run(context.command(bin.join("python")).args(["-m", "pip", "install", "--quiet", "-r", requirements]))?;
    write(&stamp, &wanted)?;
    Ok(bin)
}

/// What a file of requirements says, and those that it refers to.
fn requirements_text(context: &Context, requirements: &str) -> Result<String, String> {
    let text = read(&context.root.join(requirements))?;
    let folder = Path::new(requirements).parent().unwrap_or(Path::new(""));
    let further = text.lines().filter_map(|line| line.strip_prefix("-r ")).map(|other| folder.join(other));
    let further: Result<Vec<_>, _> = further.map(|other| read(&context.root.join(other))).collect();
    Ok([text.clone(), further?.concat()].concat())
}

/// Builds the wheel in the profile `checked` and installs it in the virtual environment, whose `bin` is returned.
pub(crate) fn with_wheel(context: &Context) -> Result<PathBuf, String> {
    let bin = environment(context)?;
    let install = || install_wheel(context, &bin, &context.scratch(WHEELS)?, "checked");
    context.wheel.get_or_init(install).clone()?;
    Ok(bin)
}

/// Builds the wheel into an empty directory and installs it in the virtual environment that has this `bin`.
pub(crate) fn install_wheel(context: &Context, bin: &Path, directory: &Path, profile: &str) -> Result<(), String> {
    build_wheel(context, &environment(context)?, directory, profile)?;
    install_built(context, bin, directory)
}

/// Installs the wheel that lies in a directory in the virtual environment that has this `bin`.
pub(crate) fn install_built(context: &Context, bin: &Path, directory: &Path) -> Result<(), String> {
    let wheels = files_in(directory, "whl")?;
    let [wheel] = wheels.as_slice() else {
        return Err(format!("expected one wheel, found {wheels:?}"));
    };
    let pip = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"];
    run(context.command(bin.join("python")).args(pip).arg(wheel))
}

fn build_wheel(context: &Context, bin: &Path, out: &Path, profile: &str) -> Result<(), String> {
    run(context
        .command(bin.join("maturin"))
        .args(["build", "--manifest-path", "python/Cargo.toml", "--profile", profile])
        .arg("--interpreter")
        .arg(bin.join("python"))
        .arg("--out")
        .arg(out))
}

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[("ssss-split", &["ssss"])])?;
    let bin = with_wheel(context)?;
    let python = |arguments: &[&str]| {
        let mut command = context.command(bin.join("python"));
        run(command.arg("-m").args(arguments).env("MYPY_CACHE_DIR", context.target.join("mypy")))
    };
    python(&["pytest", "-q", "-n", "2", "python/tests"])?;
    // What is for Django has the types of its own source, and is imported in a project of Django alone.
    let settings = ["--mypy-config-file", "python/stubtest.ini", "--allowlist", "python/stubtest.allow"];
    python(&[&["mypy.stubtest", "dualseal", "--ignore-unused-allowlist"][..], &settings].concat())?;
    python(&["mypy", "--config-file", "python/mypy.ini", "python/tests", "python/docstrings.py"])
}

/// The docstrings of the type stubs, which are the built module's.
pub(crate) fn docstrings(context: &Context) -> Result<(), String> {
    let bin = with_wheel(context)?;
    run(context.command(bin.join("python")).arg("python/docstrings.py"))
}

/// The project of docs/DJANGO.md, on SQLite and on PostgreSQL, and the types of what is for Django.
pub(crate) fn django(context: &Context) -> Result<(), String> {
    let python = |arguments: &[&str]| {
        let mut command = with_django(context)?;
        command.arg("-m").args(arguments).env("MYPY_CACHE_DIR", context.target.join("mypy-django"));
        // Where the settings for the checker of types lie.
        run(command.env("PYTHONPATH", "python/tests-django"))
    };
    python(&["pytest", "-q", "-n", "2", DJANGO])?;
    let mypy = ["mypy", "--config-file", "python/tests-django/mypy.ini"];
    python(&[&mypy[..], &["-p", "dualseal.contrib.django"]].concat())?;
    python(&[&mypy[..], &[DJANGO]].concat())
}

/// The interpreter that has the wheel and Django, with a server of PostgreSQL there.
pub(crate) fn with_django(context: &Context) -> Result<Command, String> {
    services::postgresql()?;
    Ok(context.command(with_wheel(context)?.join("python")))
}

/// The example `quickstart` writes records, and programs that share no code with this project check them.
pub(crate) fn second(context: &Context) -> Result<(), String> {
    let bin = environment(context)?;
    let records = context.scratch("quickstart")?;
    run(context.command(rust::quickstart(context)?).arg("README.md").arg("--out").arg(&records))?;
    run(context.command(bin.join("python")).arg("tests/second/verify_quickstart.py").arg(&records).arg("README.md"))?;
    run(&mut live(context, &bin)?)
}

/// `cargo xtask assure second-long`: the same comparisons over more drawn cases.
pub(crate) fn second_long(context: &Context) -> Result<(), String> {
    let bin = environment(context)?;
    run(live(context, &bin)?.env("DUALSEAL_LONG", "1"))
}

/// The second implementation's tests, which ask the library's programs.
fn live(context: &Context, bin: &Path) -> Result<Command, String> {
    debian::require(&[("ssss-split", &["ssss"])])?;
    let mut python = context.command(bin.join("python"));
    python.args(["-m", "pytest", "-q", "-n", "2", "tests/second"]).env("DUALSEAL_PROGRAMS", rust::programs(context)?);
    Ok(python)
}
