//! Rebuilding a vault secret: for every set of shards, what becomes of it. The gate is asked once and last, and never
//! for shards that would not rebuild. What is rebuilt is the secret that was split, or there is an error.

use dualseal::error::{
    CheckpointFault, Error, Malformed, Misuse, Problem, Rejected, ShardFault, SharingFault, SharingProblem,
};
use dualseal::shard::{Arguments, Operation, Rebuilding, Request, Shard, ShardId};
use dualseal::stream::{self, Purpose};
use dualseal::{Krunica, SystemRng};
use dualseal_tests::log::{ORIGIN, covering};
use dualseal_tests::reading;
use dualseal_tests::shards::{
    Asking, Noting, Store, altered, copy, forged, no_arguments, raw_anchor, raw_arguments, resealed, shard_key, urls,
    vault,
};
use dualseal_tests::{identity, minute};
use serde_json::json;

fn too_few(needed: u8, found: u8, culprits: &[u8]) -> Error {
    SharingFault { problem: SharingProblem::TooFewShares { needed, found }, culprits: culprits.to_vec() }.into()
}

fn shard_fault(fault: ShardFault) -> Error {
    Error::Rejected(Rejected::Shard(fault))
}

fn mixed(indices: &[u8]) -> Error {
    mixed_with(indices, &[])
}

fn mixed_with(indices: &[u8], culprits: &[u8]) -> Error {
    shard_fault(ShardFault::Mixed { foreign: indices.to_vec(), culprits: culprits.to_vec() })
}

fn superseded(culprits: &[u8]) -> Error {
    shard_fault(ShardFault::SupersededSplit { culprits: culprits.to_vec() })
}

/// The culprits of a secret that is the right one, after one question at the gate.
fn rebuilt(rebuilding: &Rebuilding<'_>, store: &Store, shards: &[Shard]) -> Vec<u8> {
    let mut gate = Noting::open();
    let rebuilt = rebuilding.rebuild_these(shards, &mut gate).unwrap();
    assert_eq!(rebuilt.secret.to_bytes(), store.secret.to_bytes());
    assert_eq!(gate.asked.len(), 1);
    let mut ids: Vec<ShardId> = shards.iter().map(|shard| *shard.shard_id()).collect();
    ids.sort_unstable();
    ids.dedup();
    let made = rebuilding.request(Operation::Rebuild, &Arguments::default(), store.shards[0].split_id(), &ids);
    assert_eq!(gate.asked[0], made.unwrap());
    let expected = Request {
        operation: Operation::Rebuild,
        vault_id: store.vault_id,
        split_id: *store.shards[0].split_id(),
        shard_ids: ids,
        arguments: raw_arguments(&no_arguments()).parse().unwrap(),
        recipient: store.recipient,
        identity_id: store.identity_id,
    };
    assert_eq!(gate.asked[0], expected);
    assert_eq!(rebuilt.misdealt, []);
    rebuilt.culprits.iter().map(|index| index.get()).collect()
}

/// The error, and that the gate was not asked.
fn refused(rebuilding: &Rebuilding<'_>, shards: &[Shard]) -> Error {
    let mut gate = Noting::open();
    let error = rebuilding.rebuild_these(shards, &mut gate).unwrap_err();
    assert!(gate.asked.is_empty(), "{error}");
    error
}

