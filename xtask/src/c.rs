//! The C library: its installation, and the suite that compiles and runs C programs against what was installed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::context::{Context, files_in, make_directory, read, write};
use crate::debian;
use crate::exports;
use crate::parallel;
use crate::process::{self, run};
use crate::rust;
use crate::soname::soname;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What Rust's standard library needs from the system when it is linked statically.
pub(crate) const PRIVATE_LIBRARIES: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc";
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic"];

/// `cargo xtask install [--prefix DIR] [--destdir DIR]`: the release build.
pub(crate) fn install_command(context: &Context, arguments: &[String]) -> Result<(), String> {
    let (mut prefix, mut destdir) = (PathBuf::from("/usr/local"), None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a directory"))?;
        let value = std::path::absolute(value).map_err(|error| error.to_string())?;
        match argument.as_str() {
            "--prefix" => prefix = value,
            "--destdir" => destdir = Some(value),
            unknown => return Err(format!("install: no option {unknown}")),
        }
    }
    run(context.cargo().args(["build", "--package", "dualseal-ffi", "--lib", "--release"]))?;
    install(context, &context.target.join("release"), &prefix, destdir.as_deref())
}

/// Puts both libraries, which are in the folder `built`, the headers and a pkg-config file under `prefix` (itself under
/// `destdir`, where a packager collects files that will live at `prefix`).
fn install(context: &Context, built: &Path, prefix: &Path, destdir: Option<&Path>) -> Result<(), String> {
    let soname = soname(VERSION);
    let staged = match destdir {
        Some(directory) => directory.join(prefix.strip_prefix("/").unwrap_or(prefix)),
        None => prefix.to_path_buf(),
    };
    let (lib, include) = (staged.join("lib"), staged.join("include"));
    make_directory(&lib.join("pkgconfig"))?;
    make_directory(&include)?;
    let real = format!("libdualseal.so.{VERSION}");
    copy(&built.join("libdualseal.so"), &lib.join(&real))?;
    copy(&built.join("libdualseal.a"), &lib.join("libdualseal.a"))?;
    for header in files_in(&context.root.join("include"), "h")? {
        copy(&header, &include.join(header.file_name().unwrap_or_default()))?;
    }
    for (link, destination) in [(soname.as_str(), real.as_str()), ("libdualseal.so", soname.as_str())] {
        let link = lib.join(link);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link).map_err(|error| format!("{}: {error}", link.display()))?;
        }
        symlink(destination, &link).map_err(|error| format!("{}: {error}", link.display()))?;
    }
    write(&lib.join("pkgconfig/dualseal.pc"), &pkg_config(prefix))?;
    println!("installed dualseal {VERSION} ({soname}) under {}", staged.display());
    Ok(())
}

fn pkg_config(prefix: &Path) -> String {
    format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: dualseal\nDescription: Tamper-evident documents with ML-DSA-65 signatures\nVersion: {VERSION}\n\
         Libs: -L${{libdir}} -ldualseal\nLibs.private: {PRIVATE_LIBRARIES}\nCflags: -I${{includedir}}\n",
        prefix.display()
    )
}

/// Written beside its place and renamed, because a running program may have the old library mapped.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let partial = to.with_extension("partial");
    fs::copy(from, &partial)
        .and_then(|_| fs::rename(&partial, to))
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// The prefix under which the library of the profile `checked` is installed.
pub(crate) fn installed(context: &Context) -> Result<PathBuf, String> {
    let make = || {
        let prefix = context.scratch("prefix")?;
        install(context, &rust::programs(context)?, &prefix, None).map(|()| prefix)
    };
    context.prefix.get_or_init(make).clone()
}

/// How a C program is linked with the installed library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    Shared,
    /// With the compiler's address sanitizer: what is used or freed again after it was freed, or never freed, fails it.
    Static,
}

/// What every compilation takes from the installed library.
pub(crate) struct Compiler<'a> {
    context: &'a Context,
    prefix: PathBuf,
    includes: Vec<String>,
    libraries: Vec<String>,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(context: &'a Context) -> Result<Self, String> {
        debian::require(&[("cc", &["gcc", "libc6-dev"]), ("pkg-config", &["pkg-config"])])?;
        let prefix = installed(context)?;
        let pkg_config = |wanted: &str| -> Result<Vec<String>, String> {
            let mut command = context.command("pkg-config");
            command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args([wanted, "dualseal"]);
            Ok(process::read(&mut command)?.split_whitespace().map(str::to_owned).collect())
        };
        let (includes, libraries) = (pkg_config("--cflags")?, pkg_config("--libs")?);
        Ok(Self { context, prefix, includes, libraries })
    }

    /// Compiles one C program strictly. The program, and what is to be printed.
    pub(crate) fn compile(&self, source: &Path, to: &Path, link: Link) -> Result<(PathBuf, String), String> {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let program = to.join(format!("{name}-{}", if link == Link::Shared { "shared" } else { "static" }));
        let mut cc = self.context.command("cc");
        cc.args(["-std=c11", "-g"]).args(WARNINGS).args(&self.includes).arg(source).arg("-o").arg(&program);
        match link {
            Link::Shared => cc.args(&self.libraries).arg(format!("-Wl,-rpath,{}/lib", self.prefix.display())),
            Link::Static => {
                cc.arg("-fsanitize=address");
                cc.arg(self.prefix.join("lib/libdualseal.a")).args(PRIVATE_LIBRARIES.split(' '))
            }
        };
        Ok((program, process::collect(&mut cc)?))
    }
}

