//! Two versions of a program side by side: what differs, and what that can influence.
//!
//! Guarantee: plain data by source line, in the order of the new program; functions and globals of the old one that are
//! gone come last. Run-time functions of ours are left out: they are the same in both.

use std::collections::BTreeMap;

use selvedge_analysis::{Change, Diff, Impact, Library, Matched, Point};
use selvedge_program::{FuncId, Function, GlobalId, Inst, Program};

use crate::lower::analysed;
use crate::outcome::Place;
use crate::places::{function_name, place};
use crate::property::{About, Property};

/// What became of a part of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PartChange {
    /// Both versions have it.
    Same,
    /// The new version has something else in its place.
    Modified,
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Deleted,
}

/// A line of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedLine {
    /// Where it is: in the old version if it is deleted, else in the new one.
    pub place: Place,
    /// What became of it.
    pub change: PartChange,
    /// Where the old version of a modified line is.
    pub old: Option<Place>,
    /// The change can influence whether it is executed, whether it fails, or what it does.
    pub forward: bool,
    /// It can influence what is changed.
    pub backward: bool,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedFunction {
    /// Its name in the source.
    pub name: String,
    /// What became of it.
    pub change: PartChange,
    /// Where the threads begin that can be in it.
    pub threads: Vec<String>,
    /// Lines that changed or are impacted, in order.
    pub lines: Vec<ComparedLine>,
}

/// A global variable or constant that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedGlobal {
    /// Its name; empty for a constant without one.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// What became of it.
    pub change: PartChange,
}

/// A place of the new version that can fail.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ComparedCheck {
    /// What can fail: `assertion`, `access`, `arithmetic`, `call`, or `other`.
    pub kind: &'static str,
    /// Where.
    pub place: Place,
    /// Whether the change can influence it.
    pub influenced: bool,
}

/// The comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Nothing that is executed differs.
    pub is_same: bool,
    /// Why everything counts as impacted, if so.
    pub everything: Option<String>,
    /// Objects may have other addresses.
    pub addresses_differ: bool,
    /// Functions with changes or impact.
    pub functions: Vec<ComparedFunction>,
    /// Globals that differ.
    pub globals: Vec<ComparedGlobal>,
    /// All places that can fail.
    pub checks: Vec<ComparedCheck>,
    /// Of the properties that no single place can fail, those that the change can influence.
    pub properties: Vec<&'static str>,
    /// Instructions of the new program, and how many of them are impacted.
    pub instructions: usize,
    /// See [`instructions`](Self::instructions).
    pub impacted: usize,
}

/// Compares two programs with respect to these properties.
pub fn compare(old: &Program, new: &Program, properties: &[Property]) -> Comparison {
    let diff = Diff::new(old, new);
    let impact = Impact::new(old, new, &diff, analysed(properties));
    let comparing = Comparing { old, new, diff: &diff, impact: &impact };
    let functions = comparing.functions();
    let (instructions, impacted) = comparing.count();
    Comparison {
        is_same: diff.is_empty(),
        everything: impact.everything().map(str::to_owned),
        addresses_differ: diff.has_other_layout() && impact.looks_at_addresses(),
        globals: comparing.globals(),
        checks: comparing.checks(),
        properties: comparing.properties(properties, impacted > 0),
        functions,
        instructions,
        impacted,
    }
}

struct Comparing<'a> {
    old: &'a Program,
    new: &'a Program,
    diff: &'a Diff,
    impact: &'a Impact,
}

/// What was seen of one line.
#[derive(Default)]
struct Seen {
    same: bool,
    modified: bool,
    alone: bool,
    forward: bool,
    backward: bool,
    partner: Option<Place>,
}

/// Jumps that assign nothing are where the compiler needs them, and locals are all made at the beginning of their function.
fn is_shown(inst: &Inst) -> bool {
    match inst {
        Inst::Jump { edge } => !edge.args.is_empty(),
        other => !matches!(other, Inst::Alloca { .. }),
    }
}

