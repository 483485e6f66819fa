//! The record of one execution as C tables (`replay.h` has their types).

use std::fmt::Write as _;

use super::{Copied, Failure, Plan, Step, world};
use crate::llvm::Point;

/// The text of `tables.c`.
pub(super) fn render(plan: &Plan, points: &[Point], clock_counts: bool, names_files: bool) -> String {
    let mut c = C(String::from("#include \"replay.h\"\n"));
    c.array("const struct sv_step sv_steps", plan.steps.iter().map(step));
    c.line(&format!("const size_t sv_n_steps = {};", plan.steps.len()));
    let ends = plan.ends.iter().map(|e| {
        format!("{{{}, {}, {}, {}}}", e.points, e.site, u8::from(e.is_waiting), u8::from(e.is_resting))
    });
    c.array("const struct sv_end sv_ends", ends);
    c.line(&format!("const size_t sv_n_threads = {};", plan.ends.len()));
    // Threads may be known by number that this execution did not come to start.
    let children = plan.children.iter().take(plan.ends.len().saturating_sub(1));
    c.array("const struct sv_child sv_children", children.map(|(p, n)| format!("{{{p}, {n}}}")));

    let mut offset = 0;
    let inputs = plan.inputs.iter().map(|input| {
        let (at, size) = (offset, input.bytes.len());
        offset += size;
        format!(
            "{{{}, {}, {size}, {at}}}",
            input.thread,
            u8::from(input.is_environment) + u8::from(input.is_cut)
        )
    });
    c.array("const struct sv_input sv_inputs", inputs.collect::<Vec<_>>().into_iter());
    c.line(&format!("const size_t sv_n_inputs = {};", plan.inputs.len()));
    let bytes = plan.inputs.iter().flat_map(|i| &i.bytes);
    c.array("const unsigned char sv_bytes", bytes.map(ToString::to_string));

    let failures = plan.io_failures.iter();
    let failures =
        failures.map(|f| format!("{{{}, {}, {}, {}, {}}}", f.thread, f.site, f.point, f.after, f.error));
    c.array("struct sv_io_failure sv_io_failures", failures);
    c.line(&format!("const size_t sv_n_io_failures = {};", plan.io_failures.len()));

    let mut sorted: Vec<&Point> = points.iter().collect();
    sorted.sort_by_key(|p| p.site);
    let sites = sorted.iter().map(|p| {
        let point = match p.place.as_str() {
            "" => format!("an unknown place ({})", p.operation),
            place => format!("{place} ({})", p.operation),
        };
        format!("{{{}, {}, {}}}", p.site, literal(p.place.as_bytes()), literal(point.as_bytes()))
    });
    c.array("const struct sv_site sv_sites", sites);
    c.line(&format!("const size_t sv_n_sites = {};", points.len()));

    // Writable, as the standard has it.
    let args: Vec<&[u8]> =
        std::iter::once(&b"program"[..]).chain(plan.args.iter().map(Vec::as_slice)).collect();
    for (i, arg) in args.iter().enumerate() {
        c.line(&format!("static char arg{i}[] = {};", literal(arg)));
    }
    let names = (0..args.len()).map(|i| format!("arg{i}")).chain(["0".to_owned()]);
    c.array("char *const sv_args", names);
    c.line(&format!("const int sv_argc = {};", args.len()));
    for (i, variable) in plan.environment.iter().enumerate() {
        c.line(&format!("static char variable{i}[] = {};", literal(variable)));
    }
    let names = (0..plan.environment.len()).map(|i| format!("variable{i}")).chain(["0".to_owned()]);
    c.array("char *const sv_environment", names);
    let stdin = plan.stdin.as_deref().unwrap_or_default();
    c.array("const unsigned char sv_stdin", stdin.iter().map(ToString::to_string));
    c.line(&format!("const size_t sv_stdin_size = {};", stdin.len()));
    c.line(&format!("const int sv_has_stdin = {};", u8::from(plan.stdin.is_some())));
    world::render(&mut c, &plan.world, names_files);
    c.line(&format!("const uint32_t sv_failing = {};", plan.failing));
    c.line(&format!("const int sv_kind = {};", kind(plan.failure)));
    c.line(&format!("const int sv_stuck = {};", u8::from(plan.is_stuck)));
    c.line(&format!("const int sv_threads_may_fail = {};", u8::from(plan.threads_may_fail)));
    c.line(&format!("const uint32_t sv_fail_at_most = {};", plan.fail_at_most.unwrap_or(u32::MAX)));
    c.line(&format!("const int sv_clock_is_fixed = {};", u8::from(plan.clock_is_fixed)));
    c.line(&format!("const int sv_clock_counts = {};", u8::from(clock_counts)));
    c.line(&format!("const char *const sv_place = {};", literal(plan.place.as_bytes())));
    c.line(&format!("const char *const sv_message = {};", literal(plan.message.as_bytes())));
    c.0
}

fn step(step: &Step) -> String {
    let copies = |copy: Copied| u8::from(copy.reads) | u8::from(copy.writes) << 1;
    let (at, size) = step.copy.map_or((0, 0), |copy| (copy.at, copy.size));
    format!(
        "{{{}, {}, {}, {}, {}, {}, {at}, {size}, {}}}",
        step.thread,
        step.site,
        step.point,
        u8::from(step.is_midway),
        u8::from(step.is_rest),
        step.copy.map_or(0, copies),
        step.signal.unwrap_or(0)
    )
}

fn kind(failure: Failure) -> &'static str {
    match failure {
        Failure::Assert => "SV_ASSERT",
        Failure::Memory => "SV_MEMORY",
        Failure::Div => "SV_DIV",
        Failure::Overflow | Failure::Marked => "SV_OVERFLOW",
        Failure::Leak => "SV_LEAK",
        Failure::Deadlock => "SV_DEADLOCK",
        Failure::Livelock => "SV_LIVELOCK",
        Failure::Race => "SV_RACE",
    }
}

/// C text under construction.
pub(super) struct C(String);

impl C {
    pub(super) fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// An array; one without elements gets a zero, as C has no empty ones.
    pub(super) fn array(&mut self, declaration: &str, elements: impl Iterator<Item = String>) {
        let mut elements = elements.peekable();
        let _ = write!(self.0, "{declaration}[] = {{");
        if elements.peek().is_none() {
            self.0.push('0');
        }
        for (i, element) in elements.enumerate() {
            let separator = if i % 16 == 0 { "\n    " } else { " " };
            let _ = write!(self.0, "{separator}{element},");
        }
        self.line("};");
    }
}

/// A string literal. Octal escapes have three digits, so that what follows cannot be part of them.
pub(super) fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte as char);
            }
            b' '..=b'~' if byte != b'?' => text.push(byte as char),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_make_a_literal_of_these_bytes() {
        assert_eq!(literal(b"a\"b\\c\n1\xff??="), r#""a\"b\\c\0121\377\077\077=""#);
    }

    #[test]
    fn tables_without_content_are_still_c() {
        let text = render(&Plan::default(), &[], false, false);
        assert!(text.contains("sv_steps[] = {0};") && text.contains("sv_argc = 1;"), "{text}");
    }
}
