//! Dependences through memory: of reads on writes, within a thread and between threads.
//!
//! Every write to bytes that an instruction may read influences it, unless it certainly comes later (`order`). Calls that
//! wait write what they look at as well: who takes a lock is influenced by all others that do.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::Inst;

use super::graph::Node;
use super::order::Order;
use super::rules::Rules;
use crate::call_graph::CallKind;
use crate::layout::InstId;
use crate::object::{ObjectId, Range};

/// Reads and writes of one object that are compared one by one; with more, their order is not looked at.
const MAX_PAIRS: usize = 2_500;

#[derive(Default)]
struct Uses {
    reads: Vec<(Range, InstId)>,
    writes: Vec<(Range, InstId)>,
    ends: Vec<InstId>,
}

pub(super) fn connect(rules: &mut Rules<'_>, order: &Order<'_>) {
    for uses in uses(rules).values() {
        if uses.reads.len().saturating_mul(uses.writes.len()) <= MAX_PAIRS {
            for (written, writer) in &uses.writes {
                for (read, reader) in &uses.reads {
                    if written.overlaps(*read) && order.may_precede(*writer, *reader) {
                        let (from, to) = (rules.value(*writer), rules.value(*reader));
                        rules.edge(from, to);
                    }
                }
            }
        } else {
            by_range(rules, uses);
        }
        end_of_life(rules, uses);
    }
}

fn uses(rules: &Rules<'_>) -> BTreeMap<ObjectId, Uses> {
    let mut all: BTreeMap<ObjectId, Uses> = BTreeMap::new();
    for id in rules.analysis.instructions() {
        let Some(effect) = rules.effects.of(id) else { continue };
        for touched in &*effect.reads {
            all.entry(touched.object).or_default().reads.push((touched.range, id));
        }
        let is_sync = synchronises(rules, id);
        for touched in effect.writes.iter().chain(effect.reads.iter().filter(|_| is_sync)) {
            all.entry(touched.object).or_default().writes.push((touched.range, id));
        }
        for object in &effect.ends {
            all.entry(*object).or_default().ends.push(id);
        }
    }
    all
}

/// Whether a call changes the state of what it looks at.
fn synchronises(rules: &Rules<'_>, id: InstId) -> bool {
    if !matches!(rules.analysis.layout.inst(rules.analysis.program, id), Inst::Call { .. }) {
        return false;
    }
    let plain = rules.analysis.graph().callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
    let mut actions = plain.map(|(callee, _)| rules.analysis.built.library.action(*callee));
    actions.any(|action| {
        matches!(action, Action::Sync | Action::SyncRead | Action::Once | Action::SetJump | Action::Input)
    })
}

/// Through one node for each range that is written or read.
fn by_range(rules: &mut Rules<'_>, uses: &Uses) {
    let mut cells: FxHashMap<Range, Node> = FxHashMap::default();
    let mut ranges: Vec<(Range, Node)> = Vec::new();
    for (written, writer) in &uses.writes {
        let cell = *cells.entry(*written).or_insert_with(|| {
            let node = rules.fresh();
            ranges.push((*written, node));
            node
        });
        let from = rules.value(*writer);
        rules.edge(from, cell);
    }
    let mut readers: FxHashMap<Range, Node> = FxHashMap::default();
    for (read, reader) in &uses.reads {
        let cell = match readers.get(read) {
            Some(cell) => *cell,
            None => {
                let node = rules.fresh();
                readers.insert(*read, node);
                for (_, from) in ranges.iter().filter(|(written, _)| written.overlaps(*read)) {
                    rules.edge(*from, node);
                }
                node
            }
        };
        let to = rules.value(*reader);
        rules.edge(cell, to);
    }
}

/// What ends an object decides whether accesses to it fail, if they can.
fn end_of_life(rules: &mut Rules<'_>, uses: &Uses) {
    if uses.ends.is_empty() {
        return;
    }
    let end = rules.fresh();
    for id in &uses.ends {
        let from = rules.value(*id);
        rules.edge(from, end);
    }
    let users = uses.reads.iter().chain(&uses.writes).map(|(_, id)| id).chain(&uses.ends);
    let failing: Vec<InstId> = users.filter(|id| rules.fails[id.index()]).copied().collect();
    for id in failing {
        let to = rules.execution(id);
        rules.edge(end, to);
    }
}
