//! What the program of `benches/peers/` prints, and the figures that are told of it.

use std::fmt::Write;

/// All that was measured in one run.
pub(super) struct Table {
    facts: Vec<(String, String)>,
    rows: Vec<Row>,
}

pub(super) struct Row {
    pub(super) group: String,
    pub(super) name: String,
    /// What the times are of: a call, or one of the many things that a call does.
    pub(super) unit: String,
    pub(super) contenders: Vec<Contender>,
}

pub(super) struct Contender {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) nanoseconds: f64,
    pub(super) quartiles: [f64; 2],
    pub(super) cycles: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Ours,
    Peer,
    /// In the row, and no peer.
    Beside,
}

impl Table {
    /// Lines `#`, name, value; and group, row, unit, role, name, nanoseconds, quartiles, cycles, rounds; tabs between.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut table = Self { facts: Vec::new(), rows: Vec::new() };
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match *fields {
                ["#", name, value] => table.facts.push((name.to_owned(), value.to_owned())),
                [group, name, unit, role, who, middle, low, high, cycles, _] => {
                    let number = |text: &str| match text.parse::<f64>() {
                        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
                        _ => Err(format!("no time: {line}")),
                    };
                    let contender = Contender {
                        role: Role::read(role).ok_or_else(|| format!("no role: {line}"))?,
                        name: who.to_owned(),
                        nanoseconds: number(middle)?,
                        quartiles: [number(low)?, number(high)?],
                        cycles: if cycles.is_empty() { None } else { Some(number(cycles)?) },
                    };
                    match table.rows.last_mut().filter(|row| row.group == group && row.name == name) {
                        Some(row) => row.contenders.push(contender),
                        None => table.rows.push(Row {
                            group: group.to_owned(),
                            name: name.to_owned(),
                            unit: unit.to_owned(),
                            contenders: vec![contender],
                        }),
                    }
                }
                _ => return Err(format!("not understood: {line}")),
            }
        }
        match table.rows.iter().find(|row| row.best_peer().is_none() || row.ours().next().is_none()) {
            Some(row) => Err(format!("{}: nobody to compare with", row.name)),
            None if table.rows.is_empty() => Err("nothing was measured".to_owned()),
            None => Ok(table),
        }
    }

    /// What was measured on, by name and value.
    pub(super) fn facts(&self) -> &[(String, String)] {
        &self.facts
    }

    /// The rows of each group, in order.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&str, &[Row])> {
        self.rows.chunk_by(|one, next| one.group == next.group).map(|rows| (rows[0].group.as_str(), rows))
    }

    /// Whether a peer of this name is in any row: alone, or as one of several words.
    pub(super) fn has(&self, peer: &str) -> bool {
        let others = self.rows.iter().flat_map(|row| &row.contenders).filter(|contender| contender.role != Role::Ours);
        let words = |name: &str| name.split([' ', ',']).any(|word| word == peer);
        others.into_iter().any(|contender| words(&contender.name))
    }

    /// For a terminal.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        for (group, rows) in self.groups() {
            let _ = writeln!(text, "\n{group:<56} {:>9} {:>9}  times as fast as the best peer", "median", "cycles");
            for row in rows {
                let _ = writeln!(text, "  {}", row.title());
                for contender in &row.contenders {
                    let (time, cycles, speed) = row.figures(contender);
                    let _ = writeln!(text, "    {:<52} {time:>9} {cycles:>9}  {speed}", contender.name);
                }
            }
        }
        text
    }
}

impl Role {
    fn read(text: &str) -> Option<Self> {
        [("ours", Self::Ours), ("peer", Self::Peer), ("beside", Self::Beside)]
            .into_iter()
            .find(|r| r.0 == text)
            .map(|r| r.1)
    }
}

impl Row {
    pub(super) fn ours(&self) -> impl Iterator<Item = &Contender> {
        self.contenders.iter().filter(|contender| contender.role == Role::Ours)
    }

    pub(super) fn best_peer(&self) -> Option<&Contender> {
        let peers = self.contenders.iter().filter(|contender| contender.role == Role::Peer);
        peers.min_by(|one, other| one.nanoseconds.total_cmp(&other.nanoseconds))
    }

    /// How many times as fast as the row's best peer.
    pub(super) fn speed(&self, contender: &Contender) -> f64 {
        self.best_peer().map_or(f64::NAN, |best| best.nanoseconds / contender.nanoseconds)
    }

    /// With the unit, where it is not the call.
    pub(super) fn title(&self) -> String {
        self.titled("")
    }

    /// Of one of ours: the row, and which of ours it is.
    pub(super) fn title_of(&self, contender: &Contender) -> String {
        let which = contender.name.strip_prefix("dualseal").unwrap_or(&contender.name).trim();
        let bare = which.strip_prefix('(').and_then(|which| which.strip_suffix(')')).unwrap_or(which);
        self.titled(&if bare.is_empty() { String::new() } else { format!(" ({bare})") })
    }

