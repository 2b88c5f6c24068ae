//! Decisions: the states of splits, shards and requests, and what a split must be.

use platform::problem::{Problem, kinds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// How long a challenge lives, in milliseconds: as long as the library lets it.
pub(crate) const CHALLENGE_LIFE: i64 = 300_000;
/// How long a prepared split may be committed.
pub(crate) const COMMIT_LIFE: i64 = 24 * 3_600_000;
/// How much longer nodes keep its shards, so that none is gone that was committed in the last moment.
pub(crate) const KEPT_AFTER: i64 = 3_600_000;

macro_rules! states {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $text:literal => [$($next:ident),*];)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "lowercase")]
        pub(crate) enum $name {
            $($(#[$what])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            /// As rows and answers have it.
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// Of a row.
            ///
            /// # Errors
            /// A text that no row has.
            pub(crate) fn of_row(text: &str) -> Result<Self, Problem> {
                let found = Self::ALL.iter().copied().find(|state| state.as_str() == text);
                found.ok_or_else(|| Problem::internal("qt", &format_args!("a row is {text:?}")))
            }

            /// Whether it may be followed by another.
            pub(crate) fn may_become(self, next: Self) -> bool {
                match self { $(Self::$variant => [$(Self::$next),*].contains(&next),)+ }
            }
        }
    };
}

states! {
    /// What became of a split.
    SplitState {
        /// Dealt, and not in force: the one before it rebuilds.
        Prepared = "prepared" => [Force, Superseded, Erased];
        /// Its shards rebuild.
        Force = "force" => [Superseded, Erased];
        /// Another is in force.
        Superseded = "superseded" => [Erased];
        /// The vault was erased.
        Erased = "erased" => [];
    }
}

states! {
    /// What became of a shard.
    ShardState {
        /// It waits for its node, sealed.
        Dealt = "dealt" => [Pulled, Deleted];
        /// Its node has fetched it.
        Pulled = "pulled" => [Acknowledged, Superseded, Deleted];
        /// Its node holds it, and the service no more.
        Acknowledged = "acknowledged" => [Superseded, Deleted];
        /// Another split is in force.
        Superseded = "superseded" => [Deleted];
        /// Its node has deleted it, or never fetched it, and it is not here either.
        Deleted = "deleted" => [];
    }
}

states! {
    /// What became of a request for shards.
    RequestState {
        /// It waits for proofs of presence.
        Open = "open" => [Approved, Expired];
        /// Enough are there: nodes may release their shards.
        Approved = "approved" => [Used, Expired];
        /// What it asked for was done; the nodes' shards are destroyed here.
        Used = "used" => [];
        /// Its time is over; the nodes' shards are destroyed here.
        Expired = "expired" => [];
    }
}

/// The numbers and nodes of a split: 2 <= m <= n <= 255, every label that of a node, each once.
///
/// # Errors
/// Names the field that breaks the rule.
pub(crate) fn check_split(m: u8, nodes: &[String], known: &BTreeMap<String, String>) -> Result<(), Problem> {
    if !(2..=255).contains(&nodes.len()) {
        return Err(Problem::invalid("/node_urls", "range", "a secret is split among 2 to 255 nodes"));
    }
    if m < 2 || usize::from(m) > nodes.len() {
        return Err(Problem::invalid("/m", "range", "is not between 2 and the number of nodes"));
    }
    let (mut seen, mut owners) = (BTreeSet::new(), BTreeSet::new());
    for (position, node) in nodes.iter().enumerate() {
        let pointer = format!("/node_urls/{position}");
        if !seen.insert(node) {
            return Err(Problem::invalid(pointer, "repeated", "a node has one shard"));
        }
        let Some(owner) = known.get(node) else {
            return Err(Problem::invalid(pointer, "unknown-value", "no node was added under this label"));
        };
        // Under two labels he would hold two shards, and rebuild without anybody's presence.
        if !owners.insert(owner) {
            return Err(Problem::invalid(pointer, "repeated", "two shards would have the same custodian"));
        }
    }
    Ok(())
}

impl ShardState {
    /// Whether its value is still here, sealed for its node.
    pub(crate) fn waits(self) -> bool {
        matches!(self, Self::Dealt | Self::Pulled)
    }
}

/// Whether every shard of a split is held by its node, so that the service's own copies go.
pub(crate) fn is_in_custody(shards: &[ShardState]) -> bool {
    !shards.is_empty() && shards.iter().all(|shard| *shard == ShardState::Acknowledged)
}

/// Whether an erasure is done: fewer shards remain, of each split of the vault, than rebuild.
pub(crate) fn is_erased(splits: &[(u8, Vec<ShardState>)]) -> bool {
    let remain = |shards: &[ShardState]| shards.iter().filter(|shard| **shard != ShardState::Deleted).count();
    splits.iter().all(|(m, shards)| remain(shards) < usize::from(*m))
}

