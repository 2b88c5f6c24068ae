//! Which lines of core ran, by the counters that the compiler puts into what it compiles, read by the LLVM that the
//! compiler was made with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::context::{Context, files_in, read, write};
use crate::debian;
use crate::process::{self, run};
use crate::rust;

/// What a program is compiled with whose lines are counted.
pub(crate) const FLAGS: &str = "-Cinstrument-coverage";
/// What is measured, from the root.
const CORE: &str = "core/src/";
/// Stands above a line that no input reaches, with the reason.
const UNREACHABLE: &str = "// Unreachable:";
/// How many lines of a thousand must run: what core's own tests reach by themselves.
const LEAST: usize = 440;

/// The programs that read profiles.
pub(crate) struct Llvm {
    profdata: PathBuf,
    cov: PathBuf,
}

/// Of a file, each line of code with whether it ran.
pub(crate) type Lines = BTreeMap<usize, bool>;

impl Llvm {
    /// Of the compiler's own release, which alone is sure to read its profiles: the toolchain's component `llvm-tools`,
    /// else Debian's package.
    pub(crate) fn of_the_compiler(context: &Context) -> Result<Self, String> {
        let own = PathBuf::from(process::read(rust::compiler(context).args(["--print", "sysroot"]))?)
            .join("lib/rustlib")
            .join(rust::compiler_says(context, "host")?)
            .join("bin");
        let (profdata, cov) = (own.join("llvm-profdata"), own.join("llvm-cov"));
        if profdata.exists() && cov.exists() {
            return Ok(Self { profdata, cov });
        }
        let version = rust::compiler_says(context, "LLVM version")?;
        let release = version.split('.').next().unwrap_or_default();
        let [profdata, cov, package] = ["llvm-profdata", "llvm-cov", "llvm"].map(|name| format!("{name}-{release}"));
        let packages = [package.as_str()];
        debian::require(&[(&profdata, &packages), (&cov, &packages)])?;
        Ok(Self { profdata: profdata.into(), cov: cov.into() })
    }

    /// The lines of core, by file from the root, that ran in the profiles of a folder, which these programs wrote. What
    /// follows a file's own tests is none of it.
    pub(crate) fn lines(
        &self,
        context: &Context,
        profiles: &Path,
        programs: &[PathBuf],
    ) -> Result<BTreeMap<String, Lines>, String> {
        let Some((first, others)) = programs.split_first() else {
            return Err("no program whose lines are counted".to_owned());
        };
        let merged = profiles.join("merged.profdata");
        let raw = files_in(profiles, "profraw")?;
        if raw.is_empty() {
            return Err(format!("{}: nothing was counted", profiles.display()));
        }
        run(context.command(&self.profdata).args(["merge", "--sparse", "--output"]).arg(&merged).arg(profiles))?;
        let mut export = context.command(&self.cov);
        export.args(["export", "--format=lcov", "--skip-functions"]).arg("--instr-profile").arg(&merged).arg(first);
        for program in others {
            export.arg("--object").arg(program);
        }
        let told = process::read(export.arg("--sources").arg(context.root.join(CORE)))?;
        let mut lines = by_file(&told, &context.root);
        for (file, lines) in &mut lines {
            let text = read(&context.root.join(file))?;
            let end = code_of(&text).lines().count();
            lines.retain(|line, _| *line <= end);
        }
        lines.retain(|_, lines| !lines.is_empty());
        if lines.is_empty() { Err("no line of core is in what was counted".to_owned()) } else { Ok(lines) }
    }
}

/// What comes before a file's own tests.
fn code_of(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code)
}

/// The files below the root that a report in the format of lcov tells of.
fn by_file(told: &str, root: &Path) -> BTreeMap<String, Lines> {
    let root = format!("{}/", root.display());
    let mut found = BTreeMap::<String, Lines>::new();
    for file in told.split("end_of_record") {
        let Some(name) = file.lines().find_map(|line| line.strip_prefix("SF:")) else { continue };
        let name = name.strip_prefix(&root).unwrap_or(name);
        if !name.starts_with(CORE) {
            continue;
        }
        let counted = file.lines().filter_map(|line| {
            let (line, count) = line.strip_prefix("DA:")?.split_once(',')?;
            Some((line.parse::<usize>().ok()?, count.split(',').next() != Some("0")))
        });
        let lines = found.entry(name.to_owned()).or_default();
        for (line, ran) in counted {
            *lines.entry(line).or_default() |= ran;
        }
    }
    found
}

/// A module of core's: the file beside `lib.rs`, with those below it.
fn module(file: &str) -> &str {
    let inside = file.strip_prefix(CORE).unwrap_or(file);
    inside.split('/').next().map_or(inside, |name| name.strip_suffix(".rs").unwrap_or(name))
}

/// How many lines ran of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    ran: usize,
    of: usize,
}

impl Count {
    fn add(&mut self, lines: &Lines) {
        self.ran += lines.values().filter(|ran| **ran).count();
        self.of += lines.len();
    }

    /// In thousandths.
    fn share(self) -> usize {
        (self.ran * 1000).checked_div(self.of).unwrap_or_default()
    }

    fn row(self, name: &str) -> String {
        format!(
            "  {name:<34} {:>6} of {:>6} lines, {:>3}.{} %",
            self.ran,
            self.of,
            self.share() / 10,
            self.share() % 10
        )
    }
}

