//! DeadLocals in memory that are written before they are read, whatever happens from the head of a loop on.
//!
//! A loop that waits until a time keeps that time in a local whose address it hands to the C library, so that no register
//! holds it: `clock_gettime(CLOCK_REALTIME, &t); t.tv_sec++; pthread_cond_timedwait(&c, &m, &t);`. An iteration that
//! leaves another time there still ends as it began if nothing can read it.
//! Guarantee: two states at the head that differ in the content of dead locals only do the same from there on.
//! Relies on: the functions in [`uses`] being those of the run-time, and keeping no address. A local whose address goes
//! anywhere else is never dead.

use rustc_hash::FxHashMap;
use selvedge_base::Dense;
use selvedge_library::{Known, Use, Written};
use selvedge_program::{BlockId, Callee, Const, FuncId, Function, Inst, Operand, Program, Reg};

use crate::library::Library;

/// Bytes of a local that are told apart.
const MAX_SIZE: u64 = 64;

/// Of a function of the run-time that is about time: which arguments are addresses, and what it does there. None of them
/// stores anything elsewhere that its caller could see.
fn uses(program: &Program, library: &Library, func: FuncId) -> Option<&'static [(u8, Use)]> {
    library.known(func).filter(|_| program.funcs[func].is_runtime)?.row().about_time
}

/// Whether a function is one of the run-time that is about time: it leaves nothing behind but what its arguments say.
pub(crate) fn is_about_time(program: &Program, library: &Library, func: FuncId) -> bool {
    uses(program, library, func).is_some()
}

/// Registers with an address in a local: its number, and where in it.
type Places = FxHashMap<Reg, (usize, u64)>;

/// The locals of a function, and which of them are dead where.
pub struct DeadLocals {
    places: Places,
    /// By number: the register of the local as a whole.
    wholes: Vec<Reg>,
    /// By number: a bit for each byte.
    sizes: Vec<u64>,
    /// By number: the address goes where it cannot be followed.
    escapes: Vec<bool>,
    /// By block and number: a bit for each byte that may be read before it is written.
    live: Dense<BlockId, Vec<u64>>,
}

/// What an instruction does with a local: bits of bytes that it reads, and that it writes.
struct Touch {
    local: usize,
    reads: u64,
    kills: u64,
}

fn bits(at: u64, len: u64) -> u64 {
    let ones = if len >= MAX_SIZE { u64::MAX } else { (1 << len) - 1 };
    if at >= MAX_SIZE { 0 } else { ones << at }
}

impl DeadLocals {
    /// Looks at a function. `None` if it does nothing about time.
    pub fn new(program: &Program, library: &Library, function: &Function) -> Option<DeadLocals> {
        let is_one = |inst: &Inst| matches!(inst, Inst::Call { callee: Callee::Direct(f), .. } if is_about_time(program, library, *f));
        if !function.blocks.iter().flat_map(|b| &b.insts).any(is_one) {
            return None;
        }
        let (places, wholes, sizes) = addresses(program, function);
        let escapes = vec![false; wholes.len()];
        let live = function.blocks.iter().map(|_| vec![0; wholes.len()]).collect();
        let mut locals = DeadLocals { places, wholes, sizes, escapes, live };
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            locals.touches((program, library), inst, true);
        }
        while locals.go_back((program, library), function) {}
        Some(locals)
    }

    /// One round through all blocks, backwards; whether anything has changed.
    fn go_back(&mut self, code: (&Program, &Library), function: &Function) -> bool {
        let mut changed = false;
        let blocks: Vec<BlockId> = function.blocks.enumerate().map(|(id, _)| id).collect();
        for &id in blocks.iter().rev() {
            let mut live = vec![0; self.wholes.len()];
            let insts = &function.blocks[id].insts;
            for edge in function.blocks[id].edges() {
                live.iter_mut().zip(&self.live[edge.target]).for_each(|(here, there)| *here |= there);
            }
            for inst in insts.iter().rev() {
                for touch in self.touches(code, inst, false) {
                    let reads = touch.reads & self.sizes[touch.local];
                    live[touch.local] = live[touch.local] & !touch.kills | reads;
                }
            }
            changed |= live != self.live[id];
            self.live[id] = live;
        }
        changed
    }

    /// What an instruction does with locals; those whose addresses it lets go are marked, if that is asked for.
    fn touches(&mut self, code: (&Program, &Library), inst: &Inst, marks: bool) -> Vec<Touch> {
        let (program, library) = code;
        let place = |locals: &DeadLocals, operand: Operand| match operand {
            Operand::Reg(reg) => locals.places.get(&reg).copied(),
            Operand::Const(_) => None,
        };
        let ptr_bits = program.target.ptr_bits;
        let mut found = Vec::new();
        let mut let_go = Vec::new();
        match inst {
            Inst::PtrAdd { dst, .. } if self.places.contains_key(dst) => {}
            Inst::Load { ptr, ty, .. } => {
                if let Some((local, at)) = place(self, *ptr) {
                    found.push(Touch { local, reads: bits(at, ty.store_size(ptr_bits)), kills: 0 });
                }
            }
            Inst::Store { ptr, ty, value, .. } => {
                if let Some((local, at)) = place(self, *ptr) {
                    found.push(Touch { local, reads: 0, kills: bits(at, ty.store_size(ptr_bits)) });
                }
                let_go.extend(place(self, *value));
            }
            Inst::Lifetime { ptr, .. } => {
                found.extend(place(self, *ptr).map(|(local, _)| Touch { local, reads: 0, kills: u64::MAX }));
            }
            Inst::Call { callee: Callee::Direct(callee), args, .. }
                if is_about_time(program, library, *callee) =>
            {
                let known = uses(program, library, *callee).unwrap_or_default();
                for (i, arg) in args.iter().enumerate() {
                    let Some((local, at)) = place(self, arg.value) else { continue };
                    let (reads, kills) =
                        match known.iter().find(|(n, _)| usize::from(*n) == i).map(|(_, how)| *how) {
                            Some(Use::Reads) => (u64::MAX, 0),
                            Some(Use::Fills(words)) if succeeds(program, library.known(*callee), args) => {
                                (0, bits(at, words * u64::from(ptr_bits / 8)))
                            }
                            Some(_) => (0, 0),
                            None => {
                                let_go.push((local, at));
                                continue;
                            }
                        };
                    found.push(Touch { local, reads, kills });
                }
            }
            _ => {
                inst.for_each_operand(|operand| let_go.extend(place(self, *operand)));
                for edge in inst.edges() {
                    let_go.extend(edge.args.iter().filter_map(|arg| place(self, *arg)));
                }
            }
        }
        if marks {
            let_go.into_iter().for_each(|(local, _)| self.escapes[local] = true);
        }
        found
    }

    /// The registers of locals that are dead at the start of a block.
    pub fn dead_at(&self, block: BlockId) -> Vec<Reg> {
        let live = &self.live[block];
        let is_dead = |i: &usize| !self.escapes[*i] && live[*i] == 0;
        (0..self.wholes.len()).filter(is_dead).map(|i| self.wholes[i]).collect()
    }

    /// Whether a register is an address in one of these locals.
    pub(crate) fn is_in(&self, reg: Reg, locals: &[Reg]) -> bool {
        self.places.get(&reg).is_some_and(|(local, _)| locals.contains(&self.wholes[*local]))
    }
}

