//! The gate that asks for proofs of presence: what opens it, in which order it looks, and when a nonce is spent.

use dualseal::ed25519::{Ed25519PublicKey, Ed25519SigningKey};
use dualseal::error::{Error, Malformed, Misuse, PresenceFault, Problem, Rejected};
use dualseal::presence::{AuthenticatorId, Challenge, EnrolledKeys, Nonce, Presence, PresenceProof, PresenceVerifier};
use dualseal::shard::{Arguments, Gate, Operation, Recipient, Request, ShardId, SplitId};
use dualseal::{Domain, IdentityId, Timestamp};
use dualseal_tests::vectors;
use dualseal_tests::{identity, minute};

fn device(number: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[number; 32]).unwrap()
}

fn request() -> Request {
    Request {
        operation: Operation::Rebuild,
        vault_id: dualseal_tests::shards::vault("ana", 0),
        split_id: SplitId::from_bytes([1; 32]),
        shard_ids: vec![ShardId::from_bytes([2; 32]), ShardId::from_bytes([3; 32])],
        arguments: Arguments::default().hash(),
        recipient: Recipient::of_key(b"service"),
        identity_id: identity("ana"),
    }
}

const NONCE: Nonce = Nonce::from_bytes([7; 32]);

fn millis(time: Timestamp, more: i64) -> Timestamp {
    Timestamp::from_millis(time.as_millis() + more).unwrap()
}

/// One call: what it was made with, and what came of it.
struct Call {
    enrolled: EnrolledKeys,
    proofs: Vec<PresenceProof>,
    nonce: Nonce,
    expiry: Timestamp,
    required: u8,
    unused: bool,
    request: Request,
}

impl Call {
    /// Ana's devices 1 to 3 are enrolled, ivo's is 4; the challenge expires a minute from now.
    fn new(devices: &[u8], required: u8) -> Self {
        let mut enrolled = EnrolledKeys::new();
        for number in 1..=3 {
            enrolled.enrol(&identity("ana"), device(number).public_key()).unwrap();
        }
        enrolled.enrol(&identity("ivo"), device(4).public_key()).unwrap();
        let (nonce, expiry, unused, request) = (NONCE, minute(1), true, request());
        let sign = |number: &u8| PresenceProof::sign(&Domain::default(), &request, &nonce, expiry, &device(*number));
        Self { enrolled, proofs: devices.iter().map(sign).collect(), nonce, expiry, required, unused, request }
    }

    /// The outcome, and the nonces that were asked for.
    fn pass(&self) -> (Result<(), Error>, Vec<Nonce>) {
        self.pass_at(minute(0))
    }

    fn pass_at(&self, now: Timestamp) -> (Result<(), Error>, Vec<Nonce>) {
        let mut asked = Vec::new();
        let mut consume = |nonce: &Nonce| {
            asked.push(*nonce);
            self.unused
        };
        let mut gate = Presence {
            verifier: &self.enrolled,
            proofs: &self.proofs,
            nonce: self.nonce,
            expiry: self.expiry,
            required: self.required,
            consume: &mut consume,
        };
        let passed = gate.pass(&Domain::default(), &self.request, now);
        (passed, asked)
    }

    /// Refused, with the nonce left alone.
    fn refused(&self) -> PresenceFault {
        match self.pass() {
            (Err(Error::Rejected(Rejected::Presence(fault))), asked) if asked.is_empty() => fault,
            other => panic!("{other:?}"),
        }
    }
}

fn too_few(required: u8, good: u8, bad: &[u8]) -> PresenceFault {
    PresenceFault::TooFew { required, good, bad: bad.to_vec() }
}

#[test]
fn as_many_devices_as_the_policy_asks_for() {
    for (devices, required) in
        [(&[1][..], 1), (&[2], 1), (&[1, 2], 2), (&[3, 1, 2], 3), (&[1, 2, 3], 1), (&[1, 4], 1), (&[9, 2, 1], 2)]
    {
        let (passed, asked) = Call::new(devices, required).pass();
        assert_eq!((passed, asked), (Ok(()), vec![NONCE]), "{devices:?}");
    }
}

#[test]
fn fewer_do_not_open_it() {
    for (devices, required, good, bad) in [
        (&[][..], 1, 0, &[][..]),
        (&[1], 2, 1, &[]),
        (&[1, 2], 3, 2, &[]),
        (&[1, 2, 3], 255, 3, &[]),
        (&[4], 1, 0, &[0]),
        (&[9], 1, 0, &[0]),
        (&[1, 9, 4], 2, 1, &[1, 2]),
    ] {
        assert_eq!(Call::new(devices, required).refused(), too_few(required, good, bad), "{devices:?}");
    }
}

/// One device that answers twice is one device.
#[test]
fn the_same_device_counts_once() {
    assert_eq!(Call::new(&[1, 1], 2).refused(), too_few(2, 1, &[]));
    assert_eq!(Call::new(&[2, 1, 2, 1, 1], 3).refused(), too_few(3, 2, &[]));
    assert_eq!(Call::new(&[1, 1, 2], 2).pass().0, Ok(()));
}

