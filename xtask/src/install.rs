//! The C library installed: both libraries, the headers, and what pkg-config says of them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::context::{Context, files_in, make_directory, read, write};
use crate::debian;
use crate::exports;
use crate::process::{self, run};
use crate::rust;
use crate::small;
use crate::soname::soname;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What Rust's standard library needs from the system when it is linked statically.
pub(crate) const PRIVATE_LIBRARIES: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc";
/// The same where nothing is shared: the compiler adds its own of these. Whoever wants what is not called left out says
/// so (`-Wl,--gc-sections`): cgo refuses a library that does.
const STATIC_LIBRARIES: &str = "-static -lutil -lrt -lpthread -lm -ldl -lc";

/// What a release is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Speed,
    Size,
}

/// `cargo xtask install [--small] [--prefix DIR] [--libdir DIR] [--destdir DIR]`: the release build.
pub(crate) fn command(context: &Context, arguments: &[String]) -> Result<(), String> {
    let (mut prefix, mut libdir, mut destdir) = (PathBuf::from("/usr/local"), PathBuf::from("lib"), None);
    let mut made_for = For::Speed;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--small" {
            made_for = For::Size;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a directory"))?;
        let absolute = std::path::absolute(value).map_err(|error| error.to_string())?;
        match argument.as_str() {
            "--prefix" => prefix = absolute,
            // Below the prefix, unless it begins at the root.
            "--libdir" => libdir = PathBuf::from(value),
            "--destdir" => destdir = Some(absolute),
            unknown => return Err(format!("install: no option {unknown}")),
        }
    }
    install_release(context, made_for, &Places { libdir: prefix.join(libdir), prefix, destdir })
}

/// The small library below a prefix.
pub(crate) fn small_into(context: &Context, prefix: &Path) -> Result<(), String> {
    let places = Places { libdir: prefix.join("lib"), prefix: prefix.to_path_buf(), destdir: None };
    install_release(context, For::Size, &places)
}

fn install_release(context: &Context, made_for: For, places: &Places) -> Result<(), String> {
    let built = release(context, made_for, &context.root, &context.target.join("library"))?;
    install(context, &built, places, Symbols::Exported)?;
    let library = places.staged(&places.libdir).join("libdualseal.so");
    let bytes = fs::metadata(&library).map_err(|error| format!("{}: {error}", library.display()))?.len();
    println!("{}: {bytes} bytes", library.display());
    if made_for == For::Size { is_small(bytes) } else { Ok(()) }
}

fn is_small(bytes: u64) -> Result<(), String> {
    if bytes > small::AT_MOST {
        return Err(format!("the small library has {bytes} bytes, the limit is {}", small::AT_MOST));
    }
    Ok(())
}

/// The folder of the release of the tree at `root`.
fn release(context: &Context, made_for: For, root: &Path, target: &Path) -> Result<PathBuf, String> {
    if made_for == For::Size {
        let mut cargo = context.command("/usr/bin/cargo");
        let (cargo, built) = small::release(&mut cargo, root, target)?;
        run(cargo)?;
        return Ok(built);
    }
    let package = ["build", "--locked", "--package", "dualseal-ffi", "--lib", "--release", "--target-dir"];
    let mut cargo = context.cargo();
    cargo.current_dir(root).args(package).arg(target);
    run(rust::released(&mut cargo, root)?)?;
    Ok(target.join("release"))
}

/// `cargo xtask assure library`: both libraries, built of what is committed in two folders, are the same to the byte.
pub(crate) fn twice(context: &Context) -> Result<(), String> {
    let scratch = context.scratch("twice")?;
    let archive = scratch.join("tree.tar");
    run(context.command("git").args(["archive", "--output"]).arg(&archive).arg("HEAD"))?;
    let mut made: Vec<Vec<Vec<u8>>> = Vec::new();
    for place in ["one", "another/place"] {
        let root = scratch.join(place);
        make_directory(&root)?;
        run(context.command("tar").arg("xf").arg(&archive).arg("-C").arg(&root))?;
        let built = release(context, For::Speed, &root, &root.join("target"))?;
        let prefix = root.join("prefix");
        install(context, &built, &Places { libdir: prefix.join("lib"), prefix, destdir: None }, Symbols::Exported)?;
        let library =
            |name: &str| fs::read(root.join("prefix/lib").join(name)).map_err(|error| format!("{name}: {error}"));
        made.push(["libdualseal.so", "libdualseal.a"].into_iter().map(library).collect::<Result<_, _>>()?);
    }
    match made.as_slice() {
        [one, other] if one == other => {
            let bytes: Vec<_> = one.iter().map(Vec::len).collect();
            println!("libdualseal.so and libdualseal.a, of {bytes:?} bytes, are the same from two folders");
            Ok(())
        }
        _ => Err(format!("two libraries of the same sources differ: {}", scratch.display())),
    }
}

