//! `docs/ADVISORIES.md`: what the public database of advisories says of crates that stand in one of the lock files, as
//! of a day. `cargo xtask advisories` writes it anew; the suite `text` holds every lock file against it, without a
//! network.

mod version;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, make_directory, read, write};
use crate::debian;
use crate::process::{self, run};
use version::{Version, satisfied};

pub(crate) const PAGE: &str = "docs/ADVISORIES.md";
const DATABASE: &str = "https://github.com/RustSec/advisory-db";
/// All that there are.
pub(crate) const LOCKS: &[&str] = &[
    "Cargo.lock",
    "benches/peers/Cargo.lock",
    "examples/portal/verifier/Cargo.lock",
    "examples/services/Cargo.lock",
    "fuzz/Cargo.lock",
    "tests/bare/Cargo.lock",
];
/// The names that the database was asked about.
const ASKED: &str = "## Asked about\n";
/// What is written by hand stands below it, and is kept.
const ACCEPTED: &str = "## Accepted\n";
/// What says to `cargo-deny` which advisories it leaves out.
const DENY: &[&str] = &["deny.toml", "examples/services/deny.toml"];
const NUMBERS: &str = "RUSTSEC-";
/// Of an advisory that nobody wrote, in a database of a test.
pub(crate) const PLANTED: &str = "RUSTSEC-1999-0001";
/// The kind of an advisory that names none.
const VULNERABILITY: &str = "vulnerability";
const LINE: usize = 120;

/// One advisory, as a row of the page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Advisory {
    name: String,
    id: String,
    kind: String,
    /// Requirements of the versions that it is not about.
    fine: Vec<String>,
}

/// Name and version of what a lock file holds, with the file.
type Locked = BTreeMap<(String, String), BTreeSet<&'static str>>;

fn locked(root: &Path) -> Result<Locked, String> {
    let mut found = Locked::new();
    for lock in LOCKS {
        for package in packages(&read(&root.join(lock))?) {
            found.entry(package).or_default().insert(lock);
        }
    }
    Ok(found)
}

/// Those of a registry: the database is about no others.
fn packages(lock: &str) -> Vec<(String, String)> {
    let member = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")))?;
        Some(line.trim_matches('"').to_owned())
    };
    let packages = lock.split("[[package]]").skip(1).filter(|package| member(package, "source").is_some());
    packages.filter_map(|package| Some((member(package, "name")?, member(package, "version")?))).collect()
}

/// `cargo xtask advisories [CLONE]`: writes the page from the database, of which there may be a clone already.
pub(crate) fn command(context: &Context, arguments: &[String]) -> Result<(), String> {
    debian::require(&[("git", &["git"])])?;
    let clone = match arguments {
        [] => {
            let clone = context.scratch("advisories")?;
            run(context.command("git").args(["clone", "--quiet", "--depth=1", DATABASE]).arg(&clone))?;
            clone
        }
        [clone] => std::path::absolute(clone).map_err(|error| error.to_string())?,
        _ => return Err("usage: cargo xtask advisories [CLONE]".to_owned()),
    };
    let git = |arguments: &[&str]| process::read(context.command("git").arg("-C").arg(&clone).args(arguments));
    let names: BTreeSet<_> = locked(&context.root)?.into_keys().map(|(name, _)| name).collect();
    let mut advisories = Vec::new();
    let files = git(&["ls-tree", "-r", "--name-only", "HEAD", "crates"])?;
    for file in files.lines().filter(|file| file.split('/').nth(1).is_some_and(|name| names.contains(name))) {
        let text = git(&["show", &format!("HEAD:{file}")])?;
        advisories.extend(parsed(&text).map_err(|error| format!("{file}: {error}"))?);
    }
    advisories.sort();
    let as_of = git(&["log", "-1", "--format=%h of %cs"])?;
    let page = context.root.join(PAGE);
    let accepted = read(&page)?.split_once(ACCEPTED).map(|(_, accepted)| accepted.to_owned()).unwrap_or_default();
    write(&page, &written(&as_of, &advisories, &names, &accepted))?;
    println!("{PAGE}: {} advisories about {} crates, as of {as_of}", advisories.len(), names.len());
    for finding in findings(&context.root) {
        println!("{finding}");
    }
    Ok(())
}

