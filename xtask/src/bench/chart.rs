//! The chart: a bar for each operation, from the best peer's speed to ours, on a logarithmic axis. It has a ground of
//! its own: it can be read on a light page and on a dark one, also where the reader's system is not what the page is.

use std::fmt::Write;

use super::table::{Table, ratio};

/// The axis; names stand before it, the best peers after it.
const AXIS: f64 = 330.0;
/// A character, about, in the fonts that are likely.
const CHARACTER: f64 = 6.2;
const LINE: f64 = 18.0;
const TOP: f64 = 58.0;

const STYLE: &str = "\
text { font: 11px system-ui, sans-serif; fill: #1f2328; } \
.ground { fill: #ffffff; } \
.muted { fill: #656d76; } \
.group { font-weight: 600; } \
.ahead { fill: #1a7f5a; } \
.behind { fill: #c4681c; } \
.axis { stroke: #656d76; } \
.grid { stroke: #656d76; stroke-opacity: 0.25; } \
@media (prefers-color-scheme: dark) { \
.ground { fill: #0d1117; } \
text { fill: #e6edf3; } .muted { fill: #9198a1; } .ahead { fill: #3fb984; } .behind { fill: #e08a3c; } \
.axis, .grid { stroke: #9198a1; } }";

pub(super) fn svg(table: &Table) -> String {
    let rows = || table.groups().flat_map(|(_, rows)| rows);
    let speeds = || rows().flat_map(|row| row.ours().map(|ours| row.speed(ours)));
    let least = speeds().fold(0.5, f64::min) / 1.4;
    let most = speeds().fold(2.0, f64::max) * 1.4;
    let longest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| CHARACTER * f64::from(u32::try_from(text.chars().count()).unwrap_or(0))).fold(0.0, f64::max)
    };
    let names = longest(&mut rows().flat_map(|row| row.ours().map(|ours| row.title_of(ours))));
    let left = 20.0 + names + 40.0;
    let right = left + AXIS;
    let width = right + 12.0 + longest(&mut rows().filter_map(|row| Some(row.best_peer()?.name.clone()))) + 8.0;
    let place = |speed: f64| left + (speed / least).ln() / (most / least).ln() * AXIS;

    let mut body = String::new();
    let mut y = TOP;
    for (group, rows) in table.groups() {
        y += LINE;
        let _ = writeln!(body, r#"<text class="group" x="8" y="{y:.0}">{}</text>"#, escaped(group));
        for row in rows {
            let best = row.best_peer().map_or("", |best| &best.name);
            for ours in row.ours() {
                y += LINE;
                let speed = row.speed(ours);
                let (from, to) = (place(speed.min(1.0)), place(speed.max(1.0)));
                let (class, long, bar) = (if speed < 1.0 { "behind" } else { "ahead" }, to - from, y - 10.0);
                let (anchor, at) = if speed < 1.0 { ("end", from - 4.0) } else { ("start", to + 4.0) };
                let _ = write!(
                    body,
                    concat!(
                        r#"<text x="20" y="{y:.0}">{title}</text>"#,
                        r#"<rect class="{class}" x="{from:.1}" y="{bar:.0}" width="{long:.1}" height="12" rx="2"/>"#,
                        r#"<text x="{at:.1}" y="{y:.0}" text-anchor="{anchor}">{speed}</text>"#,
                        r#"<text class="muted" x="{right}" y="{y:.0}">{best}</text>"#,
                        "\n"
                    ),
                    title = escaped(&row.title_of(ours)),
                    speed = ratio(speed),
                    right = right + 12.0,
                    best = escaped(best),
                    y = y,
                    class = class,
                    from = from,
                    bar = bar,
                    long = long,
                    at = at,
                    anchor = anchor,
                );
            }
        }
    }

    let height = y + LINE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>How many times as fast as the best peer of each operation</title>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n\
         <text class=\"group\" x=\"8\" y=\"18\">How many times as fast as the best peer</text>\n\
         <text class=\"muted\" x=\"8\" y=\"34\">to the right of 1: ahead; medians of one run, logarithmic axis</text>\n\
         <text class=\"muted\" x=\"{:.0}\" y=\"50\">best peer</text>\n",
        right + 12.0
    );
    for mark in [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
        if (least..=most).contains(&mark) {
            let (x, class) = (place(mark), if (mark - 1.0_f64).abs() < 1e-9 { "axis" } else { "grid" });
            let _ = writeln!(
                text,
                "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{TOP:.0}\" x2=\"{x:.1}\" y2=\"{height:.0}\"/>\
                 <text class=\"muted\" x=\"{x:.1}\" y=\"50\" text-anchor=\"middle\">{mark}</text>"
            );
        }
    }
    text + &body + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{AXIS, Table, svg};

    /// The names of the elements in order, if the text is well-formed as far as what is used here goes.
    fn elements(text: &str) -> Result<Vec<String>, String> {
        let (mut open, mut seen, mut rest) = (Vec::<String>::new(), Vec::new(), text.trim_end());
        while !rest.is_empty() {
            let (before, after) = rest.split_once('<').ok_or(format!("text at the end: {rest}"))?;
            let entities = before.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").replace("&quot;", "");
            if entities.contains(['&', '>']) || (open.is_empty() && !before.is_empty()) {
                return Err(format!("a character out of place: {before}"));
            }
            let (tag, after) = after.split_once('>').ok_or("an element without an end")?;
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop().as_deref() != Some(name) {
                    return Err(format!("closed and not open: {name}"));
                }
                continue;
            }
            let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            while !attributes.is_empty() {
                let (key, after) = attributes.split_once("=\"").ok_or(format!("no value: {tag}"))?;
                let (value, after) = after.split_once('"').ok_or(format!("no end of a value: {tag}"))?;
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
                if key.is_empty()
                    || !key.chars().all(is_name)
                    || value.contains('<')
                    || !(after.is_empty() || after.starts_with(' '))
                {
                    return Err(format!("a character out of place: {tag}"));
                }
                attributes = after.trim_start();
            }
            seen.push(name.to_owned());
            if !closed {
                open.push(name.to_owned());
            }
        }
        if open.is_empty() { Ok(seen) } else { Err(format!("not closed: {open:?}")) }
    }

    fn table() -> Table {
        let printed = "A\tsign & <verify>\tcall\tours\tdualseal\t400\t1\t1\t\t9\n\
            A\tsign & <verify>\tcall\tpeer\t\"p\"\t100\t1\t1\t\t9\n\
            B\tcheck\tentry\tours\tdualseal\t10\t1\t1\t\t9\n\
            B\tcheck\tentry\tours\tdualseal, slow\t1000\t1\t1\t\t9\n\
            B\tcheck\tentry\tpeer\tthird\t300\t1\t1\t\t9\n";
        Table::read(printed).expect("a table")
    }

    #[test]
    fn the_chart_is_well_formed_and_has_a_bar_for_each_of_ours() {
        let text = svg(&table());
        let found = elements(&text).expect("well-formed");
        assert_eq!(found[0], "svg");
        assert_eq!(found.iter().filter(|name| *name == "rect").count(), 1 + 3);
        assert!(text.contains("sign &amp; &lt;verify&gt;") && text.contains("&quot;p&quot;"));
        assert_eq!((text.matches("class=\"ahead\"").count(), text.matches("class=\"behind\"").count()), (1, 2));
        assert!(text.contains(">30.0</text>") && text.contains("prefers-color-scheme: dark"));
        // No bar is wider than the axis.
        let widths = text.split("width=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(widths.clone().count() == 3 && widths.into_iter().all(|width| width > 0.0 && width < AXIS));
    }

    #[test]
    fn what_is_not_well_formed_is_noticed() {
        for bad in [
            "<a><b></a></b>",
            "<a>",
            "<a x=1></a>",
            "<a>&</a>",
            "<a x=\"<\"/>",
            "<a x y=\"1\"/>",
            "a<b/>",
            "<a/",
            "<a/>x",
        ] {
            assert!(elements(bad).is_err(), "{bad}");
        }
    }
}
