//! One table of all library functions that the engine gives meaning to, or treats in a special way.
//!
//! A function is a [`Known`]: [`classify`] finds it by its name, once, and from then on it is matched as an enumeration.
//! Its [`Row`] has all facts: names, signature, action on memory and control, whether it can wait, what
//! `replay --native` does with it, and a sentence for the documentation. Executor, analyses, front end and documents
//! read them here.
//!
//! Families are enumerations of their own, one for each file of models in the executor, which gives them their meaning
//! by a `match`: a function without a model, or a model without a function, does not compile. [`Written`] are those
//! whose meaning is C code in the run-time.
//!
//! Guarantee: no name is in two rows. The crate knows names only: no programs, no terms, no states.

mod action;
mod control;
mod input;
mod locks;
mod math;
mod memory;
mod names;
mod output;
mod row;
mod signature;
mod threads;
mod world;
mod written;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use action::Action;
pub use control::{Jumps, Process, Unwind};
pub use input::{Input, nondet_suffix};
pub use locks::{Barrier, Cond, Futex, Mutex, RwLock, Semaphore};
pub use math::{Errors, Math, Precision, Real, Rounding};
pub use memory::{Copying, Heap, Mapping, Operator, Pointers};
pub use names::{ERRNO, is_computed_by_clang, is_cxx, is_stream_state};
pub use output::{Console, Errno, Io, StreamLock};
pub use row::{Native, Row, Use};
pub use signature::{Gives, Kind, Signature};
pub use threads::{Cancel, Keys, Life, Once, Point, Section};
pub use world::{Clock, Failures, Signal, World};
pub use written::Written;

/// Makes [`Known`] of the families that are plain rows, and [`Math`], which has precisions.
macro_rules! known {
    ($($family:ident in $topic:ident,)*) => {
        /// A function that has a row.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Known {
            $(#[doc = concat!("See [`", stringify!($family), "`].")] $family($family),)*
            /// A function of `math.h`, of one precision.
            Math(Math, Precision),
        }

        $(impl From<$family> for Known {
            fn from(function: $family) -> Known {
                Known::$family(function)
            }
        })*

        impl Known {
            /// All of them.
            pub fn all() -> impl Iterator<Item = Known> {
                let reals = Math::ALL.iter().flat_map(|math| {
                    let forms = [Precision::Single, Precision::Double, Precision::Extended];
                    forms.into_iter().map(|precision| Known::Math(*math, precision))
                });
                let reals = reals.filter(|real| real.names().next().is_some());
                std::iter::empty()$(.chain($family::ALL.iter().map(|f| Known::$family(*f))))*.chain(reals)
            }

            /// What is known of it.
            pub fn row(self) -> &'static Row {
                match self {
                    $(Known::$family(function) => function.row(),)*
                    Known::Math(math, _) => &math.row().row,
                }
            }

            /// What it is about.
            pub fn topic(self) -> Topic {
                match self {
                    $(Known::$family(_) => Topic::$topic,)*
                    Known::Math(..) => Topic::Mathematics,
                }
            }
        }
    };
}

known! {
    Heap in Allocation,
    Mapping in Mappings,
    Copying in Memory,
    Pointers in Inputs,
    Input in Inputs,
    Process in Program,
    Jumps in Jumps,
    Unwind in Threads,
    Io in Streams,
    StreamLock in Streams,
    Console in Streams,
    Errno in Memory,
    World in Files,
    Failures in Files,
    Clock in Time,
    Signal in Jumps,
    Life in Threads,
    Cancel in Threads,
    Keys in Threads,
    Once in Threads,
    Section in Threads,
    Point in Threads,
    Mutex in Threads,
    Cond in Threads,
    RwLock in Threads,
    Semaphore in Threads,
    Barrier in Threads,
    Futex in Threads,
    Rounding in Mathematics,
    Written in Program,
}

