//! Every vector says where it comes from, and none is said that is not there.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_vector_has_a_source_and_a_licence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let table = std::fs::read_to_string(root.join("PROVENANCE.tsv")).unwrap();
    let mut rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    assert_eq!(rows.next().unwrap(), ["file", "source", "version", "licence", "note"]);
    let mut said = BTreeSet::new();
    for row in rows {
        assert!(row.len() == 5 && row.iter().all(|cell| !cell.trim().is_empty()), "{row:?}");
        assert!(said.insert(row[0].to_string()), "{} is there twice", row[0]);
    }

    let (mut found, mut folders) = (BTreeSet::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "PROVENANCE.tsv") {
                found.insert(path.strip_prefix(&root).unwrap().to_str().unwrap().to_string());
            }
        }
    }
    assert_eq!(said, found);
}
