//! The page of drivers: files of text, style and script, kept by the browser for when there is no connection; and plain
//! pages without any script.

use crate::App;
use crate::page::{HTML, SCRIPT, STYLE, Served};
use axum::extract::Path;
use axum::response::Response;
use dualseal::encoding::hex;
use platform::problem::{Body, Problem};
use ring::digest::{Context, SHA256};
use std::sync::LazyLock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// As of other pages, with photos that are kept here. The one policy of trusted types names the worker's address.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; trusted-types driver; \
                      require-trusted-types-for 'script'";

const SERVED: Served = Served { policy: POLICY, permissions: "geolocation=(), microphone=()" };
const PARTS: &[(&str, &str, &str)] = &[
    ("app.js", SCRIPT, include_str!("page/app.js")),
    ("dom.js", SCRIPT, include_str!("../page/dom.js")),
    ("kept.js", SCRIPT, include_str!("page/kept.js")),
    ("login.js", SCRIPT, include_str!("page/login.js")),
    ("photos.js", SCRIPT, include_str!("page/photos.js")),
    ("queue.js", SCRIPT, include_str!("page/queue.js")),
    ("words.js", SCRIPT, include_str!("page/words.js")),
    ("app.css", STYLE, include_str!("page/app.css")),
    ("icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("app.webmanifest", "application/manifest+json", include_str!("page/app.webmanifest")),
];

const TEXT: &str = include_str!("page/index.html");

/// What keeps the others, under a name that says which they are: with another release comes another one, which keeps
/// all of them anew.
static WORKER: LazyLock<String> = LazyLock::new(|| {
    let mut release = Context::new(&SHA256);
    for text in PARTS.iter().map(|part| part.2).chain([TEXT]) {
        release.update(text.as_bytes());
    }
    include_str!("page/worker.js").replace("{release}", &hex::encode(&release.finish().as_ref()[..8]))
});

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(part))
}

/// The page of drivers.
#[utoipa::path(get, path = "/driver/", tag = "driver",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(SERVED.file(HTML, TEXT))
}

/// What the page consists of.
#[utoipa::path(get, path = "/driver/{file}", tag = "driver",
    params(("file" = String, Path, description = "A name of a file", example = "app.js", max_length = 64)),
    responses((status = 200, description = "A file", content((String = "text/javascript"), (String = "text/css"),
            (String = "image/svg+xml"), (String = "application/manifest+json"))),
        (status = 404, body = Body, description = "unknown-path", content_type = "application/problem+json")))]
async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    if name == "worker.js" { Ok(SERVED.file(SCRIPT, WORKER.as_str())) } else { SERVED.part(PARTS, &name) }
}

/// How a verdict looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// Nothing is concluded.
    Open,
}

/// A page without a script: a verdict, and lines of a name and a value.
pub(crate) fn plain(looks: Looks, verdict: &str, lines: &[(&str, String)]) -> Response {
    let class = match looks {
        Looks::Good => "good",
        Looks::Bad => "bad",
        Looks::Open => "open",
    };
    let line = |(name, value): &(&str, String)| format!("<dt>{}</dt><dd>{}</dd>\n", text_of(name), text_of(value));
    let lines: String = lines.iter().map(line).collect();
    let page = include_str!("page/verdict.html");
    let page = page.replace("{class}", class).replace("{verdict}", &text_of(verdict)).replace("{lines}", &lines);
    SERVED.file(HTML, page)
}

/// Text within a page.
fn text_of(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Answer;

    /// What is kept for when there is no connection is all that the page consists of.
    #[test]
    fn the_worker_keeps_every_file() {
        let files = WORKER.split_once("FILES = [").unwrap().1.split_once(']').unwrap().0;
        let kept: Vec<_> = files.split(',').map(|name| name.trim().trim_matches('"')).collect();
        let parts: Vec<_> = PARTS.iter().map(|part| part.0).collect();
        assert!(kept[0] == "./" && kept[1..].iter().all(|name| parts.contains(name)), "{kept:?}");
        assert_eq!(kept.len(), parts.len() + 1);
        assert!(!WORKER.contains("{release}") && WORKER.contains("const KEPT = \"driver-"));
    }

    /// Each is said in both of the other languages.
    #[test]
    fn what_the_page_says_has_its_words() {
        let words = PARTS.iter().find(|part| part.0 == "words.js").unwrap().2;
        let (croatian, german) = words.split_once("  de: {").unwrap();
        let app = PARTS.iter().find(|part| part.0 == "app.js").unwrap().2;
        let is_word = |at: usize| !app[..at].ends_with(|before: char| before.is_ascii_alphanumeric());
        let said = app.match_indices("t(\"").filter(|(at, _)| is_word(*at));
        let said = said.map(|(at, _)| app[at + 3..].split_once('"').unwrap().0);
        let shown =
            TEXT.split(" data-t").skip(1).map(|rest| rest.split_once('>').unwrap().1.split_once('<').unwrap().0);
        let mut count = 0;
        for one in said.chain(shown).chain(["This phone does not count any more"]) {
            count += 1;
            assert!(croatian.contains(&format!("\"{one}")) && german.contains(&format!("\"{one}")), "{one}");
        }
        assert!(count > 40, "{count}");
    }

    #[tokio::test]
    async fn what_a_page_says_is_text() {
        let shown = plain(Looks::Bad, "<b>&", &[("a\"", "<script>".to_owned())]);
        let page = String::from_utf8(Answer::read(shown).await.body).unwrap();
        assert!(page.contains("&lt;b&gt;&amp;") && page.contains("&lt;script&gt;") && !page.contains("<script"));
    }
}
