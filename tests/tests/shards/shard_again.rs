//! A vault secret dealt anew, and a lost shard made again: what the gate is asked for each, what comes out, and what is
//! refused before the gate is asked at all.

use dualseal::error::{Error, Malformed, Misuse, Problem, Rejected, ShardFault, SharingFault, SharingProblem};
use dualseal::shamir::Index;
use dualseal::shard::{Arguments, Dealer, LostShard, Operation, Prepared, Rebuilding, Request, Shard, ShardId};
use dualseal::{Domain, SystemRng};
use dualseal_tests::random::FAILING;
use dualseal_tests::shards::{
    Asking, Noting, Store, copy, forged, no_arguments, raw_anchor, raw_arguments, raw_split, resealed, shard_key, urls,
    vault,
};
use dualseal_tests::{identity, minute};
use serde_json::{Value as Json, json};

fn too_few(needed: u8, found: u8, culprits: &[u8]) -> Error {
    SharingFault { problem: SharingProblem::TooFewShares { needed, found }, culprits: culprits.to_vec() }.into()
}

fn shard_fault(fault: ShardFault) -> Error {
    Error::Rejected(Rejected::Shard(fault))
}

fn index(number: u64) -> Index {
    Index::new(number).unwrap()
}

/// The one request that a gate must have seen.
fn request(store: &Store, operation: Operation, shards: &[Shard], arguments: &Json) -> Request {
    let mut shard_ids: Vec<ShardId> = shards.iter().map(|shard| *shard.shard_id()).collect();
    shard_ids.sort_unstable();
    Request {
        operation,
        vault_id: store.vault_id,
        split_id: *store.shards[0].split_id(),
        shard_ids,
        arguments: raw_arguments(arguments).parse().unwrap(),
        recipient: store.recipient,
        identity_id: store.identity_id,
    }
}

fn with(members: &[(&str, Json)]) -> Json {
    let mut json = no_arguments();
    for (member, value) in members {
        json[*member] = value.clone();
    }
    json
}

fn check_split(store: &Store, split: &Prepared, m: u8, nodes: &[String]) {
    assert_eq!(split.shards.len(), nodes.len());
    let new = split.shards[0].split_id();
    assert!(store.shards.iter().all(|shard| shard.split_id() != new));
    for (number, (shard, url)) in (1..=255).zip(split.shards.iter().zip(nodes)) {
        shard.verify(&store.domain, &store.key).unwrap();
        assert_eq!((shard.index().get(), shard.node_url(), shard.split_id()), (number, url.as_str(), new));
        assert_eq!((shard.threshold().k(), usize::from(shard.threshold().n())), (m, nodes.len()));
        assert_eq!(shard.anchor().to_hex(), raw_anchor(&store.vault_id, &store.secret.to_bytes()));
        assert!(store.shards.iter().all(|old| old.as_ref().to_bytes() != shard.as_ref().to_bytes()));
    }
    assert_eq!(split.preparation.split_id(), new);
    let (entry, old) = (store.commit(split).unwrap().entry, store.shards[0].split_id().to_hex());
    let message = raw_split(&store.vault_id, &old, &new.to_hex(), &store.chain.head().top().to_hex());
    assert_eq!((entry.message(), entry.identity_id(), entry.time()), (message.as_str(), &store.identity_id, minute(3)));
    let rebuilt = store.rebuilding().rebuild_these(&split.shards[..m.into()], &mut Noting::open()).unwrap();
    assert_eq!(rebuilt.secret.to_bytes(), store.secret.to_bytes());
}

#[test]
fn refreshing() {
    let mut store = Store::new(3, 5);
    let nodes: Vec<String> = (1..=5).map(|node| format!("https://new-{node}.example")).collect();
    let shards: Vec<Shard> = store.pick(&[5, 2, 4]).into_iter().chain([forged(&store.shards[0])]).collect();
    let mut gate = Noting::open();
    let split = store.rebuilding().refresh_these(&shards, &store.dealer(3, &nodes), &mut gate, &mut SystemRng).unwrap();
    assert_eq!(gate.asked, [request(&store, Operation::Refresh, &shards, &with(&[("node_urls", json!(nodes))]))]);
    assert_eq!(split.culprits, [index(1)]);
    check_split(&store, &split, 3, &nodes);
    let arguments = Arguments { node_urls: Some(nodes.clone()), ..Arguments::default() };
    assert_eq!(store.rebuilding().asked(Operation::Refresh, &arguments, &shards), gate.asked[0]);

    // An old shard no longer fits, and the old set is superseded.
    let old = store.take(split);
    let mixed = [copy(&old[0]), copy(&store.shards[1]), forged(&store.shards[2]), copy(&store.shards[3])];
    let error = store.rebuilding().rebuild_these(&mixed, &mut Noting::open()).unwrap_err();
    assert_eq!(error, shard_fault(ShardFault::Mixed { foreign: vec![1], culprits: vec![3] }));
    let in_force = store.in_force().unwrap();
    let here = Rebuilding { in_force: Some(&in_force), ..store.rebuilding() };
    let superseded = shard_fault(ShardFault::SupersededSplit { culprits: vec![] });
    assert_eq!(here.rebuild_these(&old, &mut Noting::open()).unwrap_err(), superseded);
    assert_eq!(
        here.refresh_these(&old, &store.dealer(3, &nodes), &mut Noting::open(), &mut SystemRng).unwrap_err(),
        superseded
    );
}

