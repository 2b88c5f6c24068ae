//! Each kind of change, compiled once: without a switch the program says what it said before, and under each change
//! what the changed program would.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::weave;
use crate::change::Change;

/// In each, `@` and a number from 0 on stand in front of what is changed.
const PROGRAM: &str = r#"
    struct Pair { a: i32, b: i32 }
    const fn folded() -> i32 { @9 1 }
    const FOLDED: i32 = folded();
    const fn free(x: i32) -> i32 { @0 if x @1< 3 @2&& !(@3!(x == 2)) { return 7; } x @4* x - 1 }
    fn arm(x: i32) -> &'static str {
        match x { @5 1 => "one", n if @6 n > 5 => "many", _ => "some" }
    }
    fn fields(base: Pair) -> i32 { let b = 3; let p = Pair { @7 b, ..base }; p.a + p.b }
    fn more(x: i32) -> i32 { let mut sum = 0; for i in 0..x { sum @8+= i; } sum }
    pub fn main() {
        let chain = if let Some(x) = Some(2) @10&& x > 1 { 1 } else { 0 };
        println!("{} {} {} {} {}", free(1), free(2), free(4), arm(1), arm(9));
        println!("{} {} {} {}", fields(Pair { a: 1, b: 2 }), more(4), FOLDED, chain);
    }
"#;
const CHANGES: &[(&str, &str)] = &[
    ("FnValue", "5"),
    ("BinaryOperator", ">"),
    ("BinaryOperator", "||"),
    ("UnaryOperator", ""),
    ("BinaryOperator", "+"),
    ("MatchArm", ""),
    ("MatchArmGuard", "false"),
    ("StructField", ""),
    ("BinaryOperator", "-="),
    ("FnValue", "8"),
    ("BinaryOperator", "||"),
];
const CLEAN: &str = "0 7 15 one many\n4 6 1 1\n";

/// The program without its marks, and the changes where they were.
fn marked() -> (String, Vec<Change>) {
    let mut changes = Vec::new();
    let mut text = String::new();
    for part in PROGRAM.split('@') {
        let number: String = part.chars().take_while(|_| !text.is_empty()).take_while(char::is_ascii_digit).collect();
        let part = &part[number.len()..];
        let part = if number.is_empty() { part } else { part.strip_prefix(' ').unwrap_or(part) };
        if let Ok(number) = number.parse::<u32>() {
            let (genre, replacement) = CHANGES[usize::try_from(number).expect("a number")];
            changes.push(Change {
                number,
                name: number.to_string(),
                file: "a.rs".to_owned(),
                genre: genre.to_owned(),
                line: text.lines().count(),
                column: text.lines().last().unwrap_or_default().chars().count() + 1,
                replacement: replacement.to_owned(),
            });
        }
        text.push_str(part);
    }
    (text, changes)
}

#[test]
fn each_change_is_made_by_its_switch_alone() {
    let (text, changes) = marked();
    assert_eq!(changes.len(), CHANGES.len());
    let changes: Vec<_> = changes.iter().collect();
    let woven = weave(&text, &changes, &BTreeSet::from(["folded".to_owned()])).expect("a program");
    let found: BTreeSet<_> = woven.places.iter().flat_map(|place| &place.changes).map(|(number, _)| *number).collect();
    // Of what is computed while compiling, and of a chain with `let`, nothing is switched.
    assert_eq!(found, (0..9).collect());

    let folder = std::env::temp_dir().join(format!("dualseal-mutants-{}", std::process::id()));
    fs::create_dir(&folder).expect("a folder that nobody else made");
    let (source, program) = (folder.join("a.rs"), folder.join("a"));
    let switch =
        format!("#[allow(dead_code)] mod switch {{\n{}\n}}\n", include_str!("../switch.rs").replace("//!", "//"));
    fs::write(&source, woven.text + &switch).expect("a file");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--cap-lints=allow", "-o"]).arg(&program).arg(&source);
    assert!(rustc.status().expect("a compiler").success());
    let said = |number: Option<u32>| {
        let mut command = Command::new(&program);
        command.envs(number.map(|number| ("DUALSEAL_MUTANT", number.to_string())));
        String::from_utf8(command.output().expect("the program").stdout).expect("text")
    };
    assert_eq!(said(None), CLEAN);
    let changed = [
        "5 5 5 one many\n4 6 1 1\n",
        "0 3 15 one many\n4 6 1 1\n",
        "7 7 15 one many\n4 6 1 1\n",
        "7 3 15 one many\n4 6 1 1\n",
        "1 7 7 one many\n4 6 1 1\n",
        "0 7 15 some many\n4 6 1 1\n",
        "0 7 15 one some\n4 6 1 1\n",
        "0 7 15 one many\n3 6 1 1\n",
        "0 7 15 one many\n4 -6 1 1\n",
    ];
    for (number, expected) in changed.iter().enumerate() {
        assert_eq!(said(u32::try_from(number).ok()), *expected, "{number}");
    }
    fs::remove_dir_all(&folder).expect("the folder");
}