/// Whoever floods the gate is turned away before a hash or a signature is computed for him.
#[test]
fn too_many_proofs_are_not_looked_at() {
    let one = Call::new(&[1], 1).proofs.remove(0);
    let mut call = Call::new(&[1], 1);
    call.proofs = vec![one.clone(); 255];
    assert_eq!(call.pass().0, Ok(()));
    call.proofs.push(one);
    let (passed, asked) = call.pass();
    assert_eq!((passed, asked.len()), (Err(Malformed::new("proofs", None, Problem::Range).into()), 0));
}

#[test]
fn nobody_is_let_in_by_default() {
    let call = Call { enrolled: EnrolledKeys::new(), ..Call::new(&[1, 2, 3], 1) };
    assert_eq!(call.refused(), too_few(1, 0, &[0, 1, 2]));
    // A policy that asks for nothing is no policy.
    let (passed, asked) = Call::new(&[1], 0).pass();
    assert_eq!((passed, asked.len()), (Err(Misuse::NoProofsRequired.into()), 0));
}

#[test]
fn a_device_that_was_removed_is_no_longer_enrolled() {
    let mut call = Call::new(&[1, 2], 2);
    // Another identity's enrolment is left alone, and takes nothing away.
    call.enrolled.remove(&identity("ivo"), device(1).public_key());
    call.enrolled.remove(&identity("nobody"), device(1).public_key());
    assert_eq!(call.pass().0, Ok(()));
    call.enrolled.remove(&identity("ana"), device(1).public_key());
    assert_eq!(call.refused(), too_few(2, 1, &[0]));
}

/// The moment of expiry is too late, and more than 300 seconds ahead is too early.
#[test]
fn expiry() {
    let call = Call::new(&[1], 1);
    let expiry = call.expiry;
    for (now, expected) in [
        (millis(expiry, -1), None),
        (expiry, Some(PresenceFault::Expired)),
        (millis(expiry, 1), Some(PresenceFault::Expired)),
        (Timestamp::MAX, Some(PresenceFault::Expired)),
        (millis(expiry, -300_000), None),
        (millis(expiry, -300_001), Some(PresenceFault::ExpiryTooFar)),
        (Timestamp::MIN, Some(PresenceFault::ExpiryTooFar)),
    ] {
        let (passed, asked) = call.pass_at(now);
        match expected {
            None => assert_eq!((passed, asked.len()), (Ok(()), 1), "{now}"),
            Some(fault) => {
                assert_eq!((passed, asked.len()), (Err(Error::Rejected(Rejected::Presence(fault))), 0), "{now}");
            }
        }
    }
    // Whoever changes the expiry beside the proofs asks another challenge.
    let later = Call { expiry: minute(2), ..Call::new(&[1], 1) };
    assert_eq!(later.refused(), too_few(1, 0, &[0]));
}

/// A nonce is used once: asked for last, when all else is good, and not at all otherwise.
#[test]
fn a_replayed_nonce_is_refused() {
    let call = Call { unused: false, ..Call::new(&[1, 2], 2) };
    let (passed, asked) = call.pass();
    assert_eq!(passed, Err(Error::Rejected(Rejected::Presence(PresenceFault::NonceUsed))));
    assert_eq!(asked, [NONCE]);
    // With anything else wrong it is not even asked for: `refused` looks at that in every other test here too.
    let worse = Call { unused: false, ..Call::new(&[1, 9], 2) };
    assert_eq!(worse.refused(), too_few(2, 1, &[1]));
    // Proofs for one nonce are none for another.
    let other = Call { nonce: Nonce::from_bytes([8; 32]), ..Call::new(&[1], 1) };
    assert_eq!(other.refused(), too_few(1, 0, &[0]));
}