/// The table of outcomes for a vault split 3 of 5.
#[test]
fn every_outcome_is_written_down() {
    let store = Store::new(3, 5);
    let here = store.rebuilding();
    let bad = |number: usize| forged(&store.shards[number - 1]);
    let with = |numbers: &[u8], more: Vec<Shard>| store.pick(numbers).into_iter().chain(more).collect::<Vec<_>>();

    for numbers in [&[1, 2, 3][..], &[5, 1, 4], &[5, 4, 3, 2, 1]] {
        assert_eq!(rebuilt(&here, &store, &store.pick(numbers)), [] as [u8; 0], "m shards or more");
    }
    assert_eq!(rebuilt(&here, &store, &with(&[1, 3, 5], vec![bad(2)])), [2], "m good ones, a bad one to spare");
    assert_eq!(rebuilt(&here, &store, &with(&[1, 3, 5], vec![bad(4), bad(2)])), [2, 4], "n, two of them bad");

    assert_eq!(refused(&here, &[]), Misuse::NoShards.into(), "none");
    assert_eq!(refused(&here, &store.pick(&[1])), too_few(3, 1, &[]), "one");
    assert_eq!(refused(&here, &store.pick(&[4, 2])), too_few(3, 2, &[]), "m-1");
    assert_eq!(refused(&here, &with(&[4, 2], vec![bad(1)])), too_few(3, 2, &[1]), "m, one of them bad");
    assert_eq!(refused(&here, &with(&[4], vec![bad(5), bad(1)])), too_few(3, 1, &[1, 5]), "two too many are bad");
    assert_eq!(refused(&here, &store.pick(&[2, 1, 2])), too_few(3, 2, &[]), "twice the same counts once");
    let spoilt = with(&[1, 2, 3], vec![bad(3), bad(5)]);
    assert_eq!(rebuilt(&here, &store, &spoilt), [5], "junk under the number of a good one accuses nobody");
    let again = with(&[1, 2, 3], store.pick(&[3]));
    assert_eq!(rebuilt(&here, &store, &again), [] as [u8; 0], "the same shard twice");
    // Whoever has the seal key can make two shards of one number that both hold, and is told so.
    let other = resealed(&store.shards[2], &[("vrijednost_hex", json!("07".repeat(32)))]);
    let repeated = Error::from(Malformed::new("indeks", Some(3), Problem::Repeated));
    assert_eq!(refused(&here, &with(&[1, 2, 3], vec![copy(&other)])), repeated);
    assert_eq!(refused(&here, &[other].into_iter().chain(store.pick(&[3, 2, 1])).collect::<Vec<_>>()), repeated);
    // With nothing but bad shards, not even m is known: every splitting needs two.
    assert_eq!(refused(&here, &[bad(1), bad(2), bad(3)]), too_few(2, 0, &[1, 2, 3]));
}

/// Numbers and duplicates are looked at before any seal is computed.
#[test]
fn counting_comes_first() {
    let store = Store::new(3, 5);
    let bad = |number: usize, m: u8| altered(&store.shards[number - 1], "m", m.into());
    assert_eq!(refused(&store.rebuilding(), &[bad(1, 4), bad(1, 4)]), too_few(4, 1, &[]));
    // By the least m that any of them gives, so that a forged m keeps nobody out.
    assert_eq!(refused(&store.rebuilding(), &[bad(1, 4), bad(2, 5)]), too_few(4, 2, &[]));
    assert_eq!(refused(&store.rebuilding(), &[bad(1, 2), bad(2, 5)]), too_few(2, 0, &[1, 2]));
    let shards: Vec<Shard> = store.pick(&[1, 2, 3]).into_iter().chain([bad(4, 2), bad(5, 5)]).collect();
    assert_eq!(rebuilt(&store.rebuilding(), &store, &shards), [4, 5]);
}

/// A shard with any member altered is a culprit's, whatever it then says that it is of.
#[test]
fn altered_shards_are_culprits() {
    let store = Store::new(2, 3);
    for (member, value) in [
        ("identity_id", json!(identity("ivo").to_hex())),
        ("vault_id", json!(vault("ana", 1).to_hex())),
        ("split_id", json!("ab".repeat(32))),
        ("javni_sidro", json!("cd".repeat(64))),
        ("m", json!(3)),
        ("n", json!(7)),
        ("node_url", json!("elsewhere")),
        ("seal", json!(format!("SEAL-L5::{}", "0".repeat(128)))),
        ("shard_id", json!("ef".repeat(32))),
    ] {
        let bad = || altered(&store.shards[1], member, value.clone());
        assert_eq!(refused(&store.rebuilding(), &[copy(&store.shards[0]), bad()]), too_few(2, 1, &[2]), "{member}");
        let shards = [copy(&store.shards[0]), bad(), copy(&store.shards[2])];
        assert_eq!(rebuilt(&store.rebuilding(), &store, &shards), [2], "{member}");
    }
    // A number above n: with n altered as well, or the reader refuses it.
    let moved = altered(&altered(&store.shards[1], "n", json!(9)), "indeks", json!(8));
    assert_eq!(refused(&store.rebuilding(), &[copy(&store.shards[0]), moved]), too_few(2, 1, &[8]));
}

