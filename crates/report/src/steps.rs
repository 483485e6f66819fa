//! The steps of a failing execution: a list for one thread, one lane a thread for several.
//!
//! Guarantees: steps keep their number and order; what is left out is said, with its length.

use selvedge_engine::{Place, Step};

use crate::paint::{Paint, Role, printable, shortened};

/// Steps shown when the user did not ask for all: so many from the start ...
const HEAD: usize = 12;
/// ... and so many before the failure, which are the ones that explain it.
const TAIL: usize = 28;
/// A lane narrower than this is unreadable; then the threads are named in a list instead.
const MIN_LANE: usize = 26;
/// Longest text of one step.
const MAX_TEXT: usize = 300;

/// Renders `steps` for a terminal of `width` columns, indented by four.
pub(crate) fn render(steps: &[Step], all: bool, width: usize, paint: Paint) -> String {
    let mut threads: Vec<u32> = steps.iter().map(|s| s.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let number_width = steps.len().to_string().len();
    let lane = (width.saturating_sub(4 + number_width) / threads.len().max(1)).saturating_sub(2);
    let (shown, left_out) = selection(steps.len(), all);

    let mut out = String::new();
    if threads.len() > 1 && lane >= MIN_LANE {
        lanes(steps, &shown, left_out, &threads, lane, number_width, paint, &mut out);
    } else {
        list(steps, &shown, left_out, threads.len() > 1, number_width, &mut out);
    }
    out
}

/// Indices of the shown steps, and how many are left out after the first [`HEAD`].
fn selection(count: usize, all: bool) -> (Vec<usize>, usize) {
    if all || count <= HEAD + TAIL + 1 {
        return ((0..count).collect(), 0);
    }
    ((0..HEAD).chain(count - TAIL..count).collect(), count - HEAD - TAIL)
}

fn gap(left_out: usize, number_width: usize) -> String {
    format!("    {:>number_width$}  ... {left_out} steps left out (-v shows all) ...\n", "")
}

fn list(
    steps: &[Step],
    shown: &[usize],
    left_out: usize,
    name_threads: bool,
    number_width: usize,
    out: &mut String,
) {
    let rows: Vec<(String, String, String)> = shown
        .iter()
        .map(|&i| {
            let thread = if name_threads { format!("t{} ", steps[i].thread) } else { String::new() };
            (
                format!("{thread}{}", short_place(&steps[i].place)),
                printable(&steps[i].place.function),
                what(&steps[i]),
            )
        })
        .collect();
    let column = |f: fn(&(String, String, String)) -> &String| {
        rows.iter().map(|row| f(row).chars().count()).max().unwrap_or(0)
    };
    let (place_width, function_width) = (column(|r| &r.0), column(|r| &r.1));
    for (row, &i) in rows.iter().zip(shown) {
        if left_out > 0 && i == HEAD + left_out {
            out.push_str(&gap(left_out, number_width));
        }
        let (place, function, text) = row;
        let line = format!(
            "    {:>number_width$}  {place:<place_width$}  {function:<function_width$}  {text}",
            i + 1
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "private, one caller; a struct would only rename the arguments"
)]
fn lanes(
    steps: &[Step],
    shown: &[usize],
    left_out: usize,
    threads: &[u32],
    lane: usize,
    number_width: usize,
    paint: Paint,
    out: &mut String,
) {
    let mut heading = format!("    {:>number_width$}", "");
    for &thread in threads {
        let name = if thread == 0 { "main".to_owned() } else { format!("thread {thread}") };
        heading.push_str(&format!("  {name:<lane$}"));
    }
    out.push_str(&paint.apply(Role::Heading, heading.trim_end()));
    out.push('\n');
    for &i in shown {
        if left_out > 0 && i == HEAD + left_out {
            out.push_str(&gap(left_out, number_width));
        }
        let at = threads.binary_search(&steps[i].thread).expect("every thread has a lane");
        let indent = " ".repeat(at * (lane + 2));
        let text = format!("{} {}", short_place(&steps[i].place), what(&steps[i]));
        for (row, line) in wrapped(text.trim(), lane).into_iter().enumerate() {
            let number = if row == 0 { (i + 1).to_string() } else { String::new() };
            // A continuation is set in by two so that it does not look like a step of its own.
            let inset = if row == 0 { "" } else { "  " };
            out.push_str(format!("    {number:>number_width$}  {indent}{inset}{line}").trim_end());
            out.push('\n');
        }
    }
}

fn short_place(place: &Place) -> String {
    let file = place.file.rsplit('/').next().unwrap_or_default();
    if file.is_empty() || place.line == 0 {
        "?".to_owned()
    } else {
        format!("{}:{}", printable(file), place.line)
    }
}

fn what(step: &Step) -> String {
    let mut text = step.text.clone();
    for (word, cells) in [("reads", &step.reads), ("writes", &step.writes)] {
        if !cells.is_empty() {
            text.push_str(&format!("  ({word} {})", cells.join(", ")));
        }
    }
    shortened(&printable(&text), MAX_TEXT)
}

/// Breaks `text` at spaces into lines of at most `width` characters (continuations two less); longer words are cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let mut rest = word;
        loop {
            let room = if lines.len() == 1 { width } else { width - 2 };
            let line = lines.last_mut().expect("never empty");
            let gap = usize::from(!line.is_empty());
            let len = rest.chars().count();
            if used + gap + len <= room {
                line.push_str(&" ".repeat(gap));
                line.push_str(rest);
                used += gap + len;
                break;
            }
            if line.is_empty() {
                let cut = rest.char_indices().nth(room).map_or(rest.len(), |(at, _)| at);
                line.push_str(&rest[..cut]);
                rest = &rest[cut..];
            }
            lines.push(String::new());
            used = 0;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn step(thread: u32, line: u32, text: &str) -> Step {
        let place = Place { file: "dir/a.c".into(), line, function: "f".into(), ..Place::default() };
        Step { thread, place, text: text.into(), reads: vec![], writes: vec![] }
    }

    #[track_caller]
    fn check(steps: &[Step], width: usize, expected: Expect) {
        // The heading keeps the indentation visible: `expect!` removes what all lines share.
        expected.assert_eq(&format!("steps\n{}", render(steps, false, width, Paint::new(false))));
    }

    #[test]
    fn one_thread_is_a_list() {
        let mut last = step(0, 12, "branch taken: i < n");
        last.reads.push("i = 1".into());
        check(
            &[step(0, 3, "n = 2"), last],
            100,
            expect![[r#"
                steps
                    1  a.c:3   f  n = 2
                    2  a.c:12  f  branch taken: i < n  (reads i = 1)
            "#]],
        );
    }

    #[test]
    fn several_threads_have_a_lane_each() {
        let steps = [
            step(0, 3, "create thread 1"),
            step(1, 20, "a rather long step that has to go over more than one line of its lane"),
            step(0, 4, "x = 2"),
        ];
        check(
            &steps,
            70,
            expect![[r#"
                steps
                       main                            thread 1
                    1  a.c:3 create thread 1
                    2                                  a.c:20 a rather long step that
                                                         has to go over more than one
                                                         line of its lane
                    3  a.c:4 x = 2
            "#]],
        );
    }

    #[test]
    fn too_many_threads_for_the_terminal_are_named_in_a_list() {
        let steps = [step(0, 3, "a"), step(1, 3, "b"), step(2, 3, "c"), step(3, 3, "d")];
        check(
            &steps,
            80,
            expect![[r#"
                steps
                    1  t0 a.c:3  f  a
                    2  t1 a.c:3  f  b
                    3  t2 a.c:3  f  c
                    4  t3 a.c:3  f  d
            "#]],
        );
    }

    #[test]
    fn the_middle_of_a_long_execution_is_left_out_unless_asked_for() {
        let steps: Vec<Step> = (1..=100).map(|i| step(0, i, "x")).collect();
        let short = render(&steps, false, 100, Paint::new(false));
        assert_eq!(short.lines().count(), HEAD + TAIL + 1);
        assert!(short.contains("... 60 steps left out (-v shows all) ..."));
        assert!(short.contains("a.c:12 ") && short.contains("a.c:73 ") && !short.contains("a.c:13 "));
        assert!(short.trim_end().ends_with("100  a.c:100  f  x"));
        assert_eq!(render(&steps, true, 100, Paint::new(false)).lines().count(), 100);
    }

    #[test]
    fn long_words_are_cut_at_the_width_of_the_lane() {
        assert_eq!(wrapped("abcdefghij", 6), ["abcdef", "ghij"]);
        assert_eq!(wrapped("ab cdefghijk", 6), ["ab", "cdef", "ghij", "k"]);
    }
}
