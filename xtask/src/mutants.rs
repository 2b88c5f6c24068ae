//! Core with one change at a time: does a test notice? What none notices is told, unless `tests/mutants.txt` says why
//! it makes no difference. `cargo-mutants` says what changes there are; `tests/mutants` compiles all of them once, each
//! behind a switch. What cannot be switched is left to `cargo-mutants`, which compiles core and its tests for each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::assure::tool;
use crate::context::{Context, make_directory, read, write};
use crate::parts;
use crate::process;

const LIST: &str = "tests/mutants.txt";
/// Before the commit as of which nothing more is known to go unnoticed.
const SINCE: &str = "since: ";
/// Of core, what computes with secrets or decides what holds.
const MODULES: &[&str] =
    &["checkpoint", "field", "key", "krunica", "seal", "shamir", "shard", "signature", "stream", "threshold", "vault"];
/// What is compiled beside core, and what says how the changes are tried.
const COMPILED: &[&str] =
    &["operator", "tests/Cargo.toml", "tests/mutants", "tests/src", "tests/tests", "tests/vectors"];
/// Core's own tests, which are compiled in a third of the time; and all that know core, for what those do not notice.
const FIRST: &[&str] = &["--test-package", "dualseal", "--cargo-test-arg=--lib"];
const THEN: &[&str] = &[
    "--test-package",
    "dualseal",
    "--test-package",
    "dualseal-tests",
    "--cargo-test-arg=--lib",
    "--cargo-test-arg=--tests",
    "--baseline=skip",
    "--timeout=3600",
];
/// What the tool ends with where all was noticed, where something was not, and where tests did not end.
const TRIED: &[i32] = &[0, 2, 3];

/// `cargo xtask mutants --shard I/N [MODULE...]`: a part of the changes in these modules, or in all of them.
pub(crate) fn command(context: &Context, arguments: &[String]) -> Result<(), String> {
    let (shard, modules) = asked(arguments)?;
    let names: Vec<_> = modules.iter().map(|module| format!("-{module}")).collect();
    let folder = format!("shard-{}-of-{}{}", shard.0, shard.1, names.concat());
    // The tool counts from 0.
    trial(context, &folder, &modules, &[format!("--shard={}/{}", shard.0 - 1, shard.1)])
}

/// `cargo xtask assure mutants`: the changes of what is not as it was at the commit that the list names. Arguments
/// choose others: they go to the tool.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    if !context.extra.is_empty() {
        return trial(context, "chosen", MODULES, &context.extra);
    }
    let since = Accepted::read(&read(&context.root.join(LIST))?)?.since;
    let diff = process::read(context.command("git").args(["diff", &since, "--", "core/src"]))?;
    if diff.is_empty() {
        println!("nothing of core is otherwise than at {since}");
        return Ok(());
    }
    let file = context.target.join("mutants-since.diff");
    write(&file, &format!("{diff}\n"))?;
    trial(context, "since", MODULES, &["--in-diff".to_owned(), file.display().to_string()])
}

/// The part, counted from 1, and the modules.
fn asked(arguments: &[String]) -> Result<((u32, u32), Vec<&str>), String> {
    let usage = || format!("cargo xtask mutants --shard I/N [MODULE...], of {}", MODULES.join(", "));
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let ["--shard", shard, modules @ ..] = words.as_slice() else { return Err(usage()) };
    let numbers = shard.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    let shard: (u32, u32) = numbers.filter(|(part, of)| (1..=*of).contains(part)).ok_or_else(usage)?;
    if modules.iter().any(|module| !MODULES.contains(module)) {
        return Err(usage());
    }
    Ok((shard, if modules.is_empty() { MODULES.to_vec() } else { modules.to_vec() }))
}

