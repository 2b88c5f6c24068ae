//! Writes what is made of the catalogue of errors: run it as `cargo xtask generate`.

use dualseal_tests::catalogue::generated;
use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (path, text) in generated() {
        fs::write(root.join(path), text)?;
        println!("wrote {path}");
    }
    Ok(())
}
