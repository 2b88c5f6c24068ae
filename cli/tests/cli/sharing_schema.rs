//! The JSON answers of the commands that share, frozen.

use crate::run::{Place, TIME};
use crate::schema::stable;

#[test]
fn answers_are_frozen() {
    let place = Place::with_ana("sharing-schema");
    place.write("will.pdf", "the last will");
    place.write("other.pdf", "another will");
    for owner in ["ivo", "eva"] {
        place.good(&["id", "--creator", owner, "--draw", "--save", owner]);
    }
    let mut answers = String::new();
    for line in [
        "split will.pdf --threshold 2 --shares 3 -o s --form file,png",
        "split will.pdf --threshold 2 --shares 3 -o s",
        "split will.pdf --threshold 2 --shares 3 -o t --format ssss",
        "combine s/share-1.txt s/share-3.txt --dealing s/dealing.json --wrapped s/will.pdf.wrapped -o back.pdf",
        "combine s/share-1.txt --dealing s/dealing.json --wrapped s/will.pdf.wrapped -o no.pdf",
        "combine s/share-1.txt s/share-3.txt --unanchored --wrapped s/will.pdf.wrapped -o again.pdf",
        "combine s/share-1.txt s/share-3.txt --unanchored --secret -o secret.hex",
        "combine --from-secret secret.hex --wrapped s/will.pdf.wrapped -o third.pdf",
        "share health s/share-1.txt t/share-2.txt --dealing s/dealing.json",
        "share health s/share-1.txt s/share-2.txt --dealing s/dealing.json",
        "share health s/share-1.txt --dealing s/dealing.json",
        "share repair s/share-1.txt s/share-3.txt --dealing s/dealing.json --lost 2 -o r",
        "share refresh s/share-1.txt s/share-3.txt --dealing s/dealing.json -o f",
        "share rethreshold s/share-1.txt s/share-3.txt --dealing s/dealing.json --threshold 3 --shares 4 -o g",
        "session found --threshold 2 --owner ana --owner ivo --owner eva --kind hmac -o h",
        "session found --threshold 2 --owner ana --owner ivo --owner eva --kind ml-dsa-65 --identity board -o m",
        "checkpoint sign -o checkpoint.json",
        "session check h/share-1.json h/share-2.json --session h/session.json",
        "session check h/share-1.json m/share-2.json --session h/session.json",
        "session sign will.pdf h/share-1.json h/share-2.json --session h/session.json -o h.json",
        "session sign will.pdf m/share-1.json m/share-2.json --session m/session.json -o m.json",
        "session sign will.pdf m/share-1.json --session m/session.json -o n.json",
        "session verify h.json will.pdf h/share-2.json h/share-3.json --session h/session.json",
        "session verify h.json other.pdf h/share-2.json h/share-3.json --session h/session.json",
        "session verify m.json will.pdf --session m/session.json --key m/quorum.pem",
        "session verify m.json other.pdf --session m/session.json --key m/quorum.pem",
        "session repair m/share-1.json m/share-2.json --session m/session.json --lost 3 -o mr",
        "session refresh m/share-1.json m/share-2.json --session m/session.json -o mf",
        "session rethreshold h/share-1.json h/share-2.json --session h/session.json --threshold 3 -o hr",
    ] {
        let words: Vec<&str> = line.split_whitespace().chain(["--json", "--time", TIME]).collect();
        let ran = place.run(&words);
        assert_eq!(ran.err, "", "{line}");
        answers.push_str(&["$ dualseal ", line, "\n", stable(&place, &ran.out).trim_end(), "\n"].concat());
    }
    insta::assert_snapshot!(answers);
}