/// A database of what the page knows, as `cargo-deny` clones one: it is asked there in the place of the public one.
pub(crate) struct Snapshot {
    folder: PathBuf,
}

impl Snapshot {
    /// Of the page's rows, and one about this crate in each of its versions.
    pub(crate) fn make(context: &Context, planted: Option<&str>) -> Result<Self, String> {
        debian::require(&[("git", &["git"])])?;
        let folder = context.scratch("advisories")?;
        let page = read(&context.root.join(PAGE))?;
        let mut advisories = of_page(&page);
        advisories.extend(planted.map(|name| Advisory {
            name: name.to_owned(),
            id: PLANTED.to_owned(),
            kind: VULNERABILITY.to_owned(),
            fine: Vec::new(),
        }));
        for advisory in &advisories {
            let file = folder.join("crates").join(&advisory.name).join(format!("{}.md", advisory.id));
            make_directory(file.parent().unwrap_or(&folder))?;
            write(&file, &front_matter(advisory))?;
        }
        let made =
            ["-c", "user.name=snapshot", "-c", "user.email=snapshot@localhost", "commit", "--quiet", "--message=."];
        for arguments in [&["init", "--quiet", "--initial-branch=main"][..], &["add", "--all"], &made] {
            run(context.command("git").arg("-C").arg(&folder).args(arguments))?;
        }
        println!("{PAGE}: {} advisories", advisories.len());
        Ok(Self { folder })
    }

    /// Has git fetch it where a program fetches the public database, and cargo ask nobody.
    pub(crate) fn stand_in(&self, command: &mut Command) {
        let key = format!("url.file://{}.insteadOf", self.folder.display());
        command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", key).env("GIT_CONFIG_VALUE_0", DATABASE);
        command.env("CARGO_NET_OFFLINE", "true");
    }
}

/// Whether the public database answers.
pub(crate) fn reachable(context: &Context) -> bool {
    process::read(context.command("git").args(["ls-remote", "--quiet", DATABASE, "HEAD"])).is_ok()
}

/// The advisories of a page.
fn of_page(page: &str) -> Vec<Advisory> {
    let told = page.split_once(ASKED).map_or(page, |(told, _)| told);
    let of = |row: Vec<&str>| match row[..] {
        [name, id, kind, fine] if id.starts_with(NUMBERS) => Some(Advisory {
            name: name.to_owned(),
            id: id.to_owned(),
            kind: kind.to_owned(),
            fine: fine.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        }),
        _ => None,
    };
    rows(told).filter_map(of).collect()
}

/// An advisory as its database has it: what the page does not keep is made up.
fn front_matter(advisory: &Advisory) -> String {
    let Advisory { name, id, kind, fine } = advisory;
    let year = id.trim_start_matches(NUMBERS).split('-').next().unwrap_or_default();
    let kind = if kind == VULNERABILITY { String::new() } else { format!("informational = \"{kind}\"\n") };
    let fine: Vec<_> = fine.iter().map(|fine| format!("{fine:?}")).collect();
    format!(
        "```toml\n[advisory]\nid = \"{id}\"\npackage = \"{name}\"\ndate = \"{year}-01-01\"\n{kind}\n[versions]\n\
         patched = [{}]\n```\n\n# {id}\n\nAs {PAGE} has it.\n",
        fine.join(", ")
    )
}