fn trial(context: &Context, folder: &str, modules: &[&str], chosen: &[String]) -> Result<(), String> {
    let accepted = Accepted::read(&read(&context.root.join(LIST))?)?;
    let program = tool(context, "cargo-mutants")?;
    let base = context.target.join("mutants");
    let output = base.join(folder);
    make_directory(&output)?;
    let of = |modules: &[&str]| {
        let mut command = context.command(&program);
        command.args(["mutants", "--package", "dualseal", "--colors=never"]);
        for module in modules {
            command.args(["--file", &format!("core/src/{module}.rs"), "--file", &format!("core/src/{module}/**")]);
        }
        command
    };
    let known = process::read(of(MODULES).arg("--list"))?;
    let names = process::read(of(modules).arg("--list").args(chosen))?;
    if names.is_empty() {
        println!("there is no such change");
        return Ok(());
    }
    let (all, asked) = (output.join("all.json"), output.join("asked"));
    write(&all, &process::read(of(MODULES).args(["--list", "--json"]))?)?;
    write(&asked, &names)?;
    // Of what is not committed nothing is kept: it is no state that could be the same again.
    let state = match parts::state(&context.root, COMPILED)? {
        Some(state) => base.join(state),
        None => context.scratch("mutants/uncommitted")?,
    };
    let mut weaver = context.cargo();
    weaver.args(["run", "--package", "dualseal-mutants", "--profile", "checked", "--"]).arg(&context.root);
    process::run(weaver.arg(&base).arg(&state).args([&all, &asked]))?;
    let mut outcomes = Outcomes::switched(&read(&state.join("results"))?, &names)?;
    println!("{} changes do not compile, {} cannot be switched", outcomes.unviable, outcomes.left.len());
    if !outcomes.left.is_empty() {
        let tests = |tests: &[&str], names: &[String]| {
            let mut command = of(modules);
            command.args(["--all-features", "--profile", "checked", "--output"]).arg(&output).args(tests);
            command.args(names.iter().flat_map(|name| ["--re".to_owned(), exactly(name)]));
            command
        };
        tried(&mut tests(FIRST, &outcomes.left))?;
        let first = Outcomes::read(&output)?;
        outcomes.own.extend(first.own);
        if !first.none.is_empty() {
            tried(&mut tests(THEN, &first.none))?;
            let last = Outcomes::read(&output)?;
            outcomes.other.extend(last.own);
            outcomes.none.extend(last.none);
        }
    }
    let all = [&outcomes.own[..], &outcomes.other, &outcomes.none].concat();
    println!(
        "{} changes that compile: {} noticed by core's own tests, {} by others, {} by none",
        all.len(),
        outcomes.own.len(),
        outcomes.other.len(),
        outcomes.none.len()
    );
    let named = |lines: &[String]| -> Vec<String> { lines.iter().map(|line| named(line)).collect() };
    let known: Vec<_> = known.lines().map(str::to_owned).collect();
    let findings = accepted.judge(&named(&known), &named(&all), &named(&outcomes.none));
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// A pattern of this text and no other.
fn exactly(text: &str) -> String {
    let escaped = text.chars().flat_map(|letter| {
        let is_special = "\\.+*?()|[]{}^$#&-~".contains(letter);
        is_special.then_some('\\').into_iter().chain([letter])
    });
    format!("^{}$", escaped.collect::<String>())
}

fn tried(command: &mut Command) -> Result<(), String> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("cargo-mutants: {error}"))?;
    match status.code() {
        Some(code) if TRIED.contains(&code) => Ok(()),
        _ => Err(format!("cargo-mutants: {status}")),
    }
}

/// What became of changes, as the tool names them. One under which tests do not end is noticed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcomes {
    /// Noticed by core's own tests, by others and by none.
    own: Vec<String>,
    other: Vec<String>,
    none: Vec<String>,
    /// Those that cannot be switched.
    left: Vec<String>,
    /// How many do not compile.
    unviable: usize,
}

impl Outcomes {
    /// What `tests/mutants` kept, of those that were asked for.
    fn switched(results: &str, asked: &str) -> Result<Self, String> {
        let known: BTreeMap<_, _> =
            results.lines().filter_map(|line| line.split_once('\t')).map(|(word, name)| (name, word)).collect();
        let mut outcomes = Self::default();
        for name in asked.lines() {
            let of = match known.get(name) {
                Some(&"own") => &mut outcomes.own,
                Some(&"other") => &mut outcomes.other,
                Some(&("none" | "unreached")) => &mut outcomes.none,
                Some(&"left") => &mut outcomes.left,
                Some(&"unviable") => {
                    outcomes.unviable += 1;
                    continue;
                }
                other => return Err(format!("not tried: {name}: {other:?}")),
            };
            of.push(name.to_owned());
        }
        Ok(outcomes)
    }

    /// What `cargo-mutants` wrote.
    fn read(output: &Path) -> Result<Self, String> {
        let list = |name: &str| -> Result<Vec<String>, String> {
            let file: PathBuf = output.join("mutants.out").join(name);
            Ok(read(&file)?.lines().map(str::to_owned).collect())
        };
        let own = [list("caught.txt")?, list("timeout.txt")?].concat();
        Ok(Self { own, none: list("missed.txt")?, ..Self::default() })
    }
}

/// A change by its file and what it is, without its line, which other changes move.
fn named(line: &str) -> String {
    let parts: Vec<_> = line.splitn(4, ':').collect();
    match parts[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => line.to_owned(),
    }
}

/// The list: changes that make no difference, each with the reason.
struct Accepted {
    since: String,
    names: Vec<String>,
}

