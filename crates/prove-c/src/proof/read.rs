//! A proof from text.
//!
//! Guarantee: nothing makes it panic. What is read need not be an invariant, but every number in it means something.

use rustc_hash::FxHashMap;
use selvedge_exec::{Machine, ObjId, Piece, Source};
use selvedge_prove::{Opened, ProofError, open};
use selvedge_term::TermId;
use selvedge_term::smtlib::read_term;

use super::{Claim, Invariant, Proof, StateName};

/// The most bytes of a place, or bits of a register.
const WIDEST: u64 = 1 << 20;
/// The most threads.
const MAX_THREADS: usize = 1 << 16;

/// What stands before the invariant.
pub(crate) struct Heading {
    pub(crate) method: String,
    pub(crate) all_shared: bool,
    pub(crate) threads: Vec<(u32, u32)>,
}

/// A text of which the heading was read.
pub(crate) struct Unread<'t> {
    pub(crate) heading: Heading,
    lines: Vec<(usize, &'t str)>,
}

fn error(line: usize, what: impl Into<String>) -> ProofError {
    ProofError::Syntax { line: line + 1, what: what.into() }
}

/// Reads the heading, which says what machine the rest is for.
pub(crate) fn heading<'t>(text: &'t str, system: &str) -> Result<Unread<'t>, ProofError> {
    headed(open(text, system)?)
}

/// The same of a text that was opened.
pub(crate) fn headed(Opened { check, lines }: Opened<'_>) -> Result<Unread<'_>, ProofError> {
    let mut lines = lines.peekable();
    let all_shared = match lines.next() {
        Some((_, "objects all")) => true,
        Some((_, "objects seen")) => false,
        _ => return Err(error(3, "expected `objects all` or `objects seen`")),
    };
    let mut threads: Vec<(u32, u32)> = Vec::new();
    while let Some((at, line)) = lines.next_if(|(_, line)| line.starts_with("thread ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let name = match words[..] {
            ["thread", number, "=", "child", n, "of", parent]
                if number == (threads.len() + 1).to_string() =>
            {
                parent.parse().ok().zip(n.parse().ok())
            }
            _ => None,
        };
        let known = |(parent, _): &(u32, u32)| *parent as usize <= threads.len();
        let name = name.filter(known).filter(|name| !threads.contains(name) && threads.len() < MAX_THREADS);
        threads.push(name.ok_or_else(|| error(at, "expected `thread N = child M of P`, in order"))?);
    }
    let heading = Heading { method: check.to_owned(), all_shared, threads };
    Ok(Unread { heading, lines: lines.collect() })
}

impl Unread<'_> {
    /// Reads the rest into a machine that nothing was executed on.
    pub(crate) fn read(self, machine: &mut Machine<'_>) -> Result<Proof, ProofError> {
        let Unread { heading: Heading { method, all_shared, threads }, lines } = self;
        let mut reader = Reader { machine, places: FxHashMap::default(), predicates: Vec::new(), last: None };
        let mut invariant = Invariant::new();
        for (at, line) in lines {
            reader.line(&mut invariant, line).map_err(|what| error(at, what))?;
        }
        Ok(Proof { method, all_shared, threads, invariant })
    }
}

struct Reader<'a, 'p> {
    machine: &'a mut Machine<'p>,
    /// Places by name, with their variables if predicates may be about them.
    places: FxHashMap<String, (Piece, Option<TermId>)>,
    predicates: Vec<TermId>,
    /// The control state that lines are about.
    last: Option<StateName>,
}

