//! What later suites compile, compiled while earlier ones wait for disks, peers and browsers: at the lowest priority,
//! so that it takes what nobody else asks for. The suites themselves run the same commands, and say what fails.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::context::Context;
use crate::suite::Suite;

/// Does `work`, which is given where to say how many of the suites have begun, while what those compile that have not
/// is compiled.
pub(crate) fn beside<T>(context: &Context, suites: &[&Suite], work: impl FnOnce(&AtomicUsize) -> T) -> T {
    let begun = AtomicUsize::new(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            for (place, suite) in suites.iter().enumerate() {
                let waits = || begun.load(Ordering::Relaxed) <= place;
                for command in suite.compiles.iter().flat_map(|compiles| compiles(context)) {
                    if waits() {
                        // Whatever it says is said again by the suite.
                        let _ = idle(&command).status();
                    }
                }
            }
        });
        let done = work(&begun);
        begun.store(suites.len(), Ordering::Relaxed);
        done
    })
}

/// The same at the lowest priority, silently.
fn idle(command: &Command) -> Command {
    let mut idle = Command::new("nice");
    idle.args(["-n", "19"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => idle.env(name, value),
            None => idle.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        idle.current_dir(folder);
    }
    idle.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    idle
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::sync::atomic::Ordering;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::beside;
    use crate::context::Context;
    use crate::suite::Suite;

    /// Writes its own priority where it is told, if it is not told of a home.
    fn writes(context: &Context, name: &str) -> Vec<Command> {
        let mut command = context.command("sh");
        command.args(["-c", "nice >\"$TO$HOME\""]).env("TO", context.target.join(name)).env_remove("HOME");
        vec![command]
    }

    #[test]
    fn what_has_not_begun_is_compiled_by_the_idle() {
        let target = std::env::temp_dir().join(format!("dualseal-xtask-{}-ahead", std::process::id()));
        fs::create_dir_all(&target).expect("a folder");
        let context = Context { target: target.clone(), ..Context::new().expect("under cargo") };
        let suites = [
            Suite::new("first", "", |_| Ok(())).compiling(|context| writes(context, "first")),
            Suite::new("second", "", |_| Ok(())),
            Suite::new("third", "", |_| Ok(())).compiling(|context| writes(context, "third")),
        ];
        let chosen: Vec<_> = suites.iter().collect();
        let third = target.join("third");
        let end = Instant::now() + Duration::from_mins(1);
        let done = beside(&context, &chosen, |begun| {
            while !third.exists() && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
            begun.load(Ordering::Relaxed)
        });
        assert_eq!(done, 1);
        assert_eq!(fs::read_to_string(&third).expect("it was written").trim(), "19");
        assert!(!target.join("first").exists(), "the first suite is not waited for: it begins by itself");
        fs::remove_dir_all(target).expect("the folder is removed");
    }
}
