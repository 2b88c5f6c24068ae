//! The generations of a split: what continues what is in force, what is ignored, and that a crash between preparing and
//! committing loses nothing. Whoever writes to the log brings nothing back and makes nobody delete.

use dualseal::error::{Error, Malformed, Misuse, Problem, Rejected, ShardFault};
use dualseal::krunica::{Appended, Ignored, IgnoredReason};
use dualseal::presence::{DropOrder, NodeShards, Nonce, Statement};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::{
    CoveredSplits, KnownSplit, OwnSplits, Preparation, Prepared, Rebuilding, Shard, ShardId, ShardKey, SplitId,
    SplitInForce, Splits,
};
use dualseal::{Domain, SystemRng};
use dualseal_tests::log::{ORIGIN, covering, head_at};
use dualseal_tests::reading;
use dualseal_tests::shards::{Asking, Noting, Store, copy, raw_split, shard_key, urls};
use dualseal_tests::{identity, minute};

const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn shard_fault(fault: ShardFault) -> Error {
    Error::Rejected(Rejected::Shard(fault))
}

/// What is ignored, by seq and reason.
fn ignored(splits: &Splits) -> Vec<(u64, IgnoredReason)> {
    splits.ignored().entries().iter().map(|entry| (entry.seq, entry.reason)).collect()
}

fn split_id(shards: &[Shard]) -> SplitId {
    *shards[0].split_id()
}

fn ids(prepared: &Prepared) -> Vec<ShardId> {
    prepared.shards.iter().map(|shard| *shard.shard_id()).collect()
}

fn rebuilds(store: &Store, in_force: &SplitInForce, shards: &[Shard]) -> bool {
    let here = Rebuilding { in_force: Some(in_force), ..store.rebuilding() };
    let rebuilt = here.rebuild_these(shards, &mut Noting::open());
    rebuilt.is_ok_and(|rebuilt| rebuilt.secret.to_bytes() == store.secret.to_bytes())
}

/// After a refresh, whoever writes to the log appends the first split's message again, as it was.
#[test]
fn a_good_message_elsewhere_brings_nothing_back() {
    let mut store = Store::new(2, 3);
    let first = store.chain.entries()[1].message().to_string();
    let prepared = store.again(2, &urls(3));
    let old = store.take(prepared);
    store.written(&identity("ana"), &first);
    let splits = store.covered_splits(4).unwrap();
    assert_eq!(splits.splits().last(), Some(store.shards[0].split_id()));
    assert_eq!(ignored(splits.splits()), [(3, IgnoredReason::Tag)]);
    let in_force = splits.in_force().unwrap();
    assert!(rebuilds(&store, &in_force, &store.pick(&[1, 2])));
    // The present nodes are no culprits, and the old shards rebuild nothing.
    let here = Rebuilding { in_force: Some(&in_force), ..store.rebuilding() };
    let error = here.rebuild_these(&old, &mut Noting::open()).unwrap_err();
    assert_eq!(error, shard_fault(ShardFault::SupersededSplit { culprits: vec![] }));
}

/// Junk by anybody: it ends nothing and blames nobody, and a flood of it is counted.
#[test]
fn junk_is_ignored() {
    let mut store = Store::new(2, 3);
    let old = split_id(&store.shards).to_hex();
    let good = raw_split(&store.vault_id, &old, &"ab".repeat(32), &top(&store));
    let beginning = format!("DUALSEAL-SHARD::SPLIT::{}::", store.vault_id);
    let mallory = identity("mallory");
    let mut expected = Vec::new();
    for (text, reason) in [
        (beginning.clone(), IgnoredReason::Form),
        (format!("{beginning}{old}::{}::DUALSEAL", "ab".repeat(32)), IgnoredReason::Form),
        (format!("{good}::DUALSEAL"), IgnoredReason::Form),
        (good.replace(&"ab".repeat(32), &"AB".repeat(32)), IgnoredReason::Form),
        (format!("{beginning}{old}::{}::{}::DUALSEAL", "ab".repeat(32), "cd".repeat(32)), IgnoredReason::Tag),
        (format!("{beginning}{old}::{NONE}::{}::DUALSEAL", "cd".repeat(32)), IgnoredReason::Tag),
    ] {
        expected.push((store.chain.head().size(), reason));
        store.written(&mallory, &text);
    }
    let splits = store.own_splits();
    assert_eq!(ignored(splits.splits()), expected);
    assert_eq!((splits.splits().last(), splits.splits().found().len()), (Some(store.shards[0].split_id()), 1));
    assert_eq!(splits.splits().erased_at(), None);
    for _ in 0..Ignored::LISTED {
        store.written(&mallory, &beginning);
    }
    let splits = store.own_splits();
    let found = splits.splits().ignored();
    assert_eq!((found.entries().len(), found.more()), (Ignored::LISTED, u64::try_from(expected.len()).unwrap()));
    // The next generation is committed all the same.
    let prepared = store.again(2, &urls(3));
    store.take(prepared);
    assert!(rebuilds(&store, &store.in_force().unwrap(), &store.pick(&[1, 3])));
}

