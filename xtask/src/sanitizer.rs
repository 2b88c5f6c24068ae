//! `cargo xtask assure sanitizer`: the kernels under AddressSanitizer, whose AVX-512 valgrind does not know.

use std::fs;
use std::process::Stdio;

use crate::context::{Context, write};
use crate::process::run;
use crate::rust;

/// The flag is of the nightly compiler: the stable one has it, and its library the sanitizer, where it is told to be
/// one. Frames with their names are what a report is of.
const FLAGS: &str = "-Zsanitizer=address -Cforce-frame-pointers=yes";
const AS_NIGHTLY: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");
/// What the level of AVX-512 asks of a processor.
const WANTED: &[&str] = &["avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"];
/// Reads a byte past its own.
const PAST_THE_END: &str = "fn main() {\n    let own = vec![std::env::args().count() as u8; 64];\n    \
    println!(\"{}\", unsafe { own.as_ptr().add(64).read_volatile() });\n}\n";

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let told = fs::read_to_string("/proc/cpuinfo").map_err(|error| format!("/proc/cpuinfo: {error}"))?;
    if let Some(missing) = missing(&told) {
        return Err(format!("missing: a processor with {missing}, for which AVX-512 is compiled"));
    }
    let host = rust::compiler_says(context, "host")?;
    notices(context, &host)?;
    run(context
        .cargo()
        // With a target named, what runs while it is compiled is compiled without the sanitizer.
        .args(["test", "--package", "dualseal-kernels", "--profile", "checked", "--lib", "--tests", "--target", &host])
        .arg("--target-dir")
        .arg(context.target.join("sanitizer"))
        .env("RUSTFLAGS", FLAGS)
        .env(AS_NIGHTLY.0, AS_NIGHTLY.1))
}

/// What this processor lacks, by what Linux says of it.
fn missing(told: &str) -> Option<&'static str> {
    let flags = told.lines().find_map(|line| line.strip_prefix("flags")).unwrap_or_default();
    WANTED.iter().copied().find(|wanted| !flags.split_whitespace().any(|flag| flag == *wanted))
}

/// A program that reads past its own is told of: the sanitizer is in what is compiled so.
fn notices(context: &Context, host: &str) -> Result<(), String> {
    let scratch = context.scratch("sanitizer-notices")?;
    let (source, program) = (scratch.join("past.rs"), scratch.join("past"));
    write(&source, PAST_THE_END)?;
    let mut compiler = rust::compiler(context);
    compiler.args(FLAGS.split(' ')).args(["--edition=2024", "--target", host, "-o"]);
    run(compiler.arg(&program).arg(&source).env(AS_NIGHTLY.0, AS_NIGHTLY.1))?;
    let ended = context.command(&program).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if ended.status.success() || !said.contains("heap-buffer-overflow") {
        return Err(format!("a read past the end was not told of: {}\n{said}", ended.status));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn a_processor_has_all_or_is_not_the_one() {
        let all = "model name\t: x\nflags\t\t: sse2 avx2 avx512f avx512bw avx512dq avx512vl\n";
        assert_eq!(missing(all), None);
        assert_eq!(missing(&all.replace("avx512vl", "avx512vlx")), Some("avx512vl"));
        assert_eq!(missing(""), Some("avx2"));
    }
}
