//! The suite that compiles and runs C programs against the installed library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::context::{Context, files_in, make_directory, read};
use crate::debian;
use crate::exports;
use crate::install::{PRIVATE_LIBRARIES, installed, small_into};
use crate::parallel;
use crate::process::{self, run};
use crate::rust;
use crate::soname::soname;

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror"];

const EXAMPLES: &str = "examples/c";

/// How a program is compiled, and linked with the installed library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// As C11 with the shared library.
    Shared,
    /// As C11 with the static one and the compiler's address sanitizer: what is used or freed again after it was freed,
    /// or never freed, fails it.
    Sanitized,
    /// As C++17 with the shared library.
    Cpp,
    /// As C11, and nothing is shared, not even the system's library.
    Static,
}

/// What every compilation takes from the installed library.
pub(crate) struct Compiler<'a> {
    context: &'a Context,
    prefix: PathBuf,
    includes: Vec<String>,
    libraries: Vec<String>,
    all_static: Vec<String>,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(context: &'a Context) -> Result<Self, String> {
        debian::require(&[("cc", &["gcc", "libc6-dev"]), ("c++", &["g++"]), ("pkg-config", &["pkg-config"])])?;
        let prefix = installed(context)?;
        let pkg_config = |wanted: &[&str]| -> Result<Vec<String>, String> {
            let mut command = context.command("pkg-config");
            command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(wanted);
            Ok(process::read(&mut command)?.split_whitespace().map(str::to_owned).collect())
        };
        let (includes, libraries) = (pkg_config(&["--cflags", "dualseal"])?, pkg_config(&["--libs", "dualseal"])?);
        let all_static = pkg_config(&["--libs", "dualseal-static"])?;
        Ok(Self { context, prefix, includes, libraries, all_static })
    }

    /// Compiles one program strictly. The program, and what is to be printed.
    pub(crate) fn compile(&self, source: &Path, to: &Path, link: Link) -> Result<(PathBuf, String), String> {
        self.compile_with(&[], source, to, link)
    }

    fn compile_with(&self, extra: &[&str], source: &Path, to: &Path, link: Link) -> Result<(PathBuf, String), String> {
        self.compile_against(&self.prefix.join("lib/libdualseal.a"), extra, source, to, link)
    }

    /// With this archive, where one is linked by its name.
    fn compile_against(
        &self,
        archive: &Path,
        extra: &[&str],
        source: &Path,
        to: &Path,
        link: Link,
    ) -> Result<(PathBuf, String), String> {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let program = to.join(format!("{name}-{link:?}").to_lowercase());
        let (compiler, language) = match link {
            Link::Shared | Link::Sanitized | Link::Static => ("cc", &["-std=c11", "-pedantic", "-xc"][..]),
            // A test may have an initializer of C's. That C++ takes the headers strictly is tried with each alone.
            Link::Cpp => {
                ("c++", &["-std=c++17", "-Wno-c++20-extensions", "-Wno-missing-field-initializers", "-xc++"][..])
            }
        };
        let mut cc = self.context.command(compiler);
        cc.arg("-g")
            .args(extra)
            .args(WARNINGS)
            .args(&self.includes)
            .args(language)
            .arg(source)
            .args(["-xnone", "-o"])
            .arg(&program);
        match link {
            Link::Shared | Link::Cpp => {
                cc.args(&self.libraries).arg(format!("-Wl,-rpath,{}/lib", self.prefix.display()))
            }
            Link::Sanitized => {
                cc.arg("-fsanitize=address");
                cc.arg(archive).args(PRIVATE_LIBRARIES.split(' '))
            }
            Link::Static => cc.args(&self.all_static),
        };
        Ok((program, process::collect(&mut cc)?))
    }
}

/// In the first comment of a C test whose subject is memory.
const UNDER_VALGRIND: &str = "Under valgrind.";
/// In the first comment of a C test that reads freed memory on purpose, which valgrind reports.
const NOT_UNDER_VALGRIND: &str = "Not under valgrind.";

