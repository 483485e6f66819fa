//! What blocked threads wait for, and who could end their waits.

use selvedge_por::Location;

use super::Phase;
use crate::finding::Label;
use crate::machine::Machine;
use crate::names::cell_name;
use crate::state::State;
use crate::sync::{self, Family, Needs};

impl State {
    /// Whether `thread` waits in a loop that a clock ends, too, if it goes far enough.
    pub fn waits_for_time(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        thread.time_ends_wait && matches!(thread.phase, Phase::Spinning(_))
    }

    /// Whether somebody outside of the program could end the wait of `thread`, although nobody does any more.
    pub fn waits_for_outside(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        thread.waits_for_outside && matches!(thread.phase, Phase::Waiting(_))
    }

    /// The thread whose end `thread` waits for, if it does.
    pub fn waits_for_end_of(&self, thread: usize) -> Option<usize> {
        let Phase::Waiting(accesses) = &self.threads[thread].phase else { return None };
        accesses.iter().find_map(|a| match a.location {
            Location::Sync(key) if sync::family(key) == Some(Family::Ending) => {
                Some(sync::address(key) as usize)
            }
            _ => None,
        })
    }

    /// Threads that `thread` needs, each of them, to go on: those that hold the lock it waits for, or the one whose end
    /// it waits for. Nobody if its wait could be ended by any thread.
    pub fn waits_for_threads(&self, thread: usize) -> Vec<usize> {
        let Phase::Waiting(accesses) = &self.threads[thread].phase else { return Vec::new() };
        let mut needed = Vec::new();
        for access in accesses.iter().filter(|a| !self.is_open(**a)) {
            let Location::Sync(key) = access.location else { continue };
            let needs = sync::facts(key).map_or(Needs::Anybody, |facts| facts.needs);
            match needs {
                Needs::Thread => needed.push(sync::address(key) as usize),
                Needs::Holders | Needs::HoldersAndReaders => {
                    let Some(lock) = self.sync.get(key) else { continue };
                    needed.extend(lock.owner.checked_sub(1).map(|owner| owner as usize));
                    if needs == Needs::HoldersAndReaders {
                        needed.extend(lock.queue.iter().map(|&reader| reader as usize));
                    }
                }
                Needs::Anybody => {}
            }
        }
        needed
    }
}

impl Machine<'_> {
    /// What a blocked thread waits for, for a person.
    pub fn waits_for(&self, state: &State, thread: usize) -> String {
        let Phase::Waiting(accesses) = &state.threads[thread].phase else { return "waits".to_string() };
        let closed = accesses.iter().copied().find(|a| !state.is_open(*a));
        let Some(Location::Sync(key)) = closed.map(|a| a.location) else { return "waits".to_string() };
        let owner = state.sync.get(key).map_or(0, |s| s.owner);
        let held = match owner {
            0 => String::new(),
            owner => format!(", held by thread {}", owner - 1),
        };
        let name = self.sync_name(state, key);
        match sync::family(key) {
            Some(Family::Mutex) => format!("waits for mutex {name}{held}"),
            Some(Family::RwLock) => format!("waits for read-write lock {name}{held}"),
            Some(Family::WakeUp) => "waits on a condition variable".to_string(),
            Some(Family::Semaphore) if name.contains(crate::memory::KEPT) => "waits in this call".to_string(),
            Some(Family::Semaphore) => format!("waits for semaphore {name}"),
            Some(Family::Barrier | Family::Round) => format!("waits at barrier {name}"),
            Some(Family::Once) => format!("waits for the function of {name}"),
            Some(Family::Ending) => format!("waits for thread {} to end", sync::address(key)),
            Some(Family::Signal) => "waits for a signal".to_string(),
            Some(
                Family::Condition
                | Family::Cancel
                | Family::Stdin
                | Family::Key
                | Family::Futex
                | Family::Joined
                | Family::Failures,
            )
            | None => "waits".to_string(),
        }
    }

    /// The locks that `thread` holds and where it took them, as far as that was recorded.
    pub fn locks_taken(&self, state: &State, thread: usize) -> Vec<Label> {
        let Some(recorder) = &self.recorder else { return Vec::new() };
        let mut taken = Vec::new();
        for (key, lock) in state.sync.iter() {
            let Some(kind) = sync::facts(key).and_then(|facts| facts.lock) else { continue };
            let holds = lock.owner == thread as u32 + 1 || lock.queue.contains(&(thread as u32));
            if let Some(place) = recorder.taken(thread, key).filter(|_| holds) {
                let text = format!("holds {kind} {} since here", self.sync_name(state, key));
                taken.push(Label::of_thread(thread, text, vec![place]));
            }
        }
        taken
    }

    /// The source name of the synchronisation object with this key.
    pub fn sync_name(&self, state: &State, key: u64) -> String {
        let address = sync::place(key);
        let object = state.mem.find(address).and_then(|obj| state.mem.get(obj));
        object.map_or_else(
            || format!("{address:#x}"),
            |object| format!("`{}`", cell_name(self.image.program, object, address - object.base, 1).0),
        )
    }
}
