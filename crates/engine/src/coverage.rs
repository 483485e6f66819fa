//! Lines and branches reached, from the blocks and edges the executor noted.

use std::collections::BTreeMap;

use selvedge_exec::Machine;
use selvedge_program::Inst;

use crate::outcome::{Coverage, FunctionCoverage, LineCoverage};

/// Coverage of the user's code.
pub(crate) fn collect(machine: &Machine<'_>) -> Coverage {
    let program = machine.image.program;
    // file -> line -> reached
    let mut files: BTreeMap<&str, BTreeMap<u32, bool>> = BTreeMap::new();
    let mut coverage = Coverage::default();
    for (f, function) in program.funcs.enumerate() {
        if function.is_runtime {
            continue;
        }
        let before = (coverage.branches_taken, coverage.branches);
        for (b, block) in function.blocks.enumerate() {
            let number = machine.image.block_number(f, b);
            let reached = machine.coverage.has_block(number);
            for loc in &block.locs {
                if let Some(file) = program.files.get(loc.file).filter(|_| loc.is_known()) {
                    *files.entry(&file.name).or_default().entry(loc.line).or_default() |= reached;
                }
            }
            if matches!(block.insts.last(), Some(Inst::Branch { .. } | Inst::Switch { .. })) {
                let mut targets: Vec<_> = block.successors().collect();
                targets.sort_unstable();
                targets.dedup();
                coverage.branches += targets.len() as u64;
                coverage.branches_taken += targets
                    .iter()
                    .filter(|t| machine.coverage.has_edge(number, machine.image.block_number(f, **t)))
                    .count() as u64;
            }
        }
        if function.is_defined() {
            coverage.functions.push(FunctionCoverage {
                name: function.name.clone(),
                branches_taken: coverage.branches_taken - before.0,
                branches: coverage.branches - before.1,
            });
        }
    }
    for (file, lines) in files {
        let (covered, missed): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, reached)| *reached);
        coverage.files.push(LineCoverage {
            file: file.to_string(),
            covered: covered.into_iter().map(|(line, _)| line).collect(),
            missed: missed.into_iter().map(|(line, _)| line).collect(),
        });
    }
    coverage
}