/// In the first comment of a C test whose subject is threads.
const UNDER_HELGRIND: &str = "Under helgrind.";
/// With which it shares what must not be shared.
const RACE: &str = "-DONE_HASHER";
/// What valgrind ends with where it found something.
const FOUND: i32 = 99;

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
    let examples = context.files(EXAMPLES, "c")?.into_iter().map(|source| (false, source));
    run_programs(context, programs.into_iter().chain(examples))?;
    exported(context)?;
    panics(context)?;
    made_elsewhere(context)?;
    helgrind(context)?;
    for header in files_in(&installed(context)?.join("include"), "h")? {
        run(context
            .command("c++")
            .args(["-std=c++17", "-pedantic", "-fsyntax-only", "-x", "c++"])
            .args(WARNINGS)
            .arg(header))?;
    }
    Ok(())
}

const PANICS: &str = "tests/c/panics/test_panics.c";
/// What that program asks of the library that is built for it.
const PANIC: &str = "dualseal_test_panic";

/// A panic inside the library, which no input is known to raise, and what is installed cannot be asked for.
fn panics(context: &Context) -> Result<(), String> {
    for name in ["libdualseal.a", "libdualseal.so"] {
        let installed = installed(context)?.join("lib").join(name);
        if names(context, &installed)? {
            return Err(format!("{} has {PANIC}", installed.display()));
        }
    }
    let (compiler, scratch, library) = (Compiler::new(context)?, context.scratch("panics")?, rust::panicking(context)?);
    if !names(context, &library)? {
        return Err(format!("{} has no {PANIC}", library.display()));
    }
    let source = context.root.join(PANICS);
    let (program, compiled) = compiler.compile_against(&library, &[], &source, &scratch, Link::Sanitized)?;
    println!("{compiled}");
    // What a panic carries is left where it is, since its destructor might panic again.
    run(context.command(&program).current_dir(&scratch).env("ASAN_OPTIONS", "detect_leaks=0"))
}

/// Whether the name of the function that panics stands anywhere in a library.
fn names(context: &Context, library: &Path) -> Result<bool, String> {
    let searched = context.command("grep").args(["-aqF", PANIC]).arg(library).status();
    match searched.map_err(|error| format!("grep: {error}"))?.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err(format!("{} cannot be read", library.display())),
    }
}

/// A program with a Makefile of its own, which knows pkg-config alone, against an installation that was moved as a
/// whole: as it is usually linked, and with nothing shared.
fn made_elsewhere(context: &Context) -> Result<(), String> {
    debian::require(&[("make", &["make"])])?;
    let scratch = context.scratch("sealdoc")?;
    let (moved, sources) = (scratch.join("moved"), scratch.join("sealdoc"));
    run(context.command("cp").arg("-a").arg(installed(context)?).arg(&moved))?;
    run(context.command("cp").arg("-a").arg(context.root.join("examples/c/sealdoc")).arg(&sources))?;
    let library = moved.join("lib");
    for module in ["dualseal", "dualseal-static"] {
        run(context
            .command("make")
            .arg("-C")
            .arg(&sources)
            .args(["-B", "check", "CFLAGS=-Wall -Wextra -Werror -pedantic"])
            .arg(format!("MODULE={module}"))
            .env("PKG_CONFIG_PATH", library.join("pkgconfig"))
            .env("LD_LIBRARY_PATH", &library))?;
    }
    // The last one: it names no library that it asks for.
    let dynamic = process::read(context.command("readelf").env("LC_ALL", "C").arg("-d").arg(sources.join("sealdoc")))?;
    if dynamic.contains("NEEDED") { Err(format!("sealdoc is not fully static:\n{dynamic}")) } else { Ok(()) }
}

/// What the installed library is called, and its symbols.
fn exported(context: &Context) -> Result<(), String> {
    // Programs run without it as well: the linker takes the file's name then, which says nothing of the ABI.
    let shared = installed(context)?.join("lib/libdualseal.so");
    let dynamic = process::read(context.command("readelf").env("LC_ALL", "C").arg("--dynamic").arg(&shared))?;
    if !dynamic.contains(&format!("soname: [{}]", soname())) {
        return Err(format!("{} is not named {}", shared.display(), soname()));
    }
    let symbols = process::read(context.command("nm").env("LC_ALL", "C").args(["-D", "--defined-only"]).arg(&shared))?;
    exports::compare(&read(&context.root.join("include/KEEP.md"))?, &symbols)?;
    let headers = files_in(&context.root.join("include"), "h")?.into_iter().map(|header| read(&header));
    let headers = headers.collect::<Result<Vec<_>, _>>()?;
    exports::rows(&headers, &read(&context.root.join("tests/c/handle_rows.h"))?)?;
    exports::doors(&headers, &read(&context.root.join("fuzz/abi/c/json_door_rows.h"))?)
}