/// What is in the front matter; nothing of an advisory that was withdrawn.
fn parsed(text: &str) -> Result<Option<Advisory>, &'static str> {
    let front = text.split("```toml").nth(1).and_then(|rest| rest.split("```").next());
    let toml = front.ok_or("no front matter")?;
    let value = |name: &str| {
        let mut lines = toml.lines().skip_while(move |line| line.split('=').next().map(str::trim) != Some(name));
        let first = lines.next()?.split_once('=')?.1.to_owned();
        // A list may go over several lines.
        let open = first.trim_start().starts_with('[') && !first.contains(']');
        let mut all = first;
        for line in lines.take_while(|_| open) {
            all += line;
            if line.contains(']') {
                break;
            }
        }
        Some(all)
    };
    let quoted = |text: String| text.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    if value("withdrawn").is_some() {
        return Ok(None);
    }
    let one = |name: &str| value(name).and_then(|text| quoted(text).into_iter().next());
    let fine = ["patched", "unaffected"].into_iter().filter_map(value).flat_map(quoted).collect();
    let kind = one("informational").unwrap_or_else(|| VULNERABILITY.to_owned());
    let (name, id) = one("package").zip(one("id")).ok_or("no package, or no number")?;
    Ok(Some(Advisory { name, id, kind, fine }))
}

fn written(as_of: &str, advisories: &[Advisory], names: &BTreeSet<String>, accepted: &str) -> String {
    let mut page = format!(
        "# Advisories\n\n\
         What [RustSec's database]({DATABASE}) says of crates that stand in a lock file of this tree,\n\
         as of its commit {as_of}: of nothing that was published since. `cargo xtask advisories` writes this\n\
         page anew, from the database or a clone of it; the suite `text` fails where a lock file has a version\n\
         that an advisory here is about, or a crate that the database was not asked about.\n\
         `cargo xtask assure deny` has `cargo-deny` ask this page, without a network, and the database itself where\n\
         it can be had.\n\n\
         | crate | advisory | kind | versions that it is not about |\n|---|---|---|---|\n"
    );
    for Advisory { name, id, kind, fine } in advisories {
        let fine: Vec<_> = fine.iter().map(|fine| format!("`{fine}`")).collect();
        let _ = writeln!(page, "| {name} | {id} | {kind} | {} |", fine.join(" or "));
    }
    page + "\n" + ASKED + "\n" + &wrapped(names) + "\n\n" + ACCEPTED + accepted
}

/// Words in lines.
fn wrapped(words: &BTreeSet<String>) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let fits = width + 1 + word.len() <= LINE;
        text += if width == 0 {
            ""
        } else if fits {
            " "
        } else {
            "\n"
        };
        width = if fits && width > 0 { width + 1 + word.len() } else { word.len() };
        text += word;
    }
    text
}

/// The rows of a table, each as its cells.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(str::trim).collect())
}

/// What is wrong of the tree.
pub(crate) fn findings(root: &Path) -> Vec<String> {
    let found = || {
        let page = read(&root.join(PAGE))?;
        let mut findings = compared(&locked(root)?, &page);
        for deny in DENY {
            findings.extend(left_out(&read(&root.join(deny))?, &page).map(|finding| format!("{deny}: {finding}")));
        }
        Ok(findings)
    };
    found().unwrap_or_else(|error: String| vec![error])
}

/// What `cargo-deny` is told to leave out, and the page gives no reason for.
fn left_out<'t>(deny: &'t str, page: &'t str) -> impl Iterator<Item = String> + 't {
    let accepted = page.split_once(ACCEPTED).map_or("", |(_, accepted)| accepted);
    let numbers = deny.split('"').filter(|word| word.starts_with(NUMBERS));
    numbers.filter(|id| !accepted.contains(id)).map(|id| format!("{PAGE} does not say why {id} is accepted"))
}