/// Whether a call of a function that fills something is known to do so.
fn succeeds(program: &Program, known: Option<Known>, args: &[selvedge_program::Arg]) -> bool {
    let number = |i: usize| match args.get(i).map(|arg| arg.value) {
        Some(Operand::Const(id)) => match &program.consts[id] {
            Const::Int { value, .. } => Some(*value),
            _ => None,
        },
        _ => None,
    };
    match known {
        Some(Known::Written(Written::ClockGettime)) => {
            number(0).is_some_and(|clock| clock < 10 || clock == 11)
        }
        Some(Known::Written(Written::TimespecGet)) => number(1) == Some(1),
        _ => true,
    }
}

/// Registers that are the address of a local, or of a part of one; the locals; and their bytes.
fn addresses(program: &Program, function: &Function) -> (Places, Vec<Reg>, Vec<u64>) {
    let mut places = Places::default();
    let (mut wholes, mut sizes) = (Vec::new(), Vec::new());
    let insts = || function.blocks.iter().flat_map(|b| &b.insts);
    for inst in insts() {
        if let Inst::Alloca { dst, size, count: Operand::Const(count), .. } = inst
            && matches!(program.consts[*count], Const::Int { value: 1, .. })
            && *size <= MAX_SIZE
        {
            places.insert(*dst, (wholes.len(), 0));
            wholes.push(*dst);
            sizes.push(bits(0, *size));
        }
    }
    loop {
        let n = places.len();
        for inst in insts() {
            if let Inst::PtrAdd { dst, base: Operand::Reg(base), offset, scaled } = inst
                && scaled.is_empty()
                && let Some(&(local, at)) = places.get(base)
                && let Ok(offset) = u64::try_from(*offset)
                && at + offset < MAX_SIZE
            {
                places.insert(*dst, (local, at + offset));
            }
        }
        if places.len() == n {
            return (places, wholes, sizes);
        }
    }
}

#[cfg(test)]
mod tests {
    use selvedge_base::Id;

    use super::*;

    /// A loop that keeps a time in a local of two words; `body` runs in each round, `after` when it is left.
    fn dead(body: &str, after: &str) -> bool {
        let text = format!(
            r#"
target 64
entry @f
global @stop size 4 align 4 = {{ }}
global @kept size 8 align 8 = {{ }}
declare @look(%0: ptr)
func @clock_gettime(%0: i32, %1: ptr) -> i32 runtime {{
bb0:
  store i64 1i64 to %1
  return 0i32
}}
func @f() -> i32 {{
bb0:
  %0: ptr = alloca 16 x 1i64 align 8
  jump bb1
bb1:
  %1: i32 = load i32 @stop
  %2: i1 = cmp.eq i32 %1, 0i32
  branch %2, bb2, bb3
bb2:
  {body}
  jump bb1
bb3:
  {after}
  return 0i32
}}
"#
        );
        let program = selvedge_program::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let function = &program.funcs[program.entry.expect("given")];
        DeadLocals::new(&program, &Library::new(&program), function)
            .is_some_and(|locals| !locals.dead_at(BlockId::new(1)).is_empty())
    }

    #[test]
    fn what_is_filled_before_it_is_read_is_dead() {
        let fill = "%3: i32 = call @clock_gettime(i32 0i32, ptr %0)";
        let read = "%4: i64 = load i64 %0\n  store i64 %4 to @kept";
        assert!(dead(&format!("{fill}\n  {read}"), ""));
        assert!(!dead(&format!("{read}\n  {fill}"), ""), "read first");
        assert!(!dead(fill, read), "read after the loop");
        assert!(!dead("%3: i32 = call @clock_gettime(i32 999i32, ptr %0)", read), "not filled");
        assert!(!dead(&format!("{fill}\n  call @look(ptr %0)"), ""), "somebody knows it");
        assert!(!dead(&format!("{fill}\n  store ptr %0 to @kept"), ""), "somebody knows it");
    }
}