/// A node knows the split of the shard that it was given, and writes an entry with it first: only an entry that counts
/// uses a split up.
#[test]
fn a_prepared_split_cannot_be_burnt() {
    let mut store = Store::new(2, 3);
    let prepared = store.again(2, &urls(3));
    let (old, new) = (split_id(&store.shards).to_hex(), prepared.preparation.split_id().to_hex());
    let forged = format!("DUALSEAL-SHARD::SPLIT::{}::{old}::{new}::{}::DUALSEAL", store.vault_id, "ab".repeat(32));
    store.written(&identity("ana"), &forged);
    store.take(prepared);
    let splits = store.own_splits();
    assert_eq!(splits.splits().last(), Some(store.shards[0].split_id()));
    assert_eq!(ignored(splits.splits()), [(2, IgnoredReason::Tag)]);
}

/// Another process, or this one after it was started again, commits what was prepared by its identifiers alone.
#[test]
fn what_was_prepared_is_committed_by_its_identifiers() {
    let mut store = Store::new(2, 3);
    let prepared = store.again(2, &urls(3));
    let (all, old) = (ids(&prepared), split_id(&store.shards));
    let (dealer, new) = (store.dealer(2, &urls(3)), *prepared.preparation.split_id());
    let made_again = dealer.dealt(&new, Some(&old), &all).unwrap();
    let own = store.own_splits();
    let commit = |preparation: &Preparation, held: &[ShardId]| preparation.commit(held, None, &own, minute(3));
    assert_eq!(commit(&made_again, &all).unwrap(), commit(&prepared.preparation, &all).unwrap());
    assert!(commit(&made_again, &all[1..]).is_err());
    assert_eq!(
        commit(&dealer.dealt(&new, None, &all).unwrap(), &all).unwrap_err(),
        shard_fault(ShardFault::StaleSplit)
    );
    for wrong in [&all[1..], &[all[0], all[1], all[0]]] {
        let problem = Problem::Length { expected: 3, found: 2 };
        assert_eq!(
            dealer.dealt(&new, Some(&old), wrong).unwrap_err(),
            Malformed::new("shard_id", None, problem).into()
        );
    }
    store.take(prepared);
}

/// Two refreshes from one predecessor: the second to be committed is told so, and where both were appended all the
/// same, the first counts.
#[test]
fn a_stale_preparation_is_not_committed() {
    let mut store = Store::new(2, 3);
    let (one, other) = (store.again(2, &urls(3)), store.again(3, &urls(4)));
    let beside = store.commit(&other).unwrap();
    store.take(one);
    assert_eq!(store.commit(&other).unwrap_err(), shard_fault(ShardFault::StaleSplit));
    // A first split beside the first one is stale too.
    let first = store.dealer(2, &urls(3)).prepare(&store.secret, None, &mut SystemRng).unwrap();
    assert_eq!(store.commit(&first).unwrap_err(), shard_fault(ShardFault::StaleSplit));
    // At another place its tag is worth nothing; made for the place it is still not what continues.
    let old = store.own_splits().splits().found()[0].split_id.to_hex();
    store.written(&identity("ana"), beside.entry.message());
    let stale = raw_split(&store.vault_id, &old, &other.preparation.split_id().to_hex(), &top(&store));
    store.written(&identity("mallory"), &stale);
    let again = raw_split(&store.vault_id, &split_id(&store.shards).to_hex(), &old, &top(&store));
    store.written(&identity("ana"), &again);
    let splits = store.own_splits();
    let splits = splits.splits();
    assert_eq!(splits.last(), Some(store.shards[0].split_id()));
    let reasons = [IgnoredReason::Tag, IgnoredReason::Predecessor, IgnoredReason::Repeated];
    assert_eq!(ignored(splits), [(3, reasons[0]), (4, reasons[1]), (5, reasons[2])]);
    // Whatever became of them, the operator made them, and their shards may be anywhere.
    let found: Vec<(u64, bool)> = splits.found().iter().map(|split| (split.seq, split.counted)).collect();
    assert_eq!(found, [(1, true), (2, true), (4, false), (5, false)]);
}

