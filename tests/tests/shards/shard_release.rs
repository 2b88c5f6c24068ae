//! What a node compares before it lets its shard go, and a service before it rebuilds: whoever asks in another name,
//! for another shard or to another recipient gets nothing, and spends no nonce.

use dualseal::Domain;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::{Error, PresenceFault, Rejected, ShardFault};
use dualseal::presence::{EnrolledKeys, Nonce, Presence, PresenceProof};
use dualseal::shard::{Arguments, Gate, KnownSplit, Operation, Rebuilding, Recipient, Request, Shard, ShardId};
use dualseal_tests::contract::refusal;
use dualseal_tests::shards::{Asking, Noting, Store, copy, resealed, shard_id, vault};
use dualseal_tests::{identity, minute};
use std::collections::BTreeSet;

const NONCE: Nonce = Nonce::from_bytes([7; 32]);

fn device(number: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[number; 32]).unwrap()
}

fn other(member: &'static str) -> Error {
    Error::Rejected(Rejected::Shard(ShardFault::OtherRequest { member }))
}

fn superseded() -> Error {
    Error::Rejected(Rejected::Shard(ShardFault::SupersededSplit { culprits: vec![] }))
}

fn ids(shards: &[Shard]) -> Vec<ShardId> {
    shards.iter().map(|shard| *shard.shard_id()).collect()
}

fn request(store: &Store, shards: &[Shard]) -> Request {
    store.rebuilding().request(Operation::Rebuild, &Arguments::default(), shards[0].split_id(), &ids(shards)).unwrap()
}

/// Ana's device is 1, Eve's is 2: each is enrolled for herself.
fn enrolled() -> EnrolledKeys {
    let mut enrolled = EnrolledKeys::new();
    enrolled.enrol(&identity("ana"), device(1).public_key()).unwrap();
    enrolled.enrol(&identity("eve"), device(2).public_key()).unwrap();
    enrolled
}

/// A node: its shard, who may prove presence, and the nonces that it saw.
struct Node {
    shard: Shard,
    used: BTreeSet<[u8; 32]>,
    split: KnownSplit,
}

impl Node {
    fn new(shard: &Shard) -> Self {
        Self { shard: copy(shard), used: BTreeSet::new(), split: KnownSplit::NoChain }
    }

    /// Asked by `recipient`, with proofs for the one nonce of these tests.
    fn asked(&mut self, request: &Request, recipient: &Recipient, proofs: &[PresenceProof]) -> Result<(), Error> {
        let mut gate = Presence {
            verifier: &enrolled(),
            proofs,
            nonce: NONCE,
            expiry: minute(1),
            required: 1,
            consume: &mut |nonce| self.used.insert(*nonce.as_bytes()),
        };
        self.shard.release(&Domain::default(), request, recipient, self.split, &mut gate, minute(0))
    }
}

fn proof(request: &Request, number: u8) -> [PresenceProof; 1] {
    [PresenceProof::sign(&Domain::default(), request, &NONCE, minute(1), &device(number))]
}

#[test]
fn each_node_lets_its_shard_go_once() {
    let store = Store::new(2, 3);
    let request = request(&store, &store.shards);
    for shard in &store.shards {
        let mut node = Node::new(shard);
        assert_eq!(node.asked(&request, &store.recipient, &proof(&request, 1)), Ok(()));
        // Each node spends the nonce for itself.
        let again = node.asked(&request, &store.recipient, &proof(&request, 1)).unwrap_err();
        assert_eq!(again, Error::Rejected(Rejected::Presence(PresenceFault::NonceUsed)));
    }
}

/// Eve is enrolled, for herself: the gate opens for what she asks in her own name, and her name is not on the shard.
#[test]
fn an_enrolled_stranger_gets_nobody_elses_shards() {
    let store = Store::new(2, 3);
    let eves = Request { identity_id: identity("eve"), ..request(&store, &store.shards) };
    let proofs = proof(&eves, 2);
    let mut gate = Presence {
        verifier: &enrolled(),
        proofs: &proofs,
        nonce: NONCE,
        expiry: minute(1),
        required: 1,
        consume: &mut |_| true,
    };
    gate.pass(&Domain::default(), &eves, minute(0)).unwrap();
    for shard in &store.shards {
        let mut node = Node::new(shard);
        assert_eq!(node.asked(&eves, &store.recipient, &proofs).unwrap_err(), other("identity_id"));
        assert!(node.used.is_empty());
    }
    // In Ana's name the gate stays shut.
    let anas = request(&store, &store.shards);
    let refused = Node::new(&store.shards[0]).asked(&anas, &store.recipient, &proof(&anas, 2)).unwrap_err();
    let none = PresenceFault::TooFew { required: 1, good: 0, bad: vec![0] };
    assert_eq!(refused, Error::Rejected(Rejected::Presence(none)));
}

