//! Every task of `docs/GUIDE.md` is done, with its own commands, by somebody who has an empty folder.

use crate::run::Place;
use std::fs;

const PAGE: &str = include_str!("../../../docs/GUIDE.md");

/// The shell of a part of the page.
fn shell(part: &str) -> String {
    part.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn every_task_of_the_guide_is_done() {
    let mut parts = PAGE.split("\n## ");
    let before = shell(parts.next().unwrap());
    assert!(before.contains("dualseal key new ana"), "{before}");
    let mut tasks = Vec::new();
    for part in parts {
        let (title, commands) = (part.lines().next().unwrap(), shell(part));
        if commands.is_empty() {
            continue;
        }
        tasks.push(title);
        let place = Place::new(&format!("guide-{}", tasks.len()));
        let ran = place.shell_without_home(&format!("set -eux\n{before}{commands}"));
        assert_eq!(ran.status, 0, "{title}: {}{}", ran.out, ran.err);
        // What a task promises.
        match title {
            "Send a contract to a court" => {
                let report = fs::read_to_string(place.path("report.html")).unwrap();
                assert!(report.contains("contract.txt") && ran.out.contains("Every file of the folder"), "{}", ran.out);
            }
            "Two firms sign" => assert!(ran.out.contains("Valid: all 2 records"), "{}", ran.out),
            "Replace a key" => assert_eq!(ran.out.matches("Valid: the signature is by").count(), 2, "{}", ran.out),
            "Call a key back with a date" => {
                assert!(ran.out.contains("REVOKED") && ran.out.contains("the record stands before"), "{}", ran.out);
            }
            "Follow somebody's log as a witness" => assert!(ran.out.contains("ivo.example at 20"), "{}", ran.out),
            "Archive, and find again" => assert!(ran.out.contains("\"the lease of 2026\""), "{}", ran.out),
            _ => {}
        }
    }
    let asked = ["court", "Two firms", "Replace", "Call a key back", "custodian", "Archive", "witness"];
    assert!(asked.iter().all(|word| tasks.iter().any(|title| title.contains(word))), "{tasks:?}");
    assert!(PAGE.lines().count() <= 150, "{}", PAGE.lines().count());
}