fn top(store: &Store) -> String {
    store.chain.head().top().to_hex()
}

#[test]
fn a_commit_has_its_refusals() {
    let store = Store::new(2, 3);
    let prepared = store.again(2, &urls(4));
    let (all, own) = (ids(&prepared), store.own_splits());
    let commit = |confirmed: &[ShardId], least: Option<u8>, splits: &OwnSplits| -> Result<Appended, Error> {
        prepared.preparation.commit(confirmed, least, splits, minute(3))
    };
    let unconfirmed = |needed, found| shard_fault(ShardFault::Unconfirmed { needed, found });
    assert_eq!(commit(&[], None, &own).unwrap_err(), unconfirmed(4, 0));
    assert_eq!(commit(&all[1..], None, &own).unwrap_err(), unconfirmed(4, 3));
    assert_eq!(commit(&[all[0], all[0], all[0], all[0]], Some(2), &own).unwrap_err(), unconfirmed(2, 1));
    for least in [0, 1, 5, 255] {
        let expected = Malformed::new("least", Some(least.into()), Problem::Range);
        assert_eq!(commit(&all, Some(least), &own).unwrap_err(), expected.into());
    }
    let foreign = [all[0], *store.shards[0].shard_id()];
    let expected = Malformed::new("shard_id", Some(1), Problem::UnknownValue);
    assert_eq!(commit(&foreign, Some(2), &own).unwrap_err(), expected.into());
    let other = Store::of("ana", 1, 2, 3);
    assert_eq!(commit(&all, None, &other.own_splits()).unwrap_err(), Misuse::OtherVault.into());
    assert_eq!(commit(&all[..2], Some(2), &own), commit(&all, None, &own));
}

/// Splits that were read with another key or in another domain show none of the vault, and an entry made from them
/// would count for nothing.
#[test]
fn a_split_is_committed_with_the_key_it_was_dealt_with() {
    let store = Store::new(2, 3);
    let (nodes, elsewhere) = (urls(3), Domain::new("ELSEWHERE").unwrap());
    let first = store.dealer(2, &nodes).prepare(&store.secret, None, &mut SystemRng).unwrap();
    for (domain, key) in [(&store.domain, &shard_key(&identity("ivo"))), (&elsewhere, &store.key)] {
        let reader = reading::up_to(domain, store.chain.head());
        let own = reading::read(reader, store.chain.entries(), |reader| reader.own_splits(key, &store.vault_id));
        let own = own.unwrap();
        assert!(own.splits().found().is_empty());
        let refused = first.preparation.commit(&ids(&first), None, &own, minute(3)).unwrap_err();
        assert_eq!(refused, Misuse::OtherVault.into());
    }
}

