//! The live line on standard error while the search runs.
//!
//! Guarantees: at most ten updates a second; nothing but this line is overwritten, and it is gone before anything else is
//! printed; without a terminal nothing is written unless plain lines were asked for.
//!
//! This is not `indicatif`: a search does not know how long it is, so there is no bar to draw, and a spinner with a text is the
//! one call below that erases a line. The rest would stay: `indicatif` writes nothing without a terminal, where plain lines
//! have their own pace, and it knows neither when the log wants standard error nor that a panic of the search must not
//! silence this display.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use selvedge_engine::Progress;

use crate::log;

/// How progress is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ProgressMode {
    // A live line on a terminal, else nothing
    #[default]
    Auto,
    // One line every few seconds
    Plain,
    // Nothing
    None,
}

/// Shortest time between two updates of the live line.
const LIVE: Duration = Duration::from_millis(100);
/// Shortest time between two plain lines.
const PLAIN: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Live,
    Plain,
    Off,
}

#[derive(Debug)]
struct State {
    style: Style,
    width: usize,
    /// Length of what stands on the terminal's current line.
    drawn: usize,
    last: Option<Instant>,
}

/// A progress display, shared by the thread that searches and the one that waits.
#[derive(Clone, Debug)]
pub(crate) struct Display {
    state: Arc<Mutex<State>>,
}

impl Display {
    /// A display for standard error; `quiet` turns the automatic one off.
    pub(crate) fn new(mode: ProgressMode, quiet: bool, width: usize) -> Self {
        let style = match mode {
            ProgressMode::Plain => Style::Plain,
            ProgressMode::Auto if !quiet && !log::is_wanted() && std::io::stderr().is_terminal() => {
                Style::Live
            }
            ProgressMode::Auto | ProgressMode::None => Style::Off,
        };
        Display { state: Arc::new(Mutex::new(State { style, width, drawn: 0, last: None })) }
    }

    /// Shows what is being done, before there are numbers.
    pub(crate) fn phase(&self, text: &str) {
        self.with(|state| {
            if state.style == Style::Live {
                state.draw(text)
            }
        });
    }

    /// Shows the state of the search, if the last update is old enough.
    pub(crate) fn update(&self, progress: &Progress) {
        self.with(|state| {
            let pause = if state.style == Style::Live { LIVE } else { PLAIN };
            let due = state.last.is_none_or(|last| last.elapsed() >= pause);
            if state.style == Style::Off || !due {
                return;
            }
            state.last = Some(Instant::now());
            let text = line(progress);
            match state.style {
                Style::Live => state.draw(&text),
                Style::Plain => {
                    let _ = writeln!(std::io::stderr().lock(), "progress: {text}");
                }
                Style::Off => {}
            }
        });
    }

    /// Removes the live line and stays silent from now on.
    pub(crate) fn finish(&self) {
        self.with(|state| {
            if state.drawn > 0 {
                state.draw("");
            }
            state.style = Style::Off;
        });
    }

    fn with(&self, action: impl FnOnce(&mut State)) {
        // A panic of the search must not silence the report that it happened.
        action(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl State {
    fn draw(&mut self, text: &str) {
        // One column stays free: some terminals wrap when the last one is written.
        let shown: String = text.chars().take(self.width.saturating_sub(1)).collect();
        let length = shown.chars().count();
        let blank = " ".repeat(self.drawn.saturating_sub(length));
        let mut err = std::io::stderr().lock();
        let back = if text.is_empty() { "\r" } else { "" };
        let _ = write!(err, "\r{shown}{blank}{back}");
        let _ = err.flush();
        self.drawn = length;
    }
}

/// `1234 runs (512/s, 12% pruned), 15 pending, depth 31, solver 43%, 12.3 s`
fn line(p: &Progress) -> String {
    let runs = p.executions.total;
    let speed = if p.time_s > 0.0 { runs as f64 / p.time_s } else { 0.0 };
    let mut text = format!("{runs} runs ({speed:.0}/s");
    if p.executions.pruned > 0 && runs > 0 {
        text.push_str(&format!(", {:.0}% pruned", p.executions.pruned as f64 * 100.0 / runs as f64));
    }
    text.push_str(&format!("), {} pending, depth {}", p.pending, p.depth));
    text.push_str(&format!(
        ", {} instructions, solver {:.0}%",
        scaled(p.instructions),
        p.solver_share * 100.0
    ));
    if p.bugs > 0 {
        text.push_str(&format!(", {} bugs", p.bugs));
    }
    text.push_str(&format!(", {:.1} s", p.time_s));
    text
}

/// `12.3M` for 12,345,678.
fn scaled(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", n as f64 / 1e6),
        _ => format!("{:.1}G", n as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_engine::Executions;

    #[test]
    fn the_line_tells_speed_and_size() {
        let progress = Progress {
            executions: Executions { total: 1000, pruned: 120, ..Executions::default() },
            pending: 15,
            instructions: 12_345_678,
            depth: 31,
            solver_share: 0.43,
            time_s: 2.0,
            bugs: 0,
        };
        assert_eq!(
            line(&progress),
            "1000 runs (500/s, 12% pruned), 15 pending, depth 31, 12.3M instructions, solver 43%, 2.0 s"
        );
        assert_eq!(
            line(&Progress::default()),
            "0 runs (0/s), 0 pending, depth 0, 0 instructions, solver 0%, 0.0 s"
        );
    }
}
