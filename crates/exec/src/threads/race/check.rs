//! Races as the executor meets them: what the running instruction is to the clocks, whether two accesses by
//! offsets that depend on inputs can meet, and the report.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_library::Futex;
use selvedge_por::{Access, Location, Mode};
use selvedge_program::{Callee, GlobalId, Inst, Order};
use selvedge_term::TermId;

use super::{Mark, Place, Sequences, Site};
use crate::finding::{FindingKind, Label, Res};
use crate::names::cell_name;
use crate::step::{MAX_FORKS, Step};
use crate::sync;
use crate::value::{ObjId, Region, Value, truncate};

impl Step<'_, '_> {
    /// Keeps clocks up to date with an operation on a synchronisation object.
    pub(in crate::threads) fn order_sync(&mut self, access: Access) {
        let thread = self.st.current;
        if let Location::Sync(key) = access.location
            && let Some(races) = &mut self.st.races
        {
            Rc::make_mut(races).synchronise(thread, key, access.mode);
        }
    }

    /// A fence, which orders nothing under sequential consistency but what the property `race` asks about.
    pub(crate) fn order_fence(&mut self, order: Order) {
        let thread = self.st.current;
        if let Some(races) = &mut self.st.races {
            Rc::make_mut(races).fence(thread, order);
        }
    }

