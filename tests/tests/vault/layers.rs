//! For every layer, every way to tamper with it, and the layer that must catch it. A record that somebody with all keys
//! but the operator's would like to pass is judged by the operator, with its place in the chain and the record before
//! it.

use dualseal::error::Layer::{self, L0, L2, L3, L4, L5, L6, L7, L8};
use dualseal::vault::{
    Destination, Encryption, LayerFailure, LedgerHead, LedgerId, Standing, StoredHash, Tier, VaultOutcome, VaultSealer,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, SystemRng, VerdictKind};
use dualseal_tests::vault::{Archive, bent, failures, get, kind, master, master_of, reason, record, tier_signer, with};
use dualseal_tests::{identity, key, minute};
use serde_json::Value as Json;

/// Where each layer stands in the JSON.
fn members(layer: Layer) -> Vec<Vec<&'static str>> {
    let sealed = |names: &[&'static str]| {
        names.iter().map(|name| vec!["sealed", "layers", layer.as_str(), name]).collect::<Vec<_>>()
    };
    match layer {
        L0 => sealed(&["hash", "prev"]),
        L2 => sealed(&["hmac", "tag"]),
        L3 => sealed(&["baseline"]),
        L4 => sealed(&["public_key", "signature"]),
        L6 => vec![vec!["L6"], vec!["krunica_hash"]],
        L7 => vec![vec!["L7", "fragment"], vec!["sealed", "layers", "L7", "digest"]],
        L8 => ["h", "prev", "w3"].map(|name| vec!["L8", name]).to_vec(),
        Layer::L1 | L5 => Vec::new(),
    }
}

/// The layers that fail when something inside the sealed block is changed: its own, and always the seal over the block.
#[track_caller]
fn caught(archive: &Archive, index: usize, json: &str, first: Layer, all: &[Layer]) {
    let report = archive.judge(index, record(json));
    assert_eq!(failures(&report), all, "{report}");
    assert_eq!(reason(&report), Some(InvalidReason::Layer(first)), "{report}");
    assert_eq!(report.failed(), Some(first), "{report}");
}

#[test]
fn as_kept_every_layer_passes() {
    let archive = Archive::of_three(1);
    for index in 0..3 {
        let report = archive.judge(index, archive.kept[index].record());
        assert_eq!((kind(&report), failures(&report)), (VerdictKind::Valid, vec![]), "{report}");
        assert_eq!(report.outcome(Layer::L1), VaultOutcome::Recorded);
        let shown = if index == 1 { VaultOutcome::NotRequired } else { VaultOutcome::Pass };
        assert_eq!(report.outcome(L4), shown);
        for layer in [L0, L2, L3, L5, L6, L7, L8] {
            assert_eq!(report.outcome(layer), VaultOutcome::Pass, "{layer}");
        }
    }
}

#[test]
fn a_changed_member() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let change = |path: &[&str], first, all: &[Layer]| caught(&archive, 0, &bent(json, path), first, all);
    // L2 and L4 are over L0's hash, and the block is sealed: what was built on a layer fails with it.
    change(&["sealed", "layers", "L0", "hash"], L0, &[L0, L2, L4, L5]);
    change(&["sealed", "layers", "L0", "prev"], L0, &[L0, L5]);
    change(&["sealed", "layers", "L2", "hmac"], L2, &[L2, L5]);
    change(&["sealed", "layers", "L2", "tag"], L2, &[L2, L5]);
    change(&["sealed", "layers", "L3", "baseline"], L3, &[L3, L5]);
    change(&["sealed", "layers", "L4", "public_key"], L4, &[L4, L5]);
    change(&["sealed", "layers", "L4", "signature"], L4, &[L4, L5]);
    change(&["sealed", "layers", "L7", "digest"], L5, &[L5, L7]);
    change(&["L7", "fragment"], L7, &[L7]);
    change(&["L6"], L6, &[L6]);
    change(&["krunica_hash"], L6, &[L6]);
    change(&["L8", "h"], L6, &[L6, L8]);
    // The handle is over `h` alone: the members under it are L8's.
    change(&["L8", "prev"], L8, &[L8]);
    change(&["L8", "w3"], L8, &[L8]);
    caught(&archive, 0, &with(json, &["L8", "seq"], 7), L8, &[L8]);
    caught(&archive, 0, &with(json, &["L8", "t"], minute(9).to_string()), L8, &[L8]);
    caught(&archive, 0, &with(json, &["L8", "poruka"], "received"), L8, &[L8]);
    caught(&archive, 0, &with(json, &["sealed", "layers", "L1", "text"], "nothing seen"), L5, &[L5]);
    let seal = get(json, &["L5"]).as_str().unwrap().to_owned();
    let (hmac, signature) = seal.strip_prefix("SEAL-DUAL::").unwrap().split_once("::").unwrap();
    for other in [
        format!("SEAL-DUAL::{}::{signature}", dualseal_tests::next_digit(hmac, 5)),
        format!("SEAL-DUAL::{hmac}::{}", dualseal_tests::next_digit(signature, 5)),
    ] {
        caught(&archive, 0, &with(json, &["L5"], other), L5, &[L5, L8]);
    }
}

