//! The same program with other numbers for functions, globals and registers.
//!
//! Whoever compares two versions of a program lets what they have in common have the same numbers in both. A number that
//! the program does not need belongs to a placeholder: a function without a body that nobody calls, or a constant that
//! nobody uses.
//!
//! Guarantee: the result does what the program does. Relies on: no two have the same new number.

use selvedge_base::{Dense, Id, Loc};

use crate::{
    Callee, Const, ConstExpr, FuncId, Function, Global, GlobalId, Inst, Operand, Program, Reg, RegInfo, Ty,
    Unordered,
};

/// New numbers.
#[derive(Clone, Debug, Default)]
pub struct Renumbering {
    /// For each function.
    pub funcs: Vec<FuncId>,
    /// How many functions there are then.
    pub n_funcs: usize,
    /// For each global variable.
    pub globals: Vec<GlobalId>,
    /// For each number that no global of the program has: size and alignment of what was there.
    pub vacant_globals: Vec<(GlobalId, u64, u64)>,
    /// For each function, by its old number: for each register, if they change; and how many there are then.
    pub regs: Vec<Option<(Vec<Reg>, usize)>>,
}

impl Program {
    /// The program with these numbers.
    #[must_use]
    pub fn renumbered(mut self, map: &Renumbering) -> Program {
        self.renumber_consts(map);
        let funcs = std::mem::take(&mut self.funcs);
        let mut slots: Vec<Option<Function>> = (0..map.n_funcs).map(|_| None).collect();
        for (i, mut function) in funcs.into_iter().enumerate() {
            if let Some(Some((regs, n))) = map.regs.get(i) {
                renumber_regs(&mut function, regs, *n);
            }
            for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
                if let Inst::Call { callee: Callee::Direct(callee), .. } = inst {
                    *callee = map.funcs[callee.index()];
                }
            }
            slots[map.funcs[i].index()] = Some(function);
        }
        let function = |(i, slot): (usize, Option<Function>)| slot.unwrap_or_else(|| vacant_function(i));
        self.funcs = slots.into_iter().enumerate().map(function).collect();
        let globals = std::mem::take(&mut self.globals);
        let n_globals = globals.len() + map.vacant_globals.len();
        let mut slots: Vec<Option<Global>> = (0..n_globals).map(|_| None).collect();
        for (number, size, align) in &map.vacant_globals {
            slots[number.index()] = Some(vacant_global(number.index(), *size, *align));
        }
        for (i, global) in globals.into_iter().enumerate() {
            slots[map.globals[i].index()] = Some(global);
        }
        self.globals = slots.into_iter().map(|slot| slot.expect("every number is given")).collect();
        let func = |id: &mut FuncId| *id = map.funcs[id.index()];
        self.entry.iter_mut().for_each(func);
        self.ctors.iter_mut().for_each(func);
        self.unordered.iter_mut().for_each(|Unordered { func: id, .. }| func(id));
        self
    }

    /// Constants keep their numbers: what they name gets others, and they stay apart.
    fn renumber_consts(&mut self, map: &Renumbering) {
        let consts = std::mem::take(&mut self.consts);
        self.clear_consts();
        for mut value in consts {
            match &mut value {
                Const::Global { global, .. } => *global = map.globals[global.index()],
                Const::Func(func) | Const::Block(func, _) => *func = map.funcs[func.index()],
                Const::Int { .. } | Const::Wide { .. } | Const::Float { .. } | Const::Null => {}
                Const::Undef(_) => {}
                Const::Expr(ConstExpr::Cast { .. } | ConstExpr::Bin { .. } | ConstExpr::PtrAdd { .. }) => {}
            }
            self.add_const(value);
        }
    }
}

fn renumber_regs(function: &mut Function, regs: &[Reg], n: usize) {
    let to = |reg: &mut Reg| *reg = regs[reg.index()];
    let unused = || RegInfo { ty: Ty::Int(1), name: None, var_ty: None };
    let mut infos: Vec<RegInfo> = (0..n).map(|_| unused()).collect();
    for (i, info) in std::mem::take(&mut function.regs).into_iter().enumerate() {
        infos[regs[i].index()] = info;
    }
    function.regs = infos.into_iter().collect();
    function.params.iter_mut().for_each(to);
    for block in function.blocks.iter_mut() {
        block.params.iter_mut().for_each(to);
        for inst in &mut block.insts {
            inst.for_each_dst_mut(to);
            inst.for_each_operand_mut(|operand| {
                if let Operand::Reg(reg) = operand {
                    to(reg);
                }
            });
        }
    }
}

fn vacant_function(number: usize) -> Function {
    Function {
        name: format!("selvedge.vacant.{number}"),
        display_name: None,
        params: Vec::new(),
        byval: Vec::new(),
        ret: Vec::new(),
        variadic: false,
        regs: Dense::new(),
        blocks: Dense::new(),
        loc: Loc::UNKNOWN,
        is_runtime: true,
        is_weak: false,
    }
}

fn vacant_global(number: usize, size: u64, align: u64) -> Global {
    Global {
        name: format!("selvedge.vacant.{number}"),
        size,
        align,
        init: Some(Vec::new()),
        is_const: true,
        thread_local: false,
        loc: Loc::UNKNOWN,
        var_ty: None,
        is_runtime: true,
    }
}
