//! The parts list of what is given away, in CycloneDX's JSON: every crate that is compiled into the C library or the
//! command line, with its licence, its checksum and what it asks for. It has no time and no number of its own, so that
//! the same sources have the same list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::context::{Context, make_directory, read, write};
use crate::process;

const PACKAGES: [&str; 2] = ["dualseal-ffi", "dualseal-cli"];

/// A crate by name and version, with its licence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    version: String,
    licence: String,
    /// From a folder, not from a registry.
    ours: bool,
}

/// What each part asks for.
type Parts = BTreeMap<Part, BTreeSet<Part>>;

/// `cargo xtask sbom`: writes the lists into `target/sbom`.
pub(crate) fn command(context: &Context) -> Result<(), String> {
    for file in lists(context)? {
        println!("{}", file.display());
    }
    Ok(())
}

/// Writes them: each crate is one of the lock file's, with its licence.
pub(crate) fn lists(context: &Context) -> Result<Vec<PathBuf>, String> {
    let folder = context.target.join("sbom");
    make_directory(&folder)?;
    let lock = read(&context.root.join("Cargo.lock"))?;
    let mut files = Vec::new();
    for package in PACKAGES {
        let tree = process::read(context.cargo().args(["tree", "--locked", "--package", package]).args([
            // Procedural macros, and what they are made of, are in no program.
            "--edges=normal,no-proc-macro",
            "--prefix=depth",
            "--no-dedupe",
            "--format= {p}|{l}",
        ]))?;
        let (first, parts) = parts(&tree)?;
        let file = folder.join(format!("{package}.cdx.json"));
        write(&file, &list(&first, &parts, &checksums(&lock))?)?;
        files.push(file);
    }
    Ok(files)
}

/// The lines of `cargo tree`: `DEPTH NAME vVERSION…|LICENCE`.
fn parts(tree: &str) -> Result<(Part, Parts), String> {
    let mut parts = Parts::new();
    let mut above: Vec<Part> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let bad = || format!("cargo tree: {line}");
        let (depth, rest) = line.split_once(' ').ok_or_else(bad)?;
        let depth: usize = depth.parse().map_err(|_| bad())?;
        let (package, licence) = rest.split_once('|').ok_or_else(bad)?;
        let mut words = package.split(' ');
        let (name, version) = (words.next().ok_or_else(bad)?, words.next().ok_or_else(bad)?);
        // Crates of long ago separate their licences by a stroke.
        let part = Part {
            name: name.to_owned(),
            version: version.trim_start_matches('v').to_owned(),
            licence: licence.replace('/', " OR "),
            ours: words.any(|word| word.starts_with("(/")),
        };
        above.truncate(depth);
        if let Some(parent) = above.last() {
            parts.entry(parent.clone()).or_default().insert(part.clone());
        }
        parts.entry(part.clone()).or_default();
        above.push(part);
    }
    let first = above.into_iter().next().ok_or("cargo tree names nothing")?;
    Ok((first, parts))
}

/// SHA-256 of each crate that comes from a registry, as the lock file has it.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let packages = lock.split("[[package]]").skip(1);
    let member = |package: &'_ str, name: &str| -> Option<(usize, usize)> {
        let start = package.find(&format!("\n{name} = \""))? + name.len() + 5;
        Some((start, start + package[start..].find('"')?))
    };
    let of = |package: &str| {
        let [name, version] = ["name", "version"].map(|name| member(package, name));
        Some((name?, version?, member(package, "checksum")?))
    };
    let read = |package| {
        let (name, version, checksum) = of(package)?;
        let at = |(from, to): (usize, usize)| package.get(from..to);
        Some(((at(name)?, at(version)?), at(checksum)?))
    };
    packages.filter_map(read).collect()
}

fn reference(part: &Part) -> String {
    format!("pkg:cargo/{}@{}", part.name, part.version)
}

