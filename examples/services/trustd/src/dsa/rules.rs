//! Decisions, without input or output.

mod verify;

pub(super) use verify::{Asked, judge, judge_evidence};

use super::types::{BelaRequest, KeypairRequest, Stanje};
use dualseal::key::SetState;
use dualseal::rand_core::TryCryptoRng;
use dualseal::{Domain, Error, IdentityId, KeyPairInfo, KeyRing, KeyState};
use platform::access::{Caller, Tier, World};
use platform::problem::{Problem, kinds};

/// Among so many others a change to `oboje` travels.
pub(super) const COVER: usize = 15;

/// Whose key pair is asked for.
pub(super) fn identity(domain: &Domain, asked: &KeypairRequest) -> Result<IdentityId, Problem> {
    match asked {
        KeypairRequest { identity_id: Some(identity_id), content_b64: None, creator: None, context: None } => {
            Ok(identity_id.0)
        }
        KeypairRequest {
            identity_id: None,
            content_b64: Some(content),
            creator: Some(creator),
            context: Some(context),
        } => Ok(domain.identity_id(&content.0, creator, context)?),
        _ => Err(Problem::invalid(
            "/identity_id",
            "one-form",
            "give identity_id alone, or content_b64, creator and context",
        )),
    }
}

/// What a caller is told of a key: a native of the real world its true state.
pub(super) fn told(caller: &Caller, info: &KeyPairInfo) -> String {
    match (caller.world, caller.tier) {
        (World::Real, Tier::Native) => info.to_json(),
        _ => info.public().to_json(),
    }
}

