//! Versions, and requirements as advisories write them: comparisons that are joined by commas.

/// `1.2.3` or `1.2.3-rc.1`: three numbers, and whether it is before the release of that number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    numbers: [u64; 3],
    before: Before,
}

/// What was before a release sorts before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    Pre(Vec<Part>),
    Release,
}

/// Numbers sort before words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Word(String),
}

impl Version {
    /// Numbers that are left out are 0.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.split('+').next().unwrap_or(text);
        let (numbers, before) = text.split_once('-').map_or((text, None), |(numbers, pre)| (numbers, Some(pre)));
        let mut parsed = [0; 3];
        for (place, number) in numbers.split('.').enumerate() {
            *parsed.get_mut(place)? = number.parse().ok()?;
        }
        let part = |part: &str| part.parse().map_or_else(|_| Part::Word(part.to_owned()), Part::Number);
        let before = before.map_or(Before::Release, |pre| Before::Pre(pre.split('.').map(part).collect()));
        Some(Self { numbers: parsed, before })
    }

    /// The first version after all that so many numbers stand for: `1.9` stands for every 1.9.x.
    fn next(&self, written: usize) -> Self {
        self.with_next(written.clamp(1, 3) - 1)
    }

    /// The first version that `^` of this one leaves out, where so many numbers were written.
    fn next_breaking(&self, written: usize) -> Self {
        self.with_next(self.numbers.iter().position(|number| *number != 0).unwrap_or(written.saturating_sub(1)))
    }

    /// One more of one number, and nothing after it.
    fn with_next(&self, changed: usize) -> Self {
        let mut numbers = [0; 3];
        for (to, from) in numbers.iter_mut().zip(self.numbers).take(changed + 1) {
            *to = from;
        }
        if let Some(number) = numbers.get_mut(changed) {
            *number += 1;
        }
        Self { numbers, before: Before::Release }
    }
}

/// Whether a version satisfies all comparisons. What is not understood is not satisfied.
pub(super) fn satisfied(version: &Version, requirement: &str) -> bool {
    requirement.split(',').all(|comparison| {
        let comparison = comparison.trim();
        let at = comparison.find(|c: char| c.is_ascii_digit()).unwrap_or(comparison.len());
        let (operator, number) = comparison.split_at(at);
        let Some(bound) = Version::parse(number.trim()) else { return false };
        let written = number.split('.').count();
        // What is written in full stands for itself.
        let all = |full: bool| if written < 3 { *version < bound.next(written) } else { full };
        match operator.trim() {
            ">=" => *version >= bound,
            ">" => *version > bound && (written > 2 || *version >= bound.next(written)),
            "<=" => all(*version <= bound),
            "<" => *version < bound,
            "=" => *version >= bound && all(*version == bound),
            "^" | "" => *version >= bound && *version < bound.next_breaking(written),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Version, satisfied};

    #[test]
    fn requirements_are_those_of_cargo() {
        for (version, requirement, holds) in [
            ("1.2.3", ">= 1.2.3", true),
            ("1.2.3-rc.1", ">= 1.2.3", false),
            ("1.2.3-rc.2", ">= 1.2.3-rc.1, < 1.3", true),
            ("1.2.3-rc.10", ">= 1.2.3-rc.9", true),
            ("1.10.0", "> 1.9", true),
            ("1.9.5", "> 1.9", false),
            ("1.9.5", "> 1", false),
            ("2.0.0", "> 1", true),
            ("1.9.5", "> 1.9.4", true),
            ("1.9.5", "<= 1.9", true),
            ("1.10.0", "<= 1.9", false),
            ("1.9.5", "<= 1.9.4", false),
            ("1.9.5", "= 1.9", true),
            ("1.10.0", "= 1.9", false),
            ("1.8.9", "= 1.9", false),
            ("1.9.5", "=1.9.4", false),
            ("0.3.24", "^0.3.24", true),
            ("0.4.0", "^0.3.24", false),
            ("0.3.1", "^ 0.3.1", true),
            ("1.9.9", "^1.2", true),
            ("2.0.0", "^1.2", false),
            ("0.0.4", "^0.0.3", false),
            ("0.12.36", "0.12.36", true),
            ("0.13.0", "0.12.36", false),
            ("0.2.6", "=0.2.6", true),
            ("0.9.6", "< 0.10.0-alpha.1, >= 0.9.6", true),
            ("0.10.0-alpha.2", "< 0.10.0-alpha.1, >= 0.9.6", false),
            ("0.11.0+liboqs-0.13.0", ">= 0.11", true),
            ("1.0.0", "~1", false),
        ] {
            let parsed = Version::parse(version).expect("a version");
            assert_eq!(satisfied(&parsed, requirement), holds, "{version} {requirement}");
        }
        assert_eq!(Version::parse("1.2.3.4"), None);
    }
}