fn points(function: &Function, func: FuncId) -> impl Iterator<Item = (Point, &Inst)> {
    function.blocks.enumerate().flat_map(move |(block, body)| {
        body.insts.iter().enumerate().map(move |(inst, what)| (Point { func, block, inst }, what))
    })
}

fn place_of(program: &Program, point: Point) -> Place {
    let loc = program.funcs[point.func].blocks[point.block].locs[point.inst];
    Place { column: 0, ..place(program, Some(point.func), loc) }
}

fn fate(in_old: bool, in_new: bool, is_same: bool) -> PartChange {
    match (in_old, in_new) {
        (true, true) if is_same => PartChange::Same,
        (true, true) => PartChange::Modified,
        (false, _) => PartChange::Added,
        (true, false) => PartChange::Deleted,
    }
}

impl Comparing<'_> {
    fn functions(&self) -> Vec<ComparedFunction> {
        let mut all = Vec::new();
        for entry in self.diff.funcs() {
            let (program, func) = match (entry.new, entry.old) {
                (Some(func), _) => (self.new, func),
                (None, Some(func)) => (self.old, func),
                (None, None) => continue,
            };
            if program.funcs[func].is_runtime {
                continue;
            }
            let lines = self.lines(entry);
            let change = fate(entry.old.is_some(), entry.new.is_some(), entry.is_same);
            if change == PartChange::Same && lines.is_empty() {
                continue;
            }
            let threads = entry.new.map_or(&[][..], |func| self.impact.threads(func));
            all.push(ComparedFunction {
                name: function_name(program, func),
                change,
                threads: threads.iter().map(|f| function_name(self.new, *f)).collect(),
                lines,
            });
        }
        all
    }

    /// Lines of both versions: deleted ones stand where their successor is.
    fn lines(&self, entry: &Matched<FuncId>) -> Vec<ComparedLine> {
        let mut lines = Vec::new();
        if let Some(func) = entry.new {
            let seen = self.seen(self.new, func, |point| {
                let (forward, backward) =
                    (self.impact.reaches_new(self.diff, point), self.impact.comes_from_new(self.diff, point));
                (self.diff.new_change(point), forward, backward)
            });
            for ((file, dir, line), seen) in seen {
                let change = match seen {
                    Seen { alone: true, same: false, modified: false, .. } => PartChange::Added,
                    Seen { alone: false, modified: false, .. } => PartChange::Same,
                    _ => PartChange::Modified,
                };
                if change != PartChange::Same || seen.forward || seen.backward {
                    let place = self.line(self.new, func, (file, dir, line));
                    let (forward, backward) = (seen.forward, seen.backward);
                    let old = seen.partner.filter(|_| change == PartChange::Modified);
                    lines.push(ComparedLine { place, change, old, forward, backward });
                }
            }
        }
        if let Some(func) = entry.old {
            let seen = self.seen(self.old, func, |point| {
                let (forward, backward) =
                    (self.impact.reaches_old(self.diff, point), self.impact.comes_from_old(self.diff, point));
                (self.diff.old_change(point), forward, backward)
            });
            for (at, seen) in seen {
                if seen.alone && !seen.same && !seen.modified {
                    let place = self.line(self.old, func, at);
                    let (forward, backward) = (seen.forward, seen.backward);
                    let change = PartChange::Deleted;
                    lines.push(ComparedLine { place, change, old: None, forward, backward });
                }
            }
        }
        lines
    }

    fn line(&self, program: &Program, func: FuncId, (file, dir, line): (String, String, u32)) -> Place {
        Place { file, dir, line, column: 0, function: function_name(program, func) }
    }

    fn seen(
        &self,
        program: &Program,
        func: FuncId,
        look: impl Fn(Point) -> (Change, bool, bool),
    ) -> BTreeMap<(String, String, u32), Seen> {
        let mut lines: BTreeMap<(String, String, u32), Seen> = BTreeMap::new();
        for (point, _) in points(&program.funcs[func], func).filter(|(_, inst)| is_shown(inst)) {
            let here = place_of(program, point);
            if here.line == 0 {
                continue;
            }
            let (change, forward, backward) = look(point);
            let seen = lines.entry((here.file, here.dir, here.line)).or_default();
            match change {
                Change::Same(partner) | Change::Modified(partner) => {
                    let is_old = std::ptr::eq(program, self.old);
                    let other = if is_old { self.new } else { self.old };
                    let partner = place_of(other, partner);
                    let is_better = matches!(change, Change::Modified(_)) || seen.partner.is_none();
                    if is_better && partner.line != 0 {
                        seen.partner = Some(partner);
                    }
                    seen.same |= matches!(change, Change::Same(_));
                    seen.modified |= matches!(change, Change::Modified(_));
                }
                Change::Alone => seen.alone = true,
            }
            seen.forward |= forward;
            seen.backward |= backward;
        }
        lines
    }

    fn globals(&self) -> Vec<ComparedGlobal> {
        let differing = self.diff.globals().iter().filter(|entry| !entry.is_same);
        let shown = differing.filter_map(|entry| {
            let (program, id): (&Program, GlobalId) = match (entry.new, entry.old) {
                (Some(id), _) => (self.new, id),
                (None, id) => (self.old, id?),
            };
            let global = &program.globals[id];
            // Texts and the like are part of the lines that use them.
            let is_nameless = global.name.starts_with('.');
            (!is_nameless && !global.is_runtime).then(|| ComparedGlobal {
                name: global.name.clone(),
                place: Place { column: 0, ..place(program, None, global.loc) },
                change: fate(entry.old.is_some(), entry.new.is_some(), false),
            })
        });
        shown.collect()
    }

    fn user_points(&self) -> impl Iterator<Item = (Point, &Inst)> {
        let funcs = self.new.funcs.enumerate().filter(|(_, function)| !function.is_runtime);
        let all = funcs.flat_map(|(func, function)| points(function, func));
        all.filter(|(point, _)| self.impact.is_reachable(self.diff, *point))
    }

    fn checks(&self) -> Vec<ComparedCheck> {
        let library = Library::new(self.new);
        let mut found: BTreeMap<(Place, &'static str), bool> = BTreeMap::new();
        for (point, inst) in self.user_points() {
            if self.impact.can_fail(self.diff, point) {
                let key = (place_of(self.new, point), kind(&library, inst));
                *found.entry(key).or_default() |= self.impact.reaches_new(self.diff, point);
            }
        }
        let check = |((place, kind), influenced)| ComparedCheck { kind, place, influenced };
        found.into_iter().map(check).collect()
    }

    fn count(&self) -> (usize, usize) {
        let (mut all, mut impacted) = (0, 0);
        for (point, _) in self.user_points() {
            all += 1;
            impacted += usize::from(self.impact.reaches_new(self.diff, point));
        }
        (all, impacted)
    }

    fn properties(&self, properties: &[Property], is_impacted: bool) -> Vec<&'static str> {
        let is_influenced = |property: &Property| match property.facts().about {
            About::Waits => self.impact.reaches_waits(),
            About::Blocks | About::Pointers | About::Order | About::Written => {
                is_impacted || !self.diff.is_empty()
            }
            // Each of these is a check, and listed there.
            About::Steps => false,
        };
        let checked = Property::ALL.iter().filter(|property| properties.contains(property));
        checked.filter(|property| is_influenced(property)).map(|property| property.name()).collect()
    }
}

/// What fails if this instruction does.
fn kind(library: &Library, inst: &Inst) -> &'static str {
    use selvedge_program::Callee;
    match inst {
        Inst::Call { callee: Callee::Direct(func), .. } if library.action(*func).can_abort() => "assertion",
        Inst::Call { .. } => "call",
        Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::AtomicRmw { .. }
        | Inst::CmpXchg { .. }
        | Inst::MemCopy { .. }
        | Inst::MemSet { .. } => "access",
        Inst::Bin { .. } | Inst::Intrinsic { .. } => "arithmetic",
        _ => "other",
    }
}
