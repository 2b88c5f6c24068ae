//! The name under which programs ask for the shared library. The build script gives it to the linker, and the
//! installation (xtask) makes the link of that name.

/// `libdualseal.so` and the part of the version that names the ABI: before 1.0 a minor version may change it.
pub(crate) fn soname(version: &str) -> String {
    let mut parts = version.split('.');
    let abi = match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (major, _) => major.unwrap_or_default().to_owned(),
    };
    format!("libdualseal.so.{abi}")
}

#[cfg(test)]
mod tests {
    use super::soname;

    #[test]
    fn a_minor_version_is_an_abi_of_its_own_before_1_0() {
        assert_eq!(soname("0.3.9"), "libdualseal.so.0.3");
        assert_eq!(soname("2.1.0"), "libdualseal.so.2");
    }
}