impl Reader<'_, '_> {
    fn line(&mut self, invariant: &mut Invariant, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, self.last) {
            ("variable" | "place", None) => self.place(rest, word == "variable"),
            ("predicate", None) => {
                let places = &self.places;
                let mut variable = |name: &str| places.get(name).and_then(|(_, term)| *term);
                let term = read_term(&mut self.machine.pool, rest, &mut variable)?;
                if self.machine.pool.sort(term) != selvedge_term::Sort::BOOL {
                    return Err("this is no condition".to_owned());
                }
                self.predicates.push(term);
                Ok(())
            }
            ("state", _) => {
                let (name, places) = rest.split_once(' ').unwrap_or((rest, ""));
                let known = u64::from_str_radix(name, 16).ok().filter(|n| format!("{n:016x}") == name);
                let name = StateName(known.ok_or_else(|| format!("`{name}` is no name of a control state"))?);
                let claim = Claim { places: places.to_owned(), ..Claim::default() };
                self.last = Some(name);
                match invariant.insert(name, claim) {
                    None => Ok(()),
                    Some(_) => Err("this control state comes twice".to_owned()),
                }
            }
            ("any", Some(state)) => {
                let claim = invariant.entry(state).or_default();
                if !claim.variables.is_empty() || !claim.cases.is_empty() {
                    return Err("`any` comes once, before every `case`".to_owned());
                }
                for name in rest.split(' ') {
                    let place = self.places.get(name).ok_or_else(|| format!("there is no place `{name}`"))?;
                    claim.variables.push(place.0);
                }
                Ok(())
            }
            ("case", Some(state)) => {
                let mut case = Vec::new();
                for clause in rest.split(' ').filter(|clause| !clause.is_empty()) {
                    let literals: Result<Vec<TermId>, String> =
                        clause.split('|').map(|literal| self.literal(literal)).collect();
                    case.push(self.machine.pool.or_all(&literals?));
                }
                invariant.entry(state).or_default().cases.push(case);
                Ok(())
            }
            _ => Err("expected places, then predicates, then control states".to_owned()),
        }
    }

    fn literal(&mut self, text: &str) -> Result<TermId, String> {
        let (negated, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let number: Option<usize> = digits.parse().ok().filter(|n: &usize| *n > 0);
        let predicate = number.and_then(|n| self.predicates.get(n - 1));
        let predicate = *predicate.ok_or_else(|| format!("there is no predicate `{digits}`"))?;
        Ok(if negated { self.machine.pool.not(predicate) } else { predicate })
    }

    fn place(&mut self, text: &str, is_variable: bool) -> Result<(), String> {
        let none =
            || "expected `NAME = memory OBJECT FIRST BYTES` or `NAME = register THREAD FRAME NUMBER BITS`";
        let words: Vec<&str> = text.split(' ').collect();
        let [name, "=", kind, ref numbers @ ..] = words[..] else { return Err(none().to_owned()) };
        let number = |text: &str| text.parse::<u64>().map_err(|_| none().to_owned());
        let small = |text: &str| text.parse::<u32>().map_err(|_| none().to_owned());
        let place = match (kind, numbers) {
            ("memory", [object, first, bytes]) => {
                let key = u64::from_str_radix(object, 16).map_err(|_| none().to_owned())?;
                let obj = ObjId::from_key(key);
                if obj.key() != key || obj.denotation() != obj {
                    return Err(format!("`{object}` is no object"));
                }
                Piece { source: Source::Cell { obj }, at: number(first)?, len: number(bytes)? }
            }
            ("register", [thread, depth, reg, bits]) => {
                let source =
                    Source::Register { thread: small(thread)?, depth: small(depth)?, reg: small(reg)? };
                Piece { source, at: 0, len: number(bits)? }
            }
            _ => return Err(none().to_owned()),
        };
        if place.len == 0 || place.len > WIDEST || place.at.checked_add(place.len).is_none() {
            return Err("a place has no bytes, or too many".to_owned());
        }
        let mut variable = None;
        if is_variable {
            let machine = &mut *self.machine;
            let term = machine.sources.state_variable(&mut machine.pool, place);
            variable = Some(term.ok_or("a place has bytes of another one")?);
        }
        match self.places.insert(name.to_owned(), (place, variable)) {
            None => Ok(()),
            Some(_) => Err(format!("there are two places `{name}`")),
        }
    }
}
