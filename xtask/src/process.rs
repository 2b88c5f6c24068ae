//! Running other programs: each command line is printed before it runs, and a bad end is an error that repeats it.

use std::process::{Command, Stdio};

/// Runs to the end, with this program's own output streams.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = announce(command);
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}")) }
}

/// Runs to the end, for suites that do several things at a time: what is to be printed, the command line first.
pub(crate) fn collect(command: &mut Command) -> Result<String, String> {
    let line = line(command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{line}: {error}"))?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() {
        Ok(format!("$ {line}\n{said}"))
    } else {
        Err(format!("{line}: {}\n{said}", output.status))
    }
}

/// Runs silently; the standard output of a command that succeeded, trimmed.
pub(crate) fn read(command: &mut Command) -> Result<String, String> {
    let line = line(command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{line}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("{line}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
    }
}

fn announce(command: &Command) -> String {
    let line = line(command);
    println!("$ {line}");
    line
}

fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}