/// The first node that is asked has Ana's good proofs, and may be curious: what it passes on names somebody else, and
/// what it names itself in is not what she proved.
#[test]
fn a_curious_node_cannot_pass_a_request_on() {
    let store = Store::new(2, 3);
    let (request, curious) = (request(&store, &store.shards), Recipient::of_key(b"node 1"));
    let proofs = proof(&request, 1);
    let mut second = Node::new(&store.shards[1]);
    assert_eq!(second.asked(&request, &curious, &proofs).unwrap_err(), other("primatelj"));
    let edited = Request { recipient: curious, ..request.clone() };
    let refused = second.asked(&edited, &curious, &proofs).unwrap_err();
    let none = PresenceFault::TooFew { required: 1, good: 0, bad: vec![0] };
    assert_eq!(refused, Error::Rejected(Rejected::Presence(none)));
    assert!(second.used.is_empty());
    // And it cannot rebuild from what it has by saying that the service asked.
    let there = Rebuilding { recipient: &curious, ..store.rebuilding() };
    let shards = store.pick(&[1, 2]);
    assert_eq!(there.rebuild(&request, &shards, &mut Noting::open(), minute(0)).unwrap_err(), other("primatelj"));
    assert_eq!(second.asked(&request, &store.recipient, &proofs), Ok(()));
}

/// Every member of a request is compared before the gate is asked.
#[test]
fn what_a_node_compares() {
    let store = Store::new(2, 3);
    let good = request(&store, &store.shards);
    let own = &store.shards[1];
    let (mine, first) = (*own.shard_id(), *store.shards[0].shard_id());
    let named = |shard_ids: &[ShardId]| Request { shard_ids: shard_ids.to_vec(), ..good.clone() };
    let sorted = |shard_ids: &[ShardId]| {
        let mut shard_ids = shard_ids.to_vec();
        shard_ids.sort_unstable();
        named(&shard_ids)
    };
    let reversed: Vec<ShardId> = good.shard_ids.iter().rev().copied().collect();
    let release = |request: &Request, recipient: &Recipient, split: KnownSplit| {
        let mut gate = Noting::open();
        let released = own.release(&store.domain, request, recipient, split, &mut gate, minute(0));
        assert_eq!(gate.asked.len(), usize::from(released.is_ok()));
        released
    };
    for (request, member) in [
        (Request { vault_id: vault("ana", 1), ..good.clone() }, "vault_id"),
        (Request { split_id: dualseal::shard::SplitId::from_bytes([1; 32]), ..good.clone() }, "split_id"),
        (Request { identity_id: identity("ivo"), ..good.clone() }, "identity_id"),
        (Request { recipient: Recipient::of_key(b""), ..good.clone() }, "primatelj"),
        (named(&[]), "shard_ids"),
        (named(&[mine]), "shard_ids"),
        (named(&[mine, mine]), "shard_ids"),
        (named(&reversed), "shard_ids"),
        (sorted(&[first, *store.shards[2].shard_id()]), "shard_ids"),
        (sorted(&[first, mine, shard_id(1), shard_id(2)]), "shard_ids"),
    ] {
        assert_eq!(release(&request, &store.recipient, KnownSplit::NoChain).unwrap_err(), other(member));
    }
    for split in [KnownSplit::NoChain, KnownSplit::InForce(*own.split_id())] {
        for request in [good.clone(), sorted(&[first, mine])] {
            assert_eq!(release(&request, &store.recipient, split), Ok(()));
        }
        assert_eq!(release(&good, &Recipient::of_key(b"Eve"), split).unwrap_err(), other("primatelj"));
    }
    let told = KnownSplit::InForce(dualseal::shard::SplitId::from_bytes([1; 32]));
    assert_eq!(release(&good, &store.recipient, told).unwrap_err(), superseded());
    // What the gate says is the last word.
    let shut = own.release(&store.domain, &good, &store.recipient, KnownSplit::NoChain, &mut Noting::shut(), minute(0));
    assert_eq!(shut.unwrap_err(), Noting::shut().answer.unwrap_err());
}

