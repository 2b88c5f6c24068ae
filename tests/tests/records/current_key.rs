//! What signs or seals by a ring does so with an identity's current and valid key alone: of a worker that did not hear
//! of a rotation or a revocation, everything would be invalid for good.

use dualseal::checkpoint::CheckpointSigner;
use dualseal::error::Misuse;
use dualseal::key::SetState;
use dualseal::seal::{SealKey, Sealer};
use dualseal::vault::VaultSealer;
use dualseal::{Error, IdentityId, KeyRing, KeyState, Signer, SigningKey};
use dualseal_tests::log::ORIGIN;
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, vault};

const NOT_CURRENT: Result<(), Error> = Err(Error::Misuse(Misuse::NotCurrent));
const UNKNOWN: Result<(), Error> = Err(Error::Misuse(Misuse::UnknownIdentity));

/// What the ring says of an identity's key, which is also what everything says that signs or seals with it.
fn said(ring: &KeyRing, identity_id: &IdentityId, key: &SigningKey) -> Result<(), Error> {
    let (domain, seal_key) = (dualseal::Domain::default(), SealKey::from_slice(&[1; 32]).unwrap());
    let said = ring.check_signer(identity_id, key.public_key());
    let made = [
        ("a signer", Signer::current(&domain, ring, identity_id, key).map(drop)),
        ("a sealer", Sealer::current(&domain, ring, identity_id, &seal_key, key).map(drop)),
        ("a vault", VaultSealer::current(vault::master(), ring, identity_id, key).map(drop)),
        ("a log", CheckpointSigner::current(&domain, ring, ORIGIN, identity_id, key).map(drop)),
    ];
    for (who, made) in made {
        assert_eq!(made, said, "{who}");
    }
    said
}

/// ana: current 1, decoy 3. ivan: current 5.
fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.add(&identity("ana"), key(1).public_key());
    registry.add(&identity("ivan"), key(5).public_key());
    registry.add_decoy(&identity("ana"), key(3).public_key());
    registry
}

#[test]
fn a_current_and_valid_key_makes_everything() {
    let Registry { ring, .. } = registry();
    assert_eq!(said(&ring, &identity("ana"), &key(1)), Ok(()));
    assert_eq!(said(&ring, &identity("ivan"), &key(5)), Ok(()));
    // Another's, nobody's, a decoy's, and that of an identity which has none, or only a decoy.
    for number in [5, 9, 3] {
        assert_eq!(said(&ring, &identity("ana"), &key(number)), NOT_CURRENT, "{number}");
    }
    assert_eq!(said(&ring, &identity("maja"), &key(1)), UNKNOWN);
    assert_eq!(said(&KeyRing::nobody(), &identity("ana"), &key(1)), UNKNOWN);
}

#[test]
fn a_worker_with_a_stale_key_makes_nothing() {
    let ana = identity("ana");
    let bad = [KeyState::Revoked, KeyState::Suspended, KeyState::Decoy].map(|state| (SetState::from(state), state));
    for (state, name) in bad.into_iter().chain([(SetState::compromised_from(0), KeyState::Revoked)]) {
        let mut registry = registry();
        registry.set_state(&ana, None, state);
        assert_eq!(said(&registry.ring, &ana, &key(1)), NOT_CURRENT, "{state:?}");
        assert_eq!(said(&registry.ring, &identity("ivan"), &key(5)), Ok(()));
        registry.set_state(&ana, None, KeyState::Valid);
        assert_eq!(said(&registry.ring, &ana, &key(1)), Ok(()), "{state:?}");
        // A key in the place of a revoked one is valid; one in the place of another bad key takes over its state.
        registry.set_state(&ana, None, state);
        registry.rotate(&ana, key(2).public_key());
        let next = if name == KeyState::Revoked { Ok(()) } else { NOT_CURRENT };
        assert_eq!(said(&registry.ring, &ana, &key(2)), next, "{state:?}, replaced");
        assert_eq!(said(&registry.ring, &ana, &key(1)), NOT_CURRENT, "{state:?}, retired");
        registry.set_state(&ana, None, KeyState::Valid);
        assert_eq!(said(&registry.ring, &ana, &key(2)), Ok(()));
    }
}

#[test]
fn a_retired_key_makes_nothing_in_any_state() {
    let (ana, mut registry) = (identity("ana"), registry());
    registry.rotate(&ana, key(2).public_key());
    let hash = *key(1).public_key().hash();
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Suspended, KeyState::Decoy] {
        registry.set_state(&ana, Some(&hash), state);
        assert_eq!(said(&registry.ring, &ana, &key(1)), NOT_CURRENT, "{state:?}");
        assert_eq!(said(&registry.ring, &ana, &key(2)), Ok(()));
    }
    // What others are given of the ring says the same of a retired key.
    assert_eq!(said(&registry.ring.public(), &ana, &key(1)), NOT_CURRENT);
    assert_eq!(said(&registry.ring.public(), &ana, &key(2)), Ok(()));
}
