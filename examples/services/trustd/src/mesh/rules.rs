//! The checks by name, when each fails, and what is told of them: decided without input or output.

use std::fmt::Write as _;
use url::Url;

/// The nine modules, each with the address at which it says whether it is well.
pub(crate) const MODULES: [(&str, &str); 9] = [
    ("dsa", "/api/v1/dsa/health"),
    ("threshold", "/api/v1/threshold/health"),
    ("qt", "/api/v1/qt/health"),
    ("vault", "/api/v1/vault/health"),
    ("messaging", "/api/v1/messaging/health"),
    ("lifecycle", "/api/v1/lifecycle/health"),
    ("proof", "/api/v1/proof/health"),
    ("fleet", "/api/v1/fleet/health"),
    ("family", "/world/health"),
];

/// A shipped module has at least so many bytes of sources.
pub(super) const LEAST_SOURCE: u64 = 10_000;
/// What a run may be late.
const LATE: i64 = 300_000;
/// A reason is not longer, and shorter where the alert would be too long.
const REASONS: [usize; 4] = [200, 100, 50, 0];
/// The bytes of an alert: a relay takes no more than 4096.
const MOST: usize = 4000;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// All is well.
    Well,
    /// The operator has nothing of the kind.
    NotSet,
    /// It hangs on another check, which failed.
    Hangs(&'static str),
    /// It is well, as far as whoever was dated ahead shows; and by how much he was.
    Ahead(String),
    /// It is not well, and why.
    Failed(String),
}

impl Found {
    /// It is not well where there is a reason.
    pub(super) fn unless(reason: Option<String>) -> Self {
        reason.map_or(Self::Well, Self::Failed)
    }
}

/// A check by name, and what it found.
pub(crate) type Checked = (&'static str, Found);

/// Those that failed.
pub(super) fn failed(checked: &[Checked]) -> Vec<(&'static str, &str)> {
    let mut all = Vec::new();
    for (name, found) in checked {
        if let Found::Failed(reason) = found {
            all.push((*name, reason.as_str()));
        }
    }
    all
}

/// Where the page says what to do: the modules have one place.
fn anchor(name: &str) -> String {
    let name = if MODULES.iter().any(|(module, _)| *module == name) { "modules" } else { name };
    format!("check-{name}")
}

/// What is told of failures: each of them, and as much of their reasons as a relay takes.
pub(super) fn alert(node: &str, time: &str, checked: &[Checked], docs: &Url) -> String {
    let mut text = String::new();
    for longest in REASONS {
        text = alert_of(node, time, checked, (docs, longest));
        if text.len() <= MOST {
            break;
        }
    }
    // Only where names and links alone are too long.
    text.truncate(text.floor_char_boundary(MOST));
    text
}

fn alert_of(node: &str, time: &str, checked: &[Checked], (docs, longest): (&Url, usize)) -> String {
    let failed = failed(checked);
    let mut text = format!("trustd {node} {time}: {} of {} checks failed", failed.len(), checked.len());
    let (mut docs, mut linked) = (docs.clone(), String::new());
    for (name, reason) in &failed {
        let reason: String = reason.chars().map(|one| if one.is_control() { ' ' } else { one }).take(longest).collect();
        // Nothing fails to be written into a text.
        _ = write!(text, "\n{name}: {reason}");
        let anchor = anchor(name);
        if linked != anchor {
            docs.set_fragment(Some(&anchor));
            _ = write!(text, "\n  {docs}");
            linked = anchor;
        }
    }
    text
}

/// The one word when all is well again.
pub(super) fn well_again(node: &str, time: &str) -> String {
    format!("trustd {node} {time}: all is well again")
}

/// Whether a message waits for too long.
pub(super) fn outbox(now: i64, oldest: Option<i64>, most: i64) -> Found {
    match oldest {
        Some(since) if now - since > most => {
            Found::Failed(format!("a message waits since {} s: a provider does not take it", (now - since) / 1000))
        }
        _ => Found::Well,
    }
}

/// Whether a peer's monitor ran lately.
pub(super) fn monitor(now: i64, last: Option<i64>, every: i64, skew: i64) -> Result<(), String> {
    let last = last.ok_or("its monitor has never run")?;
    if last > now + skew + LATE {
        return Err("its monitor says that it ran in time to come".to_owned());
    }
    if now - last > 2 * every + LATE {
        return Err(format!("its monitor missed two runs: the last one was {} s ago", (now - last) / 1000));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_waits_no_longer_than_it_may() {
        let is = |found: &Found| *found == Found::Well;
        assert!(is(&outbox(1000, Some(0), 1000)) && !is(&outbox(1001, Some(0), 1000)) && is(&outbox(1001, None, 1000)));
    }

    #[test]
    fn a_silent_monitor_is_noticed_after_two_runs() {
        let hour = 3_600_000;
        let told = |now, last| monitor(now, last, hour, 5000);
        assert!(told(2 * hour + LATE, Some(0)).is_ok());
        assert!(told(2 * hour + LATE + 1, Some(0)).unwrap_err().contains("missed two runs"));
        assert!(told(hour, None).unwrap_err().contains("never run"));
        // A peer that lies of the time to come would be silent for ever after.
        assert!(told(0, Some(hour)).unwrap_err().contains("time to come"));
    }

    #[test]
    fn an_alert_names_each_with_its_reason_and_page() {
        let checked = [
            ("dsa", Found::Failed("no answer\nTRUSTD: all is well".into())),
            ("qt", Found::Failed("answered 503".into())),
            ("portal", Found::NotSet),
            ("head", Found::Hangs("database")),
            ("disk", Found::Failed("x".repeat(1000))),
            ("objects", Found::Well),
        ];
        let docs = "https://docs.example/page.md".parse().unwrap();
        let text = alert("berlin-1", "2026-11-27T09:05:00.000Z", &checked, &docs);
        let lines: Vec<&str> = text.lines().collect();
        let expected = [
            "trustd berlin-1 2026-11-27T09:05:00.000Z: 3 of 6 checks failed",
            "dsa: no answer TRUSTD: all is well",
            "  https://docs.example/page.md#check-modules",
            "qt: answered 503",
            &format!("disk: {}", "x".repeat(REASONS[0])),
            "  https://docs.example/page.md#check-disk",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn an_alert_of_everything_is_one_that_a_relay_takes() {
        const OTHERS: [&str; 11] = [
            "portal",
            "database",
            "head",
            "checkpoint",
            "objects",
            "disk",
            "clock",
            "certificate",
            "outbox",
            "peers",
            "sources",
        ];
        let names = MODULES.iter().map(|(name, _)| *name).chain(OTHERS);
        let checked: Vec<Checked> = names.map(|name| (name, Found::Failed("\u{161}".repeat(1000)))).collect();
        let docs = "https://docs.example/a/longer/path/to/the/page.md".parse().unwrap();
        let text = alert("berlin-1", "2026-11-27T09:05:00.000Z", &checked, &docs);
        assert!(text.len() <= 4096, "{}", text.len());
        for (name, _) in &checked {
            assert!(text.lines().any(|line| line.starts_with(&format!("{name}: \u{161}"))), "{name}: {text}");
        }
        let docs = format!("https://docs.example/{}", "x".repeat(1000)).parse().unwrap();
        assert!(alert("berlin-1", "2026-11-27T09:05:00.000Z", &checked, &docs).len() <= 4096);
    }
}
