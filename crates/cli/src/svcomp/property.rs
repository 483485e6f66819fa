//! Property files of SV-COMP: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! Guarantee: what a file asks for is checked exactly, or refused; no clause is dropped.

use selvedge_engine::{BugKind, Property};

/// One `CHECK` that Selvedge can decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    UnreachCall,
    NoDataRace,
    NoOverflow,
    NoDeadlock,
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    ValidMemcleanup,
}

impl Clause {
    const ALL: [Clause; 8] = [
        Clause::UnreachCall,
        Clause::NoDataRace,
        Clause::NoOverflow,
        Clause::NoDeadlock,
        Clause::ValidFree,
        Clause::ValidDeref,
        Clause::ValidMemtrack,
        Clause::ValidMemcleanup,
    ];

    /// The name in results: `FALSE(unreach-call)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Clause::UnreachCall => "unreach-call",
            Clause::NoDataRace => "no-data-race",
            Clause::NoOverflow => "no-overflow",
            Clause::NoDeadlock => "no-deadlock",
            Clause::ValidFree => "valid-free",
            Clause::ValidDeref => "valid-deref",
            Clause::ValidMemtrack => "valid-memtrack",
            Clause::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// The formula after `G`, without spaces.
    fn formula(self) -> &'static str {
        match self {
            Clause::UnreachCall => "!call(reach_error())",
            Clause::NoDataRace => "!data-race",
            Clause::NoOverflow => "!overflow",
            Clause::NoDeadlock => "!deadlock",
            other => other.name(),
        }
    }

    /// What the engine has to check.
    fn property(self) -> Property {
        match self {
            Clause::UnreachCall => Property::Reach,
            Clause::NoDataRace => Property::Race,
            Clause::NoOverflow => Property::Overflow,
            Clause::NoDeadlock => Property::Deadlock,
            Clause::ValidFree | Clause::ValidDeref => Property::Memory,
            Clause::ValidMemtrack => Property::Leak,
            Clause::ValidMemcleanup => Property::Cleanup,
        }
    }

    /// The clause that a bug violates, if it is one of SV-COMP's.
    pub(crate) fn violated_by(kind: BugKind) -> Option<Clause> {
        Some(match kind {
            BugKind::Error => Clause::UnreachCall,
            BugKind::Race => Clause::NoDataRace,
            BugKind::Overflow | BugKind::DivOverflow => Clause::NoOverflow,
            BugKind::Deadlock => Clause::NoDeadlock,
            BugKind::Memory => Clause::ValidDeref,
            BugKind::Free => Clause::ValidFree,
            BugKind::Leak => Clause::ValidMemtrack,
            BugKind::Cleanup => Clause::ValidMemcleanup,
            BugKind::Assert
            | BugKind::Misuse
            | BugKind::Div
            | BugKind::Operand
            | BugKind::Uninit
            | BugKind::Bounds
            | BugKind::Align
            | BugKind::Unsigned
            | BugKind::Livelock => return None,
        })
    }

    /// The line of a property file that asks for this.
    pub(crate) fn text(self) -> String {
        let formula = match self {
            Clause::UnreachCall => "! call(reach_error())",
            Clause::NoDataRace => "! data-race",
            Clause::NoOverflow => "! overflow",
            Clause::NoDeadlock => "! deadlock",
            other => other.name(),
        };
        format!("CHECK( init(main()), LTL(G {formula}) )")
    }
}

/// A property file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Specification {
    /// The clauses in the order of the file.
    pub(crate) clauses: Vec<Clause>,
    /// The function that `init` names.
    pub(crate) entry: String,
    /// The lines of the file without those that are empty.
    pub(crate) text: String,
}

/// Why a property file cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("line {0}: not a property; expected `CHECK( init(main()), LTL(G ...) )`")]
    Malformed(usize),
    #[error("line {0}: {1} is not supported")]
    Unsupported(usize, String),
    #[error("line {0}: another entry function than in the lines before")]
    Entry(usize),
    #[error("it contains no property")]
    Empty,
}

impl Specification {
    /// Reads a property file.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let mut clauses = Vec::new();
        let mut lines = Vec::new();
        let mut entry: Option<String> = None;
        for (i, line) in text.lines().enumerate() {
            let (n, line) = (i + 1, line.trim());
            if line.is_empty() {
                continue;
            }
            lines.push(line);
            let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            if dense.starts_with("COVER(") {
                return Err(Error::Unsupported(n, "a coverage property".to_owned()));
            }
            let (from, formula) = split(&dense).ok_or(Error::Malformed(n))?;
            if entry.get_or_insert_with(|| from.to_owned()) != from {
                return Err(Error::Entry(n));
            }
            let clause = clause(n, formula)?;
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        match entry {
            Some(entry) => Ok(Specification { clauses, entry, text: lines.join("\n") }),
            None => Err(Error::Empty),
        }
    }

