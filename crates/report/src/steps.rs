//! The steps of a failing execution: a list for one thread, one lane a thread for several.
//!
//! A step without an event of its own shows its source line, and what it read of other threads. Values written follow
//! an arrow.
//!
//! Guarantees: steps keep their number and order; what is left out is said, with its length.

use selvedge_engine::{Place, Read, Step};

use crate::Sources;
use crate::paint::{Paint, Role, printable, shortened};

/// Steps shown when the user did not ask for all: so many from the start ...
const HEAD: usize = 12;
/// ... and so many before the failure, which are the ones that explain it.
const TAIL: usize = 28;
/// A lane narrower than this is unreadable; then the threads are named in a list instead.
const MIN_LANE: usize = 26;
/// Longest text of one step.
const MAX_TEXT: usize = 300;
/// Longest quoted source line.
const MAX_SOURCE: usize = 70;

/// Renders `steps` for a terminal of `width` columns, indented by four.
pub(crate) fn render(steps: &[Step], sources: &mut Sources, all: bool, width: usize, paint: Paint) -> String {
    let mut threads: Vec<u32> = steps.iter().map(|s| s.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let (shown, left_out) = selection(steps.len(), all);
    let rows: Vec<Row<'_>> = shown
        .into_iter()
        .map(|index| Row { index, step: &steps[index], text: what(&steps[index], sources) })
        .collect();
    let view = View { rows: &rows, left_out, number_width: steps.len().to_string().len() };
    let lane = (width.saturating_sub(4 + view.number_width) / threads.len().max(1)).saturating_sub(2);
    match threads.len() > 1 {
        true if lane >= MIN_LANE => view.lanes(&threads, lane, paint),
        several => view.list(several),
    }
}

/// A shown step.
struct Row<'a> {
    index: usize,
    step: &'a Step,
    text: String,
}

/// The shown steps, and how many are left out after the first [`HEAD`].
struct View<'a> {
    rows: &'a [Row<'a>],
    left_out: usize,
    number_width: usize,
}

/// Indices of the shown steps, and how many are left out after the first [`HEAD`].
fn selection(count: usize, all: bool) -> (Vec<usize>, usize) {
    if all || count <= HEAD + TAIL + 1 {
        return ((0..count).collect(), 0);
    }
    ((0..HEAD).chain(count - TAIL..count).collect(), count - HEAD - TAIL)
}

impl View<'_> {
    /// The line that stands for the steps left out before `row`, if there are any.
    fn gap_before(&self, row: &Row<'_>) -> String {
        if self.left_out == 0 || row.index != HEAD + self.left_out {
            return String::new();
        }
        format!(
            "    {:>1$}  ... {2} steps left out (-v shows all) ...\n",
            "", self.number_width, self.left_out
        )
    }

    fn list(&self, name_threads: bool) -> String {
        let place = |row: &Row<'_>| {
            let thread = if name_threads { format!("t{} ", row.step.thread) } else { String::new() };
            format!("{thread}{}", short_place(&row.step.place))
        };
        let function = |row: &Row<'_>| printable(&row.step.place.function);
        let width = |text: &dyn Fn(&Row<'_>) -> String| {
            self.rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0)
        };
        let (place_width, function_width, number_width) =
            (width(&place), width(&function), self.number_width);
        let mut out = String::new();
        for row in self.rows {
            let (place, function, text) = (place(row), function(row), &row.text);
            let number = row.index + 1;
            let line = format!(
                "    {number:>number_width$}  {place:<place_width$}  {function:<function_width$}  {text}"
            );
            out.push_str(&self.gap_before(row));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    fn lanes(&self, threads: &[u32], lane: usize, paint: Paint) -> String {
        let number_width = self.number_width;
        let mut heading = format!("    {:>number_width$}", "");
        for &thread in threads {
            let name = if thread == 0 { "main".to_owned() } else { format!("thread {thread}") };
            heading.push_str(&format!("  {name:<lane$}"));
        }
        let mut out = paint.apply(Role::Heading, heading.trim_end());
        out.push('\n');
        for row in self.rows {
            out.push_str(&self.gap_before(row));
            let at = threads.binary_search(&row.step.thread).expect("every thread has a lane");
            let indent = " ".repeat(at * (lane + 2));
            let text = format!("{} {}", short_place(&row.step.place), row.text);
            for (i, line) in wrapped(text.trim(), lane).into_iter().enumerate() {
                let number = if i == 0 { (row.index + 1).to_string() } else { String::new() };
                // A continuation is set in by two so that it does not look like a step of its own.
                let inset = if i == 0 { "" } else { "  " };
                out.push_str(format!("    {number:>number_width$}  {indent}{inset}{line}").trim_end());
                out.push('\n');
            }
        }
        out
    }
}