/// A proof is for one operation on one set of shards: every part of the request is bound.
#[test]
fn a_proof_fits_one_request_only() {
    let call = Call::new(&[1, 2], 2);
    let good = request();
    let ids = |bytes: &[u8]| bytes.iter().map(|byte| ShardId::from_bytes([*byte; 32])).collect::<Vec<_>>();
    let arguments = |arguments: Arguments| Request { arguments: arguments.hash(), ..good.clone() };
    let urls = || Some(vec!["a".to_string(), "b".to_string()]);
    let others = [
        Request { operation: Operation::Refresh, ..good.clone() },
        Request { operation: Operation::Repair, ..good.clone() },
        Request { operation: Operation::Rethreshold, ..good.clone() },
        Request { vault_id: dualseal_tests::shards::vault("ana", 1), ..good.clone() },
        Request { split_id: SplitId::from_bytes([9; 32]), ..good.clone() },
        Request { shard_ids: ids(&[2]), ..good.clone() },
        Request { shard_ids: ids(&[2, 3, 4]), ..good.clone() },
        Request { shard_ids: ids(&[2, 4]), ..good.clone() },
        Request { shard_ids: ids(&[3, 2]), ..good.clone() },
        Request { shard_ids: ids(&[2, 3, 3]), ..good.clone() },
        Request { shard_ids: ids(&[]), ..good.clone() },
        arguments(Arguments { index: Some(1), ..Arguments::default() }),
        arguments(Arguments { m: Some(2), ..Arguments::default() }),
        arguments(Arguments { n: Some(2), ..Arguments::default() }),
        arguments(Arguments { node_urls: Some(vec![]), ..Arguments::default() }),
        Request { recipient: Recipient::of_key(b"another service"), ..good.clone() },
        Request { identity_id: identity("ivo"), ..good.clone() },
    ];
    for other in others {
        let call = Call { request: other.clone(), ..Call::new(&[1, 2], 2) };
        assert_eq!(call.refused(), too_few(2, 0, &[0, 1]), "{other:?}");
    }
    // The arguments of one rethreshold are not those of another.
    let base = || Arguments { m: Some(2), n: Some(2), node_urls: urls(), index: None };
    let reversed = urls().map(|mut urls| {
        urls.reverse();
        urls
    });
    let hashes = [
        base(),
        Arguments { m: Some(3), ..base() },
        Arguments { n: Some(3), ..base() },
        Arguments { node_urls: reversed, ..base() },
        Arguments { node_urls: Some(vec!["a,b".to_string()]), ..base() },
        Arguments { node_urls: Some(vec!["ab".to_string(), String::new()]), ..base() },
        Arguments { node_urls: None, ..base() },
        Arguments { index: Some(2), ..base() },
    ]
    .map(|arguments| arguments.hash());
    for (place, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..place].contains(hash));
    }
    assert_eq!(call.pass().0, Ok(()));
    // Another domain's gate asks for something else.
    let (mut consume, acme) = (|_: &Nonce| true, Domain::new("ACME").unwrap());
    let mut gate = Presence {
        verifier: &call.enrolled,
        proofs: &call.proofs,
        nonce: NONCE,
        expiry: call.expiry,
        required: 1,
        consume: &mut consume,
    };
    assert!(gate.pass(&acme, &good, minute(0)).is_err());
}

/// Keys under which a signature over anything, or two encodings of one, could pass are not enrolled.
#[test]
fn weak_keys_are_not_enrolled() {
    let mut tried = 0;
    for vector in vectors::json("ed25519/cctv.json").as_array().unwrap() {
        let flags = vector["flags"].to_string();
        let key: Ed25519PublicKey = vectors::string(vector, "key").parse().unwrap();
        if flags.contains("low_order_A") || flags.contains("non_canonical_A") {
            let mut enrolled = EnrolledKeys::new();
            let expected = Malformed::new("public_key", None, Problem::Range);
            assert_eq!(enrolled.enrol(&identity("ana"), &key), Err(expected.into()));
            assert_eq!(enrolled, EnrolledKeys::new());
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
    for bytes in [[0; 32], [0xff; 32], [2; 32]] {
        let key = Ed25519PublicKey::from_bytes(bytes);
        assert_eq!(EnrolledKeys::new().enrol(&identity("ana"), &key).is_ok(), key.is_strict());
    }
}

/// Authenticators of another kind count alike: by themselves, not by their proofs.
#[test]
fn another_kind_of_authenticator() {
    /// Believes whoever says the challenge aloud, and knows people by a number.
    struct Doorman;

    impl PresenceVerifier for Doorman {
        type Proof = (u8, String);

        fn verify(
            &self,
            _: &Domain,
            who: &IdentityId,
            challenge: &Challenge,
            proof: &Self::Proof,
        ) -> Option<AuthenticatorId> {
            (*who == identity("ana") && proof.1 == challenge.to_hex()).then_some([proof.0; 32])
        }
    }

    let (request, expiry) = (request(), minute(1));
    let said = Challenge::new(&Domain::default(), &request, &NONCE, expiry).to_hex();
    let pass = |proofs: &[(u8, String)], request: &Request| {
        let mut consume = |_: &Nonce| true;
        let mut gate =
            Presence { verifier: &Doorman, proofs, nonce: NONCE, expiry, required: 2, consume: &mut consume };
        assert!(format!("{gate:?}").contains("required: 2"));
        gate.pass(&Domain::default(), request, minute(0))
    };
    assert_eq!(pass(&[(1, said.clone()), (2, said.clone())], &request), Ok(()));
    assert!(pass(&[(1, said.clone()), (1, said.clone())], &request).is_err());
    assert!(pass(&[(1, said.clone()), (2, said.to_uppercase())], &request).is_err());
    assert!(pass(&[(1, said.clone()), (2, said)], &Request { identity_id: identity("ivo"), ..request }).is_err());
}
