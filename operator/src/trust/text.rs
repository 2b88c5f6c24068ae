//! PEM with the lines before it.

use super::error::TrustError;
use crate::secrets::is_secret;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// The line that says whose key it is.
pub(super) const IDENTITY: &str = "dualseal-identity";

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
    /// Refuses a secret, wherever in the text it is: whoever gave the file gave away more than was asked for.
    ///
    /// # Errors
    /// [`TrustError::Secret`].
    pub fn of(text: &'a str) -> Result<Self, TrustError> {
        if is_secret(text) {
            return Err(TrustError::Secret);
        }
        let (before, pem) = text.split_at(first_block(text).unwrap_or(0));
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

    #[test]
    fn the_last_line_of_a_name_counts() {
        let text = format!("a: 1\nb: 2\na: 3\n{PUBLIC}a: 4\n");
        let text = Text::of(&text).unwrap();
        assert_eq!((text.line("a"), text.line("b"), text.line("c")), (Some("3"), Some("2"), None));
        assert_eq!(Text::of("a: 1").unwrap().pem(), "a: 1");
    }
}
