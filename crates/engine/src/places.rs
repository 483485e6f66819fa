//! From ids to names a person can read.

use selvedge_base::Loc;
use selvedge_exec::{State, frame_loc};
use selvedge_program::{FuncId, Program};

use crate::outcome::Place;

/// The source name of a function.
pub(crate) fn function_name(program: &Program, func: FuncId) -> String {
    let function = &program.funcs[func];
    function.display_name.clone().unwrap_or_else(|| function.name.clone())
}

/// A place in a function.
pub(crate) fn place(program: &Program, func: Option<FuncId>, loc: Loc) -> Place {
    let file = program.files.get(loc.file);
    Place {
        file: file.map(|f| f.name.clone()).unwrap_or_default(),
        dir: file.map(|f| f.dir.clone()).unwrap_or_default(),
        line: loc.line,
        column: loc.column,
        function: func.map(|f| function_name(program, f)).unwrap_or_default(),
    }
}

/// Where the user's code stands: the innermost frame that is not of the run-time.
pub(crate) fn user_place(program: &Program, state: &State) -> Place {
    let frames = &state.thread().frames;
    let frame = frames.iter().rev().find(|f| !program.funcs[f.func].is_runtime).or(frames.last());
    match frame {
        Some(frame) => place(program, Some(frame.func), frame_loc(program, frame)),
        None => Place::default(),
    }
}

/// `file:line`, or the function if no line is known.
pub(crate) fn short(place: &Place) -> String {
    match (place.line, place.function.as_str()) {
        (0, "") => "an unknown place".to_string(),
        (0, function) => format!("function {function}"),
        (line, _) => format!("{}:{line}", place.file),
    }
}
