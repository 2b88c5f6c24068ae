//! The states of a record and their changes, and what a caller is told. Nothing in here reads or writes anything.

use super::store::{Kept, Line};
use dualseal::IdentityId;
use dualseal::error::Layer;
use dualseal::shamir::SplitId;
use dualseal::vault::{Encryption, VaultOutcome};
use platform::access::{Caller, Tier, World};
use platform::problem::{Kind, Problem, kinds};
use platform::web::Name;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// As much of a document stands in its row; more is an object.
pub(crate) const INLINE_BYTES: usize = 64 << 10;
/// The most bytes of a document, as of the table of endpoints.
#[allow(clippy::cast_possible_truncation, reason = "64 MiB")]
pub(crate) const PAYLOAD_BYTES: usize = platform::access::PAYLOAD_BYTES as usize;
/// The most bytes of the perimeter's note (L1): it stands in the record for good.
pub(crate) const NOTE_BYTES: usize = 1024;

/// More splits than this were prepared of nothing.
const MOST_SPLITS: usize = 1000;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The service has its secret.
    Sealed,
    /// The nodes have its shards, and the service's copies are destroyed.
    InCustody,
    /// Its secret is destroyed, and nodes still hold as many shards as would rebuild it.
    Erasing,
    /// Nobody brings it back.
    Erased,
}

/// What changes the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Every node acknowledged its shard.
    Acknowledged,
    /// It was erased, and nodes hold enough shards of a split.
    ErasedWithShards,
    /// It was erased, and nobody holds enough of it.
    ErasedWithout,
    /// Fewer shards remain than rebuild it.
    ShardsGone,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sealed, Self::InCustody, Self::Erasing, Self::Erased];

    /// As rows and answers have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sealed => "sealed",
            Self::InCustody => "in-custody",
            Self::Erasing => "erasing",
            Self::Erased => "erased",
        }
    }

    /// The state after an event; `None` where it does not happen in this state.
    #[must_use]
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Sealed, Event::Acknowledged) => Some(Self::InCustody),
            (Self::Sealed | Self::InCustody, Event::ErasedWithShards) => Some(Self::Erasing),
            (Self::Sealed | Self::InCustody, Event::ErasedWithout) | (Self::Erasing, Event::ShardsGone) => {
                Some(Self::Erased)
            }
            _ => None,
        }
    }

    /// Whether the service alone can give the document back.
    ///
    /// # Errors
    /// [`kinds::IN_CUSTODY`], [`kinds::ERASED`].
    pub fn unseals(self) -> Result<(), Problem> {
        match self {
            Self::Sealed => Ok(()),
            Self::InCustody => Err(Problem::new(&kinds::IN_CUSTODY)),
            Self::Erasing | Self::Erased => Err(Problem::new(&kinds::ERASED)),
        }
    }

    /// Whether it can be erased.
    ///
    /// # Errors
    /// [`kinds::ERASED`].
    pub fn erases(self) -> Result<(), Problem> {
        self.after(Event::ErasedWithout).map(drop).ok_or_else(|| Problem::new(&kinds::ERASED))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for State {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or("no state of a record")
    }
}

/// Who asks how a record verifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Anybody, a noble among them: the verdict, and one reason for every refusal.
    Public,
    /// A native: the reason, and every layer.
    Native,
    /// A native whose own key is a honeypot: what a native is shown of a record that holds, or of one that does not.
    Decoy,
}

impl Asker {
    /// Of a caller; nobody is the public.
    pub(crate) fn of(tier: Option<Tier>, world: Option<World>) -> Self {
        match (tier, world) {
            (Some(Tier::Native), Some(World::Decoy)) => Self::Decoy,
            (Some(Tier::Native), _) => Self::Native,
            _ => Self::Public,
        }
    }
}

/// Why a document does not leave: the key of its record, or a layer.
pub(crate) fn not_unsealed(failed: Option<Layer>, valid: Option<bool>, is_revoked: bool) -> Problem {
    let kind: &'static Kind = match (failed, valid) {
        (None, None) => &kinds::KEY_SUSPENDED,
        (None, _) if is_revoked => &kinds::KEY_REVOKED,
        _ => &kinds::NOT_INTACT,
    };
    let problem = Problem::new(kind);
    failed.map_or(problem.clone(), |layer| problem.detail(format!("layer {} does not hold", layer.as_str())))
}

/// The records of whom a caller lists.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`] for somebody else's.
pub(crate) fn listed(caller: &Caller, asked: Option<IdentityId>) -> Result<Option<IdentityId>, Problem> {
    match asked {
        Some(identity_id) => caller.own(&identity_id).map(|()| Some(identity_id)),
        None => Ok(caller.only_own()),
    }
}