/// A walk that begins after the chain's start does not show what stands before it: the entry that would be made from it
/// counts for nothing, and the old shards would be deleted for it.
#[test]
fn a_split_is_committed_after_the_whole_chain() {
    let mut store = Store::new(2, 3);
    let nodes = urls(3);
    let dealer = store.dealer(2, &nodes);
    let first = dealer.prepare(&store.secret, None, &mut SystemRng).unwrap();
    let from = |store: &Store, size: usize| {
        let begun = TrustedHead::stored(&head_at(&store.chain, size));
        let reader = ChainReader::new(&store.domain, &begun).up_to(store.chain.head());
        let own = |reader: &mut ChainReader<'_>| reader.own_splits(&store.key, &store.vault_id);
        reading::read(reader, &store.chain.entries()[size..], own).unwrap()
    };
    let commit =
        |prepared: &Prepared, own: &OwnSplits| prepared.preparation.commit(&ids(prepared), None, own, minute(3));
    let unread = Misuse::UnreadChain.into();
    let late = from(&store, 2);
    assert!(late.splits().found().is_empty(), "the split in force stands before it");
    assert_eq!(commit(&first, &late).unwrap_err(), unread);
    let shown = store.own_splits();
    assert_eq!(commit(&first, &shown).unwrap_err(), shard_fault(ShardFault::StaleSplit));
    // One that such a walk takes for the first one, although another was in force, is no predecessor either.
    let none = raw_split(&store.vault_id, NONE, &"ab".repeat(32), &top(&store));
    store.written(&identity("ana"), &none);
    let late = from(&store, 2);
    let after = store.dealer(2, &nodes).prepare(&store.secret, late.splits().last(), &mut SystemRng).unwrap();
    assert_eq!(late.splits().last().map(SplitId::to_hex), Some("ab".repeat(32)));
    assert_eq!(commit(&after, &late).unwrap_err(), unread);
    assert_eq!(store.in_force().unwrap().split_id(), &split_id(&store.shards));
    assert!(commit(&store.again(2, &nodes), &from(&store, 0)).is_ok());
}

/// What was read under a checkpoint counts as read from the beginning, so that the transaction reads only what came
/// since: that shows what the whole chain shows, and nothing of it can be left out.
#[test]
fn a_split_is_committed_after_what_was_read_before() {
    let mut store = Store::new(2, 3);
    let nodes = urls(3);
    let (before, stale, next) = (store.covered_splits(2).unwrap(), store.again(2, &nodes), store.again(2, &nodes));
    store.take(next);
    store.written(&identity("mallory"), "anything");
    let since = |before: &CoveredSplits, key: &ShardKey, begins: usize, ends: usize| {
        let begun = TrustedHead::stored(&head_at(&store.chain, begins));
        let reader = ChainReader::new(&store.domain, &begun).up_to(store.chain.head());
        reading::read(reader, &store.chain.entries()[begins..ends], |reader| reader.own_splits_since(key, before))
    };
    let own = since(&before, &store.key, 2, 4).unwrap();
    assert_eq!((own.splits(), own.head()), (store.own_splits().splits(), store.chain.head()));
    assert_eq!(own.splits().found().len(), 2);
    let commit = |prepared: &Prepared| prepared.preparation.commit(&ids(prepared), None, &own, minute(3));
    assert_eq!(commit(&stale).unwrap_err(), shard_fault(ShardFault::StaleSplit));
    assert!(commit(&store.again(2, &nodes)).is_ok());
    assert!(matches!(since(&before, &store.key, 2, 3), Err(Error::Rejected(Rejected::Checkpoint(_)))), "one is hidden");
    assert_eq!(since(&before, &store.key, 3, 4).unwrap_err(), Misuse::LateStart.into());
    let others = shard_key(&identity("ivo"));
    assert_eq!(since(&before, &others, 2, 4).unwrap_err(), Misuse::OtherVault.into());
    // The same key in another deployment.
    let (acme, begun) = (Domain::new("ACME").unwrap(), TrustedHead::stored(&head_at(&store.chain, 2)));
    let reader = ChainReader::new(&acme, &begun).up_to(store.chain.head());
    let elsewhere = |reader: &mut ChainReader<'_>| reader.own_splits_since(&store.key, &before);
    let refused = reading::read(reader, &store.chain.entries()[2..4], elsewhere).unwrap_err();
    assert_eq!(refused, Misuse::OtherVault.into());
    let public = reading::under(&covering(ORIGIN, &store.chain, 2));
    let public = reading::read(public, &store.chain.entries()[..2], |reader| reader.splits(None, &store.vault_id));
    assert_eq!(since(&public.unwrap(), &store.key, 2, 4).unwrap_err(), Misuse::OtherVault.into());
}

