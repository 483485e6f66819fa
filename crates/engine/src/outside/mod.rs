//! What a path says about memory that came from outside: its condition in C, and that memory before and after.
//!
//! Guarantee: what is said of values is true of one execution, the one of the path's model. Whatever is not known
//! (unwritten bytes, pointers to memory of the program) is left out.

mod cells;
mod notation;
mod told;

use selvedge_exec::{InputType, Machine, Outside, Source, State};
use selvedge_explore::Leaf;
use selvedge_program::{DebugType, Encoding, Program, TypeId};
use selvedge_term::TermId;

use crate::inputs::c_type;
use cells::{Dependence, Reader};
use notation::Notation;
pub use told::{Cell, CellValue, OutsideCase, OutsideObject};

/// What the path of a leaf says about memory from outside; `None` if there is none.
pub(crate) fn case(program: &Program, machine: &mut Machine<'_>, leaf: &Leaf<'_>) -> Option<OutsideCase> {
    let outside = leaf.state.outside.as_deref()?;
    let condition = condition(program, machine, leaf.state, outside);
    let excluded = condition.last().map(|(_, negated)| negated.clone());
    let mut reader = Reader::new(program, machine, leaf, outside);
    let mut objects = Vec::new();
    for (i, object) in outside.objects.iter().enumerate() {
        objects.push(OutsideObject {
            name: object.name.to_string(),
            ty: object.ty.map(|ty| c_type(program, ty)).unwrap_or_default(),
            element: object.element,
            count: object.count,
            is_variable: object.is_variable,
            is_freed: reader.is_freed(object),
            before: reader.before(i),
            after: reader.after(i),
        });
    }
    let returned = outside.result.as_ref().map(|result| reader.result(result));
    let others = reader.others();
    let notation = Notation { program, machine, state: leaf.state, outside };
    let sees_layout = outside.sees_layout;
    let told = |dependence: Dependence| match dependence {
        Dependence::None => None,
        Dependence::Number(term) => Some(notation.expression(term)),
        Dependence::Other => Some(notation::MORE.to_owned()),
    };
    let result_texts = returned.iter().flatten().map(|(_, dependence)| told(*dependence)).collect();
    let result = returned.map(|parts| parts.into_iter().map(|(cell, _)| cell).collect());
    let mut texts: Vec<String> = Vec::new();
    for (text, _) in condition {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    Some(OutsideCase { condition: texts, excluded, objects, others, sees_layout, result, result_texts })
}

/// The conjuncts of a path condition in C, each with its negation, in the order in which they were decided.
fn condition(
    program: &Program,
    machine: &mut Machine<'_>,
    state: &State,
    outside: &Outside,
) -> Vec<(String, String)> {
    let decided: Vec<Option<usize>> = state.path.iter().map(|c| decided(machine, state, *c)).collect();
    let notation = Notation { program, machine, state, outside };
    let mut asked = vec![0; outside.pointers.len()];
    let mut found = Vec::new();
    for (&conjunct, decided) in state.path.iter().zip(decided) {
        match decided {
            Some(number) => {
                asked[number] += 1;
                found.extend(notation.decision(number, asked[number] > 1));
            }
            None => found.push((notation.text(conjunct), notation.negated(conjunct))),
        }
    }
    found
}

/// The input pointer that a conjunct decides.
fn decided(machine: &mut Machine<'_>, state: &State, conjunct: TermId) -> Option<usize> {
    let vars = machine.pool.vars(conjunct);
    let [var] = vars[..] else { return None };
    let Source::Input { .. } = machine.sources.piece(var)?.source else { return None };
    let source = machine.sources.piece(var)?.source;
    let record = state.inputs.iter().find(|record| record.source == source)?;
    match record.ty {
        InputType::Decision(number) => Some(number as usize),
        _ => None,
    }
}

/// A type without its other names.
fn plain(program: &Program, mut ty: TypeId) -> Option<&DebugType> {
    for _ in 0..64 {
        match program.types.get(ty)? {
            DebugType::Alias { to, .. } => ty = (*to)?,
            other => return Some(other),
        }
    }
    None
}

/// Whether numbers of a type are never negative. Characters are told by their name: debug information calls them all so.
fn is_unsigned(ty: &DebugType) -> bool {
    match ty {
        DebugType::Basic { encoding: Encoding::Unsigned | Encoding::Bool, .. } => true,
        DebugType::Basic { encoding: Encoding::Char, name, .. } => name.starts_with("unsigned"),
        _ => false,
    }
}
