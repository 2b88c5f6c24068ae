//! Folders in which the examples of the commands that share can be run.

use crate::run::Place;
use crate::session::{custodians, founded};
use crate::sharing::split;
use std::fs;

/// A folder for an example of this command; `None` for commands that do not share.
pub(crate) fn place(command: &str, example: &str) -> Option<Place> {
    let by_shares = command == "session verify" && example.contains("share-1.json");
    let kind = if by_shares { "hmac" } else { "ml-dsa-65" };
    let place = match command {
        "split" => {
            let place = Place::new("example");
            for name in ["will.pdf", "keys.kdbx", "seed.txt"] {
                place.write(name, name);
            }
            fs::create_dir(place.path("papers")).unwrap();
            place
        }
        "combine" => shares(example.contains("ssss")),
        "session found" => custodians("example"),
        _ if command.starts_with("share ") => shares(false),
        _ if command.starts_with("session ") => {
            let place = founded("example", kind);
            if command == "session verify" {
                place.good(&["session", "sign", "resolution.pdf", "share-1.json", "share-3.json"]);
            }
            place
        }
        _ => return None,
    };
    Some(place)
}

/// A file was split, and is lost.
fn shares(ssss: bool) -> Place {
    let place = split("example", if ssss { &["--format=ssss"] } else { &[] });
    fs::remove_file(place.path("will.pdf")).unwrap();
    let all: String = [1, 2, 3].map(|number| place.read(&format!("share-{number}.txt"))).concat();
    place.write("scanned.txt", place.read("share-1.txt"));
    place.write("shares.txt", &all);
    place.write("ssss.txt", &all);
    place
}