/// Splits are the same that say the same as of the same head.
#[test]
fn covered_splits_are_compared_with_their_head() {
    let (mut store, other) = (Store::new(2, 3), Store::new(2, 3));
    let before = store.covered_splits(2).unwrap();
    assert_eq!(before, store.covered_splits(2).unwrap());
    assert_ne!(before, other.covered_splits(2).unwrap());
    store.written(&identity("mallory"), "anything");
    let later = store.covered_splits(3).unwrap();
    assert_eq!(later.splits(), before.splits());
    assert_ne!(later, before);
}

/// Killed at each step: before the entry stands the old set rebuilds, from then on the new one.
#[test]
fn a_crash_between_preparing_and_committing_loses_nothing() {
    let mut store = Store::new(2, 3);
    let mut nodes: Vec<NodeShards> = store.shards.iter().map(|shard| NodeShards::new(Some(copy(shard)))).collect();
    let current = |nodes: &[NodeShards]| nodes.iter().map(|node| copy(node.current().unwrap())).collect::<Vec<_>>();
    let new = |nodes: &[NodeShards]| nodes.iter().map(|node| copy(node.prepared().unwrap().0)).collect::<Vec<_>>();
    // Prepared, and lost with the process.
    drop(store.again(2, &urls(3)));
    assert!(rebuilds(&store, &store.in_force().unwrap(), &current(&nodes)));
    // Prepared, and two nodes hold theirs when it is lost.
    let lost = store.again(2, &urls(3));
    for (node, shard) in nodes.iter_mut().zip(&lost.shards).take(2) {
        node.prepare(&store.domain, copy(shard), minute(60)).unwrap();
        assert!(rebuilds(&store, &store.in_force().unwrap(), &[copy(node.current().unwrap()), copy(&store.shards[2])]));
    }
    drop(lost);
    // Its time ends without an entry, and it is prepared again; a node keeps one prepared shard. All confirm, and the
    // entry is made and not stored.
    let prepared = store.again(2, &urls(3));
    let mut confirmed = Vec::new();
    for (node, shard) in nodes.iter_mut().zip(&prepared.shards) {
        node.expire(KnownSplit::InForce(split_id(&store.shards)), minute(60));
        confirmed.push(node.prepare(&store.domain, copy(shard), minute(120)).unwrap());
        assert!(rebuilds(&store, &store.in_force().unwrap(), &store.shards));
    }
    assert_eq!(split_id(&new(&nodes)), *prepared.preparation.split_id());
    let appended = prepared.preparation.commit(&confirmed, None, &store.own_splits(), minute(3)).unwrap();
    assert!(rebuilds(&store, &store.in_force().unwrap(), &current(&nodes)));
    assert!(!rebuilds(&store, &store.in_force().unwrap(), &new(&nodes)));
    // The entry stands; no node has deleted anything.
    store.chain.push(appended.entry).unwrap();
    assert!(rebuilds(&store, &store.in_force().unwrap(), &new(&nodes)));
    assert!(!rebuilds(&store, &store.in_force().unwrap(), &current(&nodes)));
    // One node after the other is told: at each moment m of them hold the new set.
    for place in 0..nodes.len() {
        order(&store, &mut nodes[place], "node").unwrap();
        let held: Vec<Shard> = nodes
            .iter()
            .map(|node| copy(node.prepared().map_or_else(|| node.current().unwrap(), |(shard, _)| shard)))
            .collect();
        assert!(rebuilds(&store, &store.in_force().unwrap(), &held));
    }
    assert!(nodes.iter().all(|node| node.prepared().is_none()));
}

/// The operator's key, which nodes pin.
fn operator() -> dualseal::ed25519::Ed25519SigningKey {
    dualseal::ed25519::Ed25519SigningKey::from_seed(&[9; 32]).unwrap()
}

/// The operator walks the chain under a checkpoint and tells a node what it found.
fn order(store: &Store, node: &mut NodeShards, audience: &str) -> Result<(), Error> {
    let splits = store.covered_splits(store.chain.entries().len()).unwrap();
    let split_id = splits.in_force().map_or(SplitId::from_bytes([0; 32]), |in_force| *in_force.split_id());
    let (nonce, expiry, key) = (Nonce::draw(&mut SystemRng).unwrap(), minute(1), operator());
    let signature = Statement::drop_older("node", &splits)?.sign(&store.domain, &nonce, expiry, &key);
    let order = DropOrder { split_id: &split_id, nonce: &nonce, expiry, signature: &signature };
    node.obey(&store.domain, audience, order, key.public_key(), minute(0), &mut |_| true)
}

