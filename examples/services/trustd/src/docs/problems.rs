//! The pages of problems: those of the service, and the names that stand in `errors`, which are the library's.

use dualseal::Error;
use platform::problem::CATALOGUE;
use std::fmt::Write as _;

/// All of them.
pub(super) fn index() -> String {
    let mut rows = String::new();
    for kind in CATALOGUE {
        row(&mut rows, &[&format!("<a href=\"{0}\">{0}</a>", kind.code), &kind.status.to_string(), &text(kind.title)]);
    }
    let mut names = String::new();
    for one in Error::CATALOGUE {
        row(&mut names, &[&format!("<a href=\"{0}\">{0}</a>", one.name), one.family.as_str(), &text(one.text)]);
    }
    whole(
        "Problems",
        &format!(
            "<p>What is answered when a request is not served, as <code>application/problem+json</code> (RFC 9457).</p>\
             <table><tr><th>code</th><th>status</th><th>title</th></tr>{rows}</table>\
             <h2>Names in <code>errors</code></h2><p>Where a field breaks a rule of the library, the entry has its \
             name.</p><table><tr><th>name</th><th>family</th><th>meaning</th></tr>{names}</table>"
        ),
    )
}

/// One of them; the service's own go before the library's.
pub(super) fn page(code: &str) -> Option<String> {
    if let Some(kind) = CATALOGUE.iter().find(|kind| kind.code == code) {
        let (title, advice, status) = (text(kind.title), text(kind.advice), kind.status);
        return Some(whole(
            kind.code,
            &format!("<p>{title}.</p><p>Status {status}. What to do: {advice}.</p><p><a href=\"./\">All problems</a></p>"),
        ));
    }
    let one = Error::CATALOGUE.iter().find(|one| one.name == code)?;
    let (meaning, family, number) = (text(one.text), one.family.as_str(), one.code);
    Some(whole(
        one.name,
        &format!(
            "<p>{meaning}.</p><p>Error {number} of the library, of the family <i>{family}</i>: it stands in \
             <code>errors</code> of a problem, at the field that it is about.</p><p><a href=\"./\">All problems</a></p>"
        ),
    ))
}

fn row(to: &mut String, cells: &[&str]) {
    let cells = cells.iter().fold(String::new(), |mut row, cell| {
        // A string takes everything.
        write!(row, "<td>{cell}</td>").unwrap_or_default();
        row
    });
    write!(to, "<tr>{cells}</tr>").unwrap_or_default();
}

/// Texts of the catalogues have code in backticks, and characters that HTML has for itself.
fn text(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts = escaped.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

fn whole(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title></head>\
         <body><main><h1>{title}</h1>{body}</main></body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        let all = CATALOGUE.iter().map(|kind| kind.code).chain(Error::CATALOGUE.iter().map(|one| one.name));
        let index = index();
        for code in all {
            assert!(page(code).unwrap().contains(code), "{code}");
            assert!(index.contains(&format!("href=\"{code}\"")), "{code}");
        }
        assert_eq!(page("<script>"), None);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(text("a `b<c>` & d"), "a <code>b&lt;c&gt;</code> &amp; d");
    }
}