    fn titled(&self, which: &str) -> String {
        let each = if self.unit == "call" { String::new() } else { format!(", each {}", self.unit) };
        format!("{}{which}{each}", self.name)
    }

    /// Median, cycles and speed, as they are written.
    pub(super) fn figures(&self, contender: &Contender) -> (String, String, String) {
        (
            time(contender.nanoseconds),
            contender.cycles.map_or_else(|| "–".to_owned(), cycles),
            ratio(self.speed(contender)),
        )
    }
}

/// Three digits and a unit.
pub(super) fn time(nanoseconds: f64) -> String {
    scaled(nanoseconds, &[(1.0, " ns"), (1e3, " µs"), (1e6, " ms"), (1e9, " s")])
}

fn cycles(cycles: f64) -> String {
    scaled(cycles, &[(1.0, ""), (1e3, " k"), (1e6, " M"), (1e9, " G")])
}

pub(super) fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
}

/// Three digits in the largest unit that leaves at least one before the point.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // What would be written as 1000 belongs to the next unit.
    let (scale, unit) = units.iter().rev().find(|(scale, _)| value >= scale * 0.9995).unwrap_or(&units[0]);
    let value = value / scale;
    let digits = [9.995, 99.95].iter().filter(|limit| value < **limit).count();
    format!("{value:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::{Table, cycles, ratio, time};

    const PRINTED: &str = "#\tprocessor\tone\n\
        A\tsign\tcall\tours\tdualseal (a record)\t400\t390\t410\t1600\t9\n\
        A\tsign\tcall\tpeer\tslow, one\t800\t1\t1\t\t9\n\
        A\tsign\tcall\tpeer\tfast\t100\t99\t101\t400\t9\n\
        A\tsign\tcall\tbeside\tunfair\t50\t49\t51\t200\t9\n\
        B\tcheck\tentry\tours\tdualseal\t50\t49\t51\t200\t9\n\
        B\tcheck\tentry\tpeer\tslow\t150\t149\t151\t600\t9\n";

    #[test]
    fn the_ratio_is_to_the_fastest_peer_of_the_row() {
        let table = Table::read(PRINTED).expect("a table");
        let groups: Vec<_> = table.groups().collect();
        assert_eq!(groups.iter().map(|(name, rows)| (*name, rows.len())).collect::<Vec<_>>(), [("A", 1), ("B", 1)]);
        let (sign, check) = (&groups[0].1[0], &groups[1].1[0]);
        let speeds: Vec<String> = sign.contenders.iter().map(|c| ratio(sign.speed(c))).collect();
        assert_eq!(speeds, ["0.25", "0.12", "1.00", "2.00"]);
        assert_eq!(sign.title_of(&sign.contenders[0]), "sign (a record)");
        assert_eq!(check.title_of(&check.contenders[0]), "check, each entry");
        let figures = check.figures(&check.contenders[0]);
        assert_eq!(figures, ("50.0 ns".to_owned(), "200".to_owned(), "3.00".to_owned()));
        assert_eq!(sign.figures(&sign.contenders[1]).1, "–");
        assert!(table.to_text().contains("fast"));
    }

    #[test]
    fn a_peer_is_found_by_one_of_its_words() {
        let table = Table::read(PRINTED).expect("a table");
        assert!(table.has("slow") && table.has("one") && table.has("unfair"));
        assert!(!table.has("dualseal") && !table.has("slo"));
    }

    #[test]
    fn a_row_without_a_peer_or_without_us_fails() {
        for lost in ["peer", "ours"] {
            let lines = PRINTED.lines().filter(|line| !(line.starts_with('B') && line.contains(lost)));
            assert!(Table::read(&lines.collect::<Vec<_>>().join("\n")).is_err(), "{lost}");
        }
        for bad in ["", "text\n", "A\tsign\tcall\tours\tx\t0\t1\t1\t\t9\n", "A\ts\tcall\tother\tx\t1\t1\t1\t\t9\n"] {
            assert!(Table::read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn figures_have_three_digits() {
        let times = [0.5, 1.0, 9.99, 9.996, 304.2, 999.4, 999.6, 1_234.0, 45_670.0, 16_500_000.0, 2e9].map(time);
        let expected = ["0.50 ns", "1.00 ns", "9.99 ns", "10.0 ns", "304 ns", "999 ns"];
        assert_eq!(times[..6], expected);
        assert_eq!(times[6..], ["1.00 µs", "1.23 µs", "45.7 µs", "16.5 ms", "2.00 s"]);
        assert_eq!([950.0, 124_345.0, 15.7e6].map(cycles), ["950", "124 k", "15.7 M"]);
        assert_eq!([0.253, 9.994, 12.34].map(ratio), ["0.25", "9.99", "12.3"]);
    }
}
