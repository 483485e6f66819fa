//! A proof as it is kept for later versions of the program.
//!
//! The text of a proof names functions, blocks, registers and objects by numbers, which versions share
//! (`selvedge_incremental::align`), and the lines where threads stand, which they do not. So the places are kept as places
//! in the code; [`Kept::moved`] is the same proof as one about another version. What a proof object has around it, which
//! says what program it is about, is not kept: this is about no program until it was checked.
//!
//! Guarantee: none. What comes out is a proof only if the checker accepts it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_exec::{CodeNames, Place};
use selvedge_program::Program;
use selvedge_prove::{Opened, ProofError};
use serde::{Deserialize, Serialize};

use crate::proof::read::{Unread, headed};
use crate::proof::{Shown, Stand, Stands};

/// Function, block and position of an instruction, by the numbers that versions share.
type Numbers = (u32, u32, u32);

/// A proof of one version, for others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// How it was found.
    check: String,
    /// The lines of the proof object.
    body: String,
    /// For each control state, by its name: where its threads stand.
    stands: BTreeMap<u64, Vec<(u32, Numbers)>>,
}

impl Kept {
    /// A proof whose threads stand at these places.
    pub(crate) fn new(opened: Opened<'_>, stands: &Stands, names: Option<&CodeNames>) -> Kept {
        let numbers = |at: &Place| {
            let (block, inst) = names.map_or((at.block.0, at.inst), |names| names.place(*at));
            (at.func.0, block, inst)
        };
        let lasting =
            |stand: &Stand| stand.iter().map(|(thread, at)| (*thread as u32, numbers(at))).collect();
        let stands = stands.iter().map(|(name, stand)| (name.number(), lasting(stand))).collect();
        let body = opened.lines.map(|(_, line)| format!("{line}\n")).collect();
        Kept { check: opened.check.to_owned(), body, stands }
    }

    /// The lines of the proof.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// As a text of which the heading was read.
    pub(crate) fn unread(&self) -> Result<Unread<'_>, ProofError> {
        headed(Opened { check: &self.check, lines: self.body.lines().enumerate() })
    }

    /// The proof as one about `program`, a version of the program, without the control states whose code is gone. `None` if
    /// it is none at all.
    pub(crate) fn moved(&self, program: &Program, names: Option<&CodeNames>) -> Option<Kept> {
        let places = Places::new(program, names);
        let mut shown = Shown::new(program);
        let mut body = String::with_capacity(self.body.len());
        let mut stands = BTreeMap::new();
        let mut is_there = true;
        for line in self.body.lines() {
            if let Some(state) = line.strip_prefix("state ") {
                let name = state.split(' ').next().unwrap_or_default();
                let number = u64::from_str_radix(name, 16).ok()?;
                let known = self.stands.get(&number).and_then(|stand| Some((stand, places.all(stand)?)));
                is_there = known.is_some();
                if let Some((stand, here)) = known {
                    stands.insert(number, stand.clone());
                    body.push_str("state ");
                    body.push_str(name);
                    if !here.is_empty() {
                        body.push(' ');
                        body.push_str(&shown.stand(&here));
                    }
                    body.push('\n');
                }
            } else if is_there {
                body.push_str(line);
                body.push('\n');
            }
        }
        Some(Kept { check: self.check.clone(), body, stands })
    }
}

/// Places in the code by the numbers that versions share.
struct Places(FxHashMap<Numbers, Place>);

impl Places {
    fn new(program: &Program, names: Option<&CodeNames>) -> Places {
        let mut places = FxHashMap::default();
        for (func, function) in program.funcs.enumerate().filter(|(_, function)| !function.is_runtime) {
            for (block, body) in function.blocks.enumerate() {
                for inst in 0..body.insts.len() as u32 {
                    let place = Place { func, block, inst };
                    let (block, inst) = names.map_or((block.0, inst), |names| names.place(place));
                    places.insert((func.0, block, inst), place);
                }
            }
        }
        Places(places)
    }

    fn all(&self, stand: &[(u32, Numbers)]) -> Option<Stand> {
        stand.iter().map(|(thread, at)| Some((*thread as usize, *self.0.get(at)?))).collect()
    }
}
