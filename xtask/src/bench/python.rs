//! The rows of Python: the wheel, as it is released, beside what else a Python program verifies ML-DSA-65 with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::context::{self, Context};
use crate::process::run;
use crate::python;

/// The rows' group, which begins their names.
const GROUP: &str = "Python";
const REQUIREMENTS: &str = "benches/peers/python/requirements.txt";
const PROGRAM: &str = "benches/peers/python/side_by_side.py";
const LIBOQS: &str = "benches/peers/python/liboqs.c";

/// What is passed on to the program.
const OPTIONS: [&str; 2] = ["--quick", "--once"];

/// The contenders that a full run must have.
pub(super) const PEERS: [&str; 3] = ["liboqs-python", "cryptography", "fast-mldsa"];

/// Whether the rows are asked for: all of them, or none.
pub(super) fn is_wanted(arguments: &[&str]) -> bool {
    let only = arguments.iter().skip_while(|word| **word != "--only").nth(1);
    only.is_none_or(|only| only.starts_with(GROUP) || GROUP.contains(only))
}

/// Builds what is measured, some of it from the peers of a manifest, and measures it: lines as the program of the other
/// rows prints them.
pub(super) fn measure(context: &Context, manifest: &str, arguments: &[&str]) -> Result<String, String> {
    let folder = context.target.join("peers");
    let bin = python::environment_in(context, &folder.join("venv"), REQUIREMENTS)?;
    python::install_wheel(context, &bin, &context.scratch("peers/wheels")?, "release")?;
    let liboqs = liboqs(context, &package(context, manifest, "oqs-sys")?.join("liboqs"), &folder.join("liboqs"))?;
    let native = native(context, manifest, &folder)?;
    let mut command = context.command(bin.join("python"));
    command.arg(PROGRAM).args(arguments.iter().filter(|word| OPTIONS.contains(word))).arg(GROUP).arg(native);
    let output = command.env("OQS_INSTALL_PATH", liboqs).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{PROGRAM}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{PROGRAM}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{PROGRAM}: {error}"))
}

/// mldsa-native as a shared library.
fn native(context: &Context, manifest: &str, folder: &Path) -> Result<PathBuf, String> {
    run(context
        .cargo()
        .args(["build", "--release", "--lib", "--manifest-path", manifest, "--target-dir"])
        .arg(folder))?;
    Ok(folder.join("release").join("libpeers_native.so"))
}

/// Where liboqs is installed as a shared library with ML-DSA-65 alone, built as `oqs-sys` builds it for the other rows:
/// for any processor of the family, with the paths of all.
fn liboqs(context: &Context, sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    let (build, installed, stamp) = (folder.join("build"), folder.join("installed"), folder.join("stamp"));
    let wanted = format!("{}\n{}", sources.display(), context::read(&context.root.join(LIBOQS))?);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(installed);
    }
    context.scratch("peers/liboqs")?;
    let added = folder.join("added.o");
    run(context.command("cc").args(["-O2", "-fPIC", "-Wall", "-Werror", "-c", LIBOQS, "-o"]).arg(&added))?;
    let define = |name: &str, path: &Path| format!("-D{name}={}", path.display());
    let options = ["BUILD_SHARED_LIBS=ON", "OQS_BUILD_ONLY_LIB=ON", "OQS_DIST_BUILD=ON", "OQS_USE_OPENSSL=OFF"];
    run(context
        .command("cmake")
        .arg("-S")
        .arg(sources)
        .arg("-B")
        .arg(&build)
        .args(["-DCMAKE_BUILD_TYPE=Release", "-DOQS_MINIMAL_BUILD=SIG_ml_dsa_65"])
        .args(options.map(|option| format!("-D{option}")))
        .arg(define("CMAKE_INSTALL_PREFIX", &installed))
        .arg(define("CMAKE_SHARED_LINKER_FLAGS", &added))
        .stdout(Stdio::null()))?;
    run(context
        .command("cmake")
        .arg("--build")
        .arg(&build)
        .args(["--parallel", "2", "--target", "install"])
        .stdout(Stdio::null()))?;
    context::write(&stamp, &wanted)?;
    Ok(installed)
}

/// The folder in which cargo has the sources of a package of the peers.
fn package(context: &Context, manifest: &str, name: &str) -> Result<PathBuf, String> {
    let mut metadata = context.cargo();
    metadata.args(["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest]);
    folder_of(&crate::process::read(&mut metadata)?, name)
}

/// In what `cargo metadata` says, whose paths have no characters that JSON would change.
fn folder_of(metadata: &str, name: &str) -> Result<PathBuf, String> {
    let mut manifests = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
    let folders = manifests.find_map(|manifest| {
        let folder = Path::new(manifest).parent()?;
        let version = folder.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix('-')?;
        version.starts_with(|first: char| first.is_ascii_digit()).then(|| folder.to_path_buf())
    });
    folders.ok_or_else(|| format!("no sources of {name}"))
}

#[cfg(test)]
mod tests {
    use super::{PEERS, PROGRAM, REQUIREMENTS, folder_of, is_wanted};
    use crate::bench::tests::file;
    use std::path::Path;

    #[test]
    fn it_is_built_for_no_other_row() {
        for words in [&[][..], &["--quick"], &["--once"], &["--only", "Python"], &["--quick", "--only", "Python: sign"]]
        {
            assert!(is_wanted(words), "{words:?}");
        }
        assert!(!is_wanted(&["--only", "sign"]) && !is_wanted(&["--only", "split", "--quick"]));
    }

    #[test]
    fn a_package_is_found_by_its_whole_name() {
        let metadata = "{\"packages\":[{\"manifest_path\":\"/a/oqs-0.1.0/Cargo.toml\"},\
            {\"manifest_path\":\"/a/oqs-sys-0.2.0+x/Cargo.toml\",\"n\":1}]}";
        assert_eq!(folder_of(metadata, "oqs-sys").as_deref(), Ok(Path::new("/a/oqs-sys-0.2.0+x")));
        assert_eq!(folder_of(metadata, "oqs").as_deref(), Ok(Path::new("/a/oqs-0.1.0")));
        assert!(folder_of(metadata, "sys").is_err() && folder_of("", "oqs").is_err());
    }

    #[test]
    fn every_peer_is_pinned_and_measured() {
        let (requirements, program) = (file(REQUIREMENTS), file(PROGRAM));
        for peer in PEERS {
            assert!(requirements.lines().any(|line| line.starts_with(&format!("{peer}=="))), "{peer}");
            assert!(program.contains(&format!("\"{peer}")), "{peer}");
        }
    }
}