/// A node deletes on the operator's word alone, and only for the new shard that it holds: an entry in the log, another
/// key's signature or another node's order make it delete nothing.
#[test]
fn a_forged_split_makes_no_node_delete() {
    let mut store = Store::new(2, 3);
    let mut node = NodeShards::new(Some(copy(&store.shards[0])));
    let prepared = store.again(2, &urls(3));
    let (new, old) = (*prepared.preparation.split_id(), split_id(&store.shards));
    let forged = format!("DUALSEAL-SHARD::SPLIT::{}::{old}::{new}::{}::DUALSEAL", store.vault_id, "ab".repeat(32));
    store.written(&identity("ana"), &forged);
    assert_eq!(node.prepare(&store.domain, copy(&prepared.shards[0]), minute(60)), Ok(*prepared.shards[0].shard_id()));
    // The operator's walk has the old one in force, of which the node holds no prepared shard.
    let other = shard_fault(ShardFault::OtherRequest { member: "split_id" });
    assert_eq!(order(&store, &mut node, "node").unwrap_err(), other);
    let domain = Domain::default();
    let (nonce, expiry, mallory) = (
        Nonce::draw(&mut SystemRng).unwrap(),
        minute(1),
        dualseal::ed25519::Ed25519SigningKey::from_seed(&[8; 32]).unwrap(),
    );
    let mut spent = 0;
    let mut tell = |node: &mut NodeShards, split_id: &SplitId, signature| {
        let order = DropOrder { split_id, nonce: &nonce, expiry, signature: &signature };
        let consume = &mut |_: &Nonce| {
            spent += 1;
            true
        };
        node.obey(&domain, "node", order, operator().public_key(), minute(0), consume)
    };
    let signed = dualseal::presence::PresenceProof::sign(&domain, &request(&store), &nonce, expiry, &operator());
    let proof: serde_json::Value = serde_json::from_str(&signed.to_json()).unwrap();
    let signature = proof["signature"].as_str().unwrap().parse().unwrap();
    let bad = Error::Rejected(Rejected::Presence(dualseal::error::PresenceFault::Signature));
    assert_eq!(tell(&mut node, &new, signature).unwrap_err(), bad);
    assert_eq!(tell(&mut node, &SplitId::from_bytes([0; 32]), signature).unwrap_err(), bad);
    store.take(prepared);
    let splits = store.covered_splits(store.chain.entries().len()).unwrap();
    let by_mallory = Statement::drop_older("node", &splits).unwrap().sign(&domain, &nonce, expiry, &mallory);
    assert_eq!(tell(&mut node, &new, by_mallory).unwrap_err(), bad);
    let elsewhere = Statement::drop_older("another node", &splits).unwrap().sign(&domain, &nonce, expiry, &operator());
    assert_eq!(tell(&mut node, &new, elsewhere).unwrap_err(), bad);
    assert_eq!((node.current().unwrap().split_id(), node.prepared().unwrap().0.split_id()), (&old, &new));
    let good = Statement::drop_older("node", &splits).unwrap().sign(&domain, &nonce, expiry, &operator());
    assert_eq!(tell(&mut node, &new, good), Ok(()));
    assert_eq!((node.current().unwrap().split_id(), node.prepared().is_none()), (&new, true));
    // It was spent, and names no prepared shard any more.
    assert_eq!(tell(&mut node, &new, good).unwrap_err(), other);
    assert_eq!(spent, 1);
}

fn request(store: &Store) -> dualseal::shard::Request {
    use dualseal::shard::{Arguments, Operation};
    store.rebuilding().asked(Operation::Rebuild, &Arguments::default(), &store.shards)
}

