//! Where people are: numbers and e-mail addresses in one form, and masks over them.

/// A number as E.164 has it, of how people and providers write it.
pub(crate) fn phone(text: &str) -> Option<String> {
    let text: String =
        text.chars().filter(|one| !matches!(one, ' ' | '-' | '(' | ')' | '/' | '.' | '\u{a0}')).collect();
    let digits = text.strip_prefix('+').or_else(|| text.strip_prefix("00"))?;
    let is_number = (7..=15).contains(&digits.len()) && digits.bytes().all(|one| one.is_ascii_digit());
    (is_number && !digits.starts_with('0')).then(|| format!("+{digits}"))
}

/// An address of e-mail, its domain in lower case. One that is quoted, or has a comment, is nobody's here.
pub(crate) fn email(text: &str) -> Option<String> {
    let (local, domain) = text.trim().rsplit_once('@')?;
    let is_local = (1..=64).contains(&local.len())
        && local.bytes().all(|one| one.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&one));
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|one| one.is_ascii_alphanumeric() || one == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_domain = domain.len() <= 253 && domain.split('.').count() >= 2 && domain.split('.').all(is_label);
    (is_local && is_domain).then(|| format!("{}@{}", local.to_ascii_lowercase(), domain.to_ascii_lowercase()))
}

/// An address as those see it whose contact it is not theirs to know.
pub(crate) fn masked(address: &str) -> String {
    if let Some((local, domain)) = address.split_once('@') {
        return format!("{}***@{domain}", local.chars().take(1).collect::<String>());
    }
    let keep = address.chars().count().saturating_sub(3);
    let (first, last) = (address.chars().take(4.min(keep)), address.chars().skip(keep));
    first.chain("***".chars()).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form() {
        for (text, number) in [
            ("+385 91 123-4567", "+385911234567"),
            ("00385911234567", "+385911234567"),
            ("+1(415)5550100", "+14155550100"),
        ] {
            assert_eq!(phone(text).as_deref(), Some(number));
        }
        for text in ["0911234567", "+0911234567", "+12345", "+1234567890123456", "TELCO", "+38591x234567", ""] {
            assert_eq!(phone(text), None, "{text}");
        }
        assert_eq!(email(" Ana.B@Acme.Example ").as_deref(), Some("ana.b@acme.example"));
        for text in [
            "ana",
            "@acme.example",
            "ana@acme",
            "a na@acme.example",
            "ana@-acme.example",
            "\"a\"@acme.example",
            "ana@acme..example",
        ] {
            assert_eq!(email(text), None, "{text}");
        }
        assert_eq!(
            (masked("+385911234567"), masked("ana@acme.example"), masked("+12")),
            ("+385***567".into(), "a***@acme.example".into(), "***+12".into())
        );
    }
}
