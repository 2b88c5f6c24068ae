//! What the module decides, without input or output.

use super::types::{SessionState, ShareState};
use dualseal::IdentityId;
use dualseal::shamir::Threshold;
use platform::access::{Caller, Tier};
use platform::problem::Problem;

/// A node that said it has its share as long ago, in milliseconds, counts as present.
pub(crate) const PRESENT_FOR: i64 = 10 * 60 * 1000;
/// As long, in milliseconds, what was prepared can be committed.
pub(crate) const PREPARED_FOR: i64 = 15 * 60 * 1000;
/// And as much longer nodes keep it, so that none has thrown away what is being committed.
pub(crate) const KEPT_LONGER: i64 = 5 * 60 * 1000;
/// As long, in milliseconds, a request is remembered after its time was over.
pub(crate) const REMEMBERED_FOR: i64 = 24 * 60 * 60 * 1000;
/// The most requests of one session that wait at once.
pub(crate) const MOST_OPEN: u64 = 16;
/// The longest message of a request: nodes are shown the messages of many at once.
pub(crate) const LONGEST_MESSAGE: usize = 64 << 10;

/// What happens to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A node pulled its share for the first time.
    Pulled,
    /// A node acknowledged its share, and whether all have by now.
    Acknowledged {
        /// All shares of the generation in force.
        all: bool,
    },
    /// Its secret was dealt anew.
    Prepared,
    /// What was prepared counts, and whether all nodes had acknowledged it.
    Committed {
        /// All shares of it.
        all: bool,
    },
    /// What was prepared has lapsed, and whether the shares in force are all with their nodes.
    Lapsed {
        /// All shares of the generation in force.
        all: bool,
    },
}

impl SessionState {
    /// The state after an event; `None` where there is no such transition.
    pub(crate) fn after(self, event: Event) -> Option<Self> {
        let held = |all| if all { Self::Active } else { Self::Distributing };
        match self {
            Self::Founded => (event == Event::Pulled).then_some(Self::Distributing),
            Self::Distributing => match event {
                Event::Pulled => Some(self),
                Event::Acknowledged { all } => Some(held(all)),
                Event::Prepared => Some(Self::Refreshing),
                Event::Committed { .. } | Event::Lapsed { .. } => None,
            },
            Self::Active => (event == Event::Prepared).then_some(Self::Refreshing),
            Self::Refreshing => match event {
                Event::Committed { all } | Event::Lapsed { all } => Some(held(all)),
                Event::Pulled | Event::Acknowledged { .. } | Event::Prepared => Some(self),
            },
            Self::Retired => None,
        }
    }

    /// The state as it is told: where the quorum's key was called back, or the log has ended, it signs no more.
    pub(crate) fn told(self, signs_no_more: bool) -> Self {
        if signs_no_more { Self::Retired } else { self }
    }
}

impl ShareState {
    /// The state after its node pulled it; `None` where the service has it no more.
    pub(crate) fn pulled(self) -> Option<Self> {
        match self {
            Self::Waiting | Self::Pulled => Some(Self::Pulled),
            Self::Acknowledged => None,
        }
    }

    /// The state after its node said that it has it; `None` where it was never handed out.
    pub(crate) fn acknowledged(self) -> Option<Self> {
        match self {
            Self::Waiting => None,
            Self::Pulled | Self::Acknowledged => Some(Self::Acknowledged),
        }
    }
}

/// Whether a caller is shown a session, and may ask its nodes for something: its founder, a custodian, a native.
pub(crate) fn may_see(caller: &Caller, founder: &IdentityId, mut owners: impl Iterator<Item = IdentityId>) -> bool {
    caller.tier == Tier::Native || caller.subject == *founder || owners.any(|owner| owner == caller.subject)
}

/// What is known of a share at its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Its node said so within [`PRESENT_FOR`].
    Present,
    /// Nobody said so.
    Missing,
    /// What its node gave back last is not what was committed to.
    Invalid,
}

/// By when its node last had it, and when it last gave back something else.
pub(crate) fn presence(held: Option<i64>, invalid: Option<i64>, now: i64) -> Presence {
    match (held, invalid) {
        (held, Some(invalid)) if held.is_none_or(|held| held <= invalid) => Presence::Invalid,
        (Some(held), _) if now.saturating_sub(held) <= PRESENT_FOR => Presence::Present,
        _ => Presence::Missing,
    }
}