/// What a set of shards amounts to, told without a gate and without rebuilding.
#[test]
fn health_tells_the_state_of_every_number() {
    let store = Store::new(3, 6);
    let older = Store::new(3, 6);
    let foreign = resealed(&store.shards[3], &[("vault_id", json!(vault("ana", 1).to_hex()))]);
    let given = [
        copy(&store.shards[0]),
        forged(&store.shards[1]),
        copy(&older.shards[2]),
        foreign,
        copy(&store.shards[4]),
        forged(&store.shards[4]),
    ];
    let health = store.rebuilding().health(&store.shards[0], &given);
    let numbers = |list: &[dualseal::shamir::Index]| list.iter().map(|index| index.get()).collect::<Vec<_>>();
    assert_eq!(numbers(&health.present), [1, 5]);
    assert_eq!(numbers(&health.missing), [2, 3, 4, 6]);
    assert_eq!(numbers(&health.invalid), [2, 5]);
    assert_eq!(numbers(&health.foreign), [3, 4]);
    assert_eq!(refused(&store.rebuilding(), &given[..2]), too_few(3, 2, &[]));
}

/// Shards that hold, and do not go together or are not those asked for.
#[test]
fn shards_of_two_splittings_do_not_mix() {
    let mut store = Store::new(2, 3);
    let nodes = urls(3);
    let split = store.again(2, &nodes);
    let old = store.take(split);
    let two = |first: &Shard, second: &Shard| vec![copy(first), copy(second)];
    // Either splitting rebuilds by itself, where there is no chain to say which one counts.
    let here = store.rebuilding();
    rebuilt(&here, &store, &store.pick(&[1, 2]));
    assert_eq!(here.rebuild_these(&old, &mut Noting::open()).unwrap().secret.to_bytes(), store.secret.to_bytes());
    // Of as many, the request says which are meant; the other ones are foreign, whatever their order.
    for shards in [two(&old[0], &store.shards[1]), two(&store.shards[1], &old[0]), two(&store.shards[0], &old[2])] {
        let asked = here.asked(Operation::Rebuild, &Arguments::default(), &shards);
        for (of, other) in [(&shards[0], &shards[1]), (&shards[1], &shards[0])] {
            let request = Request { split_id: *of.split_id(), ..asked.clone() };
            let error = here.rebuild(&request, &shards, &mut Noting::open(), minute(0)).unwrap_err();
            assert_eq!(error, mixed(&[other.index().get()]));
        }
    }
    let shards = [copy(&store.shards[0]), copy(&store.shards[2]), copy(&old[1])];
    assert_eq!(rebuilt(&here, &store, &shards), [] as [u8; 0], "m good ones rebuild, and nobody is accused");

    // Whatever their order.
    let shards = [copy(&old[1]), copy(&store.shards[2]), copy(&store.shards[0])];
    assert_eq!(rebuilt(&here, &store, &shards), [] as [u8; 0]);
    // Shards that do not hold are told apart from those that do not belong.
    let shards = [copy(&old[0]), forged(&store.shards[1]), copy(&store.shards[2])];
    assert_eq!(refused(&here, &shards), mixed_with(&[3], &[2]));

    // What the operator alone could seal: other numbers, another anchor, another vault or identity under one key.
    for (member, value) in [
        ("m", json!(3)),
        ("n", json!(4)),
        ("javni_sidro", json!("cd".repeat(64))),
        ("split_id", json!("ab".repeat(32))),
    ] {
        let other = resealed(&store.shards[2], &[(member, value)]);
        let shards = [other, copy(&store.shards[0]), copy(&store.shards[1])];
        assert_eq!(rebuilt(&here, &store, &shards), [] as [u8; 0], "{member}: most of them decide");
        let [other, first, _] = shards;
        let error = refused(&here, &[first, other]);
        assert!(matches!(error, Error::Rejected(Rejected::Shard(ShardFault::Mixed { .. }))), "{member}: {error}");
    }
    // Of as many with other numbers, nothing says which are the right ones: both sides are named.
    let other = resealed(&store.shards[2], &[("n", json!(4))]);
    assert_eq!(refused(&here, &[copy(&store.shards[0]), other]), mixed(&[1, 3]));
    for (member, value) in
        [("vault_id", json!(vault("ana", 1).to_hex())), ("identity_id", json!(identity("ivo").to_hex()))]
    {
        let other = |number: usize| resealed(&store.shards[number - 1], &[(member, value.clone())]);
        let shards = [copy(&store.shards[0]), other(3), copy(&store.shards[1])];
        assert_eq!(rebuilt(&here, &store, &shards), [] as [u8; 0], "{member}");
        assert_eq!(refused(&here, &[other(3), copy(&store.shards[0])]), mixed(&[3]), "{member}: too few without it");
        assert_eq!(refused(&here, &[other(3), other(2)]), mixed(&[2, 3]), "{member}: all of them");
    }
    // Another identity's shards do not hold under this identity's key.
    let theirs = Store::of("ivo", 0, 2, 3);
    assert_eq!(refused(&here, &theirs.shards), too_few(2, 0, &[1, 2, 3]));
    // Another vault of the same identity, whose shards hold.
    let other = Store::of("ana", 1, 2, 3);
    assert_eq!(refused(&here, &other.shards), mixed(&[1, 2, 3]));
}