/// Whether the identity's key signs something that counts. A noble whose own key is a honeypot never gets here: he is
/// in the decoy's world.
pub(super) fn may_sign(ring: &KeyRing, identity_id: &IdentityId) -> Result<KeyPairInfo, Problem> {
    let info = ring.info(identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    match info.state {
        KeyState::Valid => Ok(info),
        KeyState::Revoked => Err(Problem::new(&kinds::KEY_REVOKED)),
        KeyState::Suspended => Err(Problem::new(&kinds::KEY_SUSPENDED)),
        KeyState::Decoy => Err(Problem::new(&kinds::KEY_DECOY)),
    }
}

/// Whether a key of the decoy's world signs there: a honeypot does, as a valid one.
///
/// # Errors
/// [`kinds::KEY_REVOKED`], [`kinds::KEY_SUSPENDED`].
pub(crate) fn may_sign_there(state: KeyState) -> Result<(), Problem> {
    match state {
        KeyState::Revoked => Err(Problem::new(&kinds::KEY_REVOKED)),
        KeyState::Suspended => Err(Problem::new(&kinds::KEY_SUSPENDED)),
        KeyState::Valid | KeyState::Decoy => Ok(()),
    }
}

/// What somebody is told whose own key became a honeypot while he asked: that it did would tell him that he is found
/// out. He asks again, and is in the decoy's world then.
pub(crate) fn masked(problem: Problem, caller: &Caller, identity_id: &IdentityId) -> Problem {
    let is_his = caller.subject == *identity_id && problem.kind().code == kinds::KEY_DECOY.code;
    if is_his { Problem::new(&kinds::BUSY).retry_after(1) } else { problem }
}

/// What is set of a key.
pub(super) fn change(asked: &BelaRequest) -> Result<SetState, Problem> {
    match (asked.stanje, asked.opozvan_od) {
        (Stanje::Laz, Some(seq)) => Ok(SetState::compromised_from(seq)),
        (_, Some(_)) => {
            Err(Problem::invalid("/opozvan_od", "only-with-laz", "opozvan_od is said of a key that is laz"))
        }
        (stanje, None) => Ok(KeyState::from(stanje).into()),
    }
}

/// The text of a note: one line of some length, without what writes lines of its own.
pub(super) fn note(asked: &BelaRequest) -> Result<String, Problem> {
    let note = asked.napomena.clone().unwrap_or_default();
    if note.chars().count() > 1000 || note.chars().any(char::is_control) {
        let detail = "napomena is one line of at most 1000 characters";
        return Err(Problem::invalid("/napomena", "range", detail));
    }
    Ok(note)
}

/// Whether the caller waits for a checkpoint: strangers must see a revocation, and must not see when a honeypot was
/// set.
pub(super) fn is_sealed(stanje: Stanje) -> bool {
    matches!(stanje, Stanje::Laz | Stanje::Nijedno)
}

/// The identities whose ring entries are written again beside a change to `oboje`, in their places among them: each
/// `Some` is an identity whose state stays, the one `None` is the change.
pub(super) fn cover<R: TryCryptoRng + ?Sized>(
    ring: &KeyRing,
    changed: &IdentityId,
    rng: &mut R,
) -> Result<Vec<Option<IdentityId>>, Error> {
    let mut others: Vec<_> = ring.identities().filter(|one| *one != changed).copied().collect();
    let mut order = Vec::with_capacity(COVER + 1);
    while order.len() < COVER && !others.is_empty() {
        order.push(Some(others.swap_remove(below(others.len(), rng)?)));
    }
    order.insert(below(order.len() + 1, rng)?, None);
    Ok(order)
}

/// A number below `end`: the bias of 64 bits over some thousands is below 2^-48.
fn below<R: TryCryptoRng + ?Sized>(end: usize, rng: &mut R) -> Result<usize, Error> {
    let drawn = rng.try_next_u64().map_err(|_| Error::Randomness)?;
    let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
    Ok(usize::try_from(drawn % end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::{CheckedRing, Head, RingKey, SigningKey, SystemRng, Timestamp};
    use platform::web::Name;
    use std::collections::BTreeSet;

    fn ask(stanje: Stanje, opozvan_od: Option<u64>) -> BelaRequest {
        let identity_id = Name(IdentityId::from_bytes([7; 32]));
        BelaRequest { identity_id, stanje, napomena: None, opozvan_od, javni_kljuc: None }
    }

    #[test]
    fn since_when_is_said_of_a_revocation_alone() {
        assert!(change(&ask(Stanje::Laz, Some(3))).is_ok());
        for stanje in [Stanje::Istina, Stanje::Oboje, Stanje::Nijedno] {
            assert_eq!(change(&ask(stanje, Some(3))).unwrap_err().fields()[0].pointer, "/opozvan_od");
            assert_eq!(is_sealed(stanje), stanje == Stanje::Nijedno);
        }
    }

    /// Of his own key nobody hears that it is a honeypot; natives hear it of others'.
    #[test]
    fn who_became_a_honeypot_while_he_asked_is_asked_to_come_again() {
        let (subject, other) = (IdentityId::from_bytes([7; 32]), IdentityId::from_bytes([8; 32]));
        let (tier, world, node) = (Tier::Noble, World::Real, None);
        let (scopes, token, client) = ([].into(), uuid::Uuid::nil(), "test".to_owned());
        let caller = Caller { subject, tier, scopes, node, token, client, world };
        let told = |kind, of| masked(Problem::new(kind), &caller, of).kind().code;
        assert_eq!(told(&kinds::KEY_DECOY, &subject), kinds::BUSY.code);
        assert_eq!(told(&kinds::KEY_DECOY, &other), kinds::KEY_DECOY.code);
        assert_eq!(told(&kinds::KEY_REVOKED, &subject), kinds::KEY_REVOKED.code);
    }

    #[test]
    fn a_note_is_one_line() {
        let note_of = |text: &str| note(&BelaRequest { napomena: Some(text.to_owned()), ..ask(Stanje::Laz, None) });
        assert_eq!(note_of("lost phone").unwrap(), "lost phone");
        assert!(note_of("two\nlines").is_err());
        assert!(note_of(&"x".repeat(1001)).is_err());
    }

    #[test]
    fn a_key_pair_is_asked_for_in_one_form() {
        let domain = Domain::new("TRUST").unwrap();
        let read = |text: &str| serde_json::from_str::<KeypairRequest>(text).unwrap();
        let computed = read(r#"{"content_b64":"","creator":"ana","context":""}"#);
        let computed = identity(&domain, &computed).unwrap();
        assert_eq!(computed, domain.identity_id(b"", "ana", "").unwrap());
        let named = read(&format!(r#"{{"identity_id":"{computed}"}}"#));
        assert_eq!(identity(&domain, &named).unwrap(), computed);
        for wrong in [
            "{}".to_owned(),
            r#"{"creator":"ana","context":""}"#.to_owned(),
            format!(r#"{{"identity_id":"{computed}","creator":"ana"}}"#),
        ] {
            assert!(identity(&domain, &read(&wrong)).is_err(), "{wrong}");
        }
        let ambiguous = read(r#"{"content_b64":"","creator":"a::b","context":""}"#);
        assert_eq!(identity(&domain, &ambiguous).unwrap_err().fields()[0].pointer, "/creator");
    }

    #[test]
    fn a_change_stands_anywhere_among_its_cover() {
        let domain = Domain::new("TRUST").unwrap();
        let authority = RingKey::generate(&domain, &mut SystemRng).unwrap();
        let mut ring = CheckedRing::new("example.org/log", &authority).unwrap();
        let mut head = Head::EMPTY;
        let identities: Vec<_> = (0..20_u8).map(|number| IdentityId::from_bytes([number + 1; 32])).collect();
        for identity in &identities {
            let key = SigningKey::generate(&mut SystemRng).unwrap();
            head = ring.add(identity, key.public_key().clone(), &head, Timestamp::MIN).unwrap().head;
        }
        let changed = identities[7];
        let drawn: Vec<_> = (0..200).map(|_| cover(&ring, &changed, &mut SystemRng).unwrap()).collect();
        for order in &drawn {
            let others: BTreeSet<_> = order.iter().flatten().collect();
            assert_eq!((order.len(), others.len()), (COVER + 1, COVER));
            assert!(!others.contains(&changed));
        }
        let places: BTreeSet<_> = drawn.iter().map(|order| order.iter().position(Option::is_none)).collect();
        let all: BTreeSet<_> = drawn.iter().flatten().flatten().collect();
        assert_eq!((places.len(), all.len()), (COVER + 1, 19));
        assert_eq!(cover(&KeyRing::nobody(), &changed, &mut SystemRng).unwrap(), [None]);
        let drawn: BTreeSet<_> = (0..200).map(|_| below(3, &mut SystemRng).unwrap()).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