/// Whether a request still takes shares, and serves.
pub(crate) fn is_open(state: &str, expires: i64, now: i64) -> bool {
    state == "open" && now < expires
}

/// The numbers of a session.
pub(crate) fn threshold(n: u64, k: u64) -> Result<Threshold, Problem> {
    Threshold::new(k, n).map_err(|error| {
        let field = if Threshold::new(2, n).is_ok() { "/k" } else { "/n" };
        Problem::invalid(field, error.row().name, error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_goes_from_its_founding_to_its_nodes_and_through_every_refresh() {
        use SessionState::{Active, Distributing, Founded, Refreshing, Retired};
        let events = [
            Event::Pulled,
            Event::Acknowledged { all: false },
            Event::Acknowledged { all: true },
            Event::Prepared,
            Event::Committed { all: false },
            Event::Committed { all: true },
            Event::Lapsed { all: false },
            Event::Lapsed { all: true },
        ];
        let table = [
            (Founded, [Some(Distributing), None, None, None, None, None, None, None]),
            (
                Distributing,
                [Some(Distributing), Some(Distributing), Some(Active), Some(Refreshing), None, None, None, None],
            ),
            (Active, [None, None, None, Some(Refreshing), None, None, None, None]),
            (
                Refreshing,
                [
                    Some(Refreshing),
                    Some(Refreshing),
                    Some(Refreshing),
                    Some(Refreshing),
                    Some(Distributing),
                    Some(Active),
                    Some(Distributing),
                    Some(Active),
                ],
            ),
            (Retired, [None; 8]),
        ];
        assert_eq!(table.len(), SessionState::ALL.len());
        for (state, after) in table {
            for (event, expected) in events.into_iter().zip(after) {
                assert_eq!(state.after(event), expected, "{state:?} {event:?}");
            }
        }
        assert_eq!(Active.told(true), Retired);
        assert_eq!(Active.told(false), Active);
    }

    #[test]
    fn a_share_is_handed_out_until_its_node_has_it() {
        use ShareState::{Acknowledged, Pulled, Waiting};
        let table = [
            (Waiting, Some(Pulled), None),
            (Pulled, Some(Pulled), Some(Acknowledged)),
            (Acknowledged, None, Some(Acknowledged)),
        ];
        assert_eq!(table.len(), ShareState::ALL.len());
        for (state, pulled, acknowledged) in table {
            assert_eq!((state.pulled(), state.acknowledged()), (pulled, acknowledged), "{state:?}");
        }
    }

    #[test]
    fn what_was_said_last_counts_and_for_ten_minutes() {
        let now = 10 * PRESENT_FOR;
        for (held, invalid, expected) in [
            (None, None, Presence::Missing),
            (Some(now), None, Presence::Present),
            (Some(now - PRESENT_FOR), None, Presence::Present),
            (Some(now - PRESENT_FOR - 1), None, Presence::Missing),
            (Some(now), Some(now - 1), Presence::Present),
            (Some(now - 1), Some(now), Presence::Invalid),
            (Some(now), Some(now), Presence::Invalid),
            (None, Some(1), Presence::Invalid),
        ] {
            assert_eq!(presence(held, invalid, now), expected, "{held:?} {invalid:?}");
        }
    }

    #[test]
    fn numbers_are_told_by_their_field() {
        let told = |n, k| threshold(n, k).map_err(|problem| problem.fields()[0].pointer.clone());
        assert_eq!(told(1, 1), Err("/n".to_owned()));
        assert_eq!(told(256, 2), Err("/n".to_owned()));
        assert_eq!(told(3, 4), Err("/k".to_owned()));
        assert_eq!(told(3, 1), Err("/k".to_owned()));
        assert_eq!(told(3, 2).map(|threshold| (threshold.n(), threshold.k())), Ok((3, 2)));
    }

    #[test]
    fn a_request_serves_before_it_expires_and_once() {
        assert!(is_open("open", 10, 9));
        assert!(!is_open("open", 10, 10));
        assert!(!is_open("served", 10, 9));
        assert!(!is_open("expired", 10, 9));
    }
}
