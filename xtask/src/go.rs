//! Go: the library held against the trees and notes of Go's own programs (`tests/go`).

use std::path::Path;

use crate::context::{Context, make_directory};
use crate::process::{self, run};
use crate::{debian, python, rust};

const SOURCES: &str = "tests/go";
/// What Debian's golang-golang-x-mod-dev brings: the module that `tests/go/go.mod` names.
const MODULE: &str = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog/tlog.go";

/// Go itself comes from the Python package that the requirements pin, so that nothing of the system is another version.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[(MODULE, &["golang-golang-x-mod-dev"])])?;
    let bin = python::environment(context)?;
    let find = "import importlib.util as u; print(u.find_spec('go').submodule_search_locations[0])";
    let root = process::read(context.command(bin.join("python")).args(["-c", find]))?;
    let programs = rust::programs(context)?;
    let cache = context.target.join("go");
    make_directory(&cache)?;
    let go = |program: &str, arguments: &[&str]| {
        let mut command = context.command(Path::new(&root).join("bin").join(program));
        command.args(arguments).current_dir(context.root.join(SOURCES));
        // Nothing is fetched, and nothing that somebody has set for Go's programs counts.
        for (name, value) in
            [("GOTOOLCHAIN", "local"), ("GOPROXY", "off"), ("GOFLAGS", "-mod=mod"), ("GOENV", "off"), ("GOWORK", "off")]
        {
            command.env(name, value);
        }
        command.env("GOCACHE", &cache).env("CGO_ENABLED", "0").env("DUALSEAL_PROGRAMS", &programs);
        command
    };
    let unformatted = process::read(&mut go("gofmt", &["-l", "."]))?;
    if !unformatted.is_empty() {
        return Err(format!("gofmt writes these otherwise: {unformatted}"));
    }
    run(&mut go("go", &["vet", "./..."]))?;
    run(&mut go("go", &["test", "-v", "-count=1", "./..."]))
}
