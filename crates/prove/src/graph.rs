//! The last abstract transition system as a picture in DOT, as in [ASE] Figure 2.2: exact transitions solid,
//! inexact ones dotted, those nobody asked about dashed; states on cycles or behind them have a double line.

use std::fmt::Write as _;

use num_bigint::BigInt;
use selvedge_base::Id;

use crate::engine::Engine;
use crate::model::Language;
use crate::refine::Round;

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The picture of `round`.
pub(crate) fn dot(engine: &mut Engine, language: &dyn Language, round: &Round) -> String {
    let mut text =
        String::from("digraph abstract {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    let mut legend = Vec::new();
    for (i, predicate) in engine.predicates.atoms().iter().enumerate() {
        legend.push(format!("p{} {}", i + 1, language.show(&engine.pool, &engine.model, *predicate)));
    }
    if !legend.is_empty() {
        let _ = writeln!(
            text,
            "  label=\"{}\\l\"; labelloc=b; labeljust=l;",
            escape(&legend.join("\n")).replace('\n', "\\l")
        );
    }
    let initial: rustc_hash::FxHashSet<_> =
        round.exploration.nodes.iter().filter(|n| n.is_initial).map(|n| n.abs).collect();
    for (id, (control, bits)) in round.exploration.states.enumerate() {
        let mut lines = Vec::new();
        for (var, value) in engine.controls.control_vars.iter().zip(engine.controls.values(*control)) {
            let name = &engine.model.vars[*var].name;
            lines.push(format!("{name} = {}", language.show_value(*var, &BigInt::from(*value))));
        }
        let literals: Vec<String> = (0..engine.predicates.len())
            .map(|i| format!("{}p{}", if bits.get(i) { "" } else { "!" }, i + 1))
            .collect();
        lines.push(literals.join(" "));
        let bad = engine.controls.bad(&mut engine.pool, &engine.model, *control);
        let is_bad = engine.predicates.holds(&engine.pool, bits, bad) == Some(true);
        let mut style = String::new();
        if initial.contains(&id) {
            style.push_str(", penwidth=2");
        }
        if round.system.in_fragment[id.index()] {
            style.push_str(", peripheries=2");
        }
        if is_bad {
            style.push_str(", style=filled, fillcolor=\"#f4b6b6\"");
        }
        let label = escape(&lines.join("\n")).replace('\n', "\\n");
        let _ = writeln!(text, "  {id} [label=\"{label}\"{style}];");
    }
    for (t, exact) in round.system.transitions.iter().zip(&round.exact) {
        let control = round.exploration.states[t.from].0;
        let transition = engine.cases(control)[t.case as usize].transition;
        let name = escape(&engine.model.transitions[transition].name);
        let style = match exact {
            Some(true) => "solid",
            Some(false) => "dotted",
            None => "dashed",
        };
        let _ = writeln!(text, "  {} -> {} [label=\"{name}\", style={style}];", t.from, t.to);
    }
    text.push_str("}\n");
    text
}
