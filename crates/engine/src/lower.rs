//! From the configuration to what the layers below take.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use selvedge_analysis::{Library, Properties, Slice};
use selvedge_exec::Options;
use selvedge_explore::{Rules, SearchConfig, SummaryLimits};
use selvedge_library::{Life, Signal, Written};
use selvedge_program::Program;
use selvedge_solver::SolverConfig;

use crate::config::Config;
use crate::property::{About, Property};
use crate::reduction::{Backtrack, Reduction};

/// What the search does.
pub(crate) fn search_config(config: &Config) -> SearchConfig {
    SearchConfig {
        order: config.search.order,
        seed: config.search.seed,
        arguments: config.arguments.clone(),
        reduction: reduction(&config.reduction),
        thread_order: config.switches.thread_order(),
        summaries: summaries(config),
        archive: None,
    }
}

/// How interleavings are reduced.
fn reduction(reduction: &Reduction) -> selvedge_por::Config {
    use selvedge_por::Reduction as Por;
    let (how, sleep) = match reduction.parts().dpor {
        None => (Por::None, false),
        Some(dpor) => match dpor.backtrack {
            Backtrack::WakeupTrees => (Por::Optimal, dpor.sleep),
            Backtrack::SourceSets => (Por::Source, dpor.sleep),
        },
    };
    selvedge_por::Config { sleep, ..selvedge_por::Config::new(how) }
}

/// Whether what is known to be safe is left out. Not where the number of steps matters, which is no part of a state; nor
/// where a property is about what formulas do not say.
fn summaries(config: &Config) -> Option<(SummaryLimits, Rules)> {
    let limits = config.reduction.parts().summaries?;
    let is_about_more = config.properties.iter().any(|property| match property.facts().about {
        About::Steps | About::Waits | About::Blocks => false,
        // How a state was reached (R10), from which objects all pointers were derived, and what was ever written.
        About::Order | About::Pointers | About::Written => true,
    });
    let counts_steps = config.bounds.max_steps.is_some();
    (!is_about_more && !counts_steps).then_some((limits, config.switches.rules()))
}

/// What matters for the checked properties, where that is asked for and can be told. Test cases are replayed with all
/// their steps, so where they are wanted everything matters.
pub(crate) fn slice(program: &Program, config: &Config) -> Option<Arc<Slice>> {
    let library = Library::new(program);
    let starts_threads = library.has(Life::Create) || library.has(Written::ThreadCreate);
    if !config.reduction.parts().slice || !starts_threads || !is_followed(program, config) {
        return None;
    }
    let slice = Slice::new(program, analysed(&config.properties));
    slice.gave_up().is_none().then(|| Arc::new(slice))
}

/// Whether the analyses of dependences know all that can happen under this configuration.
pub(crate) fn is_followed(program: &Program, config: &Config) -> bool {
    // A handler of a signal may be entered anywhere.
    let library = Library::new(program);
    let signals = [Signal::Set, Signal::Send, Signal::Alarm, Signal::Wait];
    let has_signals = signals.into_iter().any(|function| library.has(function));
    let is_foreseen = |property: &Property| match property.facts().about {
        About::Steps | About::Waits | About::Blocks | About::Pointers | About::Order => true,
        // Every branch can fail.
        About::Written => false,
    };
    // Output that may fail is an input.
    let is_input = config.surroundings.failing.io;
    !has_signals && !is_input && config.properties.iter().all(is_foreseen) && !config.search.tests
}

/// The checked properties as the analyses tell them apart.
pub(crate) fn analysed(properties: &[Property]) -> Properties {
    properties.iter().fold(Properties::NONE, |all, property| all.or(property.facts().fails))
}

/// What decides how a step behaves.
pub(crate) fn exec_options(program: &Program, config: &Config) -> Options {
    let order = tracing::info_span!(target: "analysis", "order");
    Options {
        checks: config.properties.iter().flat_map(|property| property.facts().kinds).copied().collect(),
        bounds: config.bounds,
        surroundings: config.surroundings.clone(),
        share_everything: config.search.share_everything,
        ignore_waits: config.switches.ignores_waits(),
        loop_points: false,
        telling_calls: order.in_scope(|| selvedge_analysis::telling_calls(program)).into(),
    }
}

/// The chain of solvers, stopped by `interrupt`.
pub(crate) fn solver_config(config: &Config, interrupt: Arc<AtomicBool>) -> SolverConfig {
    SolverConfig { interrupt, ..config.solver.clone() }
}