/// Tests of threads under helgrind, with the suppressions that are installed: nothing is told of what may be shared,
/// and what must not be is.
fn helgrind(context: &Context) -> Result<(), String> {
    let (compiler, scratch) = (Compiler::new(context)?, context.scratch("helgrind")?);
    let suppressions = installed(context)?.join("share/dualseal/helgrind.supp");
    for (source, race) in tests(context, UNDER_HELGRIND)?
        .into_iter()
        .filter(|(marked, _)| *marked)
        .flat_map(|(_, source)| [(source.clone(), false), (source, true)])
    {
        let extra: &[&str] = if race { &[RACE] } else { &[] };
        let (program, compiled) = compiler.compile_with(extra, &source, &scratch, Link::Shared)?;
        println!("{compiled}");
        let mut valgrind = context.command("valgrind");
        // A stack that is cut short does not reach the function that is named.
        valgrind.args(["--tool=helgrind", "--quiet", "--num-callers=60"]).arg(format!("--error-exitcode={FOUND}"));
        valgrind.arg(format!("--suppressions={}", suppressions.display())).arg(&program);
        if race {
            let ended = valgrind.output().map_err(|error| format!("valgrind: {error}"))?.status;
            if ended.code() != Some(FOUND) {
                return Err(format!("{} {RACE}: helgrind tells of no race: {ended}", source.display()));
            }
        } else {
            run(&mut valgrind)?;
        }
    }
    Ok(())
}

/// `cargo xtask assure small`: the size of the small library, and everything that the suite looks at.
pub(crate) fn small(context: &Context) -> Result<(), String> {
    let prefix = context.scratch("small")?;
    small_into(context, &prefix)?;
    context.prefix.set(Ok(prefix)).map_err(|_| "another library is installed already".to_owned())?;
    suite(context)
}

/// `cargo xtask assure valgrind`: every C test under valgrind, but for those that say that it cannot be.
pub(crate) fn valgrind(context: &Context) -> Result<(), String> {
    let programs = tests(context, NOT_UNDER_VALGRIND)?;
    run_programs(context, programs.into_iter().filter(|(left_out, _)| !left_out).map(|(_, source)| (true, source)))
}

/// Compiles and runs each program in every way, those linked with the shared library under valgrind where that is said.
fn run_programs(context: &Context, sources: impl Iterator<Item = (bool, PathBuf)>) -> Result<(), String> {
    // Without the C library's symbols valgrind cannot start on Debian.
    debian::require(&[("valgrind", &["valgrind", "libc6-dbg"])])?;
    let compiler = Compiler::new(context)?;
    let scratch = context.scratch("c")?;
    let work: Vec<_> = sources
        .flat_map(|(valgrind, source)| {
            let mut links = vec![Link::Cpp, Link::Sanitized];
            // What is shared and what is not is the same code: those show that it is linked.
            if valgrind || source.starts_with(context.root.join(EXAMPLES)) {
                links.push(Link::Static);
            }
            let others = links.into_iter().map(|link| (false, link, source.clone())).collect::<Vec<_>>();
            [(valgrind, Link::Shared, source)].into_iter().chain(others)
        })
        .collect();
    parallel::each(&work, |(valgrind, link, source)| {
        let (program, compiled) = compiler.compile(source, &scratch, *link)?;
        // A directory of its own, since tests and examples write files.
        let directory = program.with_extension("d");
        make_directory(&directory)?;
        let mut command = Command::new(if *valgrind { Path::new("valgrind") } else { &program });
        if *valgrind {
            // Of the small library it takes no more at a time (docs/C-API.md).
            command.args(["--quiet", "--vex-guest-max-insns=30", "--leak-check=full", "--errors-for-leak-kinds=all"]);
            command.arg(format!("--error-exitcode={FOUND}"));
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
