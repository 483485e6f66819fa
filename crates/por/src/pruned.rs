//! What a skipped part of the search would have touched.
//!
//! A search that recognises a state as covered does not look below it. The races between the steps that led
//! there and those it does not make must be analysed all the same, or interleavings are lost: the known
//! trap of stateful DPOR. So [`Dpor::prune`](crate::Dpor::prune) takes a [`Pruned`], which cannot be made
//! without a [`Footprint`], and a footprint comes from the search that explored the part
//! ([`Dpor::leave`](crate::Dpor::leave)) or is built from events.
//!
//! Relies on: a footprint holds every event of every execution of the part, up to over-approximation.

use crate::event::Event;
use crate::table::EventId;

/// The events of a part of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// Invariant: sorted, no duplicates. Ids of the [`Dpor`](crate::Dpor) that made it.
    pub(crate) events: Vec<EventId>,
}

impl Footprint {
    /// The footprint with these events.
    pub(crate) fn of(mut events: Vec<EventId>) -> Footprint {
        events.sort_unstable();
        events.dedup();
        Footprint { events }
    }

    /// Adds one event.
    pub(crate) fn add(&mut self, event: EventId) {
        if let Err(position) = self.events.binary_search(&event) {
            self.events.insert(position, event);
        }
    }

    /// Adds all events of another.
    pub(crate) fn merge(&mut self, other: &Footprint) {
        if other.events.is_empty() {
            return;
        }
        self.events.extend_from_slice(&other.events);
        self.events.sort_unstable();
        self.events.dedup();
    }

    /// Whether the part has no event that anyone else could notice.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Number of distinct events.
    pub fn len(&self) -> usize {
        self.events.len()
    }
}

/// A part of the search that is skipped, with what it would have done.
#[derive(Clone, Debug)]
#[must_use = "a skipped part must be handed to Dpor::prune"]
pub struct Pruned {
    pub(crate) source: Source,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Footprint(Footprint),
    Events(Vec<Event>),
}

impl Pruned {
    /// A part that was explored before, by the same search, with this footprint.
    pub fn explored_before(footprint: &Footprint) -> Pruned {
        Pruned { source: Source::Footprint(footprint.clone()) }
    }

    /// A part that would make at most these events.
    pub fn with_events(events: impl IntoIterator<Item = Event>) -> Pruned {
        Pruned { source: Source::Events(events.into_iter().collect()) }
    }
}
