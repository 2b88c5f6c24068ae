//! What nodes answer that were asked for their shards: whoever answers with something else is named, by the place that
//! he was asked for, and blocks nobody.

use dualseal::SystemRng;
use dualseal::error::{Error, SharingFault, SharingProblem};
use dualseal::shamir::Index;
use dualseal::shard::{Arguments, Dealer, Operation, Rebuilding, Request, Shard};
use dualseal_tests::minute;
use dualseal_tests::shards::{Noting, Store, altered, copy, forged, lost, resealed, urls};
use proptest::prelude::*;

/// The request for all shards of a store.
fn request(store: &Store, operation: Operation, arguments: &Arguments) -> Request {
    let ids: Vec<_> = store.shards.iter().map(|shard| *shard.shard_id()).collect();
    store.rebuilding().request(operation, arguments, store.shards[0].split_id(), &ids).unwrap()
}

/// What the node of a shard answered.
fn pulled(of: &Shard, answer: &[u8]) -> Shard {
    Shard::pulled(*of.shard_id(), of.index(), answer)
}

fn numbers(list: &[Index]) -> Vec<u8> {
    list.iter().map(|index| index.get()).collect()
}

/// The culprits of a secret that is the right one, or the error.
fn rebuilt(here: &Rebuilding<'_>, store: &Store, shards: &[Shard]) -> Result<Vec<u8>, Error> {
    let asked = request(store, Operation::Rebuild, &Arguments::default());
    let rebuilt = here.rebuild(&asked, shards, &mut Noting::open(), minute(0))?;
    assert_eq!(rebuilt.secret.to_bytes(), store.secret.to_bytes());
    assert_eq!(rebuilt.misdealt, []);
    Ok(numbers(&rebuilt.culprits))
}

/// What a node may answer instead of its shard, number 1 of a split 2 of 4: other numbers, other splits, other vaults,
/// what the operator sealed otherwise, and what is no shard.
fn lies(store: &mut Store) -> Vec<String> {
    let own = copy(&store.shards[0]);
    let nodes = urls(4);
    let split = store.again(2, &nodes);
    let old = store.take(split);
    let other = Store::of("ana", 1, 2, 4);
    let theirs = Store::of("ivo", 0, 2, 4);
    let json = |shard: &Shard| shard.to_json().to_string();
    let [first, second] = [&store.shards[0], &store.shards[1]];
    let mut lies: Vec<String> = vec![
        String::new(),
        "[1]".into(),
        "[".repeat(1000),
        "{}".into(),
        json(&own),
        json(&altered(&forged(first), "indeks", 2.into())),
        json(&altered(second, "indeks", 1.into())),
        json(&altered(&altered(second, "indeks", 1.into()), "shard_id", first.shard_id().to_hex().into())),
        json(&altered(first, "n", 255.into())),
        json(&altered(&forged(first), "m", 4.into())),
        json(&altered(first, "split_id", "00".repeat(32).into())),
        json(&resealed(first, &[("vrijednost_hex", "07".repeat(32).into())])),
    ];
    lies.extend(store.shards[1..].iter().chain(&old).chain(&other.shards).chain(&theirs.shards).map(json));
    lies
}

