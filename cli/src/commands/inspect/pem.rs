//! What a text holds in PEM.

/// The labels of what a text holds in PEM. JSON holds none: what its members quote is no key file.
pub(crate) fn pem_labels(text: &str) -> impl Iterator<Item = &str> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    let lines = text.lines().filter(move |_| !is_json);
    lines.filter_map(|line| Some(line.strip_prefix("-----BEGIN ")?.split_once("-----")?.0))
}