/// A node holds at most one prepared shard, of its own vault, for a time.
#[test]
fn what_a_node_keeps() {
    let (store, other) = (Store::new(2, 3), Store::of("ana", 1, 2, 3));
    let (one, two) = (store.again(2, &urls(3)), store.again(2, &urls(3)));
    let mut node = NodeShards::new(Some(copy(&store.shards[0])));
    node.prepare(&store.domain, copy(&one.shards[0]), minute(10)).unwrap();
    node.expire(KnownSplit::NoChain, minute(10));
    node.prepare(&store.domain, copy(&two.shards[0]), minute(20)).unwrap();
    // The same one may come again, and is kept as long as was said before.
    let again = node.prepare(&store.domain, copy(&two.shards[0]), minute(5)).unwrap();
    assert_eq!(again, *two.shards[0].shard_id());
    assert_eq!(
        node.prepared().map(|(shard, until)| (*shard.split_id(), until)),
        Some((*two.preparation.split_id(), minute(20)))
    );
    assert_eq!(node.prepare(&store.domain, copy(&other.shards[0]), minute(20)).unwrap_err(), Misuse::OtherVault.into());
    assert!(node.prepared().is_some());
    let mut new = NodeShards::default();
    new.prepare(&store.domain, copy(&one.shards[0]), minute(10)).unwrap();
    let refused = new.prepare(&store.domain, copy(&other.shards[0]), minute(20)).unwrap_err();
    assert_eq!(refused, Misuse::OtherVault.into());
    assert_eq!(new.prepared().map(|(shard, _)| shard.vault_id()), Some(&store.vault_id));
    let in_force = KnownSplit::InForce(split_id(&store.shards));
    node.expire(in_force, minute(19));
    assert!(node.prepared().is_some());
    node.expire(in_force, minute(20));
    assert!(node.prepared().is_none() && node.current().is_some());
    let mut empty = NodeShards::default();
    assert_eq!(order(&store, &mut empty, "node").unwrap_err(), Misuse::NoShards.into());
    assert!(!format!("{node:?}").contains(&hex::encode(store.shards[0].as_ref().to_bytes().as_slice())));
}

/// Two refreshes at once: the shard that a node acknowledged may have been committed, so that neither another
/// preparation nor the end of its time deletes it before the operator's word is known.
#[test]
fn an_acknowledged_shard_is_not_wiped_by_another() {
    let mut store = Store::new(2, 3);
    let old = split_id(&store.shards);
    let (one, two) = (store.again(2, &urls(3)), store.again(2, &urls(3)));
    let new = split_id(&one.shards);
    let mut nodes: Vec<NodeShards> = store.shards.iter().map(|shard| NodeShards::new(Some(copy(shard)))).collect();
    let take = |node: &mut NodeShards, shard: &Shard| node.prepare(&Domain::default(), copy(shard), minute(60));
    let acknowledged: Vec<ShardId> =
        nodes.iter_mut().zip(&one.shards).map(|(node, shard)| take(node, shard).unwrap()).collect();
    let refused = shard_fault(ShardFault::AlreadyPrepared);
    for (number, node) in nodes.iter_mut().enumerate() {
        assert_eq!(take(node, &two.shards[number]).unwrap_err(), refused);
        assert_eq!(take(node, &one.shards[(number + 1) % 3]).unwrap_err(), refused, "another number of the same");
        assert_eq!(take(node, &one.shards[number]).unwrap(), acknowledged[number], "the answer was lost");
    }
    let entry = one.preparation.commit(&acknowledged, None, &store.own_splits(), minute(3)).unwrap().entry;
    store.chain.push(entry).unwrap();
    assert_eq!(*store.in_force().unwrap().split_id(), new);
    for node in &mut nodes {
        // What the operator had read before the end of the time does not show what was committed since.
        node.expire(KnownSplit::InForce(old), minute(59));
        node.expire(KnownSplit::InForce(new), minute(60));
        node.expire(KnownSplit::InForce(new), minute(600));
        assert_eq!(node.prepared().map(|(shard, _)| *shard.split_id()), Some(new));
        assert_eq!(take(node, &two.shards[0]).unwrap_err(), refused);
    }
    let held: Vec<Shard> = nodes.iter().map(|node| copy(node.prepared().unwrap().0)).collect();
    assert!(rebuilds(&store, &store.in_force().unwrap(), &held));
    for node in &mut nodes {
        assert_eq!(order(&store, node, "node"), Ok(()));
        assert_eq!((node.current().map(|shard| *shard.split_id()), node.prepared().is_none()), (Some(new), true));
    }
    // What was not committed goes when its time is over, and makes room for the next.
    let three = store.again(2, &urls(3));
    take(&mut nodes[0], &two.shards[0]).unwrap();
    nodes[0].expire(KnownSplit::InForce(new), minute(60));
    assert_eq!(take(&mut nodes[0], &three.shards[0]), Ok(*three.shards[0].shard_id()));
}