/// A node that sends a share of another polynomial under its own number, resealed by a dishonest operator: nothing
/// comes of it, and nobody is accused.
#[test]
fn a_dealer_at_fault_gives_no_secret() {
    let store = Store::new(2, 3);
    let wrong = resealed(&store.shards[1], &[("vrijednost_hex", json!("07".repeat(32)))]);
    let fault = |culprits: &[u8]| {
        Error::from(SharingFault { problem: SharingProblem::DealerFault, culprits: culprits.to_vec() })
    };
    let mut gate = Noting::open();
    let shards = [copy(&store.shards[0]), wrong];
    assert_eq!(store.rebuilding().rebuild_these(&shards, &mut gate).unwrap_err(), fault(&[]));
    assert_eq!(gate.asked.len(), 1);
    let [first, second] = shards;
    let shards = [first, second, forged(&store.shards[2])];
    assert_eq!(store.rebuilding().rebuild_these(&shards, &mut Noting::open()).unwrap_err(), fault(&[3]));
    // With two to spare it is found, and whoever holds it is no culprit; the order does not matter.
    let store = Store::new(2, 4);
    for place in 0..4 {
        let wrong = resealed(&store.shards[place], &[("vrijednost_hex", json!("07".repeat(32)))]);
        let mut shards: Vec<Shard> = store.shards.iter().map(copy).collect();
        shards[place] = wrong;
        for _ in 0..4 {
            shards.rotate_left(1);
            let rebuilt = store.rebuilding().rebuild_these(&shards, &mut Noting::open()).unwrap();
            assert_eq!(rebuilt.secret.to_bytes(), store.secret.to_bytes());
            let named: Vec<u8> = rebuilt.misdealt.iter().map(|index| index.get()).collect();
            assert_eq!((rebuilt.culprits.len(), named.len()), (0, usize::from(place < 2)));
            assert!(named.iter().all(|index| usize::from(*index) == place + 1));
        }
    }
    // Every shard under the anchor of another secret.
    let anchor = raw_anchor(&store.vault_id, &[9; 32]);
    let shards: Vec<Shard> =
        store.shards.iter().map(|shard| resealed(shard, &[("javni_sidro", anchor.as_str().into())])).collect();
    assert_eq!(store.rebuilding().rebuild_these(&shards, &mut Noting::open()).unwrap_err(), fault(&[]));
}

/// What the gate says is what the caller is told, and nothing is rebuilt.
#[test]
fn a_shut_gate_is_the_last_word() {
    let store = Store::new(2, 3);
    let mut gate = Noting::shut();
    let error = store.rebuilding().rebuild_these(&store.pick(&[1, 3]), &mut gate).unwrap_err();
    assert_eq!((error, gate.asked.len()), (Misuse::NoProofsRequired.into(), 1));
}

/// Another domain's shards are forged ones.
#[test]
fn another_domains_shards_do_not_hold() {
    let store = Store::new(2, 3);
    let acme = dualseal::Domain::new("ACME").unwrap();
    let there = Rebuilding { domain: &acme, ..store.rebuilding() };
    assert_eq!(refused(&there, &store.shards), too_few(2, 0, &[1, 2, 3]));
}