impl Accepted {
    fn read(text: &str) -> Result<Self, String> {
        let (mut since, mut names) = (None, Vec::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match (line.strip_prefix(SINCE), line.split_once(" -- ")) {
                (Some(commit), _) => since = Some(commit.to_owned()),
                (_, Some((name, reason))) if !reason.trim().is_empty() => names.push(name.to_owned()),
                _ => return Err(format!("{LIST}: neither a change with its reason nor a commit: {line}")),
            }
        }
        let since = since.ok_or_else(|| format!("{LIST} names no commit after {SINCE:?}"))?;
        Ok(Self { since, names })
    }

    /// `known` are all changes that there are, `compiled` those that were tried, `unnoticed` what no test noticed. A
    /// name may stand for several changes of one function.
    fn judge(&self, known: &[String], compiled: &[String], unnoticed: &[String]) -> Vec<String> {
        let (accepted, known) = (counted(&self.names), counted(known));
        let (compiled, unnoticed) = (counted(compiled), counted(unnoticed));
        let of = |counts: &BTreeMap<&str, usize>, name: &str| counts.get(name).copied().unwrap_or_default();
        let missed = unnoticed.iter().filter(|(name, count)| of(&accepted, name) < **count);
        let mut findings: Vec<_> = missed.map(|(name, _)| format!("no test notices: {name}")).collect();
        for (name, count) in &accepted {
            if of(&known, name) < *count {
                findings.push(format!("{LIST}: there is no such change any more: {name}"));
            } else if of(&compiled, name) == of(&known, name) && of(&unnoticed, name) < *count {
                findings.push(format!("{LIST}: a test notices: {name}"));
            }
        }
        findings
    }
}

fn counted(names: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.as_str()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{Accepted, MODULES, Outcomes, asked, exactly, named};

    const A: &str = "core/src/field.rs: replace + with - in add";
    const B: &str = "core/src/field.rs: replace == with != in add";

    fn list(rows: &str) -> Accepted {
        Accepted::read(&format!("# a page\nsince: abc\n{rows}")).expect("a list")
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_change_has_no_line_in_its_name() {
        assert_eq!(named("core/src/field.rs:12:9: replace + with - in add"), A);
        assert_eq!(
            named("core/src/a.rs:1:2: replace <A as b::C>::d with ()"),
            "core/src/a.rs: replace <A as b::C>::d with ()"
        );
    }

    #[test]
    fn what_was_not_tried_is_told() {
        let results = "own\ta\nother\tb\nunreached\tc\nnone\td\nleft\te\nunviable\tf\nown\tg\n";
        let outcomes = Outcomes::switched(results, "a\nb\nc\nd\ne\nf\n").expect("all were tried");
        let all = [&outcomes.own, &outcomes.other, &outcomes.none, &outcomes.left].map(|names| names.join(" "));
        assert_eq!((all, outcomes.unviable), (["a", "b", "c d", "e"].map(str::to_owned), 1));
        assert!(Outcomes::switched(results, "a\nh\n").is_err());
        assert!(Outcomes::switched("noticed\ta\n", "a\n").is_err());
    }

    #[test]
    fn a_name_is_a_pattern_of_itself() {
        assert_eq!(exactly("a.rs:1:2: replace + with - in <A>::b"), r"^a\.rs:1:2: replace \+ with \- in <A>::b$");
    }

    #[test]
    fn what_none_notices_is_listed_with_a_reason() {
        let (a, b) = (A.to_owned(), B.to_owned());
        let known = [a.clone(), b.clone()];
        assert_eq!(list("").judge(&known, &known, &[]), [""; 0]);
        assert!(list("").judge(&known, &known, std::slice::from_ref(&a))[0].ends_with(A));
        let listed = list(&format!("{A} -- why\n"));
        assert_eq!(listed.judge(&known, &known, std::slice::from_ref(&a)), [""; 0]);
        // Of two alike one is listed.
        let twice = [a.clone(), a.clone()];
        assert_eq!(listed.judge(&twice, &twice, &twice).len(), 1);
        assert!(listed.judge(&known, &known, &[])[0].contains("a test notices"));
        assert!(listed.judge(std::slice::from_ref(&b), &[], &[])[0].contains("no such change"));
        // In another part.
        assert_eq!(listed.judge(&known, std::slice::from_ref(&b), &[]), [""; 0]);
        assert!(Accepted::read("since: abc\ncore/src/field.rs: x\n").is_err() && Accepted::read(A).is_err());
        assert_eq!(list("").since, "abc");
    }

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!(asked(&words("--shard 2/3 field")), Ok(((2, 3), vec!["field"])));
        assert_eq!(asked(&words("--shard 1/1")), Ok(((1, 1), MODULES.to_vec())));
        for bad in ["", "--shard", "--shard 0/3", "--shard 4/3", "--shard 1/0", "--shard 1/2 tree", "field"] {
            assert!(asked(&words(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn modules_are_cores() {
        let core = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
        assert!(MODULES.iter().all(|module| core.join(format!("{module}.rs")).exists()));
    }
}