#[test]
fn changing_the_numbers() {
    let store = Store::new(2, 3);
    for (m, n) in [(3, 5), (2, 2), (2, 3), (4, 4), (2, 255)] {
        let (nodes, shards, mut gate) = (urls(n), store.pick(&[3, 1]), Noting::open());
        let split =
            store.rebuilding().rethreshold_these(&shards, &store.dealer(m, &nodes), &mut gate, &mut SystemRng).unwrap();
        let arguments = with(&[("m", json!(m)), ("n", json!(n)), ("node_urls", json!(nodes))]);
        assert_eq!(gate.asked, [request(&store, Operation::Rethreshold, &shards, &arguments)]);
        check_split(&store, &split, m, &nodes);
    }
}

/// Everything that can be known beforehand is refused beforehand: the gate is not asked, so no nonce is spent.
#[test]
fn dealing_anew_has_its_refusals() {
    let store = Store::new(3, 5);
    let (good, nodes) = (store.pick(&[1, 2, 3]), urls(5));
    let dealer = store.dealer(3, &nodes);
    let refused = |shards: &[Shard], dealer: &Dealer, refresh: bool| {
        let mut gate = Noting::open();
        let here = store.rebuilding();
        let split = if refresh {
            here.refresh_these(shards, dealer, &mut gate, &mut SystemRng)
        } else {
            here.rethreshold_these(shards, dealer, &mut gate, &mut SystemRng)
        };
        assert!(gate.asked.is_empty(), "{split:?}");
        split.unwrap_err()
    };
    for refresh in [true, false] {
        assert_eq!(refused(&[], &dealer, refresh), Misuse::NoShards.into());
        assert_eq!(refused(&store.pick(&[1, 2]), &dealer, refresh), too_few(3, 2, &[]));
        let bad = [copy(&good[0]), copy(&good[1]), forged(&good[2])];
        assert_eq!(refused(&bad, &dealer, refresh), too_few(3, 2, &[3]));
        let Store { domain, key, vault_id, identity_id, .. } = &store;
        for (vault_id, identity_id) in [(vault("ana", 1), *identity_id), (*vault_id, identity("ivo"))] {
            let other = Dealer::without_record(domain, key, &vault_id, &identity_id, 3, &nodes);
            assert_eq!(refused(&good, &other, refresh), Misuse::OtherVault.into());
        }
    }
    // Refreshing keeps the numbers; changing them has another name, and other proofs.
    for (m, n, field) in [(2, 5, "m"), (4, 5, "m"), (3, 4, "n"), (3, 6, "n"), (3, 0, "n")] {
        let nodes = urls(n);
        let found = refused(&good, &store.dealer(m, &nodes), true);
        assert_eq!(found, Malformed::new(field, None, Problem::Range).into(), "{m} {n}");
    }
    for (m, n, field, number) in
        [(1, 5, "m", 1), (6, 5, "m", 6), (0, 2, "m", 0), (2, 1, "n", 1), (2, 0, "n", 0), (2, 256, "n", 256)]
    {
        let nodes = urls(n);
        let found = refused(&good, &store.dealer(m, &nodes), false);
        assert_eq!(found, Malformed::new(field, Some(number), Problem::Range).into(), "{m} {n}");
    }
}

/// What is dealt anew is of the same domain and under the same key: a dealer of another is refused, not mended.
#[test]
fn a_dealer_of_another_domain_or_key() {
    let store = Store::new(2, 3);
    let (shards, nodes, acme) = (store.pick(&[1, 2]), urls(3), Domain::new("ACME").unwrap());
    let other_key = shard_key(&identity("ivo"));
    for (domain, key) in [(&acme, &store.key), (&store.domain, &other_key)] {
        let dealer = Dealer::without_record(domain, key, &store.vault_id, &store.identity_id, 2, &nodes);
        let mut gate = Noting::open();
        let here = store.rebuilding();
        let again = [
            here.refresh_these(&shards, &dealer, &mut gate, &mut SystemRng),
            here.rethreshold_these(&shards, &dealer, &mut gate, &mut SystemRng),
        ];
        for dealt in again {
            assert_eq!(dealt.unwrap_err(), Misuse::OtherVault.into());
        }
        assert!(gate.asked.is_empty());
    }
}

