//! The text form of a program: complete, readable, the same for the same program.
//!
//! [`Program`] implements [`Display`](std::fmt::Display); `docs/ir.md` has the grammar. Everything the semantics or a report
//! depends on is in the text, so [`crate::parse`] gives the program back (with the constants
//! renumbered, see [`Program::with_canonical_consts`]).
//! Guarantee: never panics, also not on a program the validator rejects: an id that is out of range prints as `<c7>` and the like,
//! which the parser does not accept.

mod inst;
mod operand;

use std::fmt::{self, Formatter, Write};

use selvedge_base::Loc;

use crate::mnemonics::Word;
use crate::{DebugType, FuncId, Function, Global, InitPiece, Program, Reg, TypeId};
use inst::print_inst;
pub(crate) use operand::MAX_DEPTH;
use operand::{Const, Quoted, Symbol};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "target {}", self.target.ptr_bits)?;
        if let Some(entry) = self.entry {
            writeln!(f, "entry {}", func_name(self, entry))?;
        }
        if !self.ctors.is_empty() {
            f.write_str("ctors ")?;
            list(f, &self.ctors, |f, &c| write!(f, "{}", func_name(self, c)))?;
            f.write_char('\n')?;
        }
        for (id, file) in self.files.enumerate() {
            writeln!(f, "file {id} {} in {}", Quoted::str(&file.name), Quoted::str(&file.dir))?;
        }
        for (id, ty) in self.types.enumerate() {
            write!(f, "type {id} = ")?;
            debug_type(f, ty)?;
            f.write_char('\n')?;
        }
        for global in self.globals.iter() {
            print_global(f, self, global)?;
        }
        for func in self.funcs.iter() {
            f.write_char('\n')?;
            print_function(f, self, func)?;
        }
        Ok(())
    }
}

/// One function of a program in the text form.
pub fn print_func(program: &Program, func: FuncId) -> String {
    struct One<'a>(&'a Program, &'a Function);
    impl fmt::Display for One<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            print_function(f, self.0, self.1)
        }
    }
    One(program, &program.funcs[func]).to_string()
}

fn debug_type(f: &mut Formatter<'_>, ty: &DebugType) -> fmt::Result {
    match ty {
        DebugType::Basic { name, size, encoding } => {
            write!(f, "basic {} {size} {}", Quoted::str(name), encoding.word())
        }
        DebugType::Pointer { to } => write!(f, "pointer {}", TypeOrVoid(*to)),
        DebugType::Record { name, size, fields } => {
            write!(f, "record {} {size} {{ ", Quoted::str(name))?;
            list(f, fields, |f, m| {
                write!(f, "{} {} at {} bits {}", Quoted::str(&m.name), m.ty, m.bit_offset, m.bit_size)
            })?;
            f.write_str(" }")
        }
        DebugType::Array { elem, count } => write!(f, "array {elem} x {count}"),
        DebugType::Enum { name, size, values } => {
            write!(f, "enum {} {size} {{ ", Quoted::str(name))?;
            list(f, values, |f, (name, value)| write!(f, "{} = {value}", Quoted::str(name)))?;
            f.write_str(" }")
        }
        DebugType::Alias { name, to } => write!(f, "alias {} {}", Quoted::str(name), TypeOrVoid(*to)),
        DebugType::Other { name } => write!(f, "other {}", Quoted::str(name)),
    }
}

struct TypeOrVoid(Option<TypeId>);

impl fmt::Display for TypeOrVoid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ty) => write!(f, "{ty}"),
            None => f.write_str("void"),
        }
    }
}

fn print_global(f: &mut Formatter<'_>, program: &Program, global: &Global) -> fmt::Result {
    write!(f, "global {} size {} align {}", Symbol(&global.name), global.size, global.align)?;
    for (flag, word) in
        [(global.is_const, " const"), (global.thread_local, " tls"), (global.is_runtime, " runtime")]
    {
        f.write_str(if flag { word } else { "" })?;
    }
    if let Some(ty) = global.var_ty {
        write!(f, " {ty}")?;
    }
    match &global.init {
        None => f.write_str(" extern")?,
        Some(pieces) => {
            f.write_str(" = { ")?;
            list(f, pieces, |f, piece| match piece {
                InitPiece::Bytes { offset, bytes } => write!(f, "{offset}: bytes {}", Quoted(bytes)),
                InitPiece::Scalar { offset, ty, value } => {
                    write!(f, "{offset}: {ty} {}", Const::new(program, *value))
                }
                InitPiece::Undef { offset, len } => write!(f, "{offset}: undef {len}"),
            })?;
            f.write_str(if pieces.is_empty() { "}" } else { " }" })?;
        }
    }
    loc(f, global.loc)?;
    f.write_char('\n')
}

