//! Names the shared library for the linker, whoever builds it.

mod soname;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=soname.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{}", soname::soname(env!("CARGO_PKG_VERSION")));
}
