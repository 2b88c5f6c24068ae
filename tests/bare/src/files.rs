//! The files of known answers, which are in the program.

use crate::prelude::*;

macro_rules! files {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../vectors/", $name)))),*]
    };
}

static FILES: [(&str, &str); 7] = files![
    "known_answers.json",
    "known_answers_binary.tsv",
    "known_answers_evidence.json",
    "known_answers_quorum.json",
    "known_answers_seal.json",
    "known_answers_vault.json",
    "stream.json"
];

pub fn text(name: &str) -> String {
    let (_, text) = FILES.iter().find(|(other, _)| *other == name).expect("a file of the program");
    (*text).to_owned()
}
