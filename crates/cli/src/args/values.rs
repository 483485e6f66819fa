//! Values of flags that several commands have.

use std::fmt::Display;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use num_bigint::BigInt;
use selvedge_engine::{Property, ReductionKind};

/// One name of `--check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PropertyArg {
    Default,
    All,
    One(Property),
}

/// A name of a property, or of a set of them.
pub(super) fn property(name: &str) -> Result<PropertyArg, String> {
    match name.trim() {
        "default" => Ok(PropertyArg::Default),
        "all" => Ok(PropertyArg::All),
        name => match Property::named(name) {
            Some(property) => Ok(PropertyArg::One(property)),
            None => {
                let known: Vec<&str> = Property::ALL.iter().map(|property| property.name()).collect();
                Err(format!("unknown property `{name}`; known are {}, default, all", known.join(", ")))
            }
        },
    }
}

/// Names of reductions.
pub(super) fn reductions() -> impl TypedValueParser<Value = ReductionKind> {
    let names = ReductionKind::ALL.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names).try_map(|name| ReductionKind::named(&name).ok_or("unknown reduction"))
}

/// A number of seconds, more than 0.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if value > 0.0 {
        Duration::try_from_secs_f64(value).map_err(|_| "too many seconds".to_owned())
    } else {
        Err("must be more than 0 seconds".to_owned())
    }
}

/// A constant of a model and its value.
pub(super) fn define(text: &str) -> Result<(String, BigInt), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not an integer"))?;
    Ok((name.trim().to_owned(), value))
}

/// A help text with the default of a flag that must tell whether it is given.
pub(super) fn with_default(text: &str, default: impl Display) -> String {
    format!("{text} [default: {default}]")
}