/// Crates that nobody asked about, versions that an advisory is about and nobody accepted, and what was accepted in
/// vain. What is accepted is of one version: for the next one the reason is looked at again.
fn compared(locked: &Locked, page: &str) -> Vec<String> {
    let (told, accepted) = page.split_once(ACCEPTED).unwrap_or((page, ""));
    let (told, asked) = told.split_once(ASKED).unwrap_or((told, ""));
    let asked: BTreeSet<_> = asked.split_whitespace().collect();
    let mut accepted: BTreeMap<_, _> = rows(accepted)
        .filter(|row| row.first().is_some_and(|id| id.starts_with(NUMBERS)))
        .map(|row| (row.into_iter().take(2).map(str::to_owned).collect::<Vec<_>>(), false))
        .collect();
    let unasked = locked.iter().filter(|((name, _), _)| !asked.contains(name.as_str()));
    let unasked = unasked.map(|((name, _), locks)| {
        format!("{PAGE}: the database was not asked about {name}, which is in {locks:?}: `cargo xtask advisories`")
    });
    let mut findings: Vec<_> = unasked.collect();
    let mut read = 0;
    for row in rows(told) {
        let [name, id, kind, fine] = row[..] else { continue };
        read += usize::from(id.starts_with(NUMBERS));
        let fine: Vec<_> = fine.split('`').skip(1).step_by(2).collect();
        for ((_, version), locks) in locked.iter().filter(|((locked, _), _)| locked == name) {
            let is_fine = Version::parse(version)
                .is_some_and(|version| fine.iter().any(|requirement| satisfied(&version, requirement)));
            match accepted.get_mut(&vec![id.to_owned(), format!("{name} {version}")]) {
                _ if is_fine => {}
                Some(used) => *used = true,
                None => findings.push(format!("{PAGE}: {id} ({kind}) is about {name} {version} in {locks:?}")),
            }
        }
    }
    let vain = accepted.iter().filter(|(_, used)| !**used);
    let vain = vain.map(|(of, _)| format!("{PAGE}: {} is accepted in vain", of.join(" of ")));
    findings.extend(vain);
    if read == 0 {
        findings.push(format!("{PAGE}: no advisory is there"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "```toml\n\
        [advisory]\nid = \"RUSTSEC-2020-0001\"\npackage = \"leaky\"\ndate = \"2020-01-01\"\n\n\
        [versions]\npatched = [\n    \">= 1.2.3, < 2.0.0\",\n    \"^2.1\"\n]\nunaffected = [\"< 0.9\"]\n\
        ```\n\n# It leaks\n";
    const WHY: &str = "\n| advisory | of | why |\n|---|---|---|\n";

    fn lock(version: &str) -> Locked {
        locks(&format!("[[package]]\nname = \"leaky\"\nversion = \"{version}\"\nsource = \"a registry\"\n"))
    }

    fn locks(text: &str) -> Locked {
        packages(text).into_iter().map(|package| (package, BTreeSet::from(["Cargo.lock"]))).collect()
    }

    fn page(accepted: &str) -> String {
        let advisory = parsed(TEXT).expect("read").expect("an advisory");
        assert_eq!((advisory.kind.as_str(), advisory.fine.len()), ("vulnerability", 3));
        let asked = ["fine", "leaky"].map(str::to_owned).into();
        written("0 of 2020-01-02", &[advisory], &asked, accepted)
    }

    #[test]
    fn a_version_that_an_advisory_is_about_is_found() {
        for (version, found) in
            [("0.8.9", 0), ("0.9.0", 1), ("1.2.2", 1), ("1.2.3", 0), ("2.0.0", 1), ("2.1.0", 0), ("3.0.0", 1)]
        {
            assert_eq!(compared(&lock(version), &page(WHY)).len(), found, "{version}");
        }
    }

    #[test]
    fn what_was_accepted_is_not_found_and_must_be_there() {
        let accepted = format!("{WHY}| RUSTSEC-2020-0001 | leaky 1.0.0 | nothing is secret |\n");
        assert_eq!(compared(&lock("1.0.0"), &page(&accepted)), [""; 0]);
        assert!(compared(&lock("1.2.3"), &page(&accepted))[0].contains("in vain"));
        // Another version that it is about is not accepted with it.
        let other = compared(&lock("1.0.1"), &page(&accepted));
        assert!(other.len() == 2 && other[0].contains("about leaky 1.0.1") && other[1].contains("in vain"));
    }

    #[test]
    fn an_empty_page_is_none() {
        let found = compared(&lock("1.2.3"), "# Advisories\n");
        assert!(found[0].contains("not asked") && found[1].contains("no advisory"));
    }

    /// Whoever adds a crate asks about it: a page that has no row of it may know nothing of it.
    #[test]
    fn a_crate_that_nobody_asked_about_is_found() {
        let lock = |name, source| format!("[[package]]\nname = \"{name}\"\nversion = \"1.2.3\"\n{source}");
        let found = |name, source| compared(&locks(&lock(name, source)), &page(WHY));
        let registry = "source = \"a registry\"\n";
        assert_eq!(found("fine", registry), [""; 0]);
        assert!(found("leak", registry)[0].contains("not asked about leak"));
        assert_eq!(found("ours", ""), [""; 0]);
        // It is not enough that an advisory is about it, or that another's name is accepted.
        let unasked = page(&format!("{WHY}| leaky | x |\n")).replace("\nfine leaky\n", "\nfine\n");
        assert!(compared(&locks(&lock("leaky", registry)), &unasked)[0].contains("not asked about leaky"));
    }

    #[test]
    fn names_are_wrapped() {
        let names: BTreeSet<_> = (100..160).map(|number| format!("crate-{number}")).collect();
        let text = wrapped(&names);
        assert!(text.lines().all(|line| line.len() <= LINE) && text.lines().count() == 5, "{text}");
        assert!(text.split_whitespace().eq(&names));
    }

    #[test]
    fn what_is_left_out_by_cargo_deny_has_its_reason() {
        let found = |ignored: &str, why: &str| left_out(ignored, &page(why)).collect::<Vec<_>>();
        let ignored = "ignore = [\"RUSTSEC-2020-0001\"]";
        assert!(found(ignored, WHY)[0].contains("RUSTSEC-2020-0001"));
        assert_eq!(found(ignored, &format!("{WHY}| RUSTSEC-2020-0001 | nothing is secret |\n")), [""; 0]);
        assert_eq!(found("ignore = []", WHY), [""; 0]);
    }

    /// A list ends at its bracket, wherever that stands: what comes after it is about other things.
    #[test]
    fn a_list_ends_where_its_bracket_is() {
        let functions = "\n[affected.functions]\n\"leaky::f\" = [\"< 9\"]\n";
        let broken =
            TEXT.replace("    \"^2.1\"\n]", "    \"^2.1\"]").replace("```\n\n", &format!("{functions}```\n\n"));
        assert_ne!(broken, TEXT);
        let fine = parsed(&broken).expect("read").expect("an advisory").fine;
        assert_eq!(fine, [">= 1.2.3, < 2.0.0", "^2.1", "< 0.9"]);
    }

    /// What `cargo-deny` is given of the page is what the page was written from.
    #[test]
    fn the_database_of_a_page_says_what_the_page_says() {
        let unsound = TEXT.replace("date", "informational = \"unsound\"\ndate").replace("0001", "0002");
        let advisories = [TEXT, &unsound].map(|text| parsed(text).expect("read").expect("an advisory"));
        let page = written("0 of 2020-01-02", &advisories, &["leaky".to_owned()].into(), WHY);
        let read = of_page(&page);
        assert_eq!(read, advisories);
        for advisory in read {
            assert_eq!(parsed(&front_matter(&advisory)), Ok(Some(advisory)));
        }
    }

    #[test]
    fn what_was_withdrawn_is_left_out() {
        assert_eq!(parsed(&TEXT.replace("date", "withdrawn = \"2020-02-01\"\ndate")), Ok(None));
        assert!(parsed("no front matter").is_err());
    }
}
