//! A proof as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use selvedge_exec::{Machine, Piece, Source, State};
use selvedge_prove::seal;
use selvedge_term::smtlib::print_term;
use selvedge_term::{Node, Sort, Substitution, TermId, VarId};

use super::{Proof, literals};

/// What places are called in the program, gathered from states that have them.
#[derive(Default)]
pub(crate) struct PlaceNames(BTreeMap<Piece, BTreeSet<String>>);

impl PlaceNames {
    /// Adds what `state` calls a place. A register is another variable in another function.
    pub(crate) fn note(&mut self, machine: &Machine<'_>, state: &State, place: Piece) {
        self.0.entry(place).or_default().insert(machine.piece_name(state, place));
    }

    /// A name without characters that would have to be quoted.
    fn name(&self, place: Piece) -> String {
        let known = self.0.get(&place).filter(|names| names.len() == 1).and_then(BTreeSet::first);
        let mut name = known.map_or_else(String::new, |known| known.replace('[', ".").replace(']', ""));
        name.retain(|c| c.is_ascii_alphanumeric() || "_.%".contains(c));
        match place.source {
            Source::Register { thread, depth, reg } => {
                let own = name.split('%').next().unwrap_or_default().to_owned();
                return format!("{own}%{thread}.{depth}.{reg}.i{}", place.len);
            }
            _ if name.is_empty() => name.push_str("memory"),
            _ => {}
        }
        name
    }
}

/// Different names for places.
struct Named {
    names: FxHashMap<Piece, String>,
    /// Predicates under these names.
    shown: Substitution,
}

impl Named {
    fn new(
        machine: &mut Machine<'_>,
        names: &PlaceNames,
        variables: &[(VarId, Piece)],
        all: &[Piece],
    ) -> Named {
        let mut named = Named { names: FxHashMap::default(), shown: Substitution::new() };
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for place in all {
            let first = names.name(*place);
            let mut name = first.clone();
            let mut n = 1;
            // A word of SMT-LIB is printed as another one.
            while taken.contains(&name) || print_as(machine, &name) != name {
                n += 1;
                name = format!("{first}.{n}");
            }
            taken.insert(name.clone());
            named.names.insert(*place, name);
        }
        for (var, place) in variables {
            let width = machine.pool.width(machine.pool.var_term(*var));
            let shown = machine.pool.var(&named.names[place], Sort::Bv(width));
            named.shown.insert(*var, shown);
        }
        named
    }
}

fn print_as(machine: &mut Machine<'_>, name: &str) -> String {
    let var = machine.pool.var(name, Sort::BOOL);
    print_term(&machine.pool, var)
}

impl Proof {
    /// The text, as a proof about `system`. An error says what it has no words for.
    pub(crate) fn write(
        &self,
        machine: &mut Machine<'_>,
        names: &PlaceNames,
        system: &str,
    ) -> Result<String, String> {
        // Predicates by their terms, in the order in which they are first used.
        let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut predicates: Vec<TermId> = Vec::new();
        let mut bodies = Vec::with_capacity(self.invariant.len());
        for claim in self.invariant.values() {
            let mut body = String::new();
            for case in &claim.cases {
                body.push_str("case");
                for condition in case {
                    let clause: Vec<String> = literals(machine, *condition)
                        .into_iter()
                        .map(|literal| {
                            let (sign, predicate) = match *machine.pool.node(literal) {
                                Node::Not(inner) => ("-", inner),
                                _ => ("", literal),
                            };
                            let number = *numbers.entry(predicate).or_insert_with(|| {
                                predicates.push(predicate);
                                predicates.len()
                            });
                            format!("{sign}{number}")
                        })
                        .collect();
                    let _ = write!(body, " {}", clause.join("|"));
                }
                body.push('\n');
            }
            bodies.push(body);
        }
        let mut variables: BTreeMap<Piece, VarId> = BTreeMap::new();
        for predicate in &predicates {
            for var in machine.pool.vars(*predicate).iter() {
                let place =
                    machine.sources.piece(*var).ok_or("a predicate is about no place of the program")?;
                variables.insert(place, *var);
            }
        }
        let mut all: BTreeSet<Piece> = variables.keys().copied().collect();
        all.extend(self.invariant.values().flat_map(|claim| &claim.variables));
        let all: Vec<Piece> = all.into_iter().collect();
        let pairs: Vec<(VarId, Piece)> = variables.iter().map(|(place, var)| (*var, *place)).collect();
        let mut named = Named::new(machine, names, &pairs, &all);

        let mut text = format!("objects {}\n", if self.all_shared { "all" } else { "seen" });
        for (i, (parent, n)) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "thread {} = child {n} of {parent}", i + 1);
        }
        for place in &all {
            let kind = if variables.contains_key(place) { "variable" } else { "place" };
            let what = match place.source {
                Source::Cell { obj } => format!("memory {:x} {} {}", obj.key(), place.at, place.len),
                Source::Register { thread, depth, reg } => {
                    format!("register {thread} {depth} {reg} {}", place.len)
                }
                _ => return Err("a predicate is about an input".to_owned()),
            };
            let _ = writeln!(text, "{kind} {} = {what}", named.names[place]);
        }
        for predicate in &predicates {
            let shown = named.shown.apply(&mut machine.pool, *predicate);
            let _ = writeln!(text, "predicate {}", print_term(&machine.pool, shown));
        }
        for ((name, claim), body) in self.invariant.iter().zip(bodies) {
            let _ = writeln!(text, "{}", format!("state {:016x} {}", name.0, claim.places).trim_end());
            if !claim.variables.is_empty() {
                let places: Vec<&str> = claim.variables.iter().map(|p| named.names[p].as_str()).collect();
                let _ = writeln!(text, "any {}", places.join(" "));
            }
            text.push_str(&body);
        }
        Ok(seal(system, &self.method, &text))
    }
}
