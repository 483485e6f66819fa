//! A drawing of points and lines on axes, as an SVG file.
//!
//! Guarantees: the same input gives the same file; all text is escaped; every point lies within the axes.
//! Differs from a plotting library: only what our plots need, nothing to install.

use std::fmt::Write as _;

use quick_xml::escape::escape;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 56.0;

/// Distinguishable with common forms of colour blindness (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

/// One axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) is_log: bool,
}

impl Axis {
    /// A logarithmic axis over whole decades that has room for all values.
    pub(crate) fn decades(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| *v > 0.0) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        let (from, mut to) = (low.log10().floor(), high.log10().ceil());
        if to <= from {
            to = from + 1.0;
        }
        Axis { label: label.to_owned(), from: 10f64.powf(from), to: 10f64.powf(to), is_log: true }
    }

    /// Where a value lies between 0 and 1.
    fn place(&self, value: f64) -> f64 {
        let at = match self.is_log {
            true => (value.max(self.from) / self.from).log10() / (self.to / self.from).log10(),
            false => (value - self.from) / (self.to - self.from),
        };
        at.clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        let (mut ticks, mut tick) = (Vec::new(), self.from);
        while tick <= self.to * (1.0 + 1e-9) {
            ticks.push(tick);
            tick = if self.is_log { tick * 10.0 } else { tick + 1.0 };
        }
        ticks
    }
}

/// Points of one colour.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Which colour.
    pub(crate) colour: usize,
    /// Whether the points are joined, in order; a dashed line is somebody else's.
    pub(crate) line: Line,
    /// Where and what: the text is shown when the pointer rests on the point.
    pub(crate) points: Vec<(f64, f64, String)>,
}

/// How points are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    None,
    Solid,
    Dashed,
}

/// The drawing; `diagonal` is where both axes have the same value.
pub(crate) fn draw(title: &str, x: &Axis, y: &Axis, diagonal: bool, series: &[Series]) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
        WIDTH / 2.0,
        escape(title)
    );
    let frame = Frame { x, y };
    frame.grid(&mut out);
    if diagonal {
        frame.diagonal(&mut out);
    }
    for one in series {
        frame.series(&mut out, one);
    }
    if series.len() > 1 {
        legend(&mut out, series);
    }
    out.push_str("</svg>\n");
    out
}

/// The axes of a drawing.
struct Frame<'a> {
    x: &'a Axis,
    y: &'a Axis,
}

impl Frame<'_> {
    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }

    /// Both axes with their ticks and names.
    fn grid(&self, out: &mut String) {
        let Frame { x, y } = self;
        let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
        for tick in x.ticks() {
            let at = self.across(tick);
            let _ = writeln!(
                out,
                "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                tick_text(tick)
            );
        }
        for tick in y.ticks() {
            let at = self.down(tick);
            let _ = writeln!(
                out,
                "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                at + 4.0,
                tick_text(tick)
            );
        }
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            right - left,
            bottom - top,
            (left + right) / 2.0,
            HEIGHT - 12.0,
            escape(&x.label),
            (top + bottom) / 2.0,
            escape(&y.label)
        );
    }

    fn diagonal(&self, out: &mut String) {
        let Frame { x, y } = self;
        let (low, high) = (x.from.max(y.from), x.to.min(y.to));
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>",
            self.across(low),
            self.down(low),
            self.across(high),
            self.down(high)
        );
    }

    /// Points of one colour, with their line.
    fn series(&self, out: &mut String, one: &Series) {
        let colour = COLOURS[one.colour % COLOURS.len()];
        if one.line != Line::None && one.points.len() > 1 {
            let points: Vec<String> = one
                .points
                .iter()
                .map(|(x, y, _)| format!("{:.1},{:.1}", self.across(*x), self.down(*y)))
                .collect();
            let dash = if one.line == Line::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
            let points = points.join(" ");
            let _ = writeln!(out, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\"{dash}/>");
        }
        let fill = if one.line == Line::Dashed { "white" } else { colour };
        for (x, y, what) in &one.points {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{fill}\" fill-opacity=\"0.8\" stroke=\"{colour}\">\
                 <title>{}</title></circle>",
                self.across(*x),
                self.down(*y),
                escape(what)
            );
        }
    }
}

/// Which colour is what.
fn legend(out: &mut String, series: &[Series]) {
    let (left, top) = (LEFT, TOP);
    for (i, one) in series.iter().enumerate() {
        let at = top + 16.0 + 16.0 * i as f64;
        let colour = COLOURS[one.colour % COLOURS.len()];
        let dash = if one.line == Line::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\
             <text x=\"{}\" y=\"{at}\">{}</text>",
            left + 10.0,
            at - 4.0,
            left + 34.0,
            at - 4.0,
            left + 40.0,
            escape(&one.name)
        );
    }
}

fn tick_text(tick: f64) -> String {
    match tick {
        t if t >= 1e6 => format!("1e{:.0}", t.log10()),
        t if t < 1.0 => format!("{t:.3}").trim_end_matches('0').to_owned(),
        t => format!("{t:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_hold_all_values() {
        let axis = Axis::decades("runs", [3.0, 450.0].into_iter());
        assert_eq!((axis.from, axis.to), (1.0, 1000.0));
        assert_eq!((axis.place(1.0), axis.place(1000.0), axis.place(0.5)), (0.0, 1.0, 0.0));
        assert!((axis.place(10.0) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(axis.ticks().len(), 4);
        let none = Axis::decades("runs", std::iter::empty());
        assert!(none.from < none.to);
        let one = Axis::decades("runs", [10.0].into_iter());
        assert_eq!((one.from, one.to), (10.0, 100.0));
    }

    #[test]
    fn text_is_escaped_and_every_point_is_there() {
        let axis = |label: &str| Axis { label: label.into(), from: 1.0, to: 3.0, is_log: false };
        let series = Series {
            name: "a".into(),
            colour: 0,
            line: Line::Solid,
            points: vec![(1.0, 1.0, "p & q".into()), (9.0, 2.0, "r".into())],
        };
        let svg = draw("1 < 2", &axis("x"), &axis("\"y\""), true, &[series]);
        assert!(svg.contains("1 &lt; 2") && svg.contains("p &amp; q") && svg.contains("&quot;y&quot;"));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("<polyline").count(), 1);
        let right = WIDTH - RIGHT;
        assert!(svg.contains(&format!("cx=\"{right:.1}\"")), "a point outside is drawn at the edge");
    }
}
