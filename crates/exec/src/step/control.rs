//! Jumps, branches, switches.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_program::{BlockId, Edge, Operand};
use smallvec::{SmallVec, smallvec};

use super::Step;
use crate::finding::{Bound, PathEnd, Res, end, unsupported};
use crate::ops;
use crate::value::Value;

impl Step<'_, '_> {
    pub(super) fn jump(&mut self, edge: &Edge) -> Res<()> {
        let frame = self.st.frame();
        let func = frame.func;
        if let Some(max) = self.m.options.bounds.unwind {
            self.count_iteration(edge.target, max)?;
        }
        let program = self.m.image.program;
        let params = &program.funcs[func].blocks[edge.target].params;
        match (&edge.args[..], &params[..]) {
            ([], _) => {}
            ([arg], [param]) => {
                let value = self.get(*arg);
                self.set(*param, value);
            }
            (args, params) => {
                // Parallel assignment: read all before writing any.
                let values: smallvec::SmallVec<[Value; 8]> = args.iter().map(|a| self.get(*a)).collect();
                for (param, value) in params.iter().zip(values) {
                    self.set(*param, value);
                }
            }
        }
        let from = self.st.frame().block;
        self.m
            .coverage
            .edge(self.m.image.block_number(func, from), self.m.image.block_number(func, edge.target));
        let frame = self.st.frame_mut();
        frame.block = edge.target;
        frame.idx = 0;
        self.leave_loops();
        // A loop of one thread that waits for a time is left at some time, too.
        let watches = self.st.is_concurrent || self.m.options.loop_points || self.m.image.reads_clocks;
        if watches && self.m.image.is_loop_head(func, edge.target) {
            let again = self.m.image.is_back_edge(func, from, edge.target);
            return self.at_loop_head(edge.target, again);
        }
        Ok(())
    }

    /// Counts how often a loop goes round; entering it from outside starts anew. Loops of the run-time do not
    /// count: they are not the user's.
    fn count_iteration(&mut self, target: BlockId, max: u64) -> Res<()> {
        let (func, from) = (self.st.frame().func, self.st.frame().block);
        if self.m.image.program.funcs[func].is_runtime {
            return Ok(());
        }
        if self.m.loops(func).count(&mut self.st.frame_mut().loops, from, target, max) {
            Ok(())
        } else {
            end(PathEnd::Bound(Bound::Unwind))
        }
    }

    pub(super) fn branch(&mut self, cond: Operand, then: &Edge, otherwise: &Edge) -> Res<()> {
        let cond = self.get(cond);
        self.check_written(cond, "a branch")?;
        let cond = self.one_way(cond, 1)?;
        let taken = self.decide(cond)?;
        self.jump(if taken { then } else { otherwise })
    }

    /// A value that decides where control goes: if it does not matter where, the one that the state's model takes, without
    /// a condition on the path. Inputs that would go elsewhere are still to be covered by this path.
    fn one_way(&mut self, value: Value, width: u32) -> Res<Value> {
        if width > 64 || ops::concrete(value).is_some() || self.m.decides(self.st.frame()) {
            return Ok(value);
        }
        let term = ops::to_term(&mut self.m.pool, value, width);
        Ok(Value::Int(self.witness(term)?))
    }

    pub(super) fn switch(
        &mut self,
        value: Operand,
        width: u32,
        cases: &[(u64, Edge)],
        default: &Edge,
    ) -> Res<()> {
        let value = self.get(value);
        self.check_written(value, "a branch")?;
        let value = self.one_way(value, width)?;
        if let Some(v) = ops::concrete(value) {
            let edge = cases.iter().find(|(case, _)| *case == v).map_or(default, |(_, edge)| edge);
            return self.jump(edge);
        }
        // Cases that go to the same place are one alternative.
        let mut targets: Vec<(&Edge, SmallVec<[u64; 2]>)> = Vec::new();
        // By block: few edges go to the same one with different values.
        let mut known: FxHashMap<BlockId, SmallVec<[usize; 1]>> = FxHashMap::default();
        for (case, edge) in cases.iter().filter(|(_, edge)| edge != default) {
            let same_block = known.entry(edge.target).or_default();
            match same_block.iter().find(|&&i| targets[i].0 == edge) {
                Some(&index) => targets[index].1.push(*case),
                None => {
                    same_block.push(targets.len());
                    targets.push((edge, smallvec![*case]));
                }
            }
        }
        let chosen = match self.decided() {
            // A state after the fork: each of thousands would build all the conditions again.
            Some(chosen) => chosen,
            None => {
                let term = ops::to_term(&mut self.m.pool, value, width);
                let mut conds = Vec::with_capacity(targets.len() + 1);
                for (_, values) in &targets {
                    let pool = &mut self.m.pool;
                    let equal = values.iter().map(|v| {
                        let constant = pool.bv(width, *v);
                        pool.eq(term, constant)
                    });
                    let equal: Vec<_> = equal.collect();
                    conds.push(pool.or_all(&equal));
                }
                let any = self.m.pool.or_all(&conds);
                conds.push(self.m.pool.not(any));
                self.choose(&conds)?
            }
        };
        let edge = targets.get(chosen).map_or(default, |(edge, _)| *edge);
        self.jump(edge)
    }

    pub(super) fn indirect_jump(&mut self, addr: Operand, targets: &[Edge]) -> Res<()> {
        let addr = self.get(addr);
        let label = self.concretise(addr, self.ptr_bits(), targets.len().max(1), "a computed label")?;
        let Some(edge) = targets.iter().find(|e| e.target.index() as u64 + 1 == label) else {
            return unsupported("jump to a computed label of another function");
        };
        self.jump(edge)
    }
}