/// With a chain at hand, only the last located splitting rebuilds.
#[test]
fn a_superseded_splitting_is_refused() {
    let mut store = Store::new(2, 3);
    let nodes = urls(3);
    let split = store.again(2, &nodes);
    let old = store.take(split);
    let size = store.chain.entries().len();
    let (now, before) = (store.in_force().unwrap(), store.in_force_covered(size - 1).unwrap());
    assert_eq!((now.seq(), before.seq()), (2, 1));
    let here = Rebuilding { in_force: Some(&now), ..store.rebuilding() };
    rebuilt(&here, &store, &store.pick(&[3, 1]));
    assert_eq!(refused(&here, &old), superseded(&[]));
    let shards = [forged(&old[1]), copy(&old[0])];
    assert_eq!(refused(&here, &shards), superseded(&[2]));
    // Its health says as much: nothing of it is there to rebuild from.
    let numbers = |list: &[dualseal::shamir::Index]| list.iter().map(|index| index.get()).collect::<Vec<_>>();
    for (of, given) in [(&old[0], &old), (&old[0], &store.shards), (&store.shards[0], &old)] {
        let health = here.health(of, given);
        let found = [&health.present, &health.missing, &health.invalid, &health.foreign].map(|list| numbers(list));
        assert_eq!(found, [vec![], vec![1, 2, 3], vec![], vec![1, 2, 3]]);
    }
    assert_eq!(numbers(&here.health(&store.shards[0], &store.shards).present), [1, 2, 3]);
    assert_eq!(numbers(&store.rebuilding().health(&old[0], &old).present), [1, 2, 3]);
    // The one in force decides, however few of its shards there are.
    let shards = [copy(&old[0]), copy(&old[1]), copy(&store.shards[2])];
    assert_eq!(refused(&here, &shards), mixed(&[1, 2]));
    // What the checkpoint does not cover yet is not in force.
    let there = Rebuilding { in_force: Some(&before), ..store.rebuilding() };
    assert_eq!(refused(&there, &store.pick(&[3, 1])), superseded(&[]));
    there.rebuild_these(&old, &mut Noting::open()).unwrap();

    // Entries of others, of other vaults and of plain texts do not count.
    let other = Store::of("ana", 1, 2, 3);
    let message = other.chain.entries().last().unwrap().message().to_string();
    let fake = store.chain.entries().last().unwrap().message().replace(&now_split(&store), &"ab".repeat(32));
    for (who, text) in [(identity("ana"), message), (identity("mallory"), fake)] {
        store.written(&who, &text);
    }
    assert_eq!(store.in_force().unwrap(), now);
}

fn now_split(store: &Store) -> String {
    store.shards[0].split_id().to_hex()
}

#[test]
fn a_vault_without_a_split_entry_is_refused() {
    let store = Store::new(2, 3);
    assert_eq!(store.in_force_covered(1).unwrap_err(), shard_fault(ShardFault::NoSplit));
    let checkpoint = covering(ORIGIN, &store.chain, 2);
    for (vault_id, name) in [(vault("ana", 1), "ana"), (store.vault_id, "ivo")] {
        let (reader, key) = (reading::under(&checkpoint), shard_key(&identity(name)));
        let splits = reading::read(reader, store.chain.entries(), |reader| reader.splits(Some(&key), &vault_id));
        assert_eq!(splits.unwrap().in_force().unwrap_err(), shard_fault(ShardFault::NoSplit));
    }
    // A chain that is cut off or written anew says nothing.
    let check = || {
        let mut reader = reading::under(&checkpoint);
        let watched = reader.splits(Some(&store.key), &store.vault_id).unwrap();
        (reader, watched)
    };
    let (cut, _) = check();
    assert_eq!(cut.finish().unwrap_err(), CheckpointFault::Truncated { size: 2, found: 0 }.into());
    let mut rewritten = Krunica::new();
    for _ in 0..2 {
        rewritten.append(&store.domain, &store.identity_id, "nothing happened", minute(0)).unwrap();
    }
    let (mut other, _) = check();
    other.push(&rewritten.entries()[0]).unwrap();
    assert_eq!(other.push(&rewritten.entries()[1]).unwrap_err(), CheckpointFault::Rewritten { size: 2 }.into());
    let (mut lines, watched) = check();
    store.chain.entries().iter().for_each(|entry| drop(lines.push_json(entry.to_json_line().as_bytes()).unwrap()));
    let splits = lines.finish().unwrap().take(watched).unwrap();
    assert_eq!(splits.in_force().unwrap(), store.in_force().unwrap());
}

/// The rebuilt secret opens what was encrypted under the one that was split, and nothing else does.
#[test]
fn the_rebuilt_secret_opens_the_vault() {
    let store = Store::new(2, 3);
    let purpose = Purpose::new(&store.domain, store.identity_id.as_bytes(), "CONTRACT").unwrap();
    let stored = stream::seal(&store.secret, &purpose, b"the contract", &mut SystemRng).unwrap();
    let rebuilt = store.rebuilding().rebuild_these(&store.pick(&[2, 3]), &mut Noting::open()).unwrap();
    assert_eq!(**stream::open(&rebuilt.secret, &purpose, &stored).unwrap(), *b"the contract");
    let other = Store::new(2, 3);
    assert!(stream::open(&other.secret, &purpose, &stored).is_err());
}