/// `seal_id` begins with letters, so that its digits are changed by hand.
#[test]
fn a_changed_seal_id() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let id = get(json, &["seal_id"]).as_str().unwrap().to_owned();
    let other = dualseal_tests::next_digit(&id, "SEAL-DUAL::".len());
    let report = archive.judge(0, record(&with(json, &["seal_id"], other)));
    assert_eq!((report.outcome(L5), failures(&report)), (VaultOutcome::Fail(LayerFailure::SealId), vec![L5]));
}

#[test]
fn a_changed_header() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let header = |name: &'static str, value: Json, first, all: &[Layer]| {
        caught(&archive, 0, &with(json, &["sealed", "header", name], value), first, all);
    };
    header("created_at", minute(9).to_string().into(), L5, &[L5, L8]);
    header("encryption", "none".into(), L5, &[L5]);
    header("key_id", "0".repeat(32).into(), L2, &[L2, L5]);
    header("ledger", "9".repeat(64).into(), L0, &[L0, L4, L5, L7, L8]);
    header("length", 7.into(), L3, &[L3, L5]);
    header("seq", 1.into(), L0, &[L0, L3, L5, L8]);
    header("type", "WILL".into(), L3, &[L3, L5]);
    header("vault_id", "9".repeat(64).into(), L3, &[L3, L4, L5, L7]);
    // Another identity has other keys for everything, and none in the ring.
    let other = with(json, &["sealed", "header", "identity_id"], identity("eva").to_hex());
    let report = archive.judge(0, record(&other));
    assert_eq!(failures(&report), [L2, L3, L4, L5, L7, L8], "{report}");
    assert_eq!(reason(&report), Some(InvalidReason::OtherSigner));
    assert_eq!(report.outcome(L5), VaultOutcome::Fail(LayerFailure::UnknownIdentity));
}

/// A layer cannot be left out: each member must be there, and the list of the tier is fixed.
#[test]
fn a_removed_layer() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let whole: Json = serde_json::from_str(json).unwrap();
    let read = |value: &Json| dualseal::vault::VaultRecord::from_json(value.to_string().as_bytes());
    for layer in ["L5", "L6", "L7", "L8"] {
        let mut without = whole.clone();
        without.as_object_mut().unwrap().remove(layer).unwrap();
        read(&without).unwrap_err();
    }
    for layer in ["L0", "L1", "L2", "L3", "L4", "L7"] {
        let mut without = whole.clone();
        without["sealed"]["layers"].as_object_mut().unwrap().remove(layer).unwrap();
        read(&without).unwrap_err();
    }
    for place in 0..8 {
        let mut without = whole.clone();
        without["sealed"]["required"].as_array_mut().unwrap().remove(place);
        read(&without).unwrap_err();
    }
    // Without its fragment a record is redacted, and as good.
    let report = archive.judge(0, record(&with(json, &["L7", "fragment"], Json::Null)));
    assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
}

