//! Proof objects: what was written is accepted, and what is none, or is another program's, is not.

use selvedge_exec::{Arguments, FindingKind, Ledger, Options};
use selvedge_irkit::Text;
use selvedge_program::Program;
use selvedge_prove::{CheckError, CheckResult, ProofError, seal};
use selvedge_prove_c::check_proof;

use crate::adapter::{limits, options, prove};

/// A ticket lock taken without end: the tickets wrap around, and that does no harm.
fn ticket() -> Program {
    let worker = "jump bb1
        bb1: %mine: i32 = rmw.add.seqcst i32 @next, 1i32
        jump bb2
        bb2: %serving: i32 = load.seqcst i32 @serving
        %turn: i1 = cmp.eq i32 %serving, %mine
        branch %turn, bb3, bb2
        bb3: %before: i32 = load i32 @inside
        %in: i32 = add i32 %before, 1i32
        store i32 %in to @inside
        %now: i32 = load i32 @inside
        %alone: i1 = cmp.eq i32 %now, 1i32
        assert %alone
        store i32 %before to @inside
        %old: i32 = rmw.add.seqcst i32 @serving, 1i32
        jump bb1";
    let text = Text::new().int("next", 0).int("serving", 0).int("inside", 0);
    text.thread("a", worker).thread("b", worker).main("run a b")
}

/// A spin lock around two counters that two threads increment for ever; they wrap around.
fn spin_lock() -> Program {
    let worker = "jump bb1
        bb1: %taken: i32 = rmw.xchg.seqcst i32 @lock, 1i32
        %free: i1 = cmp.eq i32 %taken, 0i32
        branch %free, bb2, bb1
        bb2: %one: i32 = load i32 @one
        %two: i32 = load i32 @two
        %same: i1 = cmp.eq i32 %one, %two
        assert %same
        %more: i32 = add i32 %one, 1i32
        store i32 %more to @one
        %most: i32 = add i32 %two, 1i32
        store i32 %most to @two
        store.seqcst i32 0i32 to @lock
        jump bb1";
    let text = Text::new().int("lock", 0).int("one", 0).int("two", 0);
    text.thread("a", worker).thread("b", worker).main("run a b")
}

fn proof_of(program: &Program) -> String {
    prove(program).proof.expect("it can be proved")
}

/// `None`: the text is no proof of this program.
fn is_accepted(program: &Program, text: &str) -> Option<bool> {
    match check_proof(program, &options(), &Arguments::default(), text, &limits(), &mut Ledger::default()) {
        Ok(CheckResult::Accepted) => Some(true),
        Ok(CheckResult::Rejected(_)) => Some(false),
        Err(CheckError::Proof(_)) => None,
        Err(CheckError::Unanswered(why)) => panic!("{why}"),
    }
}