/// What functions are about, for readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Characters.
    Characters,
    /// Strings and memory.
    Memory,
    /// Program, numbers, sorting.
    Program,
    /// The system.
    System,
    /// Files.
    Files,
    /// Pipes, and waiting for descriptors.
    Descriptors,
    /// The network.
    Network,
    /// Mappings.
    Mappings,
    /// Allocation.
    Allocation,
    /// Streams.
    Streams,
    /// Wide characters.
    WideCharacters,
    /// Searching.
    Searching,
    /// Complex numbers.
    ComplexNumbers,
    /// Mathematics.
    Mathematics,
    /// Time.
    Time,
    /// Jumps and signals.
    Jumps,
    /// The locale.
    Locale,
    /// Threads.
    Threads,
    /// Inputs and assumptions.
    Inputs,
}

impl Topic {
    /// A heading for a document.
    pub fn heading(self) -> &'static str {
        match self {
            Topic::Characters => "Characters (`ctype.h`)",
            Topic::Memory => "Strings and memory (`string.h`, `strings.h`, `libgen.h`)",
            Topic::Program => "Program, numbers, sorting (`stdlib.h`, `assert.h`)",
            Topic::System => "System (`sys/resource.h`, `unistd.h`, `sched.h`)",
            Topic::Files => "Files (`fcntl.h`, `unistd.h`, `sys/stat.h`, `dirent.h`)",
            Topic::Descriptors => {
                "Pipes and waiting for descriptors (`unistd.h`, `poll.h`, `sys/select.h`, `sys/epoll.h`)"
            }
            Topic::Network => "Network (`sys/socket.h`, `netdb.h`, `arpa/inet.h`)",
            Topic::Mappings => "Mappings (`sys/mman.h`, `unistd.h`), anonymous ones only",
            Topic::Allocation => "Allocation (`stdlib.h`, `malloc.h`, C++ `new` and `delete`)",
            Topic::Streams => "Input and output (`stdio.h`, `err.h`)",
            Topic::WideCharacters => "Wide characters (`wchar.h`, `wctype.h`), in the C locale",
            Topic::Searching => "Searching (`search.h`)",
            Topic::ComplexNumbers => "Complex numbers (`complex.h`)",
            Topic::Mathematics => "Mathematics (`math.h`), most of it on concrete numbers only",
            Topic::Time => "Time (`time.h`)",
            Topic::Jumps => "Jumps and signals (`setjmp.h`, `signal.h`)",
            Topic::Locale => "Locale (`locale.h`, `langinfo.h`)",
            Topic::Threads => "Threads (`pthread.h`, `semaphore.h`, `threads.h`)",
            Topic::Inputs => "Inputs and assumptions (`selvedge.h`, SV-COMP, KLEE)",
        }
    }
}

static BY_NAME: LazyLock<FxHashMap<&'static str, Known>> = LazyLock::new(|| {
    let names = Known::all().flat_map(|known| known.names().map(move |name| (name, known)));
    names.collect()
});

/// The function of this name.
pub fn classify(name: &str) -> Option<Known> {
    if let Some(known) = BY_NAME.get(name) {
        return Some(*known);
    }
    match nondet_suffix(name) {
        Some(_) => Some(Known::Input(Input::Nondet)),
        None => written::by_prefix(name).map(Known::Written),
    }
}

/// The names of all functions that `replay --native` treats in this way.
pub fn replaced(how: Native) -> impl Iterator<Item = &'static str> {
    Known::all().filter(move |known| known.row().native.contains(&how)).flat_map(Known::names)
}

