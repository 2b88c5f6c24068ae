//! PEM with the lines before it.

use super::error::TrustError;
use crate::secrets::is_secret;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// The line that says whose key it is.
pub(super) const IDENTITY: &str = "dualseal-identity";
/// The lines that files have, each once.
const LINES: [&str; 6] =
    [IDENTITY, "dualseal-domain", "dualseal-origin", "dualseal-tier", "dualseal-creator", "dualseal-context"];
/// So many letters may be wrong in the name of a line that was meant to be one of them.
const SLIPS: usize = 3;

/// PEM with the lines before it.
///
/// ```
/// use dualseal_operator::trust::Text;
///
/// let text = Text::of("about: this\n-----BEGIN X-----\nAAAA\n-----END X-----\n")?;
/// assert_eq!(text.line("about"), Some("this"));
/// assert!(text.pem().starts_with("-----BEGIN X-----"));
/// # Ok::<(), dualseal_operator::trust::TrustError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    before: &'a str,
    pem: &'a str,
}

impl<'a> Text<'a> {
    /// Refuses a secret, wherever in the text it is: whoever gave the file gave away more than was asked for. Refuses
    /// a line that is nearly one of those that files have, one that stands twice, and one that does not stand before
    /// the PEM: what such a line says would be left out, and a key would be anybody's.
    ///
    /// # Errors
    /// [`TrustError::Secret`] and [`TrustError::Line`].
    pub fn of(text: &'a str) -> Result<Self, TrustError> {
        if is_secret(text) {
            return Err(TrustError::Secret);
        }
        let (before, pem) = text.split_at(first_block(text).unwrap_or(0));
        let mut seen = Vec::new();
        let lines = |part: &'a str, is_before: bool| part.split(['\n', '\r']).map(move |line| (line, is_before));
        for (line, is_before) in lines(before, true).chain(lines(pem, false)) {
            let name = line.split_once(':').map_or_else(|| first_word(line), |(name, _)| name);
            let is_one = is_before && LINES.contains(&name) && !seen.contains(&name);
            if is_one && line.split_once(": ").is_some() {
                seen.push(name);
            } else if is_meant(name) || is_meant(first_word(line)) {
                return Err(TrustError::Line(name.to_owned()));
            }
        }
        Ok(Self { before, pem })
    }

    /// The PEM and what follows it; all of the text where there is none.
    #[must_use]
    pub fn pem(&self) -> &'a str {
        self.pem
    }

    /// The value of the last line of this name.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<&'a str> {
        let lines = self.before.lines().filter_map(|line| line.split_once(": "));
        lines.rev().find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}

/// What a line without a colon may have for its name.
fn first_word(line: &str) -> &str {
    line.trim_start().split(|c: char| c.is_whitespace() || matches!(c, '=' | ':')).next().unwrap_or_default()
}

/// Whether the name of a line was meant to be one of those that files have.
fn is_meant(name: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
    };
    let name = letters(name);
    name.starts_with(&letters("dualseal")) || LINES.iter().any(|line| slips(&name, &letters(line)) <= SLIPS)
}

/// How many letters are to be changed, added or left out to make one of the other.
fn slips(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], line + 1);
        for (place, with) in other.iter().enumerate() {
            let changed = before + usize::from(letter != with);
            before = row[place + 1];
            row[place + 1] = changed.min(before + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

/// Where PEM begins: at the last line that begins as its first does, before one that begins as its last.
fn first_block(text: &str) -> Option<usize> {
    let (mut begun, mut at) = (None, 0);
    for line in text.split_inclusive(['\n', '\r']) {
        if line.starts_with(BEGIN) {
            begun = Some(at);
        } else if begun.is_some() && line.starts_with(END) {
            return begun;
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n";

    /// Wherever it is, and under whatever label.
    #[test]
    fn a_secret_is_refused() {
        for label in ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "DUALSEAL SECRET"] {
            let secret = format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n");
            // Its end may be cut off or another one, and a mail may have moved its lines in.
            let (cut, moved) =
                (secret.split_once("-----END").unwrap().0, format!(" {}", secret.replace('\n', "\r\n ")));
            let other = secret.replace("END ", "END OTHER ");
            for secret in [&*secret, cut, &moved, &other] {
                for text in [secret, &format!("{PUBLIC}{secret}"), &format!("{IDENTITY}: x\n{secret}\n{PUBLIC}")] {
                    assert_eq!(Text::of(text).unwrap_err(), TrustError::Secret, "{text}");
                }
            }
        }
        assert_eq!(Text::of(PUBLIC).unwrap().pem(), PUBLIC);
    }

    /// A line that nobody reads would make a key anybody's.
    #[test]
    fn a_misspelt_line_is_refused() {
        let good = format!("Subject: a key\nnote: from Ana\n{IDENTITY}: x\n");
        assert!(Text::of(&format!("{good}{PUBLIC}")).is_ok());
        for line in [
            "dualseal-identiy: x",
            "dualsael-identity: x",
            "Dualseal-Identity: x",
            "dualseal_identity: x",
            "dualseal-identity : x",
            "dualseal-identity:x",
            " dualseal-identity: x",
            "dualseal-signer: x",
            "dualseal-domian: ACME",
            "dua1seal-origin: x",
            "dualseal-identity 17ab",
            "dualseal-identity=17ab",
            "dualseal-identity\t17ab",
            "dualseal-identity=a: b",
            "dualseal-identity",
        ] {
            let name = line.split_once(':').map_or_else(|| first_word(line), |(name, _)| name);
            let refused = Err(TrustError::Line(name.to_owned()));
            for text in [format!("{line}\n{PUBLIC}"), format!("a: b\r{line}\r\n{PUBLIC}")] {
                assert_eq!(Text::of(&text).map(|text| text.pem().to_owned()), refused, "{line}");
            }
        }
        for text in [format!("{good}{IDENTITY}: y\n{PUBLIC}"), format!("{PUBLIC}{IDENTITY}: y\n")] {
            assert_eq!(Text::of(&text).unwrap_err(), TrustError::Line(IDENTITY.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_last_line_of_a_name_counts() {
        let text = format!("a: 1\nb: 2\na: 3\n{PUBLIC}a: 4\n");
        let text = Text::of(&text).unwrap();
        assert_eq!((text.line("a"), text.line("b"), text.line("c")), (Some("3"), Some("2"), None));
        assert_eq!(Text::of("a: 1").unwrap().pem(), "a: 1");
    }
}