/// Every layer with the one of another record of the same ledger and identity.
#[test]
fn a_layer_swapped_with_another_records() {
    let mut archive = Archive::new(1);
    for payload in [b"one", b"two"] {
        archive.seal(payload, "DEED", Encryption::Stream, Tier::Native);
    }
    let [one, two] = [0, 1].map(|index| archive.kept[index].json.clone());
    let swap = |layer: Layer| members(layer).iter().fold(one.clone(), |json, path| with(&json, path, get(&two, path)));
    caught(&archive, 0, &swap(L0), L0, &[L0, L2, L4, L5]);
    caught(&archive, 0, &swap(L2), L2, &[L2, L5]);
    caught(&archive, 0, &swap(L3), L3, &[L3, L5]);
    caught(&archive, 0, &swap(L4), L4, &[L4, L5]);
    caught(&archive, 0, &with(&one, &["L5"], get(&two, &["L5"])), L5, &[L5, L8]);
    caught(&archive, 0, &swap(L6), L6, &[L6]);
    caught(&archive, 0, &swap(L7), L5, &[L5, L7]);
    caught(&archive, 0, &with(&one, &["L7"], get(&two, &["L7"])), L7, &[L7]);
    caught(&archive, 0, &with(&one, &["L8"], get(&two, &["L8"])), L6, &[L6, L8]);
    // The whole sealed block, under the first record's seal and entry.
    let block = with(&one, &["sealed"], get(&two, &["sealed"]));
    caught(&archive, 0, &block, L0, &[L0, L3, L5, L7, L8]);
    // The stored bytes of the other record.
    let at = archive.at(0);
    let standing = Standing { place: Some(&at), after: None };
    let report =
        archive.verifier().verify(record(&one), &archive.kept[1].hash(), &archive.ana, &archive.operator(), standing);
    assert_eq!(failures(&report), [L0, L3], "{report}");
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L0)));
}

/// A good record, given again where another one belongs.
#[test]
fn a_replayed_or_reordered_record() {
    let mut archive = Archive::new(1);
    for _ in 0..3 {
        archive.seal(b"the same each time", "DEED", Encryption::None, Tier::Native);
    }
    // Record 1 in the place of record 2: the ledger has moved on, and the chain has another entry there.
    let report = archive.judge(2, archive.kept[1].record());
    assert_eq!(failures(&report), [L0, L6, L8], "{report}");
    assert_eq!(report.outcome(L0), VaultOutcome::Fail(LayerFailure::Previous));
    assert_eq!(report.outcome(L8), VaultOutcome::Fail(LayerFailure::Located));
    // Record 2 before record 1.
    let (at, before) = (archive.at(2), archive.kept[0].record().ledger_head());
    let standing = Standing { place: Some(&at), after: Some(&before) };
    let report = archive.verifier().verify(
        archive.kept[2].record(),
        &archive.kept[2].hash(),
        &archive.ana,
        &archive.operator(),
        standing,
    );
    assert_eq!(failures(&report), [L0], "{report}");
    // The same bytes at another place are another vault.
    let ids: Vec<_> = archive.kept.iter().map(|kept| kept.record().header().vault_id).collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
}

/// A record of another ledger, by the same operator with the same keys.
#[test]
fn a_record_of_another_ledger() {
    let (ours, theirs) = (Archive::of_three(1), Archive::of_three(2));
    let at = ours.at(0);
    let genesis = LedgerHead::new(ours.ledger.ledger());
    let standing = Standing { place: Some(&at), after: Some(&genesis) };
    let verify = |record| ours.verifier().verify(record, &theirs.kept[0].hash(), &ours.ana, &ours.operator(), standing);
    let report = verify(theirs.kept[0].record());
    assert_eq!(failures(&report), [L0, L6, L8], "{report}");
    assert_eq!(report.outcome(L0), VaultOutcome::Fail(LayerFailure::Previous));
    // Made to say that it is of ours.
    let json = with(&theirs.kept[0].json, &["sealed", "header", "ledger"], ours.ledger.ledger().to_hex());
    let report = verify(record(&json));
    assert_eq!(failures(&report), [L4, L5, L6, L7, L8], "{report}");
    // L0 alone tells of another ledger where the chain is not at hand.
    let standing = Standing { place: None, after: Some(&genesis) };
    let report =
        ours.verifier().verify(theirs.kept[0].record(), &theirs.kept[0].hash(), &ours.ana, &ours.public(), standing);
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L0)));
}

