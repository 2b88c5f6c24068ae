//! No file leads back to itself: whoever reads a file and then those that it uses, arrives at the ground.

use dualseal_tests::circles::{circles, edges};
use dualseal_tests::rust_modules::Sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn no_file_leads_back_to_itself() {
    let crates = crates();
    let names: Vec<&str> = crates.iter().map(|folder| folder.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(
        names,
        ["benches", "cli", "core", "examples", "ffi", "fuzz", "kernels", "operator", "python", "tests", "xtask"]
    );
    for (folder, name) in crates.iter().zip(names) {
        let sources = sources(folder);
        let edges = edges(&sources, &roots(folder, &sources));
        for file in sources.keys().filter(|file| !edges.contains_key(*file)) {
            assert!(is_for_tests(&sources, file), "{name}: {file} was not read");
        }
        let circles = circles(&edges);
        assert!(circles.is_empty(), "{name}: {} circles\n{}", circles.len(), lines(&circles));
    }
}

fn lines(circles: &[Vec<String>]) -> String {
    circles.iter().map(|circle| circle.join("\n")).collect::<Vec<_>>().join("\n\n")
}

/// The folders of the project that are a crate.
fn crates() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut crates: Vec<PathBuf> = std::fs::read_dir(project).unwrap().map(|entry| entry.unwrap().path()).collect();
    crates.retain(|folder| is_crate(folder));
    crates.sort();
    crates
}

fn is_crate(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

/// Every source, by its path within the crate.
fn sources(folder: &Path) -> Sources {
    let mut sources = Sources::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(open) = folders.pop() {
        for entry in std::fs::read_dir(open).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !is_crate(&path) && path.file_name().is_some_and(|name| name != "target" && name != ".venv") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_string();
                sources.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    sources
}

/// A test of the crate, or a module that its parent declares for tests only.
fn is_for_tests(sources: &Sources, file: &str) -> bool {
    let (folder, name) = file.trim_end_matches(".rs").rsplit_once('/').unwrap_or(("", file));
    let parents = [format!("{folder}/lib.rs"), format!("{folder}/main.rs"), format!("{folder}.rs")];
    let declaration = format!("mod {name};");
    let declared = parents.iter().filter_map(|parent| sources.get(parent)).any(|parent| {
        let before = parent.lines().zip(parent.lines().skip(1)).find(|(_, line)| line.ends_with(&declaration));
        before.is_some_and(|(before, _)| before == "#[cfg(test)]")
    });
    declared || file.starts_with("tests/")
}

/// The library, the programs, and what the manifest names with a path of its own; no tests.
fn roots(folder: &Path, sources: &Sources) -> Vec<String> {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let named = manifest.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    let usual = |name: &&str| ["build.rs", "src/lib.rs", "src/main.rs"].contains(name) || name.starts_with("src/bin/");
    let all = named.chain(sources.keys().map(String::as_str).filter(usual));
    let is_source = |path: &&str| Path::new(path).extension().is_some_and(|extension| extension == "rs");
    let roots: BTreeSet<&str> = all.filter(is_source).filter(|path| !path.starts_with("tests/")).collect();
    roots.into_iter().map(String::from).collect()
}
