//! The schema's files, the same for both databases. They are listed when this is compiled, without the macro of sqlx
//! that does so: it has both drivers and SQLite compiled once more, for the compiler.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::sync::LazyLock;

/// By the number in a file's name.
pub(super) static ALL: LazyLock<Migrator> = LazyLock::new(|| {
    let files: &[(&'static str, &'static str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));
    Migrator::with_migrations(files.iter().filter_map(|(name, text)| named(name, text)).collect())
});

/// One by the name of its file, `0001_what_it_is`.
fn named(name: &'static str, text: &'static str) -> Option<Migration> {
    let (number, what) = name.split_once('_')?;
    let description = what.replace('_', " ").into();
    Some(Migration::new(number.parse().ok()?, description, MigrationType::Simple, SqlStr::from_static(text), false))
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::path::Path;

    /// As databases have it that were made by the macro.
    #[test]
    fn a_database_of_an_earlier_program_has_the_same_schema() {
        let first = ALL.iter().next().unwrap();
        assert_eq!((first.version, &*first.description, first.no_tx), (1, "platform", false));
        let checksum =
            "837084c21de7542e1a2c07f558167b6d6a60822dbc8e8c31d5a5e292f9e0dee1bacef9f4d29ef9810e9d621f921dca57";
        assert_eq!(dualseal::encoding::hex::encode(&first.checksum), checksum);
    }

    #[test]
    fn every_file_is_one_of_it_in_its_order() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
        let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        found.sort();
        assert!(!found.is_empty());
        let texts: Vec<String> = found.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        assert_eq!(ALL.iter().map(|one| one.sql.as_str()).collect::<Vec<_>>(), texts);
        assert!(ALL.iter().map(|one| one.version).is_sorted_by(|one, next| one < next));
    }
}