/// The node that lied is named, whoever else is there: those who are absent, and those whose number it gave, are not.
#[test]
fn whoever_answers_with_another_shard_is_named_and_blocks_nobody() {
    let mut store = Store::new(2, 4);
    let lies = lies(&mut store);
    let in_force = store.in_force().unwrap();
    let chained = Rebuilding { in_force: Some(&in_force), ..store.rebuilding() };
    let few = SharingProblem::TooFewShares { needed: 2, found: 1 };
    let too_few = Error::from(SharingFault { problem: few, culprits: vec![1] });
    for lie in &lies {
        let junk = || pulled(&store.shards[0], lie.as_bytes());
        assert_eq!((junk().shard_id(), junk().index()), (store.shards[0].shard_id(), store.shards[0].index()));
        for here in [store.rebuilding(), chained] {
            for present in [&[3, 4][..], &[2, 3], &[4, 3, 2]] {
                let mut shards = store.pick(present);
                shards.insert(present.len() / 2, junk());
                assert_eq!(rebuilt(&here, &store, &shards).unwrap(), [1], "{lie}");
            }
            // With one to few the absent one, number 2, is not named either.
            assert_eq!(rebuilt(&here, &store, &[junk(), copy(&store.shards[3])]).unwrap_err(), too_few, "{lie}");
            let health = here.health(&store.shards[2], &[junk(), copy(&store.shards[3])]);
            let found = [&health.present, &health.missing, &health.invalid, &health.foreign].map(|list| numbers(list));
            assert_eq!(found, [vec![4], vec![1, 2, 3], vec![1], vec![]], "{lie}");
        }
        // Beside the good one of its number, which somebody else brought, it accuses nobody.
        let both = [junk(), copy(&store.shards[0]), copy(&store.shards[1])];
        assert_eq!(rebuilt(&chained, &store, &both).unwrap(), [] as [u8; 0], "{lie}");
    }
    // An honest answer is the shard.
    let own = &store.shards[0];
    assert_eq!(*pulled(own, own.to_json().as_bytes()).to_json(), *own.to_json());
}

/// So it is where a secret is rebuilt to deal it again, and where a lost shard is made again.
#[test]
fn a_lie_blocks_no_operation() {
    let mut store = Store::new(2, 4);
    let lies = lies(&mut store);
    let here = store.rebuilding();
    let nodes = urls(4);
    let dealer: Dealer = store.dealer(2, &nodes);
    let node_urls = Some(nodes.clone());
    let refresh = Arguments { node_urls: node_urls.clone(), ..Arguments::default() };
    let wider = Arguments { m: Some(2), n: Some(4), node_urls, index: None };
    let second = Arguments { index: Some(2), ..Arguments::default() };
    let (gate, now) = (&mut Noting::open(), minute(0));
    for lie in &lies {
        let shards = [pulled(&store.shards[0], lie.as_bytes()), copy(&store.shards[2]), copy(&store.shards[3])];
        let asked = |operation, arguments| request(&store, operation, arguments);
        let made = here.repair(&asked(Operation::Repair, &second), &shards, lost(&store.shards[1]), gate, now).unwrap();
        assert_eq!((numbers(&made.culprits), made.shard.to_json()), (vec![1], store.shards[1].to_json()), "{lie}");
        let request = asked(Operation::Refresh, &refresh);
        let dealt = here.refresh(&request, &shards, &dealer, gate, now, &mut SystemRng).unwrap();
        assert_eq!((numbers(&dealt.culprits), dealt.shards.len()), (vec![1], 4), "{lie}");
        let request = asked(Operation::Rethreshold, &wider);
        let dealt = here.rethreshold(&request, &shards, &dealer, gate, now, &mut SystemRng).unwrap();
        assert_eq!((numbers(&dealt.culprits), dealt.shards.len()), (vec![1], 4), "{lie}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// m good ones rebuild among any junk, in any order, and exactly those who sent it are named.
    #[test]
    fn m_good_ones_among_any_junk_rebuild(
        answers in proptest::collection::vec((0_usize..4, 0_usize..40), 0..12),
        honest in proptest::sample::subsequence(vec![0_usize, 1, 2, 3], 2..=4),
        turn in 0_usize..16,
    ) {
        let mut store = Store::new(2, 4);
        let lies = lies(&mut store);
        let mut shards: Vec<Shard> = honest.iter().map(|place| copy(&store.shards[*place])).collect();
        for (place, lie) in &answers {
            let of = &store.shards[*place];
            let lie = &lies[lie % lies.len()];
            // Node 1's own lies may be the truth in the place of another.
            if Shard::from_json(lie.as_bytes()).ok().is_none_or(|shard| shard.shard_id() != of.shard_id()) {
                shards.push(pulled(of, lie.as_bytes()));
            }
        }
        let liars: Vec<u8> = shards[honest.len()..].iter().map(|shard| shard.index().get()).collect();
        let expected: Vec<u8> =
            (1..=4).filter(|number| liars.contains(number) && !honest.contains(&usize::from(number - 1))).collect();
        let middle = turn % shards.len();
        shards.rotate_left(middle);
        prop_assert_eq!(rebuilt(&store.rebuilding(), &store, &shards).unwrap(), expected);
    }
}
