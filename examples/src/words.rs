//! Short forms for people: sizes, durations, and the beginnings of hashes.

use std::fmt::Display;
use std::time::Duration;

/// The first twelve characters of a long hexadecimal value.
pub fn short(value: impl Display) -> String {
    let text = value.to_string();
    if text.chars().count() <= 16 { text } else { text.chars().take(12).chain(['…']).collect() }
}

/// A size with its unit, such as `3.2 MiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    // In tenths, so that no floating-point number is needed.
    let mut tenths = u128::from(bytes) * 10 / 1024;
    let mut unit = 0;
    while tenths >= 10_240 {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, units[unit])
}

/// A duration in the unit that fits, such as `120 µs` or `1.4 s`.
#[must_use]
pub fn duration(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..1_000 => format!("{micros} µs"),
        micros @ 1_000..1_000_000 => format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100),
        micros => format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations() {
        assert_eq!(size(0), "0 bytes");
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(1 << 30), "1.0 GiB");
        assert_eq!(size(u64::MAX), "15.9 EiB");
        assert_eq!(duration(Duration::from_micros(120)), "120 µs");
        assert_eq!(duration(Duration::from_micros(1_450)), "1.4 ms");
        assert_eq!(duration(Duration::from_millis(2_300)), "2.3 s");
        assert_eq!(short("00112233445566778899"), "001122334455…");
        assert_eq!(short("abc"), "abc");
    }
}