/// Somebody without the key of a tier claims it: with a key of his own, with the signature of another tier, or with
/// none.
#[test]
fn a_record_of_another_tier() {
    let mut archive = Archive::new(1);
    let stranger = dualseal::ed25519::Ed25519SigningKey::from_seed(&[99; 32]).unwrap();
    let vault = VaultSealer::new(master(), &archive.ana, &archive.key).native(&stranger);
    let (sealed, stored) =
        vault.seal(b"x", "DEED", Encryption::None, &archive.place(), &mut SystemRng).expect("sealed");
    let fresh = archive.keep(sealed, stored);
    let report = archive.judge(fresh, archive.kept[fresh].record());
    assert_eq!((report.outcome(L4), failures(&report)), (VaultOutcome::Fail(LayerFailure::KeyNotHeld), vec![L4]));

    // The noble key says native.
    let vault = VaultSealer::new(master(), &archive.ana, &archive.key).native(tier_signer(Tier::Noble));
    let (sealed, stored) =
        vault.seal(b"x", "DEED", Encryption::None, &archive.place(), &mut SystemRng).expect("sealed");
    let raised = archive.keep(sealed, stored);
    let report = archive.judge(raised, archive.kept[raised].record());
    assert_eq!((report.outcome(L4), failures(&report)), (VaultOutcome::Fail(LayerFailure::KeyNotHeld), vec![L4]));

    // A noble record that is made to say native, and the other way round.
    for (tier, other) in [(Tier::Noble, "native"), (Tier::Native, "noble")] {
        let index = archive.seal(b"x", "DEED", Encryption::None, tier);
        let json = with(&archive.kept[index].json, &["sealed", "layers", "L4", "tier"], other);
        caught(&archive, index, &json, L4, &[L4, L5]);
        // With the enrolled key of that tier beside the signature of the other.
        let held = tier_signer(other.parse().unwrap()).public_key().to_hex();
        let json = with(&json, &["sealed", "layers", "L4", "public_key"], held);
        let report = archive.judge(index, record(&json));
        assert_eq!(report.outcome(L4), VaultOutcome::Fail(LayerFailure::TierSignature));
    }

    // Stripped to public, the list of the tier included: the seal is over another block.
    let index = archive.seal(b"x", "DEED", Encryption::None, Tier::Native);
    let mut json: Json = serde_json::from_str(&archive.kept[index].json).unwrap();
    let layer = &mut json["sealed"]["layers"]["L4"];
    (layer["public_key"], layer["signature"], layer["tier"]) = (Json::Null, Json::Null, "public".into());
    json["sealed"]["required"].as_array_mut().unwrap().retain(|name| name != "L4");
    caught(&archive, index, &json.to_string(), L5, &[L5]);
}

/// The operator's own signing key with another master: named by its `key_id`.
#[test]
fn another_master() {
    let mut archive = Archive::new(1);
    let other = master_of(&Domain::default(), 0x55);
    let vault = VaultSealer::new(&other, &archive.ana, &archive.key);
    let (sealed, stored) = vault.seal(b"x", "DEED", Encryption::None, &archive.place(), &mut SystemRng).unwrap();
    let index = archive.keep(sealed, stored);
    // Our own walk of the chain does not know the record's entry; theirs does.
    assert!(archive.located().is_empty());
    let located = archive.located_by(&other);
    let (verifier, stored) = (archive.verifier(), archive.kept[index].hash());
    let judge = |record: dualseal::vault::VaultRecord| {
        let at = located.locate(&archive.kept[index].record());
        verifier.verify(
            record,
            &stored,
            &archive.ana,
            &archive.operator(),
            Standing { place: at.as_ref(), after: None },
        )
    };
    let report = judge(archive.kept[index].record());
    assert_eq!(report.outcome(L2), VaultOutcome::Fail(LayerFailure::AnotherMaster));
    assert_eq!(failures(&report), [L2, L5, L7], "{report}");
    assert!(report.to_string().contains("L2  fail: another master"), "{report}");
    // With our master's name on it, the keys still are not ours.
    let json = with(&archive.kept[index].json, &["sealed", "header", "key_id"], master().key_id().to_hex());
    let report = judge(record(&json));
    assert_eq!(report.outcome(L2), VaultOutcome::Fail(LayerFailure::SessionMac));
    assert_eq!(report.outcome(L8), VaultOutcome::Fail(LayerFailure::Entry));
    // Whoever has no master sees a good seal.
    let report = archive.judge_by(&archive.public(), index, archive.kept[index].record(), false);
    assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
}

