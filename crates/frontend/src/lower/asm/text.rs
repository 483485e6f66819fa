//! The text of inline assembly: LLVM's template in AT&T syntax, cut into instructions, and the list of constraints.
//!
//! Guarantees: what is not understood for certain is refused (`None`), never guessed.

/// An operand of an instruction, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Arg {
    /// `$0`, or `${0:k}` with the width that the letter stands for.
    Place { index: usize, width: Option<u32> },
    /// `%eax`: the register without its width, and the width.
    Register { name: &'static str, width: u32 },
    /// `$$7`.
    Immediate(i64),
    /// `8($1)`: memory at the address that another operand holds.
    Memory { offset: i64, base: Box<Arg> },
}

/// One instruction.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) lock: bool,
    pub(super) name: String,
    pub(super) args: Vec<Arg>,
}

/// How an operand is handed over.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Constraint {
    /// A result, in a register that may hold an input as well unless it is `early`.
    Output { early: bool, register: Option<&'static str> },
    /// A result that is a condition after the last instruction.
    Flag(String),
    /// Memory, read or written, at an address that is an argument of the call.
    Memory,
    /// An argument in a register, or a constant.
    Input { register: Option<&'static str> },
    /// An argument in the register of an output.
    Tied(usize),
}

/// The instructions of a template.
pub(super) fn parse_code(code: &str) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    let (mut lock, mut repeat) = (false, false);
    for line in code.split('\n') {
        let line = line.split('#').next().unwrap_or_default();
        for statement in line.split(';') {
            let mut rest = statement.trim();
            loop {
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                match word {
                    "lock" => lock = true,
                    "rep" => repeat = true,
                    _ => break,
                }
                rest = after.trim_start();
            }
            if rest.is_empty() {
                continue;
            }
            let (name, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let args = split_args(args).into_iter().map(parse_arg).collect::<Option<Vec<_>>>()?;
            let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            // Of the repeated ones only `rep nop`, an old spelling of `pause`.
            if !is_word || (repeat && name != "nop") {
                return None;
            }
            lines.push(Line { lock, name: name.to_owned(), args });
            (lock, repeat) = (false, false);
        }
    }
    (!lock && !repeat).then_some(lines)
}

/// The operands between commas, of which those within parentheses do not count.
fn split_args(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !(parts.is_empty() && last.is_empty()) {
        parts.push(last);
    }
    parts
}

fn parse_arg(text: &str) -> Option<Arg> {
    if let Some(number) = text.strip_prefix("$$") {
        return parse_number(number).map(Arg::Immediate);
    }
    if let Some(name) = text.strip_prefix('%') {
        let (name, width) = register(name)?;
        return Some(Arg::Register { name, width });
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (offset, base) = inner.split_once('(')?;
        let offset = if offset.is_empty() { 0 } else { parse_number(offset)? };
        let base = parse_arg(base.trim())?;
        let is_plain = matches!(base, Arg::Place { width: None | Some(64), .. } | Arg::Register { .. });
        return is_plain.then(|| Arg::Memory { offset, base: Box::new(base) });
    }
    let place = text.strip_prefix('$')?;
    let Some(inner) = place.strip_prefix('{') else {
        return Some(Arg::Place { index: parse_index(place)?, width: None });
    };
    let (index, letter) = inner.strip_suffix('}')?.split_once(':')?;
    let width = match letter {
        "b" => 8,
        "w" => 16,
        "k" => 32,
        "q" => 64,
        _ => return None,
    };
    Some(Arg::Place { index: parse_index(index)?, width: Some(width) })
}

fn parse_index(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn parse_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        // A leading zero would mean octal.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some(if negative { -value } else { value })
}

/// The register that a name is a part of, and the width of the part. The upper byte of one (`ah`) is left out.
pub(super) fn register(name: &str) -> Option<(&'static str, u32)> {
    const LETTERS: [&str; 4] = ["ax", "bx", "cx", "dx"];
    const WORDS: [&str; 4] = ["si", "di", "bp", "sp"];
    for full in LETTERS {
        if name.strip_suffix('l') == Some(&full[..1]) {
            return Some((full, 8));
        }
    }
    for full in WORDS {
        if name.strip_suffix('l') == Some(full) {
            return Some((full, 8));
        }
    }
    for full in LETTERS.into_iter().chain(WORDS) {
        match name.strip_suffix(full) {
            Some("") => return Some((full, 16)),
            Some("e") => return Some((full, 32)),
            Some("r") => return Some((full, 64)),
            _ => {}
        }
    }
    const NUMBERED: [&str; 8] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
    let full = NUMBERED.into_iter().rev().find(|full| name.starts_with(full))?;
    let width = match &name[full.len()..] {
        "" => 64,
        "d" => 32,
        "w" => 16,
        "b" => 8,
        _ => return None,
    };
    Some((full, width))
}

/// The operands that the constraints describe, and the registers that are clobbered.
pub(super) fn parse_constraints(text: &str) -> Option<(Vec<Constraint>, Vec<&'static str>)> {
    let (mut operands, mut clobbers) = (Vec::new(), Vec::new());
    for constraint in text.split(',').filter(|constraint| !constraint.is_empty()) {
        if let Some(clobber) = constraint.strip_prefix('~') {
            let name = clobber.strip_prefix('{')?.strip_suffix('}')?;
            clobbers.extend(register(name).map(|(full, _)| full));
            continue;
        }
        let (is_output, rest) = match constraint.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, constraint),
        };
        let rest = rest.strip_prefix('%').unwrap_or(rest);
        let (early, rest) = match rest.strip_prefix('&') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if rest.starts_with('*') {
            operands.push(Constraint::Memory);
            continue;
        }
        let named = match rest {
            "a" => Some("ax"),
            "b" => Some("bx"),
            "c" => Some("cx"),
            "d" => Some("dx"),
            "S" => Some("si"),
            "D" => Some("di"),
            _ => rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')),
        };
        let tied = match rest.find(|c: char| !c.is_ascii_digit()) {
            // Beside the place of an output a register, which must be the same one: `0a` for an output in `a`.
            Some(digits @ 1..) => {
                let output = parse_index(&rest[..digits])?;
                let name = rest[digits..].strip_prefix('{')?.strip_suffix('}')?;
                let register = Some(register(name)?.0);
                let is_same =
                    |o: &Constraint| matches!(o, Constraint::Output { register: r, .. } if *r == register);
                operands.get(output).is_some_and(is_same).then_some(Some(output))?
            }
            _ => parse_index(rest).filter(|_| !rest.is_empty()),
        };
        operands.push(match (is_output, named) {
            (true, Some(name)) if name.starts_with("@cc") => Constraint::Flag(name[3..].to_owned()),
            (true, Some(name)) => Constraint::Output { early, register: Some(register(name)?.0) },
            (true, None) => Constraint::Output { early, register: None },
            (false, Some(name)) => Constraint::Input { register: Some(register(name)?.0) },
            (false, None) => match tied {
                Some(output) => Constraint::Tied(output),
                // Labels of `asm goto` and registers for floating-point numbers are something else.
                None if rest.contains(['!', 'x', 'f', 't', 'u', 'y', 'v']) => return None,
                None => Constraint::Input { register: None },
            },
        });
    }
    Some((operands, clobbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(index: usize) -> Arg {
        Arg::Place { index, width: None }
    }

    #[test]
    fn a_prefix_belongs_to_the_instruction_that_follows_even_after_a_semicolon() {
        let lines = parse_code("lock; cmpxchgl $3,$1; sete $0").unwrap();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].lock && !lines[1].lock);
        assert_eq!((lines[0].name.as_str(), &lines[0].args), ("cmpxchgl", &vec![place(3), place(1)]));
        assert_eq!(parse_code("rep; nop").unwrap()[0].name, "nop");
        assert_eq!(parse_code("rep movsb"), None);
        assert_eq!(parse_code("incl $0; lock"), None);
    }

    #[test]
    fn operands_are_places_registers_constants_and_memory() {
        let lines = parse_code("\taddl $$-0x10, ${0:k} # a comment\n\tmovq %rax, 8($1)").unwrap();
        assert_eq!(lines[0].args, [Arg::Immediate(-16), Arg::Place { index: 0, width: Some(32) }]);
        let memory = Arg::Memory { offset: 8, base: Box::new(place(1)) };
        assert_eq!(lines[1].args, [Arg::Register { name: "ax", width: 64 }, memory]);
        assert_eq!(parse_code("leal 1($1,$2,4), $0"), None);
        assert_eq!(parse_code("1: jmp 1b"), None);
        assert_eq!(parse_code(".byte 0x90"), None);
    }

    #[test]
    fn parts_of_a_register_are_one_register() {
        assert_eq!(register("al"), Some(("ax", 8)));
        assert_eq!(register("eax"), Some(("ax", 32)));
        assert_eq!(register("r15d"), Some(("r15", 32)));
        assert_eq!(register("sil"), Some(("si", 8)));
        assert_eq!(register("ah"), None);
        assert_eq!(register("xmm0"), None);
        assert_eq!(register("rflags"), None);
    }

    #[test]
    fn constraints_say_how_operands_are_handed_over() {
        let (operands, clobbers) =
            parse_constraints("=q,=*m,={ax},r,*m,2,~{memory},~{ecx},~{flags}").unwrap();
        assert_eq!(operands[0], Constraint::Output { early: false, register: None });
        assert_eq!(operands[1], Constraint::Memory);
        assert_eq!(operands[2], Constraint::Output { early: false, register: Some("ax") });
        assert_eq!(operands[3], Constraint::Input { register: None });
        assert_eq!(operands[5], Constraint::Tied(2));
        assert_eq!(clobbers, ["cx"]);
        assert_eq!(parse_constraints("={@ccz}").unwrap().0, [Constraint::Flag("z".to_owned())]);
        assert_eq!(parse_constraints("=x,x"), None, "an input in a vector register");
        assert_eq!(parse_constraints("={ax},0{ax}").unwrap().0[1], Constraint::Tied(0));
        assert_eq!(parse_constraints("={ax},0{dx}"), None, "one register or another");
        assert_eq!(parse_constraints("=r,0r"), None, "one register or another");
    }
}