/// A request that still counts.
///
/// # Errors
/// [`kinds::REQUEST_CLOSED`].
pub(crate) fn check_open(state: RequestState, expiry: i64, now: i64) -> Result<(), Problem> {
    let counts = matches!(state, RequestState::Open | RequestState::Approved) && now < expiry;
    if counts { Ok(()) } else { Err(Problem::new(&kinds::REQUEST_CLOSED)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_goes_on_nowhere() {
        assert!(SplitState::ALL.iter().all(|next| !SplitState::Erased.may_become(*next)));
        for last in [RequestState::Used, RequestState::Expired] {
            assert!(RequestState::ALL.iter().all(|next| !last.may_become(*next)));
        }
        assert!(ShardState::ALL.iter().all(|next| !ShardState::Deleted.may_become(*next)));
    }

    /// The whole table, so that a change of it is a change of this text.
    #[test]
    fn states_change_as_the_table_says() {
        let pairs = |all: &[&'static str], may: &dyn Fn(usize, usize) -> bool| -> Vec<String> {
            let count = all.len();
            (0..count * count)
                .filter(|at| may(at / count, at % count))
                .map(|at| format!("{}>{}", all[at / count], all[at % count]))
                .collect()
        };
        let names: Vec<_> = ShardState::ALL.iter().map(|state| state.as_str()).collect();
        let shards = pairs(&names, &|one, next| ShardState::ALL[one].may_become(ShardState::ALL[next]));
        assert_eq!(
            shards.join(" "),
            "dealt>pulled dealt>deleted pulled>acknowledged pulled>superseded pulled>deleted \
             acknowledged>superseded acknowledged>deleted superseded>deleted"
        );
        let names: Vec<_> = SplitState::ALL.iter().map(|state| state.as_str()).collect();
        let splits = pairs(&names, &|one, next| SplitState::ALL[one].may_become(SplitState::ALL[next]));
        assert_eq!(
            splits.join(" "),
            "prepared>force prepared>superseded prepared>erased force>superseded force>erased superseded>erased"
        );
        let names: Vec<_> = RequestState::ALL.iter().map(|state| state.as_str()).collect();
        let requests = pairs(&names, &|one, next| RequestState::ALL[one].may_become(RequestState::ALL[next]));
        assert_eq!(requests.join(" "), "open>approved open>expired approved>used approved>expired");
        for state in ShardState::ALL {
            assert_eq!(ShardState::of_row(state.as_str()).unwrap(), *state);
        }
        assert!(ShardState::of_row("gone").is_err());
    }

    #[test]
    fn a_split_is_m_of_n_known_nodes() {
        let known = [("a", "1"), ("b", "2"), ("c", "3"), ("d", "3")];
        let known = known.map(|(label, owner)| (label.to_owned(), owner.to_owned())).into();
        let told = |m, nodes: &[&str]| {
            let nodes: Vec<_> = nodes.iter().map(|node| (*node).to_owned()).collect();
            check_split(m, &nodes, &known).err().map(|problem| problem.fields()[0].pointer.clone())
        };
        assert_eq!(told(2, &["a", "b", "c"]), None);
        assert_eq!(told(3, &["a", "b", "c"]), None);
        assert_eq!(told(1, &["a", "b"]).as_deref(), Some("/m"));
        assert_eq!(told(3, &["a", "b"]).as_deref(), Some("/m"));
        assert_eq!(told(2, &["a"]).as_deref(), Some("/node_urls"));
        assert_eq!(told(2, &["a", "a"]).as_deref(), Some("/node_urls/1"));
        assert_eq!(told(2, &["a", "stranger"]).as_deref(), Some("/node_urls/1"));
        // One custodian under two labels.
        assert_eq!(told(2, &["a", "c", "d"]).as_deref(), Some("/node_urls/2"));
    }

    #[test]
    fn custody_and_erasure_count_shards() {
        use ShardState::{Acknowledged as Held, Deleted, Pulled, Superseded};
        assert!(is_in_custody(&[Held, Held]));
        assert!(!is_in_custody(&[Held, Pulled]));
        assert!(!is_in_custody(&[]));
        assert!(is_erased(&[]));
        assert!(!is_erased(&[(2, vec![Held, Held, Deleted])]));
        assert!(is_erased(&[(2, vec![Held, Deleted, Deleted])]));
        // An older split rebuilds as well, as long as m of its shards are somewhere.
        assert!(!is_erased(&[(2, vec![Deleted, Deleted]), (2, vec![Superseded, Superseded])]));
    }

    #[test]
    fn a_request_ends() {
        assert!(check_open(RequestState::Open, 10, 9).is_ok());
        assert!(check_open(RequestState::Approved, 10, 10).is_err());
        assert!(check_open(RequestState::Used, 10, 1).is_err());
    }
}