/// Where it will live, and the folder below which a packager collects it until then.
struct Places {
    prefix: PathBuf,
    libdir: PathBuf,
    destdir: Option<PathBuf>,
}

impl Places {
    fn staged(&self, place: &Path) -> PathBuf {
        match &self.destdir {
            Some(directory) => directory.join(place.strip_prefix("/").unwrap_or(place)),
            None => place.to_path_buf(),
        }
    }
}

/// Which symbols a shared library keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbols {
    /// Those of the ABI: it is stripped.
    Exported,
    /// Those by which a failing test says where, too.
    All,
}

/// The prefix under which the library of the profile `checked` is installed.
pub(crate) fn installed(context: &Context) -> Result<PathBuf, String> {
    let make = || {
        let prefix = context.scratch("prefix")?;
        let places = Places { libdir: prefix.join("lib"), prefix: prefix.clone(), destdir: None };
        install(context, &rust::programs(context)?, &places, Symbols::All).map(|()| prefix)
    };
    context.prefix.get_or_init(make).clone()
}

/// Puts both libraries, which are in the folder `built`, the headers and the files of pkg-config into their places.
fn install(context: &Context, built: &Path, places: &Places, symbols: Symbols) -> Result<(), String> {
    let soname = soname();
    let (lib, include) = (places.staged(&places.libdir), places.staged(&places.prefix.join("include")));
    make_directory(&lib.join("pkgconfig"))?;
    make_directory(&include)?;
    let real = format!("libdualseal.so.{VERSION}");
    if cfg!(target_os = "linux") {
        link(context, &built.join("libdualseal.a"), &lib.join(&real), symbols)?;
    } else {
        // Other linkers know no versions of symbols.
        copy(&built.join("libdualseal.so"), &lib.join(&real))?;
    }
    copy(&built.join("libdualseal.a"), &lib.join("libdualseal.a"))?;
    for header in files_in(&context.root.join("include"), "h")? {
        copy(&header, &include.join(header.file_name().unwrap_or_default()))?;
    }
    let share = places.staged(&places.prefix.join("share/dualseal"));
    make_directory(&share)?;
    copy(&context.root.join("include/helgrind.supp"), &share.join("helgrind.supp"))?;
    for (link, destination) in [(soname.as_str(), real.as_str()), ("libdualseal.so", soname.as_str())] {
        let link = lib.join(link);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link).map_err(|error| format!("{}: {error}", link.display()))?;
        }
        symlink(destination, &link).map_err(|error| format!("{}: {error}", link.display()))?;
    }
    let head = places_of(places);
    write(&lib.join("pkgconfig/dualseal.pc"), &shared(&head))?;
    write(&lib.join("pkgconfig/dualseal-static.pc"), &fully_static(&head))?;
    println!("installed dualseal {VERSION} ({soname}) in {} and {}", lib.display(), include.display());
    Ok(())
}

/// Links the shared library anew from the static one, because Rust's own link gives symbols no version, and exports
/// those of its standard library beside the ABI's.
fn link(context: &Context, archive: &Path, to: &Path, symbols: Symbols) -> Result<(), String> {
    debian::require(&[("cc", &["gcc", "libc6-dev"])])?;
    let script = context.target.join("dualseal.map");
    write(&script, &version_script())?;
    let partial = to.with_extension("partial");
    let mut cc = context.command("cc");
    cc.arg("-shared").arg("-o").arg(&partial).arg(format!("-Wl,-soname,{}", soname()));
    cc.arg(format!("-Wl,--version-script={}", script.display()));
    cc.args(["-Wl,--gc-sections", "-Wl,-z,relro,-z,now", "-Wl,-z,defs", "-Wl,--whole-archive"]).arg(archive);
    cc.arg("-Wl,--no-whole-archive").args(PRIVATE_LIBRARIES.split(' '));
    if symbols == Symbols::Exported {
        cc.arg("-Wl,--strip-all");
    }
    process::collect(&mut cc)?;
    // Also of a release, which no suite looks at: a function too many is one that somebody's program will call.
    let symbols = process::read(context.command("nm").env("LC_ALL", "C").args(["-D", "--defined-only"]).arg(&partial))?;
    exports::tracked(&read(&context.root.join("include/symbols.txt"))?, &symbols, &symbol_version())?;
    // Beside its place and renamed, because a running program may have the old library mapped.
    fs::rename(&partial, to).map_err(|error| format!("{}: {error}", to.display()))
}