/// Whether a record is of the identity that the caller names: of anybody else it is not found.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`].
pub(crate) fn is_of(line: &Line, identity_id: &IdentityId) -> Result<(), Problem> {
    if line.identity_id == *identity_id { Ok(()) } else { Err(Problem::new(&kinds::UNKNOWN_ID)) }
}

/// Whether a record can be erased at all: what says that another one was erased has no secret.
///
/// # Errors
/// [`kinds::ERASED`], [`kinds::CONFLICT`].
pub(crate) fn erases(kept: &Kept) -> Result<(), Problem> {
    kept.line.state.erases()?;
    match kept.record.header().encryption {
        Encryption::Stream => Ok(()),
        Encryption::None => Err(Problem::new(&kinds::CONFLICT).detail("what is stored of it is the document itself")),
    }
}

/// Splits that the caller names, each once.
///
/// # Errors
/// 422 for too many, and for one that comes twice.
pub(crate) fn named(splits: Vec<Name<SplitId>>) -> Result<Vec<SplitId>, Problem> {
    if splits.len() > MOST_SPLITS {
        return Err(Problem::invalid("/splits", "range", format!("has more than {MOST_SPLITS}")));
    }
    let mut named = Vec::with_capacity(splits.len());
    for (index, Name(split)) in splits.into_iter().enumerate() {
        if named.contains(&split) {
            return Err(Problem::invalid(format!("/splits/{index}"), "repeated", "was named before"));
        }
        named.push(split);
    }
    Ok(named)
}

/// A request that is neither about a record that stands here nor about one that it holds.
pub(crate) fn one_of_both() -> Problem {
    let rule = "is to be a vault_id, or identity_id, record and stored_b64";
    Problem::invalid("", "members", rule)
}

/// What a thief is told of a layer: of a record that passes, that every layer does.
pub(crate) fn shown(layer: Layer, found: VaultOutcome, passes: bool) -> VaultOutcome {
    match (layer, passes) {
        (Layer::L1, _) => VaultOutcome::Recorded,
        (_, true) => VaultOutcome::Pass,
        (_, false) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every state under every event: `-` where it does not happen.
    #[test]
    fn the_table_of_states() {
        let table = [
            ("sealed", ["in-custody", "erasing", "erased", "-"]),
            ("in-custody", ["-", "erasing", "erased", "-"]),
            ("erasing", ["-", "-", "-", "erased"]),
            ("erased", ["-", "-", "-", "-"]),
        ];
        let events = [Event::Acknowledged, Event::ErasedWithShards, Event::ErasedWithout, Event::ShardsGone];
        for (state, after) in table {
            let state: State = state.parse().unwrap();
            for (event, expected) in events.into_iter().zip(after) {
                assert_eq!(state.after(event).map_or("-", State::as_str), expected, "{state} {event:?}");
            }
        }
        assert_eq!(table.len(), State::ALL.len());
    }

    #[test]
    fn only_what_the_service_has_is_given_back() {
        let told = |state: State| (state.unseals().err().map(code), state.erases().err().map(code));
        assert_eq!(told(State::Sealed), (None, None));
        assert_eq!(told(State::InCustody), (Some("in-custody"), None));
        assert_eq!(told(State::Erasing), (Some("erased"), Some("erased")));
        assert_eq!(told(State::Erased), (Some("erased"), Some("erased")));
    }

    #[test]
    fn layers_are_for_natives() {
        use {Tier::*, World::*};
        assert_eq!(Asker::of(None, None), Asker::Public);
        assert_eq!(Asker::of(Some(Noble), Some(Real)), Asker::Public);
        assert_eq!(Asker::of(Some(Noble), Some(Decoy)), Asker::Public);
        assert_eq!(Asker::of(Some(Native), Some(Real)), Asker::Native);
        assert_eq!(Asker::of(Some(Native), Some(Decoy)), Asker::Decoy);
    }

    #[test]
    fn a_layer_comes_before_the_key() {
        assert_eq!(code(not_unsealed(Some(Layer::L3), Some(false), true)), "not-intact");
        assert_eq!(code(not_unsealed(None, None, false)), "key-suspended");
        assert_eq!(code(not_unsealed(None, Some(false), true)), "key-revoked");
        assert_eq!(code(not_unsealed(None, Some(false), false)), "not-intact");
    }

    fn code(problem: impl Into<Problem>) -> &'static str {
        problem.into().kind().code
    }
}
