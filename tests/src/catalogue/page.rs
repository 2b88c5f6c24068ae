//! `docs/ERRORS.md`.

use super::c::macro_name;
use super::line::{Kind, Line, NOTICE};
use super::python::class_of;
use super::words::WORDS;
use dualseal::error::Family;

/// What each table is preceded by.
const fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::Verdict(_) => {
            "What a verification concludes is no error. In C it is the status; in Python, `Verdict.verified()` raises\n\
             it unless it is Valid."
        }
        Kind::Authentication => {
            "What functions of C whose names end in `_authenticate` find good: neither an error nor a verdict."
        }
        Kind::Error(Family::Malformed) => {
            "Input that does not have the documented form. It goes back to whoever wrote it."
        }
        Kind::Error(Family::Rejected) => "Well-formed evidence that does not hold. It is kept and looked into.",
        Kind::Error(Family::Misuse) => "A call that cannot be served as it was made: a defect of the calling program.",
        Kind::Error(_) => "A defect of the machine.",
        Kind::OnlyC => "What can go wrong in C alone.",
    }
}

/// The page.
pub(super) fn page(lines: &[Line]) -> String {
    let words: Vec<String> = WORDS.iter().map(|(word, _, about)| format!("| `{word}` | {about} |\n")).collect();
    let words = words.concat();
    let mut page = format!(
        "<!-- {NOTICE} -->
# Errors

Every error has a number and a name, which are the same in every language and never change their meaning. The ranges:
0 to 99 are verdicts and what is less than one, 100 to 199 malformed input, 200 to 299 rejected evidence, 300 to 399
misuse, 400 to 499 failed randomness, 900 to 999 the C ABI's own. A text is for people, and its words may become better.

Beside number, name and message an error tells what it knows of the following, in Rust by `Error::evidence()`, in Python
as attributes, and in C by `dualseal_error_field`, `_index`, `_culprits` and `_foreign`:

| word | meaning |
|---|---|
{words}
In Python, `MalformedError`, `RejectedError`, `MisuseError`, `RandomnessError` and `VerdictError` derive from
`DualsealError`, and the other classes from one of these.
"
    );
    let mut last = "";
    for line in lines {
        let kind = line.kind.as_str();
        if kind != last {
            last = kind;
            page.extend(["\n## ", &kind[..1].to_uppercase(), &kind[1..], "\n\n", about(line.kind), "\n\n"]);
            page += "| number | name | C | Python | meaning |\n|---|---|---|---|---|\n";
        }
        let class = class_of(line).map_or("–".to_string(), |class| format!("`{class}`"));
        let (code, name, c) = (line.code, line.name, macro_name(line.name));
        page.extend([format!("| {code} | `{name}` | `{c}` | {class} | {} |\n", line.text)]);
    }
    page
}