/// What a node acknowledges is what it holds: of a shard that was altered on its way it keeps and says nothing.
#[test]
fn an_altered_shard_is_not_acknowledged() {
    let store = Store::new(2, 3);
    let (one, two) = (store.again(2, &urls(3)), store.again(2, &urls(3)));
    let mut node = NodeShards::new(Some(copy(&store.shards[0])));
    node.prepare(&store.domain, copy(&one.shards[0]), minute(10)).unwrap();
    let shard: serde_json::Value = serde_json::from_str(&two.shards[0].to_json()).unwrap();
    for (member, value) in [
        ("vrijednost_hex", serde_json::json!("00".repeat(32))),
        ("split_id", serde_json::json!("ab".repeat(32))),
        ("indeks", serde_json::json!(2)),
        ("node_url", serde_json::json!("another")),
    ] {
        let mut altered = shard.clone();
        altered[member] = value;
        let altered = Shard::from_json(altered.to_string().as_bytes()).unwrap();
        let refused = node.prepare(&store.domain, altered, minute(10)).unwrap_err();
        assert_eq!(refused, shard_fault(ShardFault::Identifier), "{member}");
    }
    assert_eq!(node.prepared().map(|(shard, _)| shard.split_id()), Some(one.preparation.split_id()));
}

/// Nothing continues an erasure. What the operator deals after it is reported.
#[test]
fn nothing_continues_an_erased_vault() {
    let mut store = Store::new(2, 3);
    let prepared = store.again(2, &urls(3));
    let mut node = NodeShards::new(Some(copy(&store.shards[0])));
    node.prepare(&store.domain, copy(&prepared.shards[0]), minute(60)).unwrap();
    let old = split_id(&store.shards).to_hex();
    let erasure = raw_split(&store.vault_id, &old, NONE, &top(&store));
    store.written(&identity("ana"), &erasure);
    let erased = shard_fault(ShardFault::ErasedVault);
    assert_eq!(store.in_force().unwrap_err(), erased);
    assert_eq!(store.commit(&prepared).unwrap_err(), erased);
    for (previous, split) in [(NONE, "ab"), (old.as_str(), "cd")] {
        let later = raw_split(&store.vault_id, previous, &split.repeat(32), &top(&store));
        store.written(&identity("ana"), &later);
    }
    let splits = store.own_splits();
    let splits = splits.splits();
    assert_eq!((splits.erased_at(), splits.last()), (Some(2), None));
    let later: Vec<u64> = splits.after_erasure().map(|split| split.seq).collect();
    assert_eq!(later, [3, 4]);
    assert_eq!(ignored(splits), [(3, IgnoredReason::Predecessor), (4, IgnoredReason::Predecessor)]);
    // The operator's word deletes all that a node has of the vault.
    order(&store, &mut node, "node").unwrap();
    assert!(node.current().is_none() && node.prepared().is_none());
}

/// Who holds no key for the tags says "unverified", and nothing else of an entry.
#[test]
fn a_public_reader_verifies_nothing() {
    let mut store = Store::new(2, 3);
    store.written(&identity("mallory"), &format!("DUALSEAL-SHARD::SPLIT::{}::", store.vault_id));
    let checkpoint = covering(ORIGIN, &store.chain, 3);
    let (reader, entries) = (reading::under(&checkpoint), store.chain.entries());
    let splits = reading::read(reader, entries, |reader| reader.splits(None, &store.vault_id)).unwrap();
    assert_eq!(ignored(splits.splits()), [(1, IgnoredReason::Unverified), (2, IgnoredReason::Form)]);
    assert_eq!(splits.in_force().unwrap_err(), shard_fault(ShardFault::NoSplit));
    assert!(splits.splits().found().is_empty());
}