    /// Checks a visible access to memory; `exact` is where it begins and its size if that depends on inputs.
    pub(in crate::threads) fn check_race(
        &mut self,
        obj: ObjId,
        location: Location,
        exact: Option<(TermId, u64)>,
        mode: Mode,
    ) -> Res<()> {
        // A clock that two threads read orders nothing that they do.
        if self.st.races.is_none() || Some(obj) == self.m.image.clocks {
            return Ok(());
        }
        let mode = match self.running_inst() {
            // Which order it has depends on whether it exchanges; it says so when it knows.
            Inst::CmpXchg { .. } if mode == Mode::Read => return Ok(()),
            Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } if mode == Mode::Write => Mode::ReadWrite,
            _ => mode,
        };
        self.check_race_as(obj, location, exact, mode, self.atomic_order())
    }

    /// Checks a visible access to memory that is atomic in this order, or not.
    pub(in crate::threads) fn check_race_as(
        &mut self,
        obj: ObjId,
        location: Location,
        exact: Option<(TermId, u64)>,
        mode: Mode,
        order: Option<Order>,
    ) -> Res<()> {
        let thread = self.st.current;
        let Location::Memory { object, offset, len } = location else { return Ok(()) };
        let order = match self.st.thread().atomic_depth > 0 {
            true if self.is_runtime_variable(obj) => Some(Order::Relaxed),
            true => Some(Order::SeqCst),
            false => order,
        };
        let place = match (exact, order) {
            // Which variable is released or acquired must be known.
            (Some((term, size)), Some(_)) => {
                let bits = self.ptr_bits();
                let offset =
                    self.concretise(Value::Term(term), bits, MAX_FORKS, "the offset of an atomic access")?;
                Place { object, offset, len: size, exact: None }
            }
            _ => Place { object, offset, len, exact },
        };
        let variable = (object, place.offset);
        let site = Rc::new(self.site());
        let sequences = self.release_sequences();
        let Some(races) = self.st.races.as_mut().map(Rc::make_mut) else { return Ok(()) };
        // What a release publishes includes the access that publishes it.
        let time = races.thread(thread).now.of(thread);
        let now = match order {
            Some(order) if mode != Mode::Write => races.after_reading(thread, variable, order),
            _ => races.thread(thread).now.clone(),
        };
        let mark = Mark { thread, time, writes: mode != Mode::Read, is_atomic: order.is_some(), site };
        let unordered = races.unordered(&place, &mark, &now);
        // All questions come before the first change.
        for (earlier, other) in unordered {
            if self.do_meet(&place, &other)? {
                return self.report_race(obj, (&earlier, &other), (&mark, &place));
            }
        }
        let Some(races) = self.st.races.as_mut().map(Rc::make_mut) else { return Ok(()) };
        if let Some(order) = order {
            races.atomic_access(thread, variable, (mode, order), sequences);
        }
        races.note(place, mark);
        Ok(())
    }

    /// By the language of the function that accesses an atomic variable: those of `std::atomic` have mangled names.
    fn release_sequences(&self) -> Sequences {
        let program = self.m.image.program;
        let mut funcs = self.st.thread().frames.iter().rev().map(|frame| &program.funcs[frame.func]);
        match funcs.find(|func| !func.is_runtime) {
            Some(func) if func.name.starts_with("_Z") => Sequences::End,
            _ => Sequences::Continue,
        }
    }

    /// Whether two places of one object that may meet have a byte in common.
    fn do_meet(&mut self, a: &Place, b: &Place) -> Res<bool> {
        if a.exact.is_none() && b.exact.is_none() {
            return Ok(true);
        }
        let bits = self.ptr_bits();
        let pool = &mut self.m.pool;
        let mut bounds = |p: &Place| match p.exact {
            Some((term, size)) => (term, pool.bv(bits, size)),
            None => (pool.bv(bits, p.offset), pool.bv(bits, truncate(u64::MAX, bits).min(p.len))),
        };
        let ((a, a_len), (b, b_len)) = (bounds(a), bounds(b));
        let (from_a, from_b) = (pool.sub(b, a), pool.sub(a, b));
        let (begins_in_a, begins_in_b) = (pool.ult(from_a, a_len), pool.ult(from_b, b_len));
        let meet = pool.or(begins_in_a, begins_in_b);
        let apart = pool.not(meet);
        Ok(self.choose(&[meet, apart])? == 0)
    }

    fn report_race(
        &mut self,
        obj: ObjId,
        (earlier, other): (&Mark, &Place),
        (mark, place): (&Mark, &Place),
    ) -> Res<()> {
        let end = |p: &Place| p.offset.saturating_add(p.len);
        let (low, high) = (place.offset.max(other.offset), end(place).min(end(other)));
        let name = self.st.mem.get(obj).map_or_else(
            || "a local variable".to_string(),
            |o| format!("`{}`", cell_name(self.m.image.program, o, low, (high - low).min(o.size)).0),
        );
        let labels = vec![self.label_of_access(earlier), self.label_of_access(mark)];
        self.finding_with(FindingKind::Race, format!("data race on {name}"), labels)
    }

    /// A section of the run-time keeps what it remembers consistent, as with the clocks; it orders nothing.
    fn is_runtime_variable(&self, obj: ObjId) -> bool {
        obj.region() == Region::Global && self.m.image.program.globals[GlobalId::new(obj.index())].is_runtime
    }

    fn running_inst(&self) -> &Inst {
        let frame = self.st.frame();
        &self.m.image.program.funcs[frame.func].blocks[frame.block].insts[frame.idx]
    }

    /// How atomic the instruction being executed is.
    fn atomic_order(&self) -> Option<Order> {
        match self.running_inst() {
            Inst::Load { access, .. } | Inst::Store { access, .. } => access.order,
            Inst::AtomicRmw { order, .. } | Inst::CmpXchg { order, .. } => Some(*order),
            // The system compares the word of a futex atomically.
            Inst::Call { callee: Callee::Direct(f), .. }
                if self.m.image.library.known(*f) == Some(Futex::Call.into()) =>
            {
                Some(Order::SeqCst)
            }
            _ => None,
        }
    }

    fn site(&self) -> Site {
        let program = self.m.image.program;
        let me = self.st.current as u32;
        let is_mine = |s: &sync::Sync| s.owner == me + 1 || s.queue.contains(&me);
        let is_lock = |key| sync::facts(key).is_some_and(|facts| facts.lock.is_some());
        Site {
            stack: self.st.user_frames(program, self.st.current).collect(),
            locks: self.st.sync.iter().filter(|(k, s)| is_lock(*k) && is_mine(s)).map(|(k, _)| k).collect(),
        }
    }

    fn label_of_access(&self, mark: &Mark) -> Label {
        let verb = if mark.writes { "writes" } else { "reads" };
        let atomically = if mark.is_atomic { " atomically" } else { "" };
        let names = |key: &u64| self.m.sync_name(self.st, *key);
        let locks: Vec<String> = mark.site.locks.iter().map(names).collect();
        let holding = match locks.is_empty() {
            true => "holding no lock".to_string(),
            false => format!("holding {}", locks.join(", ")),
        };
        Label::of_thread(mark.thread, format!("{verb}{atomically}, {holding}"), mark.site.stack.clone())
    }
}
