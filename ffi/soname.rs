//! The number of the ABI, by which programs ask for the shared library and for its symbols. The build script gives it
//! to the linker, and the installation (xtask) to the files, their links and the symbols.

/// Where the number stands, for C too: one number, which nothing else repeats.
const SOURCE: &str = include_str!("src/constants.rs");

/// `DUALSEAL_ABI_VERSION`.
fn abi(source: &str) -> &str {
    let number = source.lines().find_map(|line| line.strip_prefix("pub const DUALSEAL_ABI_VERSION: u32 = "));
    number.and_then(|number| number.strip_suffix(';')).unwrap_or_default()
}

/// The name under which programs ask for the shared library.
pub(crate) fn soname() -> String {
    format!("libdualseal.so.{}", abi(SOURCE))
}

#[cfg(test)]
mod tests {
    use super::{SOURCE, abi, soname};

    #[test]
    fn the_number_is_that_of_the_header() {
        assert_eq!(abi("/// Text.\npub const DUALSEAL_ABI_VERSION: u32 = 7;\nx\n"), "7");
        assert!(abi(SOURCE).parse::<u32>().is_ok_and(|number| number > 1), "{}", soname());
    }
}