/// In the first comment of a C test whose subject is memory.
const UNDER_VALGRIND: &str = "Under valgrind.";
/// In the first comment of a C test that reads freed memory on purpose, which valgrind reports.
const NOT_UNDER_VALGRIND: &str = "Not under valgrind.";

/// The C tests, each with whether its first comment says `mark`, as one of them at the least does.
fn tests(context: &Context, mark: &str) -> Result<Vec<(bool, PathBuf)>, String> {
    let programs = context.files("tests/c", "c")?.into_iter().map(|source| Ok((says(&read(&source)?, mark), source)));
    let programs: Vec<_> = programs.collect::<Result<_, String>>()?;
    if programs.iter().any(|(marked, _)| *marked) {
        Ok(programs)
    } else {
        Err(format!("no test in tests/c says {mark:?} in its first comment"))
    }
}

/// Whether the first comment of a C program says `mark`, wherever its lines break.
fn says(program: &str, mark: &str) -> bool {
    let comment = program.split("*/").next().unwrap_or_default();
    comment.split_whitespace().collect::<Vec<_>>().join(" ").contains(mark)
}

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let programs = tests(context, UNDER_VALGRIND)?;
    let examples = context.files("examples/c", "c")?.into_iter().map(|source| (false, source));
    run_programs(context, programs.into_iter().chain(examples))?;
    // Programs run without it as well: the linker takes the file's name then, which says nothing of the ABI.
    let shared = installed(context)?.join("lib/libdualseal.so");
    let dynamic = process::read(context.command("readelf").env("LC_ALL", "C").arg("--dynamic").arg(&shared))?;
    if !dynamic.contains(&format!("soname: [{}]", soname(VERSION))) {
        return Err(format!("{} is not named {}", shared.display(), soname(VERSION)));
    }
    let symbols = process::read(context.command("nm").env("LC_ALL", "C").args(["-D", "--defined-only"]).arg(&shared))?;
    exports::compare(&read(&context.root.join("include/KEEP.md"))?, &symbols)?;
    for header in files_in(&installed(context)?.join("include"), "h")? {
        run(context.command("c++").args(["-std=c++17", "-fsyntax-only", "-x", "c++"]).args(WARNINGS).arg(header))?;
    }
    Ok(())
}

/// `cargo xtask assure valgrind`: every C test under valgrind, but for those that say that it cannot be.
pub(crate) fn valgrind(context: &Context) -> Result<(), String> {
    let programs = tests(context, NOT_UNDER_VALGRIND)?;
    run_programs(context, programs.into_iter().filter(|(left_out, _)| !left_out).map(|(_, source)| (true, source)))
}

/// Compiles and runs each program, those linked with the shared library under valgrind where that is said.
fn run_programs(context: &Context, sources: impl Iterator<Item = (bool, PathBuf)>) -> Result<(), String> {
    // Without the C library's symbols valgrind cannot start on Debian.
    debian::require(&[("valgrind", &["valgrind", "libc6-dbg"]), ("c++", &["g++"])])?;
    let compiler = Compiler::new(context)?;
    let scratch = context.scratch("c")?;
    let work: Vec<_> = sources
        .flat_map(|(valgrind, source)| [(valgrind, Link::Shared, source.clone()), (false, Link::Static, source)])
        .collect();
    parallel::each(&work, |(valgrind, link, source)| {
        let (program, compiled) = compiler.compile(source, &scratch, *link)?;
        // A directory of its own, since tests and examples write files.
        let directory = program.with_extension("d");
        make_directory(&directory)?;
        let mut command = Command::new(if *valgrind { Path::new("valgrind") } else { &program });
        if *valgrind {
            command.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=all"]);
            command.arg(&program);
        }
        let start = Instant::now();
        let ran = process::collect(command.current_dir(&directory))?;
        Ok(format!("{compiled}{ran}{:.1} s", start.elapsed().as_secs_f64()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comment_says_how_a_test_runs() {
        let (run, left_out) =
            ("/* Keys.\n   Under\n   valgrind. */\nint x;", "/* Freed. Not under valgrind. */ /* . */");
        assert!(says(run, UNDER_VALGRIND) && !says(run, NOT_UNDER_VALGRIND));
        assert!(says(left_out, NOT_UNDER_VALGRIND) && !says(left_out, UNDER_VALGRIND));
        assert!(!says("/* Keys. */\n/* Not under valgrind. */", NOT_UNDER_VALGRIND));
    }
}