    /// The name by which people know it.
    pub(crate) fn name(&self) -> String {
        let memsafety = [Clause::ValidFree, Clause::ValidDeref, Clause::ValidMemtrack];
        if self.clauses.len() == 3 && memsafety.iter().all(|c| self.clauses.contains(c)) {
            return "valid-memsafety".to_owned();
        }
        let names: Vec<&str> = self.clauses.iter().map(|c| c.name()).collect();
        names.join(", ")
    }

    /// Whether waits may end without a reason, as POSIX allows. A thread that can always go on once does not count
    /// as waiting for ever, so deadlocks are looked for without.
    pub(crate) fn wakes_alone(&self) -> bool {
        !self.clauses.contains(&Clause::NoDeadlock)
    }

    /// What the engine has to check.
    pub(crate) fn properties(&self) -> Vec<Property> {
        let mut properties: Vec<Property> = self.clauses.iter().map(|c| c.property()).collect();
        properties.sort();
        properties.dedup();
        properties
    }
}

/// `CHECK(init(f()),LTL(x))` as `f` and `x`.
fn split(dense: &str) -> Option<(&str, &str)> {
    let rest = dense.strip_prefix("CHECK(init(")?;
    let (entry, rest) = rest.split_once("()),LTL(")?;
    let formula = rest.strip_suffix("))")?;
    let is_name = !entry.is_empty() && entry.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some((entry, formula))
}

fn clause(line: usize, formula: &str) -> Result<Clause, Error> {
    let unsupported = |what: &str| Err(Error::Unsupported(line, what.to_owned()));
    if formula == "Fend" {
        return unsupported("termination");
    }
    let Some(inner) = formula.strip_prefix('G') else {
        return unsupported(&format!("the formula `{formula}`"));
    };
    // Tasks from before 2020 have no `reach_error`.
    if inner == "!call(__VERIFIER_error())" {
        return Ok(Clause::UnreachCall);
    }
    match Clause::ALL.iter().find(|c| c.formula() == inner) {
        Some(clause) => Ok(*clause),
        None if inner.starts_with("!call(") => unsupported("a call of another function than reach_error"),
        None => unsupported(&format!("the formula `G {inner}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Clause>, Error> {
        Specification::parse(text).map(|s| s.clauses)
    }

    #[test]
    fn every_clause_is_read_back_from_its_text() {
        for clause in Clause::ALL {
            assert_eq!(parse(&clause.text()), Ok(vec![clause]), "{}", clause.text());
        }
    }

    #[test]
    fn memory_safety_has_three_clauses_and_two_properties() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\n\nCHECK( init(main()), LTL(G valid-deref) )\n\
                    CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let spec = Specification::parse(text).expect("a property file");
        assert_eq!((spec.name().as_str(), spec.entry.as_str()), ("valid-memsafety", "main"));
        assert_eq!(spec.properties(), [Property::Memory, Property::Leak]);
    }

    #[test]
    fn what_cannot_be_checked_is_refused_by_name() {
        let message = |text: &str| parse(text).expect_err("must be refused").to_string();
        assert_eq!(message("CHECK( init(main()), LTL(F end) )"), "line 1: termination is not supported");
        assert!(
            message("\nCOVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )")
                .starts_with("line 2: a coverage")
        );
        assert!(message("CHECK( init(main()), LTL(G ! call(f())) )").contains("another function"));
        assert!(message("CHECK( init(main()), LTL(G def-behavior) )").contains("`G def-behavior`"));
        assert!(message("CHECK( init(main()), LTL(G ! overflow)").contains("not a property"));
        assert!(message("no property\n").contains("not a property"));
        assert_eq!(message(" \n"), "it contains no property");
        let two = "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(other()), LTL(G ! overflow) )";
        assert!(message(two).starts_with("line 2: another entry"));
    }

    #[test]
    fn spaces_do_not_matter_and_old_names_count() {
        assert_eq!(parse("CHECK(init(main()),LTL(G!call(reach_error())))"), Ok(vec![Clause::UnreachCall]));
        assert_eq!(
            parse("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )"),
            Ok(vec![Clause::UnreachCall])
        );
    }
}