/// One part of the list. A crate that is not from a folder and has no checksum, and one without a licence, is
/// an error.
fn component(part: &Part, checksums: &BTreeMap<(&str, &str), &str>) -> Result<String, String> {
    let Part { name, version, licence, ours } = part;
    let checksum = checksums.get(&(name.as_str(), version.as_str()));
    if licence.is_empty() || checksum.is_none() != *ours {
        return Err(format!("{name} {version}: no licence, or no checksum in the lock file"));
    }
    let hashes = checksum.map(|sum| format!("\"hashes\":[{{\"alg\":\"SHA-256\",\"content\":\"{sum}\"}}],"));
    Ok(format!(
        "{{\"type\":\"library\",\"bom-ref\":\"{0}\",\"name\":\"{name}\",\"version\":\"{version}\",{1}\
         \"licenses\":[{{\"expression\":\"{licence}\"}}],\"purl\":\"{0}\"}}",
        reference(part),
        hashes.unwrap_or_default()
    ))
}

fn list(first: &Part, parts: &Parts, checksums: &BTreeMap<(&str, &str), &str>) -> Result<String, String> {
    let others = parts.keys().filter(|part| *part != first).map(|part| component(part, checksums));
    let components: Vec<_> = others.collect::<Result<_, _>>()?;
    let dependencies = parts.iter().map(|(part, asked)| {
        let asked: Vec<_> = asked.iter().map(|part| format!("\"{}\"", reference(part))).collect();
        format!("{{\"ref\":\"{}\",\"dependsOn\":[{}]}}", reference(part), asked.join(","))
    });
    Ok(format!(
        "{{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"version\":1,\n\"metadata\":{{\"component\":{}}},\n\
         \"components\":[\n{}\n],\n\"dependencies\":[\n{}\n]}}\n",
        component(first, checksums)?,
        components.join(",\n"),
        dependencies.collect::<Vec<_>>().join(",\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "0 dualseal-ffi v0.1.0 (/somewhere)|MIT OR Apache-2.0\n1 sha3 v0.12.0|MIT/Apache-2.0\n\
                        2 keccak v0.2.2|MIT\n1 keccak v0.2.2|MIT\n";
    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"keccak\"\nversion = \"0.2.2\"\nchecksum = \"aa\"\n\n\
                        [[package]]\nname = \"sha3\"\nversion = \"0.12.0\"\nchecksum = \"bb\"\n";

    #[test]
    fn the_list_has_every_part_once_with_its_sum_and_what_it_asks_for() {
        let (first, parts) = parts(TREE).expect("a tree");
        let text = list(&first, &parts, &checksums(LOCK)).expect("a list");
        assert_eq!(text.matches("\"type\":\"library\"").count(), 3);
        assert!(text.contains("\"content\":\"aa\"") && text.contains("\"content\":\"bb\""));
        assert!(text.contains("\"expression\":\"MIT OR Apache-2.0\""));
        let asks = "\"dependsOn\":[\"pkg:cargo/keccak@0.2.2\",\"pkg:cargo/sha3@0.12.0\"]}";
        assert!(text.contains(&format!("{{\"ref\":\"pkg:cargo/dualseal-ffi@0.1.0\",{asks}")), "{text}");
        assert!(text.contains("{\"component\":{\"type\":\"library\",\"bom-ref\":\"pkg:cargo/dualseal-ffi@"), "{text}");
        assert!(!text.contains("/somewhere"));
    }

    #[test]
    fn a_part_without_sum_or_licence_is_told() {
        let of = |tree: &str, lock: &str| {
            let (first, parts) = parts(tree).expect("a tree");
            list(&first, &parts, &checksums(lock))
        };
        assert!(of(TREE, &LOCK.replace("checksum = \"bb\"", "")).is_err_and(|error| error.contains("sha3 0.12.0")));
        // Whatever it is called.
        let named = format!("{TREE}1 dualseal-else v1.0.0|MIT\n");
        assert!(of(&named, LOCK).is_err_and(|error| error.contains("dualseal-else")));
        assert!(of(&named.replace("v1.0.0", "v1.0.0 (/folder)"), LOCK).is_ok());
        assert!(of(&TREE.replace("keccak v0.2.2|MIT", "keccak v0.2.2|"), LOCK).is_err());
        assert!(parts("x sha3 v1|MIT").is_err());
    }
}
