//! Compiles what calls every function that reads a text, with the headers as C has them.

fn main() {
    for path in ["c", "../../include", "../../tests/c"] {
        println!("cargo::rerun-if-changed={path}");
    }
    cc::Build::new().file("c/json_doors.c").includes(["c", "../../include", "../../tests/c"]).compile("json_doors");
}
