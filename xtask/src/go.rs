//! Go: the library held against the trees and notes of Go's own programs (`tests/go`), and the package over the C
//! library (`examples/go`).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, make_directory};
use crate::install::installed;
use crate::process::{self, run};
use crate::{debian, python, rust};

const ORACLES: &str = "tests/go";
const PACKAGE: &str = "examples/go";
/// What Debian's golang-golang-x-mod-dev brings: the module that `tests/go/go.mod` names.
const MODULE: &str = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog/tlog.go";

/// Go itself comes from the Python package that the requirements pin, so that nothing of the system is another version.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[(MODULE, &["golang-golang-x-mod-dev"])])?;
    let go = Go::new(context)?;
    go.checked(ORACLES, false)?;
    run(&mut go.command("go", ORACLES, false, &["test", "-v", "-count=1", "./..."]))?;
    go.checked(PACKAGE, true)?;
    run(&mut go.command("go", PACKAGE, true, &["test", "-race", "-count=1", "./..."]))?;
    // The same where nothing is shared, not even the system's library.
    run(&mut go.command("go", PACKAGE, true, &["test", "-tags", "static", "-count=1", "./..."]))?;
    run(&mut go.command("go", PACKAGE, true, &["test", "-run", "^$", "-bench", ".", "-benchtime", "200x", "."]))
}

/// One test of the package, by its file in a copy of the tree and its name. The C library is the tree's: what the copy
/// breaks is the package's own.
pub(crate) fn one(context: &Context, file: &Path, name: &str) -> Result<Command, String> {
    let name = format!("^{name}$");
    let mut test = Go::new(context)?.command("go", PACKAGE, true, &["test", "-v", "-count=1", "-run", &name, "."]);
    test.current_dir(file.parent().unwrap_or(file));
    Ok(test)
}

struct Go<'a> {
    context: &'a Context,
    bin: PathBuf,
    cache: PathBuf,
    programs: PathBuf,
}

impl<'a> Go<'a> {
    fn new(context: &'a Context) -> Result<Self, String> {
        debian::require(&[("cc", &["gcc", "libc6-dev"]), ("pkg-config", &["pkg-config"])])?;
        let python = python::environment(context)?.join("python");
        let find = "import importlib.util as u; print(u.find_spec('go').submodule_search_locations[0])";
        let root = process::read(context.command(python).args(["-c", find]))?;
        let cache = context.target.join("go");
        make_directory(&cache)?;
        let go = Self { context, bin: Path::new(&root).join("bin"), cache, programs: rust::programs(context)? };
        installed(context)?;
        Ok(go)
    }

    fn command(&self, program: &str, folder: &str, cgo: bool, arguments: &[&str]) -> Command {
        let mut command = self.context.command(self.bin.join(program));
        command.args(arguments).current_dir(self.context.root.join(folder));
        // Nothing is fetched, and nothing that somebody has set for Go's programs counts.
        for (name, value) in
            [("GOTOOLCHAIN", "local"), ("GOPROXY", "off"), ("GOFLAGS", "-mod=mod"), ("GOENV", "off"), ("GOWORK", "off")]
        {
            command.env(name, value);
        }
        let libraries = self.context.target.join("prefix/lib");
        command
            .env("GOCACHE", &self.cache)
            .env("CGO_ENABLED", if cgo { "1" } else { "0" })
            .env("PKG_CONFIG_PATH", libraries.join("pkgconfig"))
            .env("LD_LIBRARY_PATH", &libraries)
            .env("DUALSEAL_PROGRAMS", &self.programs)
            .env("DUALSEAL_VECTORS", self.context.root.join("tests/vectors"));
        command
    }

    fn checked(&self, folder: &str, cgo: bool) -> Result<(), String> {
        let unformatted = process::read(&mut self.command("gofmt", folder, cgo, &["-l", "."]))?;
        if !unformatted.is_empty() {
            return Err(format!("gofmt writes these otherwise: {unformatted}"));
        }
        run(&mut self.command("go", folder, cgo, &["vet", "./..."]))
    }
}