/// A line for each name that a file has, and one for all.
fn table<'f>(lines: &'f BTreeMap<String, Lines>, name: impl Fn(&'f str) -> &'f str) -> String {
    let (mut each, mut all) = (BTreeMap::<_, Count>::new(), Count::default());
    for (file, lines) in lines {
        each.entry(name(file)).or_default().add(lines);
        all.add(lines);
    }
    let rows = each.into_iter().map(|(name, count)| count.row(name)).chain([all.row("all of core")]);
    rows.collect::<Vec<_>>().join("\n")
}

/// One line for each module of core.
pub(crate) fn by_module(lines: &BTreeMap<String, Lines>) -> String {
    table(lines, module)
}

/// Takes out what is marked as out of reach; a line that is marked and ran is a finding.
fn without_unreachable(file: &str, text: &str, lines: &mut Lines) -> Vec<String> {
    let marks = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with(UNREACHABLE));
    // Counted from 1, and the line below.
    let marked = marks.map(|(at, _)| at + 2).filter_map(|line| Some((line, lines.remove(&line)?)));
    marked.filter(|(_, ran)| *ran).map(|(line, _)| format!("{file}:{line}: marked as unreachable, and ran")).collect()
}

/// `cargo xtask assure coverage`: core's own tests and those of the tests' package, compiled with counters.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let llvm = Llvm::of_the_compiler(context)?;
    let host = rust::compiler_says(context, "host")?;
    let (build, profiles) = (context.target.join("coverage"), context.scratch("coverage-profiles")?);
    let test = || {
        let mut cargo = context.cargo();
        // With a target named, what runs while it is compiled is compiled without counters.
        cargo.args(["test", "--package", "dualseal", "--package", "dualseal-tests", "--lib", "--bins", "--tests"]);
        cargo.args(["--features", "dualseal/serde", "--profile", "checked", "--target", &host, "--target-dir"]);
        cargo.arg(&build).env("RUSTFLAGS", FLAGS).env("INSTA_UPDATE", "no");
        // More of the same changes reach no other line.
        cargo.env("DUALSEAL_DIFFERENTIAL", "5");
        // Processes of one program share some files.
        cargo.env("LLVM_PROFILE_FILE", profiles.join("%4m.profraw"));
        cargo
    };
    run(&mut test())?;
    let built = process::read(test().args(["--no-run", "--message-format=json"]))?;
    let mut lines = llvm.lines(context, &profiles, &executables(&built))?;
    let mut findings = Vec::new();
    for (file, lines) in &mut lines {
        findings.extend(without_unreachable(file, &read(&context.root.join(file))?, lines));
    }
    println!("{}", table(&lines, |file| file));
    let (mut all, mut missing) = (Count::default(), String::new());
    for (file, lines) in &lines {
        all.add(lines);
        missing.extend(lines.iter().filter(|(_, ran)| !**ran).map(|(line, _)| format!("{file}:{line}\n")));
    }
    let list = context.target.join("coverage-missing.txt");
    write(&list, &missing)?;
    println!("{}: every line that did not run", list.display());
    if all.share() < LEAST {
        findings.push(format!("fewer than {LEAST} of 1000 lines of core ran"));
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// The programs that cargo says it built.
fn executables(told: &str) -> Vec<PathBuf> {
    let named = told.lines().filter_map(|line| line.split_once("\"executable\":\"")?.1.split('"').next());
    named.map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Count, Lines, by_file, by_module, code_of, executables, without_unreachable};

    const TOLD: &str = "SF:/tree/core/src/key.rs\nDA:1,0\nDA:2,7\nLF:2\nend_of_record\n\
        SF:/tree/core/src/key/ring.rs\nDA:4,1\nend_of_record\nSF:/rustc/library/core/src/option.rs\nDA:1,1\n\
        end_of_record\nSF:/tree/core/src/key.rs\nDA:1,2\nDA:3,0\nend_of_record\n";

    #[test]
    fn lines_are_cores_and_run_where_any_program_ran_them() {
        let lines = by_file(TOLD, Path::new("/tree"));
        assert_eq!(lines.keys().collect::<Vec<_>>(), ["core/src/key.rs", "core/src/key/ring.rs"]);
        assert_eq!(lines["core/src/key.rs"], Lines::from([(1, true), (2, true), (3, false)]));
        let told = by_module(&lines);
        assert!(told.contains("key ") && told.contains("3 of      4 lines,  75.0 %"), "{told}");
        assert!(told.lines().count() == 2 && by_file("", Path::new("/tree")).is_empty());
    }

    #[test]
    fn shares_are_of_what_there_is() {
        assert_eq!((Count { ran: 1, of: 3 }.share(), Count::default().share()), (333, 0));
    }

    #[test]
    fn what_is_marked_is_left_out_unless_it_ran() {
        let text = "a\n    // Unreachable: why\nb\n// Unreachable: why\nc\n";
        let (mut lines, mut ran) = (Lines::from([(1, true), (3, false), (5, false)]), Lines::from([(3, true)]));
        assert_eq!(without_unreachable("f", text, &mut lines), [""; 0]);
        assert_eq!(lines, Lines::from([(1, true)]));
        assert_eq!(without_unreachable("f", text, &mut ran), ["f:3: marked as unreachable, and ran"]);
    }

    #[test]
    fn a_files_own_tests_are_not_measured() {
        assert_eq!(code_of("one\n#[cfg(test)]\nmod tests {\ntwo\n"), "one\n");
        assert_eq!(code_of("one\n#[cfg(test)]\nuse two;\n"), "one\n#[cfg(test)]\nuse two;\n");
    }

    #[test]
    fn programs_are_read_from_what_cargo_says() {
        let told = "{\"reason\":\"x\",\"executable\":\"/a/b\",\"fresh\":true}\n{\"executable\":null}\n";
        assert_eq!(executables(told), [Path::new("/a/b")]);
    }
}
