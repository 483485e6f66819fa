//! Statements of threads: plain and atomic accesses, branches, loops, assertions.

use super::places::Scope;
use crate::generator::{Node, Rng};

/// Writes the statements of one thread.
pub(super) struct Body<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) scope: &'a mut Scope,
    /// Visible steps that may still be made, about.
    pub(super) budget: i32,
    /// Nesting of blocks.
    pub(super) depth: u32,
    /// Inside a section that must not block.
    pub(super) in_section: bool,
    /// Locks held here, by name.
    pub(super) held: Vec<&'static str>,
}

impl Body<'_> {
    /// Statements until the budget is used up, at most `most`.
    pub(super) fn list(&mut self, most: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..most {
            if self.budget <= 0 {
                break;
            }
            if !self.in_section && self.rng.chance(25) {
                nodes.push(Node::line("NOISE();"));
            }
            nodes.extend(self.statement());
        }
        nodes
    }

    pub(super) fn spend(&mut self, steps: i32) {
        self.budget -= steps;
    }

    fn statement(&mut self) -> Vec<Node> {
        if self.depth < 2 && self.budget >= 2 {
            match self.rng.below(100) {
                0..=11 => return self.branch(),
                12..=15 => return self.repeat(),
                16..=43 if !self.in_section => return self.synchronised(),
                44..=50 if !self.in_section => return self.section(),
                _ => {}
            }
        }
        if self.scope.copies && self.rng.chance(60) {
            return self.copy();
        }
        if self.scope.rare && !self.in_section && self.rng.chance(50) {
            return self.rare();
        }
        if self.scope.detours && self.rng.chance(45) {
            return self.detour();
        }
        if self.scope.noise && self.rng.chance(30) {
            return self.noise();
        }
        match self.rng.below(100) {
            0..=17 => self.write(),
            18..=35 => self.read(),
            36..=47 => self.increment(),
            48..=64 => self.atomic(),
            65..=76 => self.assertion(),
            77..=82 => self.redirect(),
            83..=86 if !self.in_section => self.wait_loop(),
            87 if !self.in_section => vec![self.end()],
            _ => self.write(),
        }
    }

    fn write(&mut self) -> Vec<Node> {
        self.spend(1);
        let (place, value) = (self.scope.place(self.rng), self.scope.value(self.rng));
        vec![Node::line(format!("{place} = {value};"))]
    }

    fn read(&mut self) -> Vec<Node> {
        self.spend(1);
        let place = self.scope.place(self.rng);
        vec![Node::line(format!("l{} = {place};", self.rng.below(2)))]
    }

    fn increment(&mut self) -> Vec<Node> {
        self.spend(2);
        // Not `+=`, which would be one step where cells are atomic.
        let place = self.scope.fixed(self.rng);
        vec![Node::line(format!("{place} = {place} + {};", self.rng.range(1, 2)))]
    }

    fn atomic(&mut self) -> Vec<Node> {
        self.spend(1);
        let place = self.scope.fixed(self.rng);
        let local = format!("l{}", self.rng.below(2));
        let (old, new) = (self.rng.below(3), self.rng.below(3));
        vec![Node::line(match self.rng.below(12) {
            0 => format!("{local} = atomic_fetch_add(AT({place}), {new});"),
            1 => format!("{local} = atomic_exchange(AT({place}), {new});"),
            2 => format!(
                "{{ int expected = {old}; {local} = atomic_compare_exchange_strong(AT({place}), &expected, {new}); l0 += expected; }}"
            ),
            3 => format!("{local} = atomic_load(AT({place}));"),
            4 => format!("atomic_store(AT({place}), {new});"),
            5 => format!("{local} = __sync_fetch_and_add(SYNC({place}), 1);"),
            6 => format!("{local} = __sync_bool_compare_and_swap(SYNC({place}), {old}, {new});"),
            7 => format!("{local} = __sync_val_compare_and_swap(SYNC({place}), {old}, {new});"),
            8 => format!("{local} = __sync_lock_test_and_set(SYNC({place}), {new});"),
            9 => format!("{local} = atomic_fetch_or_explicit(AT({place}), {new}, memory_order_seq_cst);"),
            10 => format!("{local} = __atomic_sub_fetch(SYNC({place}), 1, __ATOMIC_SEQ_CST);"),
            _ => format!("{local} = __sync_bool_compare_and_swap(SYNC({place}), {local}, {new});"),
        })]
    }

    fn assertion(&mut self) -> Vec<Node> {
        let text = match self.rng.below(6) {
            0 => {
                self.spend(1);
                format!("assert({} != {});", self.scope.place(self.rng), self.rng.range(2, 4))
            }
            1 => {
                self.spend(2);
                format!("assert({} <= {} + 2);", self.scope.fixed(self.rng), self.scope.fixed(self.rng))
            }
            2 => format!("assert(l0 <= l1 + {});", self.rng.range(1, 3)),
            3 => format!("assert(l0 != {});", self.rng.range(2, 4)),
            4 => format!("assert(l0 != {} || l1 != {});", self.rng.below(3), self.rng.below(3)),
            _ => format!("assert(l1 < {});", self.rng.range(2, 4)),
        };
        vec![Node::line(text)]
    }

    /// Changes what a shared pointer points to, or releases it.
    fn redirect(&mut self) -> Vec<Node> {
        self.spend(1);
        let pointer = if self.rng.chance(70) { "@p" } else { "@q" };
        vec![Node::line(match self.rng.below(10) {
            0 | 1 => format!("{pointer} = &@y;"),
            2 => format!("{pointer} = &@a[{}];", self.rng.below(2)),
            3 => format!("{pointer} = &@s.g;"),
            4 => format!(
                "{{ cell *fresh = malloc(sizeof(cell)); *fresh = {}; {pointer} = fresh; }}",
                self.rng.below(3)
            ),
            5 => {
                self.scope.uses_mine = true;
                format!("{pointer} = &mine;")
            }
            6 => "@q = @p;".to_owned(),
            7 => {
                self.spend(2);
                "if (@q) { *@q = 3; }".to_owned()
            }
            8 if self.rng.chance(30) => "free(@q); @q = 0;".to_owned(),
            _ => format!("{pointer} = &@x;"),
        })]
    }

    fn branch(&mut self) -> Vec<Node> {
        let condition = if self.rng.chance(50) {
            self.spend(1);
            format!("{} == {}", self.scope.place(self.rng), self.rng.below(3))
        } else {
            self.scope.condition(self.rng)
        };
        let before = self.budget;
        let mut parts = vec![(format!("if ({condition})"), self.nested(2))];
        if self.rng.chance(40) {
            let spent = before - self.budget;
            self.budget = before;
            parts.push(("else".to_owned(), self.nested(2)));
            self.budget = self.budget.min(before - spent);
        }
        vec![Node::Block { parts, close: String::new() }]
    }

    fn repeat(&mut self) -> Vec<Node> {
        let before = self.budget;
        self.budget /= 2;
        let body = self.nested(2);
        let rest = self.budget;
        self.budget = before - 2 * (before / 2 - rest);
        let i = format!("i{}", self.depth);
        vec![Node::block(format!("for (int {i} = 0; {i} < 2; {i}++)"), body)]
    }

    /// A section that is one step to others.
    fn section(&mut self) -> Vec<Node> {
        self.spend(1);
        let budget = std::mem::replace(&mut self.budget, 3);
        self.in_section = true;
        let mut nodes = vec![Node::line("__VERIFIER_atomic_begin();")];
        nodes.extend(self.nested(3));
        nodes.push(Node::line("__VERIFIER_atomic_end();"));
        self.in_section = false;
        self.budget = budget;
        // One block: without its end a section swallows the rest of the program.
        vec![Node::block("", nodes)]
    }

    /// Busy waiting.
    fn wait_loop(&mut self) -> Vec<Node> {
        self.spend(2);
        let place = *self.rng.pick(&["@flag", "@flag", "@ready", "@x"]);
        let other = *self.rng.pick(&["@y", "@x", "@lk"]);
        vec![Node::line(match self.rng.below(14) {
            0 => format!("while (!{place});"),
            1 => format!("while ({place} == 0) sched_yield();"),
            2 => "while (!__sync_bool_compare_and_swap(SYNC(@lk), 0, 1)); @x = @x + 1; @lk = 0;".to_owned(),
            3 => format!("while (({} = {place}) == 0) {{ if (@y == 3) break; }}", "l1"),
            4 => "while (atomic_exchange(AT(@lk), 1)) ; l0 = @x; atomic_store(AT(@lk), 0);".to_owned(),
            5 => format!("while (!({place} && {other} != 2));"),
            6 => format!("while ({place} == 0 || {place} == 2) ;"),
            // What it stores is its own, and not in a register.
            7 => format!(
                "{{ volatile int own[2] = {{0}}; do own[l1 & 1] = {place} + {other}; while (!own[l1 & 1]); }}"
            ),
            8 => format!(
                "{{ int old; do old = {other}; while (!__sync_bool_compare_and_swap(SYNC({other}), old, old + 1)); }}"
            ),
            9 => format!("while (!{place}) if ({other} == 1) {other} = 0;"),
            // Attempts that are counted for nothing, and for something.
            10 => format!("{{ int tries = 0; while (!{place}) if ((++tries & 1) == 0) sched_yield(); }}"),
            11 => format!(
                "{{ int tries = 0; while (!{place}) if (++tries > 2) {{ sched_yield(); tries = 0; }} }}"
            ),
            12 => format!("{{ int tries = 0; while (!{place} && tries < 2) tries++; l0 = tries; }}"),
            _ => format!("{place} = 1;"),
        })]
    }

    fn end(&mut self) -> Node {
        let text = match self.rng.below(5) {
            0 => "if (l0 == 1) exit(3);",
            1 => "exit(0);",
            2 => "if (l1 == 1) pthread_exit((void *)5);",
            3 if self.held.is_empty() => "if (l0 == 2) return 0;",
            _ => "if (l0 == 2) exit(1);",
        };
        Node::line(text)
    }

    pub(super) fn nested(&mut self, most: u32) -> Vec<Node> {
        self.depth += 1;
        let count = self.rng.range(1, most);
        let nodes = self.list(count);
        self.depth -= 1;
        nodes
    }
}