fn error(program: &Program, options: &Options, text: &str) -> ProofError {
    match check_proof(program, options, &Arguments::default(), text, &limits(), &mut Ledger::default()) {
        Err(CheckError::Proof(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// A proof in parts that can be changed.
struct Parts {
    system: String,
    check: String,
    /// Everything before the first control state.
    head: Vec<String>,
    /// The lines of each control state.
    states: Vec<Vec<String>>,
}

impl Parts {
    fn of(text: &str) -> Parts {
        let lines: Vec<&str> = text.lines().collect();
        let field = |line: usize, key: &str| {
            lines[line].strip_prefix(key).expect("every proof begins like this").to_owned()
        };
        let (system, check) = (field(1, "system "), field(2, "check "));
        let (mut head, mut states) = (Vec::new(), Vec::<Vec<String>>::new());
        for line in &lines[3..lines.len() - 1] {
            match (line.starts_with("state "), states.last_mut()) {
                (true, _) => states.push(vec![(*line).to_owned()]),
                (false, Some(state)) => state.push((*line).to_owned()),
                (false, None) => head.push((*line).to_owned()),
            }
        }
        Parts { system, check, head, states }
    }

    /// The text with its sum.
    fn text(&self) -> String {
        let lines = self.head.iter().chain(self.states.iter().flatten());
        let body: String = lines.map(|line| format!("{line}\n")).collect();
        seal(&self.system, &self.check, &body)
    }

    /// The text after a change, which is taken back.
    fn with(&mut self, change: impl FnOnce(&mut Parts)) -> String {
        let before = (self.head.clone(), self.states.clone());
        change(self);
        let text = self.text();
        (self.head, self.states) = before;
        text
    }
}

fn every_change_is_rejected(name: &str, program: &Program) {
    let text = proof_of(program);
    let mut parts = Parts::of(&text);
    assert_eq!(parts.text(), text, "{name}: nothing is lost");
    assert_eq!(is_accepted(program, &text), Some(true), "{name}: what was found is right");

    let everything = parts.with(|parts| {
        for line in parts.states.iter_mut().flatten().filter(|line| line.starts_with("case")) {
            *line = "case".to_owned();
        }
    });
    assert_eq!(
        is_accepted(program, &everything),
        Some(false),
        "{name}: if anything may be, bad things happen"
    );

    let (mut n_missing, mut n_places, mut n_literals) = (0, 0, 0);
    for state in 0..parts.states.len() {
        let less = parts.with(|parts| drop(parts.states.remove(state)));
        n_missing += usize::from(is_accepted(program, &less) == Some(false));
        let elsewhere = parts.with(|parts| parts.states[state][0].push('0'));
        assert_eq!(is_accepted(program, &elsewhere), Some(false), "{name}: places are those of the program");
        for line in 1..parts.states[state].len() {
            let words: Vec<String> = parts.states[state][line].split(' ').map(str::to_owned).collect();
            for word in 1..words.len() {
                let mut fewer = words.clone();
                fewer.remove(word);
                let is_place = fewer[0] == "any";
                let changed = parts.with(|parts| match fewer.len() == 1 && is_place {
                    true => drop(parts.states[state].remove(line)),
                    false => parts.states[state][line] = fewer.join(" "),
                });
                let is_rejected = is_accepted(program, &changed) == Some(false);
                match is_place {
                    true => n_places += usize::from(is_rejected),
                    false => n_literals += usize::from(is_rejected),
                }
            }
        }
    }
    assert_eq!(n_missing, parts.states.len(), "{name}: every control state that is claimed can be reached");
    assert!(n_places > 10 && n_literals > 10, "{name}: {n_places} places, {n_literals} literals");
    for line in 0..parts.head.len() {
        let less = parts.with(|parts| drop(parts.head.remove(line)));
        assert_ne!(is_accepted(program, &less), Some(true), "{name}: every line of the heading is needed");
    }
}

#[test]
fn changed_invariants_of_a_ticket_lock_are_rejected() {
    every_change_is_rejected("ticket", &ticket());
}

#[test]
fn changed_invariants_of_a_spin_lock_are_rejected() {
    every_change_is_rejected("spin lock", &spin_lock());
}

#[test]
fn a_proof_reads_the_same_each_time() {
    assert_eq!(proof_of(&spin_lock()), proof_of(&spin_lock()));
}

#[test]
fn what_is_damaged_or_foreign_is_told_from_a_wrong_proof() {
    let (program, text) = (spin_lock(), proof_of(&spin_lock()));
    let error = |text: &str| error(&program, &options(), text);
    assert_eq!(error(&text.replacen("case ", "case -", 1)), ProofError::Damaged);
    let lines: Vec<&str> = text.lines().collect();
    for n in 1..lines.len() {
        let part = lines[..n].join("\n");
        assert!(matches!(error(&part), ProofError::Damaged | ProofError::Syntax { .. }), "{part}");
    }
    assert!(matches!(error(&text.replacen("proof 1", "proof 2", 1)), ProofError::Syntax { line: 1, .. }));
    assert!(matches!(error(""), ProofError::Syntax { .. }));
    assert!(matches!(error("int main(void) { return 0; }"), ProofError::Syntax { line: 1, .. }));
    assert_eq!(error(&proof_of(&ticket())), ProofError::OtherSystem);
}

#[test]
fn a_proof_of_less_is_none_of_more() {
    let (program, text) = (spin_lock(), proof_of(&spin_lock()));
    let mut more = options();
    more.checks.push(FindingKind::Overflow);
    assert_eq!(error(&program, &more, &text), ProofError::OtherSystem);
}

#[test]
fn what_means_nothing_has_its_line() {
    let (program, text) = (spin_lock(), proof_of(&spin_lock()));
    let mut parts = Parts::of(&text);
    let at = 3 + parts.head.len();
    let errors = [
        parts.with(|p| p.head[0] = "objects some".to_owned()),
        parts.with(|p| p.head.push("predicate lock".to_owned())),
        parts.with(|p| p.head.push("predicate (bvult one nobody)".to_owned())),
        parts.with(|p| p.head.push("variable x = memory 0 0 0".to_owned())),
        parts.with(|p| p.head.push("variable x = memory 0 18446744073709551615 4".to_owned())),
        parts.with(|p| p.head.push("variable x = register 1 0 0 99999999999".to_owned())),
        parts.with(|p| p.head.push("thread 9 = child 0 of 0".to_owned())),
        parts.with(|p| p.states[0].push("case 99".to_owned())),
        parts.with(|p| p.states[0].push("case 0".to_owned())),
        parts.with(|p| p.states[0].push("any nothing".to_owned())),
        parts.with(|p| p.states.push(p.states[0].clone())),
        parts.with(|p| p.states[0][0] = "state here".to_owned()),
        parts.with(|p| p.states[0].push("predicate true".to_owned())),
    ];
    for text in errors {
        let error = error(&program, &options(), &text);
        assert!(matches!(error, ProofError::Syntax { line, .. } if line == 4 || line > at), "{error}");
    }
}
