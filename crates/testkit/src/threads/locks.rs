//! Statements that synchronise, in patterns that real programs have, right and wrong ones.

use super::body::Body;
use crate::generator::Node;

impl Body<'_> {
    /// A pattern of synchronisation around some statements.
    pub(super) fn synchronised(&mut self) -> Vec<Node> {
        match self.rng.below(20) {
            0..=4 => self.locked("@m0", "@m1"),
            5 => self.locked("@m1", "@m0"),
            6 => self.try_locked(),
            7 => self.recursive(),
            8 | 9 => self.condition_wait(),
            10 => self.condition_signal(),
            11 | 12 => self.semaphore(),
            13 | 14 => self.read_write(),
            15 => {
                self.spend(2);
                let text = if self.rng.chance(30) {
                    "l0 += pthread_barrier_wait(&@bar) == PTHREAD_BARRIER_SERIAL_THREAD;"
                } else {
                    "pthread_barrier_wait(&@bar);"
                };
                vec![Node::line(text)]
            }
            16 => {
                self.spend(3);
                vec![Node::line("pthread_once(&@once, @first);")]
            }
            17 => self.spin_locked(),
            18 => self.error_checked(),
            _ => self.locked("@m0", "@m0"),
        }
    }

    /// Statements between `before` and `after`, which belong together.
    fn between(&mut self, before: &str, after: &str, most: u32) -> Vec<Node> {
        let mut nodes = vec![Node::line(before)];
        nodes.extend(self.nested(most));
        nodes.push(Node::line(after));
        vec![Node::block("", nodes)]
    }

    /// A lock, sometimes with `other` inside: both orders occur, and so do deadlocks.
    fn locked(&mut self, name: &'static str, other: &'static str) -> Vec<Node> {
        if self.held.contains(&name) {
            // Relocking is misuse: seldom.
            if !self.rng.chance(10) {
                return vec![];
            }
        }
        self.spend(2);
        self.held.push(name);
        let body = if !self.held.contains(&other) && self.rng.chance(30) {
            let mut inner = self.locked(other, name);
            inner.insert(0, Node::line(format!("pthread_mutex_lock(&{name});")));
            inner.push(Node::line(format!("pthread_mutex_unlock(&{name});")));
            vec![Node::block("", inner)]
        } else {
            self.between(
                &format!("pthread_mutex_lock(&{name});"),
                &format!("pthread_mutex_unlock(&{name});"),
                2,
            )
        };
        self.held.pop();
        body
    }

    fn try_locked(&mut self) -> Vec<Node> {
        self.spend(2);
        let name = if self.rng.chance(70) { "@m0" } else { "@m1" };
        let mut body = self.nested(2);
        body.push(Node::line(format!("pthread_mutex_unlock(&{name});")));
        let mut parts = vec![(format!("if (pthread_mutex_trylock(&{name}) == 0)"), body)];
        if self.rng.chance(50) {
            parts.push(("else".to_owned(), self.nested(1)));
        }
        vec![Node::Block { parts, close: String::new() }]
    }

    fn recursive(&mut self) -> Vec<Node> {
        self.spend(2);
        if self.rng.chance(50) {
            return self.between("pthread_mutex_lock(&@rec);", "pthread_mutex_unlock(&@rec);", 2);
        }
        let (before, after) = match self.rng.below(2) {
            0 => (
                "pthread_mutex_lock(&@rec); pthread_mutex_lock(&@rec);",
                "pthread_mutex_unlock(&@rec); pthread_mutex_unlock(&@rec);",
            ),
            _ => (
                "pthread_mutex_lock(&@rec); l1 = pthread_mutex_trylock(&@rec);",
                "if (l1 == 0) pthread_mutex_unlock(&@rec); pthread_mutex_unlock(&@rec);",
            ),
        };
        // What comes between must not change the answer of the inner call.
        let mut nodes = vec![Node::line(before)];
        let place = self.scope.fixed(self.rng);
        nodes.push(Node::line(format!("{place} = l0 + 1;")));
        nodes.push(Node::line(after));
        vec![Node::block("", nodes)]
    }

    fn error_checked(&mut self) -> Vec<Node> {
        self.spend(2);
        let place = self.scope.fixed(self.rng);
        vec![Node::line(match self.rng.below(3) {
            0 => format!(
                "pthread_mutex_lock(&@chk); l0 = pthread_mutex_lock(&@chk) != 0; {place} = l0; pthread_mutex_unlock(&@chk);"
            ),
            1 => "l1 = pthread_mutex_unlock(&@chk) != 0;".to_owned(),
            _ => {
                format!("if (pthread_mutex_lock(&@chk) == 0) {{ {place} = 2; pthread_mutex_unlock(&@chk); }}")
            }
        })]
    }

    fn spin_locked(&mut self) -> Vec<Node> {
        self.spend(2);
        if self.rng.chance(70) {
            return self.between("pthread_spin_lock(&@spin);", "pthread_spin_unlock(&@spin);", 2);
        }
        let place = self.scope.fixed(self.rng);
        vec![Node::line(format!(
            "if (pthread_spin_trylock(&@spin) == 0) {{ {place} = 2; pthread_spin_unlock(&@spin); }} else l1 = 1;"
        ))]
    }

    fn condition_wait(&mut self) -> Vec<Node> {
        self.spend(4);
        let wait = "pthread_cond_wait(&@cv, &@m0);";
        let before = match self.rng.below(10) {
            // A wake-up may be lost, or come too early.
            0 => format!("pthread_mutex_lock(&@m0); {wait}"),
            1 | 2 => format!("pthread_mutex_lock(&@m0); if (!@ready) {wait}"),
            3 => "pthread_mutex_lock(&@m0); { struct timespec soon = {0, 0}; if (!@ready) l0 = pthread_cond_timedwait(&@cv, &@m0, &soon) != 0; }"
                .to_owned(),
            _ => format!("pthread_mutex_lock(&@m0); while (!@ready) {wait}"),
        };
        self.between(&before, "pthread_mutex_unlock(&@m0);", 1)
    }

    fn condition_signal(&mut self) -> Vec<Node> {
        self.spend(4);
        let call = if self.rng.chance(60) { "pthread_cond_signal" } else { "pthread_cond_broadcast" };
        vec![Node::line(match self.rng.below(5) {
            0 => format!("{call}(&@cv);"),
            1 => format!("@ready = 1; {call}(&@cv);"),
            2 => format!("pthread_mutex_lock(&@m0); @ready = 1; pthread_mutex_unlock(&@m0); {call}(&@cv);"),
            _ => format!("pthread_mutex_lock(&@m0); @ready = 1; {call}(&@cv); pthread_mutex_unlock(&@m0);"),
        })]
    }

    fn semaphore(&mut self) -> Vec<Node> {
        self.spend(2);
        match self.rng.below(7) {
            0 => vec![Node::line("sem_wait(&@sem0);")],
            1 | 2 => vec![Node::line("sem_post(&@sem0);")],
            3 => {
                let place = self.scope.fixed(self.rng);
                vec![Node::line(format!("if (sem_trywait(&@sem0) == 0) {place} = 2; else l0 = 1;"))]
            }
            4 => vec![Node::line("{ int level = 0; sem_getvalue(&@sem0, &level); l1 = level; }")],
            _ => self.between("sem_wait(&@sem1);", "sem_post(&@sem1);", 2),
        }
    }

    fn read_write(&mut self) -> Vec<Node> {
        self.spend(2);
        match self.rng.below(6) {
            0..=2 => self.between("pthread_rwlock_rdlock(&@rw);", "pthread_rwlock_unlock(&@rw);", 2),
            3 => {
                let which = *self.rng.pick(&["rd", "wr"]);
                let mut body = self.nested(1);
                body.push(Node::line("pthread_rwlock_unlock(&@rw);"));
                vec![Node::block(format!("if (pthread_rwlock_try{which}lock(&@rw) == 0)"), body)]
            }
            _ => self.between("pthread_rwlock_wrlock(&@rw);", "pthread_rwlock_unlock(&@rw);", 2),
        }
    }
}