/// Zeros stand before the first record of a ledger, and before no other. Whoever has the keys could seal otherwise.
#[test]
fn the_first_record_of_a_ledger() {
    let archive = Archive::new(1);
    let (ledger, time) = (LedgerId::from_bytes([1; 32]), minute(1));
    let (zeros, ones) = ("0".repeat(64), "1".repeat(64));
    for (head, prev, other) in [
        (LedgerHead::new(&ledger), &zeros, &ones),
        (LedgerHead::from_parts(&ledger, 1, ones.parse().unwrap()), &ones, &zeros),
    ] {
        let place = Destination { ledger: &head, head: archive.registry.chain.head(), note: "", time };
        let (sealed, stored) =
            archive.vault(Tier::Public).seal(b"x", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
        let stored = StoredHash::of(&Domain::default(), &stored);
        for (prev, expected) in [(prev, VaultOutcome::Pass), (other, VaultOutcome::Fail(LayerFailure::Genesis))] {
            let json = with(&sealed.record.to_stored_json(), &["sealed", "layers", "L0", "prev"], prev.as_str());
            let report =
                archive.verifier().verify(record(&json), &stored, &archive.ana, &archive.public(), Standing::default());
            assert_eq!(report.outcome(L0), expected, "{head:?}");
        }
    }
}

/// A record under the key of somebody else's identity, or signed with a key that the ring does not have.
#[test]
fn another_signing_key() {
    let mut archive = Archive::new(1);
    let thief = key(77);
    let vault = VaultSealer::new(master(), &archive.ana, &thief);
    let (sealed, stored) = vault.seal(b"x", "DEED", Encryption::None, &archive.place(), &mut SystemRng).unwrap();
    let index = archive.keep(sealed, stored);
    let report = archive.judge(index, archive.kept[index].record());
    assert_eq!((report.outcome(L5), failures(&report)), (VaultOutcome::Fail(LayerFailure::LayerB), vec![L5]));
}

/// Somebody who can write to the store puts another document there, and makes anew all that needs no key: the baseline
/// lies inside the seal, so that it does not help.
#[test]
fn a_baseline_remade_with_the_bytes() {
    let mut archive = Archive::of_three(1);
    let domain = Domain::default();
    let forged = b"minutes, improved".to_vec();
    let (header, prev) = (archive.kept[1].record().header().clone(), archive.kept[1].record().prev().to_hex());
    let baseline = hex::encode(dualseal::hash::Sha3_256::digest(&forged));
    let hash = hex::encode(dualseal::hash::Sha3_256::digest(&[&forged[..], prev.as_bytes()].concat()));
    let id = domain.vault_id(&forged, &header.identity_id.to_hex(), "MINUTES", header.seq).unwrap();
    let mut json = archive.kept[1].json.clone();
    for (path, value) in [
        (&["sealed", "layers", "L3", "baseline"][..], Json::from(baseline)),
        (&["sealed", "layers", "L0", "hash"], hash.into()),
        (&["sealed", "header", "length"], forged.len().into()),
        (&["sealed", "header", "vault_id"], id.to_hex().into()),
    ] {
        json = with(&json, path, value);
    }
    archive.kept[1].stored = forged;
    // What needs no key agrees with the new document.
    let report = archive.judge_by(&archive.public(), 1, record(&json), false);
    assert_eq!((report.outcome(L0), report.outcome(L3)), (VaultOutcome::Pass, VaultOutcome::Pass), "{report}");
    // Without the fragment, which the thief has no use for, the seal alone is left, and it is enough.
    assert_eq!(failures(&report), [L5], "{report}");
    assert_eq!(kind(&report), VerdictKind::Invalid);
    caught(&archive, 1, &json, L2, &[L2, L5, L7]);
}