/// The version of every symbol of this ABI.
pub(crate) fn symbol_version() -> String {
    format!("DUALSEAL_{}", soname().rsplit('.').next().unwrap_or_default())
}

fn version_script() -> String {
    format!("{} {{ global: dualseal_*; local: *; }};\n", symbol_version())
}

/// The variables of a file of pkg-config, so that a tree which was moved as a whole still finds itself.
fn places_of(places: &Places) -> String {
    let lib = places.libdir.strip_prefix(&places.prefix).ok();
    let up = |below: &Path| below.components().filter(|part| matches!(part, Component::Normal(_))).count() + 1;
    let (prefix, libdir) = match lib {
        Some(below) => {
            let prefix = format!("${{pcfiledir}}{}", "/..".repeat(up(below)));
            (prefix, format!("${{prefix}}/{}", below.display()))
        }
        None => (places.prefix.display().to_string(), places.libdir.display().to_string()),
    };
    format!(
        "prefix={prefix}\nlibdir={libdir}\nincludedir=${{prefix}}/include\n\n\
         Description: Tamper-evident documents with ML-DSA-65 signatures\nVersion: {VERSION}\n\
         Cflags: -I${{includedir}}\n"
    )
}

fn shared(head: &str) -> String {
    format!("{head}Name: dualseal\nLibs: -L${{libdir}} -ldualseal\nLibs.private: {PRIVATE_LIBRARIES}\n")
}

/// For programs that ask for no library when they run, the system's own included.
fn fully_static(head: &str) -> String {
    format!("{head}Name: dualseal-static\nLibs: ${{libdir}}/libdualseal.a {STATIC_LIBRARIES}\n")
}

/// Written beside its place and renamed, because a running program may have the old library mapped.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let partial = to.with_extension("partial");
    fs::copy(from, &partial)
        .and_then(|_| fs::rename(&partial, to))
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(prefix: &str, libdir: &str) -> Places {
        Places { prefix: prefix.into(), libdir: Path::new(prefix).join(libdir), destdir: Some("/tmp/stage".into()) }
    }

    #[test]
    fn a_file_of_pkg_config_names_no_place_that_can_be_moved() {
        let usual = shared(&places_of(&places("/usr/local", "lib")));
        assert!(usual.starts_with("prefix=${pcfiledir}/../..\nlibdir=${prefix}/lib\n"), "{usual}");
        let debian = fully_static(&places_of(&places("/usr", "/usr/lib/x86_64-linux-gnu")));
        assert!(
            debian.starts_with("prefix=${pcfiledir}/../../..\nlibdir=${prefix}/lib/x86_64-linux-gnu\n"),
            "{debian}"
        );
        assert!(!usual.contains("/usr") && !debian.contains("/usr"), "{usual}{debian}");
        // What lies outside of the prefix is not moved with it.
        let apart = shared(&places_of(&places("/opt/dualseal", "/usr/lib64")));
        assert!(apart.starts_with("prefix=/opt/dualseal\nlibdir=/usr/lib64\n"), "{apart}");
    }

    #[test]
    fn what_is_small_has_less_than_two_and_a_half_megabytes() {
        assert_eq!(is_small(2_499_999), Ok(()));
        assert!(is_small(2_500_000).unwrap_err().contains("2500000 bytes"));
    }

    #[test]
    fn what_a_packager_collects_lies_below_his_folder() {
        let places = places("/usr", "lib64");
        assert_eq!(places.staged(&places.libdir), Path::new("/tmp/stage/usr/lib64"));
    }

    #[test]
    fn the_version_of_the_symbols_is_the_number_of_the_library() {
        assert_eq!(format!("libdualseal.so.{}", symbol_version().trim_start_matches("DUALSEAL_")), soname());
        assert_eq!(version_script(), format!("{} {{ global: dualseal_*; local: *; }};\n", symbol_version()));
    }
}