fn print_function(f: &mut Formatter<'_>, program: &Program, func: &Function) -> fmt::Result {
    f.write_str(if func.is_defined() { "func " } else { "declare " })?;
    write!(f, "{}(", Symbol(&func.name))?;
    let mut index = 0;
    list(f, &func.params, |f, &param| {
        define(f, func, param)?;
        let byval = func.byval.get(index).copied().flatten();
        index += 1;
        match byval {
            Some(size) => write!(f, " byval {size}"),
            None => Ok(()),
        }
    })?;
    if func.variadic {
        f.write_str(if func.params.is_empty() { "..." } else { ", ..." })?;
    }
    f.write_char(')')?;
    if !func.ret.is_empty() {
        f.write_str(" -> ")?;
        list(f, &func.ret, |f, ty| write!(f, "{ty}"))?;
    }
    if func.is_runtime {
        f.write_str(" runtime")?;
    }
    if func.is_weak {
        f.write_str(" weak")?;
    }
    if let Some(name) = &func.display_name {
        write!(f, " display {}", Quoted::str(name))?;
    }
    loc(f, func.loc)?;
    let unassigned = unassigned_regs(func);
    if !func.is_defined() && unassigned.is_empty() {
        return f.write_char('\n');
    }
    f.write_str(" {\n")?;
    for reg in unassigned {
        f.write_str("  reg ")?;
        define(f, func, reg)?;
        f.write_char('\n')?;
    }
    for (id, block) in func.blocks.enumerate() {
        write!(f, "{id}")?;
        if !block.params.is_empty() {
            f.write_char('(')?;
            list(f, &block.params, |f, &param| define(f, func, param))?;
            f.write_char(')')?;
        }
        f.write_str(":\n")?;
        for (index, inst) in block.insts.iter().enumerate() {
            f.write_str("  ")?;
            print_inst(f, program, func, inst)?;
            loc(f, block.locs.get(index).copied().unwrap_or(Loc::UNKNOWN))?;
            f.write_char('\n')?;
        }
    }
    f.write_str("}\n")
}

/// Registers that nothing assigns; the text has to name them apart, because types stand at assignments.
fn unassigned_regs(func: &Function) -> Vec<Reg> {
    let mut assigned = vec![false; func.regs.len()];
    let mut mark = |reg: Reg| {
        if let Some(slot) = assigned.get_mut(reg.0 as usize) {
            *slot = true;
        }
    };
    func.params.iter().copied().for_each(&mut mark);
    for block in func.blocks.iter() {
        block.params.iter().copied().for_each(&mut mark);
        block.insts.iter().for_each(|inst| inst.for_each_dst(&mut mark));
    }
    func.regs.ids().filter(|reg| !assigned[reg.0 as usize]).collect()
}

/// A register where it is assigned: `%3: i32 "x" ty4`.
fn define(f: &mut Formatter<'_>, func: &Function, reg: Reg) -> fmt::Result {
    let Some(info) = func.regs.get(reg) else { return write!(f, "<{reg}>") };
    write!(f, "{reg}: {}", info.ty)?;
    if let Some(name) = &info.name {
        write!(f, " {}", Quoted::str(name))?;
    }
    match info.var_ty {
        Some(ty) => write!(f, " {ty}"),
        None => Ok(()),
    }
}

fn loc(f: &mut Formatter<'_>, loc: Loc) -> fmt::Result {
    if loc == Loc::UNKNOWN {
        Ok(())
    } else if loc.file == Loc::UNKNOWN.file {
        write!(f, " !?:{}:{}", loc.line, loc.column)
    } else {
        write!(f, " !{}:{}:{}", loc.file, loc.line, loc.column)
    }
}

fn func_name(program: &Program, func: FuncId) -> String {
    match program.funcs.get(func) {
        Some(func) => Symbol(&func.name).to_string(),
        None => format!("<{func}>"),
    }
}

/// Items with commas between them.
fn list<'a, T>(
    f: &mut Formatter<'_>,
    items: &'a [T],
    mut item: impl FnMut(&mut Formatter<'_>, &'a T) -> fmt::Result,
) -> fmt::Result {
    for (index, it) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        item(f, it)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