/// Whoever rebuilds takes m or more of the shards that the request names, and none that it does not.
#[test]
fn rebuilding_takes_what_was_named() {
    let store = Store::new(2, 5);
    let here = store.rebuilding();
    let four = request(&store, &store.shards[..4]);
    for numbers in [&[1, 2][..], &[4, 3, 1], &[1, 2, 3, 4]] {
        let mut gate = Noting::open();
        let rebuilt = here.rebuild(&four, &store.pick(numbers), &mut gate, minute(0)).unwrap();
        assert_eq!((rebuilt.secret.to_bytes(), &gate.asked[..]), (store.secret.to_bytes(), &[four.clone()][..]));
    }
    let unnamed = Error::Rejected(Rejected::Shard(ShardFault::Mixed { foreign: vec![5], culprits: vec![] }));
    let refused = |request: &Request, shards: &[Shard], here: &Rebuilding<'_>| {
        let mut gate = Noting::open();
        let error = here.rebuild(request, shards, &mut gate, minute(0)).unwrap_err();
        assert!(gate.asked.is_empty(), "{error}");
        error
    };
    assert_eq!(refused(&four, &store.pick(&[1, 5]), &here), unnamed);
    // One that was slipped in takes no part: its number is neither counted nor accused.
    for numbers in [&[1, 2, 5][..], &[5, 4, 3, 2, 1]] {
        let rebuilt = here.rebuild(&four, &store.pick(numbers), &mut Noting::open(), minute(0)).unwrap();
        assert_eq!((rebuilt.secret.to_bytes(), rebuilt.culprits), (store.secret.to_bytes(), vec![]));
    }
    let wrong = |number: usize| resealed(&store.shards[number - 1], &[("vrijednost_hex", "07".repeat(32).into())]);
    let slipped = [copy(&store.shards[0]), copy(&store.shards[3]), wrong(2), wrong(5)];
    let rebuilt = here.rebuild(&four, &slipped, &mut Noting::open(), minute(0)).unwrap();
    assert_eq!((rebuilt.secret.to_bytes(), rebuilt.misdealt), (store.secret.to_bytes(), vec![]));
    let shards = store.pick(&[1, 2]);
    let with = |change: &dyn Fn(&mut Request)| {
        let mut request = four.clone();
        change(&mut request);
        refused(&request, &shards, &here)
    };
    assert_eq!(with(&|request| request.vault_id = vault("ana", 1)), other("vault_id"));
    assert_eq!(with(&|request| request.identity_id = identity("ivo")), other("identity_id"));
    assert_eq!(with(&|request| request.recipient = Recipient::of_key(b"Eve")), other("primatelj"));
    assert_eq!(with(&|request| request.operation = Operation::Repair), other("op"));
    let repair = Arguments { index: Some(3), ..Arguments::default() };
    assert_eq!(with(&|request| request.arguments = repair.hash()), other("args"));
    assert_eq!(with(&|request| request.shard_ids.extend([ShardId::from_bytes([0xff; 32]); 2])), other("shard_ids"));
    // The proofs for one lost shard make no other again.
    let mut for_three = here.asked(Operation::Repair, &repair, &shards);
    let lost = dualseal_tests::shards::lost(&store.shards[3]);
    let mut gate = Noting::open();
    let refused = here.repair(&for_three, &shards, lost, &mut gate, minute(0)).unwrap_err();
    assert_eq!((refused, gate.asked.len()), (other("args"), 0));
    for_three.operation = Operation::Refresh;
    let lost = dualseal_tests::shards::lost(&store.shards[2]);
    let refused = here.repair(&for_three, &shards, lost, &mut gate, minute(0)).unwrap_err();
    assert_eq!((refused, gate.asked.len()), (other("op"), 0));
}

#[test]
fn requests_have_their_refusals() {
    use dualseal::error::{Malformed, Problem};
    let store = Store::new(2, 3);
    let here = store.rebuilding();
    let split_id = store.shards[0].split_id();
    let make = |ids: &[ShardId]| here.request(Operation::Rebuild, &Arguments::default(), split_id, ids);
    let many: Vec<ShardId> =
        (0..=255).map(|number: u8| ShardId::from_bytes([number; 32])).chain([shard_id(1)]).collect();
    for few in [&[][..], &many[..1], &many[..256], &many] {
        assert_eq!(make(few).unwrap_err(), Malformed::new("shard_ids", None, Problem::Range).into());
    }
    let twice = Malformed::new("shard_ids", Some(2), Problem::Repeated);
    assert_eq!(make(&[shard_id(2), shard_id(1), shard_id(2)]).unwrap_err(), twice.into());
    let made = make(&many[1..256].iter().rev().copied().collect::<Vec<_>>()).unwrap();
    assert_eq!(made.shard_ids, many[1..256]);
    let read = |text: &[u8]| Request::from_json(text).map(|request| request.to_json());
    assert_eq!(read(made.to_json().as_bytes()).unwrap(), made.to_json());
    let short = made.to_json().replace(&format!("\"primatelj\":\"{}\",", made.recipient), "");
    assert_eq!(refusal(&read, &short), ("primatelj", Problem::MissingMember));
    // What was superseded is not asked for.
    let in_force = store.in_force().unwrap();
    let here = Rebuilding { in_force: Some(&in_force), ..here };
    let old = dualseal::shard::SplitId::from_bytes([1; 32]);
    let two = &many[..2];
    assert_eq!(here.request(Operation::Rebuild, &Arguments::default(), &old, two).unwrap_err(), superseded());
    here.request(Operation::Rebuild, &Arguments::default(), split_id, two).unwrap();
}
