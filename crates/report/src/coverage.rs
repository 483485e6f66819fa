//! Line and branch coverage as text for a terminal and as an lcov file for editors and `genhtml`.
//!
//! Guarantees: counts are those of the outcome; lcov records are in file order, lines ascending.

use std::fmt::Write as _;

use selvedge_engine::{Coverage, LineCoverage};

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn lines(file: &LineCoverage) -> (u64, u64) {
    (file.covered.len() as u64, (file.covered.len() + file.missed.len()) as u64)
}

fn totals(coverage: &Coverage) -> (u64, u64) {
    coverage.files.iter().map(lines).fold((0, 0), |(a, b), (covered, all)| (a + covered, b + all))
}

/// `lines 6/7 (86 %), branches 5/6 (83 %)`, or `None` if nothing could be covered.
pub fn summary(coverage: &Coverage) -> Option<String> {
    let (covered, all) = totals(coverage);
    if all == 0 && coverage.branches == 0 {
        return None;
    }
    Some(format!(
        "lines {covered}/{all} ({:.0} %), branches {}/{} ({:.0} %)",
        percent(covered, all),
        coverage.branches_taken,
        coverage.branches,
        percent(coverage.branches_taken, coverage.branches)
    ))
}

/// A table by file with the lines that were not reached.
pub fn text(coverage: &Coverage) -> String {
    let Some(total) = summary(coverage) else {
        return "coverage: the program has no source lines (compile with -g)\n".to_owned();
    };
    let width = coverage.files.iter().map(|f| f.file.chars().count()).max().unwrap_or(0);
    let mut out = format!("coverage: {total}\n");
    for file in &coverage.files {
        let (covered, all) = lines(file);
        let missed = if file.missed.is_empty() {
            String::new()
        } else {
            format!("  missed: {}", ranges(&file.missed))
        };
        let _ = writeln!(
            out,
            "  {:<width$}  {covered:>5}/{all:<5} {:>5.1} %{missed}",
            file.file,
            percent(covered, all)
        );
    }
    out
}

/// `3-5, 9` for `[3, 4, 5, 9]`; runs of lines with code only.
fn ranges(lines: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match parts.last_mut() {
            Some((_, end)) if *end + 1 == line => *end = line,
            _ => parts.push((line, line)),
        }
    }
    let show =
        |(start, end): &(u32, u32)| if start == end { start.to_string() } else { format!("{start}-{end}") };
    parts.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// The lcov tracefile. Execution counts are 1 or 0: the search says whether a line was reached, not how often.
pub fn lcov(coverage: &Coverage) -> String {
    let mut out = String::new();
    for file in &coverage.files {
        let mut all: Vec<(u32, u8)> = file.covered.iter().map(|&l| (l, 1)).collect();
        all.extend(file.missed.iter().map(|&l| (l, 0)));
        all.sort_unstable();
        let _ = writeln!(out, "TN:selvedge\nSF:{}", file.file);
        for (line, count) in &all {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let _ = writeln!(out, "LF:{}\nLH:{}\nend_of_record", all.len(), file.covered.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn sample() -> Coverage {
        Coverage {
            files: vec![
                LineCoverage { file: "a.c".into(), covered: vec![1, 5], missed: vec![2, 3, 4, 9] },
                LineCoverage { file: "long/name.c".into(), covered: vec![7], missed: vec![] },
            ],
            branches_taken: 1,
            branches: 4,
            functions: vec![],
        }
    }

    #[test]
    fn missed_lines_are_shown_as_ranges() {
        expect![[r#"
            coverage: lines 3/7 (43 %), branches 1/4 (25 %)
              a.c              2/6      33.3 %  missed: 2-4, 9
              long/name.c      1/1     100.0 %
        "#]]
        .assert_eq(&text(&sample()));
    }

    #[test]
    fn lcov_lists_lines_in_order() {
        expect![[r#"
            TN:selvedge
            SF:a.c
            DA:1,1
            DA:2,0
            DA:3,0
            DA:4,0
            DA:5,1
            DA:9,0
            LF:6
            LH:2
            end_of_record
            TN:selvedge
            SF:long/name.c
            DA:7,1
            LF:1
            LH:1
            end_of_record
        "#]]
        .assert_eq(&lcov(&sample()));
    }

    #[test]
    fn a_program_without_lines_has_no_percentage() {
        assert_eq!(summary(&Coverage::default()), None);
        assert_eq!(lcov(&Coverage::default()), "");
        assert!(text(&Coverage::default()).contains("compile with -g"));
    }
}
