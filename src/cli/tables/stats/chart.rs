//! Bar charts as SVG, drawn with the colours of the page around them.

use std::fmt::Write;

/// Size of a chart in units of its own; the page scales it.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 230.0;
/// Room for the numbers of the axes.
const LEFT: f64 = 46.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 12.0;
/// Most bars that get a label of their own.
const LABELS: usize = 9;

/// A bar: what it stands for, and parts from below with the class that gives them their colour.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) parts: Vec<(&'static str, f64)>,
    /// What is shown to somebody who points at it.
    pub(super) hint: String,
}

/// How heights are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// In percent, from nothing to the largest bar.
    Percent,
    /// Counts, each step ten times the one before.
    Logarithm,
}

/// A chart of these bars, side by side; `title` says in words what is seen.
pub(super) fn bars(title: &str, axis: &str, scale: Scale, bars: &[Bar]) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\" xmlns=\"http://www.w3.org/2000/svg\">\n"
    );
    let most = bars.iter().map(|bar| bar.parts.iter().map(|part| part.1).sum::<f64>()).fold(0.0, f64::max);
    let ticks = ticks(scale, most);
    let top = ticks.last().map_or(1.0, |&(value, _)| value);
    let y = |value: f64| TOP + (HEIGHT - BOTTOM - TOP) * (1.0 - height(scale, value, top));
    for (value, label) in &ticks {
        let y = y(*value);
        // Writing to a text cannot fail.
        let _ = writeln!(svg, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 5.0, y + 4.5);
    }
    let step = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let every = bars.len().div_ceil(LABELS).max(1);
    for (at, bar) in bars.iter().enumerate() {
        let x = LEFT + step * at as f64;
        let _ = write!(svg, "<g><title>{}</title>", bar.hint);
        let mut below = 0.0;
        for (class, part) in bar.parts.iter().filter(|part| part.1 > 0.0) {
            let (from, to) = (y(below), y(below + part));
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{:.2}\" y=\"{to:.2}\" width=\"{:.2}\" height=\"{:.2}\"/>",
                x + step * 0.08,
                step * 0.84,
                (from - to).max(0.4)
            );
            below += part;
        }
        svg.push_str("</g>\n");
        if at % every == 0 {
            let (x, y) = (x + step / 2.0, HEIGHT - BOTTOM + 17.0);
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", bar.label);
        }
    }
    let (x, y) = ((LEFT + WIDTH) / 2.0, HEIGHT - 5.0);
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{axis}</text>");
    svg + "</svg>"
}

/// The part of the full height that `value` takes.
fn height(scale: Scale, value: f64, top: f64) -> f64 {
    match scale {
        Scale::Percent => value / top,
        // One alone is still seen, none is not.
        Scale::Logarithm if value < 1.0 => 0.0,
        Scale::Logarithm => (value.log10() + 0.3) / (top.log10() + 0.3),
    }
}

/// Values with a line across, the last at the top or above, and what stands beside them.
fn ticks(scale: Scale, most: f64) -> Vec<(f64, String)> {
    match scale {
        Scale::Percent => {
            let steps = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0];
            let step = steps.into_iter().find(|step| most / step <= 5.0).unwrap_or(25.0);
            let count = (most / step - 1e-9).ceil().max(1.0) as u32;
            (0..=count)
                .map(|at| (f64::from(at) * step, format!("{} %", (f64::from(at) * step * 10.0).round() / 10.0)))
                .collect()
        }
        Scale::Logarithm => {
            let powers = most.max(1.0).log10().ceil().max(1.0) as i32;
            let every = if powers > 5 { 2 } else { 1 };
            let label = |power: i32| match power {
                0..3 => 10i32.pow(power as u32).to_string(),
                3..6 => format!("{} k", 10i32.pow(power as u32 - 3)),
                6..9 => format!("{} M", 10i32.pow(power as u32 - 6)),
                _ => format!("{} G", 10i64.pow(power as u32 - 9)),
            };
            let mut ticks: Vec<_> = (0..powers).step_by(every).map(|power| (10f64.powi(power), label(power))).collect();
            ticks.push((10f64.powi(powers), label(powers)));
            ticks
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_reach_over_the_largest_bar() {
        for most in [0.0, 0.03, 1.0, 4.9, 37.2, 100.0] {
            let ticks = ticks(Scale::Percent, most);
            assert!(ticks.len() <= 7 && ticks.last().unwrap().0 >= most - 1e-6, "{most}: {ticks:?}");
        }
        for most in [1.0, 9.0, 5e9, 77_520.0] {
            let ticks = ticks(Scale::Logarithm, most);
            assert!(ticks.len() <= 7 && ticks.last().unwrap().0 >= most, "{most}: {ticks:?}");
        }
        assert_eq!(ticks(Scale::Percent, 100.0).last().unwrap().1, "100 %");
    }
}
