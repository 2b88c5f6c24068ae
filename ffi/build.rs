//! Names the shared library for the linker, whoever builds it.

mod soname;

/// Where shared libraries are ELF files, which alone have such a name, and the compiler driver links them.
const ELF: [&str; 8] = ["linux", "android", "freebsd", "netbsd", "openbsd", "dragonfly", "illumos", "solaris"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=soname.rs");
    println!("cargo::rerun-if-changed=src/constants.rs");
    // Of the target: a build script itself runs where the library is built.
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if ELF.contains(&target.as_str()) {
        // -soname by the name that the linkers of all of them know.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-h,{}", soname::soname());
    }
}
