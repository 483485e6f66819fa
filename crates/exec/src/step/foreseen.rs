//! Addresses that no pointer carried, against what the slice was computed from.
//!
//! The points-to analysis behind a slice follows values. It is right about every pointer that remembers its object, because
//! what it follows is more than what the executor lets carry an object along. Of an address that was put together from
//! numbers, bits, inputs or uninitialised memory it may know nothing.
//!
//! Guarantee: with a slice, each access and each call through such an address is one that the analysis foresaw for this
//! instruction, or the search is [lost](Stop::Lost) and begins anew without a slice. [`crate::Machine::slice`] may therefore
//! be believed in every execution that is not cut short that way.

use selvedge_analysis::{Part, Target};
use selvedge_base::Id;
use selvedge_program::{FuncId, GlobalId};

use super::Step;
use crate::code::Fact;
use crate::finding::{Res, Stop};
use crate::machine::point;
use crate::value::{ObjId, Region};

impl Step<'_, '_> {
    /// Notes which instruction has made an object.
    pub(crate) fn note_maker(&mut self, obj: ObjId) {
        if let Some(slice) = &self.m.slice {
            let maker = slice.number(point(self.st.frame()));
            self.st.mem.get_mut(obj).expect("just made").maker = maker;
        }
    }

    /// An address without an object has led to `part` of `obj`: was that foreseen?
    pub(super) fn check_foreseen(&mut self, obj: ObjId, part: Part) -> Res<()> {
        self.m.note_fact(|| Fact::Fleeting);
        let Some(slice) = &self.m.slice else { return Ok(()) };
        let target = match obj.region() {
            // Not memory that can be accessed.
            Region::Function => return Ok(()),
            Region::Global => Some(Target::Global(GlobalId::new(obj.index()))),
            Region::Heap | Region::Stack => {
                self.st.mem.get(obj).and_then(|object| object.maker).map(Target::Made)
            }
        };
        match target.is_some_and(|target| slice.foresees_access(point(self.st.frame()), target, part)) {
            true => Ok(()),
            false => Err(Box::new(Stop::Lost)),
        }
    }

    /// As [`check_foreseen`](Self::check_foreseen), for a call.
    pub(super) fn check_foreseen_call(&mut self, func: FuncId) -> Res<()> {
        self.m.note_fact(|| Fact::Fleeting);
        match self.m.slice.as_ref().is_none_or(|slice| slice.foresees_call(point(self.st.frame()), func)) {
            true => Ok(()),
            false => Err(Box::new(Stop::Lost)),
        }
    }
}