/// The last part of the file's name, and the line.
pub(crate) fn short_place(place: &Place) -> String {
    let file = place.file.rsplit('/').next().unwrap_or_default();
    if file.is_empty() || place.line == 0 {
        "?".to_owned()
    } else {
        format!("{}:{}", printable(file), place.line)
    }
}

/// What happens in a step: its event, or the source line that runs.
pub(crate) fn summary(step: &Step, sources: &mut Sources) -> String {
    if step.event.is_empty() { source_line(&step.place, sources) } else { step.event.clone() }
}

fn what(step: &Step, sources: &mut Sources) -> String {
    let mut text = summary(step, sources);
    let reads: Vec<String> = step.reads.iter().filter_map(|read| from_another(step, read)).collect();
    if !reads.is_empty() {
        text.push_str(&format!("  (reads {})", reads.join(", ")));
    }
    if !step.writes.is_empty() {
        text.push_str(&format!("  => {}", step.writes.join(", ")));
    }
    shortened(&printable(text.trim()), MAX_TEXT)
}

/// A read of what another thread has written: what threads tell each other explains a failure.
fn from_another(step: &Step, read: &Read) -> Option<String> {
    let writer = read.writer.filter(|writer| writer.thread != step.thread)?;
    let by = match writer.step {
        Some(index) => format!("step {}", index + 1),
        None if writer.thread == 0 => "main".to_owned(),
        None => format!("thread {}", writer.thread),
    };
    Some(format!("{} = {} of {by}", read.name, read.value))
}

fn source_line(place: &Place, sources: &mut Sources) -> String {
    let lines = sources.lines(&place.dir, &place.file);
    let line = lines.and_then(|lines| lines.get((place.line as usize).checked_sub(1)?));
    let line = line.map(|line| line.trim()).unwrap_or_default();
    match line.char_indices().nth(MAX_SOURCE) {
        Some((end, _)) => format!("{} ...", line[..end].trim_end()),
        None => line.to_owned(),
    }
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
    use selvedge_engine::Writer;

    fn step(thread: u32, line: u32, text: &str) -> Step {
        let place = Place { file: "dir/a.c".into(), line, function: "f".into(), ..Place::default() };
        Step { thread, place, event: text.into(), ..Step::default() }
    }

    #[track_caller]
    fn check(steps: &[Step], width: usize, expected: Expect) {
        let mut sources = Sources::none();
        sources.insert("dir/a.c", "int a;\n\t  int b = next();  \n");
        // The heading keeps the indentation visible: `expect!` removes what all lines share.
        expected
            .assert_eq(&format!("steps\n{}", render(steps, &mut sources, false, width, Paint::new(false))));
    }

    #[test]
    fn one_thread_is_a_list() {
        let mut last = step(0, 12, "branch taken: i < n");
        last.reads.push(Read { name: "i".into(), value: "1".into(), writer: None });
        check(
            &[step(0, 3, "n = 2"), last],
            100,
            expect![[r#"
                steps
                    1  a.c:3   f  n = 2
                    2  a.c:12  f  branch taken: i < n
            "#]],
        );
    }

    #[test]
    fn reads_of_what_other_threads_wrote_are_shown() {
        let by = |thread, step| Some(Writer { thread, step });
        let read = |name: &str, writer| Read { name: name.into(), value: "1".into(), writer };
        let mut last = step(1, 2, "");
        last.reads = vec![
            read("x", by(0, Some(0))),
            read("y", by(2, None)),
            read("own", by(1, Some(0))),
            read("z", None),
        ];
        check(
            &[step(0, 3, "x = 1"), last],
            40,
            expect![[r#"
                steps
                    1  t0 a.c:3  f  x = 1
                    2  t1 a.c:2  f  int b = next();  (reads x = 1 of step 1, y = 1 of thread 2)
            "#]],
        );
    }

    #[test]
    fn a_step_without_event_shows_its_source_line() {
        let mut first = step(0, 2, "");
        first.writes.push("b = 3".into());
        check(
            &[first, step(0, 9, "")],
            100,
            expect![[r#"
            steps
                1  a.c:2  f  int b = next();  => b = 3
                2  a.c:9  f
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
        let short = render(&steps, &mut Sources::none(), false, 100, Paint::new(false));
        assert_eq!(short.lines().count(), HEAD + TAIL + 1);
        assert!(short.contains("... 60 steps left out (-v shows all) ..."));
        assert!(short.contains("a.c:12 ") && short.contains("a.c:73 ") && !short.contains("a.c:13 "));
        assert!(short.trim_end().ends_with("100  a.c:100  f  x"));
        assert_eq!(render(&steps, &mut Sources::none(), true, 100, Paint::new(false)).lines().count(), 100);
    }

    #[test]
    fn long_words_are_cut_at_the_width_of_the_lane() {
        assert_eq!(wrapped("abcdefghij", 6), ["abcdef", "ghij"]);
        assert_eq!(wrapped("ab cdefghijk", 6), ["ab", "cdef", "ghij", "k"]);
    }
}
