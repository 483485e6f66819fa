//! A version of a program with the numbers of its lineage.

use selvedge_base::Id;
use selvedge_exec::CodeNames;
use selvedge_program::{FuncId, GlobalId, Program, Renumbering};

use crate::function;
use crate::globals;
use crate::registry::{FuncEntry, Registry};

/// A program with the numbers of its lineage.
pub struct Aligned {
    /// The program; it does what it did.
    pub program: Program,
    /// Numbers of blocks and instructions that are not the program's.
    pub names: CodeNames,
}

/// Gives a program the numbers that its lineage knows, and lets the lineage know those that are new.
pub fn align(program: Program, registry: &mut Registry) -> Aligned {
    let funcs = number_funcs(&program, registry);
    let globals = globals::numbers(&program, &funcs, registry);
    let mut is_vacant = vec![true; registry.globals.len()];
    globals.iter().for_each(|global| is_vacant[global.index()] = false);
    let vacant = registry.globals.iter().enumerate().filter(|(number, _)| is_vacant[*number]);
    let map = Renumbering {
        funcs: funcs.into_iter().map(FuncId::new).collect(),
        n_funcs: registry.funcs.len(),
        globals,
        vacant_globals: vacant.map(|(number, g)| (GlobalId::new(number), g.size, g.align)).collect(),
        regs: Vec::new(),
    };
    let program = program.renumbered(&map);

    let mut names = CodeNames::default();
    let mut regs = vec![None; program.funcs.len()];
    for func in program.funcs.ids().filter(|func| program.funcs[*func].is_defined()) {
        let numbers = function::number(&program, func, &mut registry.funcs[func.index()]);
        regs[func.index()] = numbers.regs;
        for (block, of_block) in numbers.blocks {
            names.rename(func, block, of_block);
        }
    }
    let map = Renumbering {
        funcs: program.funcs.ids().collect(),
        n_funcs: program.funcs.len(),
        globals: program.globals.ids().collect(),
        vacant_globals: Vec::new(),
        regs,
    };
    for (func, regs) in map.regs.iter().enumerate() {
        if let Some((regs, _)) = regs {
            registry.funcs[func].say_by(|reg| regs[reg as usize].0);
        }
    }
    Aligned { program: program.renumbered(&map), names }
}

/// The number of each function, by its name.
fn number_funcs(program: &Program, registry: &mut Registry) -> Vec<usize> {
    let known = registry.func_numbers();
    let mut numbers: Vec<Option<usize>> = Vec::new();
    for function in program.funcs.iter() {
        numbers.push(known.get(function.name.as_str()).copied());
    }
    let number = |(function, number): (&selvedge_program::Function, Option<usize>)| {
        number.unwrap_or_else(|| {
            registry.funcs.push(FuncEntry { name: function.name.clone(), ..FuncEntry::default() });
            registry.funcs.len() - 1
        })
    };
    program.funcs.iter().zip(numbers).map(number).collect()
}

impl FuncEntry {
    /// The registers in its blocks are those of the program; `number` gives theirs.
    fn say_by(&mut self, number: impl Fn(u32) -> u32) {
        for block in &mut self.blocks {
            block.params.iter_mut().for_each(|reg| *reg = number(*reg));
            for inst in &mut block.insts {
                inst.dsts.iter_mut().for_each(|reg| *reg = number(*reg));
            }
        }
    }
}