/// A shut gate comes before anything is drawn; a failing generator after it deals nothing.
#[test]
fn the_gate_comes_before_the_dealing() {
    let store = Store::new(2, 3);
    let (shards, nodes) = (store.pick(&[1, 2]), urls(3));
    for (gate, expected) in
        [(Noting::shut(), Error::from(Misuse::NoProofsRequired)), (Noting::open(), Error::Randomness)]
    {
        let again = || Noting { asked: vec![], answer: gate.answer.clone() };
        let (mut first, mut second) = (again(), again());
        let dealer = store.dealer(2, &nodes);
        let refreshed = store.rebuilding().refresh_these(&shards, &dealer, &mut first, &mut FAILING.clone());
        let changed = store.rebuilding().rethreshold_these(&shards, &dealer, &mut second, &mut FAILING.clone());
        assert_eq!((refreshed.unwrap_err(), changed.unwrap_err()), (expected.clone(), expected));
        assert_eq!((first.asked.len(), second.asked.len()), (1, 1));
    }
}

#[test]
fn a_lost_shard_is_made_again() {
    let store = Store::new(3, 5);
    for lost in 1..=5_u8 {
        let numbers: Vec<u8> = (1..=5).filter(|number| *number != lost).take(3).collect();
        let (shards, shard, mut gate) = (store.pick(&numbers), &store.shards[usize::from(lost) - 1], Noting::open());
        let here = store.rebuilding();
        let repaired = here.repair_these(&shards, dualseal_tests::shards::lost(shard), &mut gate).unwrap();
        assert_eq!(*repaired.shard.to_json(), *shard.to_json());
        assert!(repaired.culprits.is_empty());
        assert_eq!(gate.asked, [request(&store, Operation::Repair, &shards, &with(&[("indeks", json!(lost))]))]);
    }
    // The shard that a node altered is named, and made again.
    let shards: Vec<Shard> = [forged(&store.shards[1])].into_iter().chain(store.pick(&[1, 3, 4])).collect();
    let lost = &store.shards[1];
    let repaired =
        store.rebuilding().repair_these(&shards, dualseal_tests::shards::lost(lost), &mut Noting::open()).unwrap();
    assert_eq!((*repaired.shard.to_json() == *lost.to_json(), repaired.culprits), (true, vec![index(2)]));
}

#[test]
fn repairing_has_its_refusals() {
    let store = Store::new(2, 3);
    let lost = &store.shards[2];
    let repair = |shards: &[Shard], number: u64, url: &str, id: &ShardId, gate: &mut Noting| {
        let lost = LostShard { index: index(number), node_url: url, shard_id: id };
        store.rebuilding().repair_these(shards, lost, gate).map(drop)
    };
    let refused = |shards: &[Shard], number: u64| {
        let mut gate = Noting::open();
        let error = repair(shards, number, lost.node_url(), lost.shard_id(), &mut gate).unwrap_err();
        assert!(gate.asked.is_empty(), "{error}");
        error
    };
    assert_eq!(refused(&[], 3), Misuse::NoShards.into());
    assert_eq!(refused(&store.pick(&[1]), 3), too_few(2, 1, &[]));
    assert_eq!(refused(&[copy(&store.shards[0]), forged(&store.shards[1])], 3), too_few(2, 1, &[2]));
    for above in [4, 255] {
        let expected = Malformed::new("indeks", Some(above), Problem::Range);
        assert_eq!(refused(&store.pick(&[1, 2]), above), expected.into());
    }
    let mut shut = Noting::shut();
    let error = repair(&store.pick(&[1, 2]), 3, lost.node_url(), lost.shard_id(), &mut shut).unwrap_err();
    assert_eq!((error, shut.asked.len()), (Misuse::NoProofsRequired.into(), 1));

    // What comes out must be the shard that the caller knows: not another label, number or node's.
    let identifier = shard_fault(ShardFault::Identifier);
    for (number, url, id) in [
        (3, "https://elsewhere.example", lost.shard_id()),
        (3, "", lost.shard_id()),
        (2, lost.node_url(), lost.shard_id()),
        (3, lost.node_url(), store.shards[1].shard_id()),
    ] {
        let found = repair(&store.pick(&[1, 2]), number, url, id, &mut Noting::open()).unwrap_err();
        assert_eq!(found, identifier, "{number} {url}");
    }
    // Shares that hold and are not on the polynomial of the secret give no shard at all.
    let wrong = resealed(&store.shards[1], &[("vrijednost_hex", json!("07".repeat(32)))]);
    let shards = [copy(&store.shards[0]), wrong];
    let dealer = SharingFault { problem: SharingProblem::DealerFault, culprits: Vec::new() };
    assert_eq!(repair(&shards, 3, lost.node_url(), lost.shard_id(), &mut Noting::open()).unwrap_err(), dealer.into());
}