impl Known {
    /// Its names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = match self {
            Known::Math(math, precision) => math.row().names(precision),
            _ => self.row().names,
        };
        names.split_ascii_whitespace()
    }

    /// What it takes and gives.
    pub fn signature(self) -> Signature {
        let precision = match self {
            Known::Math(_, precision) => precision,
            _ => Precision::Double,
        };
        Signature { text: self.row().signature, precision }
    }

    /// What it does to memory and control.
    pub fn action(self) -> Action {
        self.row().action
    }

    /// Whether the engine gives it a meaning if it is defined nowhere.
    pub fn is_modelled(self) -> bool {
        !matches!(self, Known::Written(_))
    }

    /// Whether its body is one step to other threads, by the convention of names of SV-COMP.
    pub fn is_atomic(self) -> bool {
        matches!(self, Known::Written(Written::Atomic) | Known::Section(Section::Begin | Section::End))
    }

    /// What an allocation or release belongs to.
    pub fn operator(self) -> Operator {
        match self {
            Known::Heap(Heap::New | Heap::Delete) | Known::Written(Written::New | Written::Delete) => {
                Operator::New
            }
            Known::Heap(Heap::NewArray | Heap::DeleteArray)
            | Known::Written(Written::NewArray | Written::DeleteArray) => Operator::NewArray,
            _ => Operator::Malloc,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_two_rows() {
        let mut seen = FxHashMap::default();
        for known in Known::all() {
            for name in known.names() {
                assert_eq!(seen.insert(name, known), None, "{name}");
                assert_eq!(classify(name), Some(known), "{name}");
            }
        }
        assert!(seen.len() > 500, "{}", seen.len());
        assert_eq!(classify("no_such_function"), None);
    }

    #[test]
    fn every_signature_is_well_formed() {
        for known in Known::all() {
            assert!(known.signature().is_well_formed(), "{known:?}");
        }
    }

    #[test]
    fn every_row_says_what_the_function_does() {
        for known in Known::all() {
            let does = known.row().does.trim();
            assert!(does.ends_with('.') && does.len() > 4, "{known:?}: {does}");
        }
    }

    #[test]
    fn names_by_convention_have_rows_of_their_own() {
        assert_eq!(classify("__VERIFIER_nondet_int"), Some(Input::Nondet.into()));
        assert_eq!(classify("nondet_anything"), Some(Input::Nondet.into()));
        assert_eq!(classify("nondet_"), None);
        assert_eq!(classify("__VERIFIER_atomic_begin"), Some(Section::Begin.into()));
        assert_eq!(classify("__VERIFIER_atomic_inc"), Some(Written::Atomic.into()));
        assert_eq!(classify("_Znwm"), Some(Heap::New.into()));
        assert_eq!(classify("_ZnwmSt11align_val_t"), Some(Written::New.into()));
    }

    #[test]
    fn names_without_rows_are_told_apart() {
        for name in ["strlen", "abs", "hypotf", "isnanl"] {
            assert!(is_computed_by_clang(name), "{name}");
        }
        assert!(!is_computed_by_clang("strlenf") && !is_computed_by_clang("my_strlen"));
        assert!(is_stream_state("_ZNKSt9basic_iosIcSt11char_traitsIcEE4failEv"));
        assert!(!is_stream_state("_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv"));
    }

    #[test]
    fn precisions_are_told_by_the_name() {
        assert_eq!(classify("sinf"), Some(Known::Math(Math::Sin, Precision::Single)));
        assert_eq!(classify("erf"), Some(Known::Math(Math::Erf, Precision::Double)));
        assert_eq!(classify("fmaxl"), Some(Known::Math(Math::Fmax, Precision::Extended)));
        assert_eq!(classify("sinl"), None);
        let Some(known) = classify("modff") else { panic!("a row") };
        assert_eq!(known.signature().gives(), Gives::One(Kind::Float(Precision::Single)));
    }

    #[test]
    fn what_belongs_together_has_the_same_operator() {
        let operator = |name| classify(name).expect("a row").operator();
        assert_eq!(operator("_Znwm"), operator("_ZdlPvm"));
        assert_eq!(operator("_ZnamRKSt9nothrow_t"), operator("_ZdaPv"));
        assert_ne!(operator("_Znwm"), operator("_Znam"));
        assert_eq!(operator("calloc"), operator("free"));
    }
}
