//! Lists the files of the schema, so that one that is added is compiled in.

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder");
    let folder = Path::new(&root).join("../migrations");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("the schema's folder is read");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("its files are listed").path()).collect();
    files.sort();
    let mut list = String::from("[\n");
    for file in &files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name is text");
        let path = file.to_str().expect("a path is text");
        writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("text is written");
    }
    list.push_str("]\n");
    let made = std::env::var("OUT_DIR").expect("cargo names the folder of what is made");
    std::fs::write(Path::new(&made).join("migrations.rs"), list).expect("the list is written");
}
