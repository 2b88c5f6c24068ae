//! Links without the C runtime's start-up code: `_start` is in `start.rs`, and no library is linked at all. Where there
//! is no operating system, the linker is called by itself; a module of WebAssembly has no start, and says what it
//! exports.

fn main() {
    let of_target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let arguments: &[&str] = match (of_target("OS").as_str(), of_target("ARCH").as_str()) {
        ("linux", _) => &["-nostartfiles", "-nostdlib", "-static"],
        (_, "wasm32") => &["--no-entry", "--export=steps_that_failed", "--strip-all"],
        _ => &["--gc-sections", "--strip-all"],
    };
    for argument in arguments {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
