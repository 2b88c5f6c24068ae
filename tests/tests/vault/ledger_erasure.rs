//! Erasure: an entry of the ledger that says of an encrypted record that its secret is gone, while every record still
//! verifies.

use dualseal::error::{Layer, Misuse, Problem, StreamFault, VaultFault};
use dualseal::key::{KeyState, Unprepared};
use dualseal::krunica::Entry;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::{SplitId, Threshold};
use dualseal::shard::{Dealer, OwnSplits, ShardKey};
use dualseal::vault::{
    Destination, Encryption, ErasedSplits, Erasure, LedgerHead, LedgerId, Operator, OperatorRecord, Standing, Tier,
    TierPolicy, VaultReport, VaultSealer, VaultVerifier, unseal,
};
use dualseal::{Domain, Error, Krunica, Located, SystemRng, VaultId, VerdictKind};
use dualseal_tests::log::{ORIGIN, head_at, locate};
use dualseal_tests::reading;
use dualseal_tests::registry::Registry;
use dualseal_tests::shards::raw_split_by;
use dualseal_tests::vault::{Archive, bent, failures, get, kind, master, master_of, record, with};
use dualseal_tests::{identity, key};

fn split(byte: u8) -> SplitId {
    SplitId::from_bytes([byte; 32])
}

/// The split message of an entry after `prev`, by the key of Ana's shards.
fn raw_split(vault_id: &VaultId, previous: &str, split_id: &str, prev: &str) -> String {
    raw_split_by(&[0x4d; 32], vault_id, previous, split_id, prev)
}

/// The place of an entry in a chain of its own.
fn located(entry: &Entry) -> Located {
    let mut chain = Krunica::new();
    chain.push(entry.clone()).unwrap();
    locate(ORIGIN, &chain, 0)
}

/// What the operator reads of a kept erasure.
fn read(archive: &Archive, index: usize) -> Erasure {
    Erasure::read(&archive.verified(index), &archive.at(index), &archive.kept[index].stored).unwrap()
}

#[test]
fn an_erased_ledger_still_holds() {
    let mut archive = Archive::of_three(1);
    let before = archive.verified(0);
    let erasing = archive.erase(0, &[split(2), split(1), split(2)]);
    assert_eq!(archive.check().unwrap().valid, 4);
    let record = archive.kept[erasing].record();
    assert_eq!((record.header().kind.as_str(), record.header().encryption), ("ERASURE", Encryption::None));
    let erased = archive.kept[0].record();
    let payload = format!(
        r#"{{"splits":["{}","{}"],"vault_id":"{}"}}"#,
        "01".repeat(32),
        "02".repeat(32),
        erased.header().vault_id
    );
    assert_eq!(archive.kept[erasing].stored, payload.as_bytes());

    let read = read(&archive, erasing);
    assert_eq!((read.vault_id(), read.splits()), (&erased.header().vault_id, &[split(1), split(2)][..]));
    assert_eq!(read.seq(), archive.kept[erasing].record().entry().seq());
    assert!(read.covers(&erased) && !read.covers(&archive.kept[2].record()));
    // The bytes are still there and still what they were; nobody can open them.
    assert_eq!(unseal(&before, None, &archive.kept[0].stored).unwrap_err(), Misuse::NoVaultSecret.into());
    let other = dualseal::secret::Secret::<32>::random(&mut SystemRng).unwrap();
    let opened = unseal(&before, Some(&other), &archive.kept[0].stored);
    assert_eq!(opened.unwrap_err(), StreamFault::OtherKey.into());
}

/// Shards of the erased record that are left below the threshold give nothing.
#[test]
fn too_few_shares_that_survive_are_worth_nothing() {
    let mut archive = Archive::of_three(1);
    let secret = archive.kept[0].secret.take().unwrap();
    let shares = secret.split(Threshold::new(3, 5).unwrap(), &mut SystemRng).unwrap();
    drop(secret);
    archive.erase(0, &[]);
    let verified = archive.verified(0);
    let guess = dualseal::shamir::reconstruct_unanchored(2, &shares[..2]).unwrap();
    let guess = dualseal::secret::Secret::<32>::from_slice("secret", guess.to_bytes().as_slice()).unwrap();
    let opened = unseal(&verified, Some(&guess), &archive.kept[0].stored);
    assert_eq!(opened.unwrap_err(), StreamFault::OtherKey.into());
}

#[test]
fn what_cannot_be_erased() {
    let archive = Archive::of_three(1);
    let vault = archive.vault(Tier::Public);
    let none = ErasedSplits::NoChain(&[]);
    let erase = |index: usize, place: &Destination<'_>| {
        vault.erase(&archive.erasable(index), none, place, &mut SystemRng).map(drop).unwrap_err()
    };
    assert_eq!(erase(1, &archive.place()), Misuse::NotEncrypted.into());
    let elsewhere = LedgerHead::new(&LedgerId::from_bytes([9; 32]));
    let place = Destination { ledger: &elsewhere, ..archive.place() };
    assert_eq!(erase(0, &place), Misuse::ForeignLedger.into());
    // The ledger as it was before the record: it cannot say of what comes later that it was erased.
    let early = archive.kept[1].record().ledger_head();
    assert_eq!(early.size(), 2);
    assert_eq!(erase(2, &Destination { ledger: &early, ..archive.place() }), Misuse::ForeignLedger.into());
    let later = archive.kept[0].record().ledger_head();
    let place = Destination { ledger: &later, ..archive.place() };
    assert!(vault.erase(&archive.erasable(0), none, &place, &mut SystemRng).is_ok());
}

/// What another vault says would not verify beside the record: the whole ledger would be refused from there on.
#[test]
fn another_vault_erases_nothing() {
    let archive = Archive::of_three(1);
    let (eva, eva_key) = (identity("eva"), key(9));
    let acme = Domain::new("ACME").unwrap();
    let (other, renamed) = (master_of(&Domain::default(), 0x4e), master_of(&acme, 0x4d));
    for (whose, vault) in [
        ("somebody else's", VaultSealer::new(master(), &eva, &eva_key)),
        ("of another master", VaultSealer::new(&other, &archive.ana, &archive.key)),
        ("of another domain", VaultSealer::new(&renamed, &archive.ana, &archive.key)),
    ] {
        let own = archive.splits(0);
        let splits = ErasedSplits::Walked { own: &own, prepared: &[] };
        let refused = vault.erase(&archive.erasable(0), splits, &archive.place(), &mut SystemRng);
        assert_eq!(refused.map(drop).unwrap_err(), Misuse::ForeignLedger.into(), "{whose}");
    }
}

fn erasable(report: &VaultReport<OperatorRecord>) -> bool {
    report.erasable().is_some()
}

/// Whoever can write to the operator's disk puts another record in the place of the one that is to be erased, or one
/// that names another document: no verification of it gives the proof that erasing takes, also not with a key that is
/// no longer trusted. Neither does a place in the chain that nobody showed.
#[test]
fn what_was_planted_is_not_erased() {
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Suspended] {
        let mut archive = Archive::of_three(1);
        if state != KeyState::Valid {
            archive.set_state(state);
        }
        let report = archive.judge(0, archive.kept[0].record());
        assert!(erasable(&report), "{state}");
        let vault_id = archive.kept[2].record().header().vault_id.to_hex();
        let renamed = with(&archive.kept[0].json, &["sealed", "header", "vault_id"], vault_id);
        assert!(!erasable(&archive.judge(0, record(&renamed))), "{state}");
        assert!(!erasable(&archive.judge(0, archive.kept[2].record())), "{state}");
        assert!(!erasable(&archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false)), "{state}");
        for path in [&["sealed", "layers", "L2", "hmac"][..], &["krunica_hash"], &["L6"]] {
            assert!(!erasable(&archive.judge(0, record(&bent(&archive.kept[0].json, path)))), "{state} {path:?}");
        }
        // The signature itself.
        let seal = get(&archive.kept[0].json, &["L5"]).as_str().unwrap().to_string();
        let other = dualseal_tests::next_digit(&seal, seal.len() - 1);
        let forged = record(&with(&archive.kept[0].json, &["L5"], other));
        let report = archive.judge(0, forged);
        assert!(failures(&report).contains(&Layer::L5) && !erasable(&report), "{state}");
        // Of tier native, which no table of keys shows.
        let no_keys = Operator { tiers: TierPolicy::any(), ..archive.operator() };
        assert!(!erasable(&archive.judge_by(&no_keys, 0, archive.kept[0].record(), true)), "{state}");
    }
}

/// After a key was stolen, the documents that it sealed are what most needs erasing: their other layers say as before
/// whose they are.
#[test]
fn a_record_whose_key_was_revoked_can_be_erased() {
    for state in [KeyState::Revoked, KeyState::Suspended] {
        let mut archive = Archive::of_three(1);
        archive.set_state(state);
        let report = archive.judge(0, archive.kept[0].record());
        assert!(kind(&report) != VerdictKind::Valid && failures(&report).is_empty());
        // Written down with a new key, where the identity has one.
        let fresh = key(8);
        if state == KeyState::Revoked {
            archive.registry.rotate(&archive.ana.clone(), fresh.public_key());
        }
        let report = archive.judge(0, archive.kept[0].record());
        let proof = report.erasable().expect("every layer passes");
        let sealing = if state == KeyState::Revoked { &fresh } else { &archive.key };
        let vault = VaultSealer::new(master(), &archive.ana, sealing);
        let own = archive.splits(0);
        let splits = ErasedSplits::Walked { own: &own, prepared: &[] };
        let erased = vault.erase(proof, splits, &archive.place(), &mut SystemRng).unwrap();
        let erasing = archive.keep_erasure(erased);
        let erased = archive.kept[0].record().header().vault_id;
        assert!(std::str::from_utf8(&archive.kept[erasing].stored).unwrap().contains(&erased.to_hex()), "{state}");
    }
}

/// A retired key's record is located before its retirement, or it is nobody's.
#[test]
fn a_record_of_a_retired_key_can_be_erased() {
    let mut archive = Archive::of_three(1);
    archive.registry.rotate(&archive.ana.clone(), key(8).public_key());
    assert!(erasable(&archive.judge(0, archive.kept[0].record())));
    assert!(!erasable(&archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false)));
}

/// A decoy's key gives no proof, whichever layers hold: a leaked fragment signs with it.
#[test]
fn what_a_decoy_signed_is_not_erased() {
    let mut archive = Archive::of_three(1);
    archive.set_state(KeyState::Decoy);
    let report = archive.judge(0, archive.kept[0].record());
    assert_eq!((kind(&report), failures(&report)), (VerdictKind::Decoy, vec![]));
    assert!(!erasable(&report));
    // An identity that the ring does not know.
    let mut archive = Archive::of_three(1);
    archive.registry.ring = Registry::new().ring;
    assert!(!erasable(&archive.judge(0, archive.kept[0].record())));
}

/// An erasure that names somebody's record counts only with the same ledger and identity: anybody could write the text.
#[test]
fn an_erasure_counts_for_its_own_ledger_and_identity() {
    let (mut ours, mut theirs) = (Archive::of_three(1), Archive::of_three(2));
    let ours_erased = ours.erase(0, &[]);
    let theirs_erased = theirs.erase(0, &[]);
    assert!(read(&ours, ours_erased).covers(&ours.kept[0].record()));
    assert!(!read(&ours, ours_erased).covers(&theirs.kept[0].record()));
    assert!(!read(&theirs, theirs_erased).covers(&ours.kept[0].record()));
    // A record that is made to look encrypted, or of the other ledger, is not the one that was erased.
    let plain = ours.kept[1].record();
    assert!(!read(&ours, ours_erased).covers(&plain));
    let moved = with(&ours.kept[0].json, &["sealed", "header", "ledger"], theirs.ledger.ledger().to_hex());
    assert!(!read(&ours, ours_erased).covers(&record(&moved)));
    let renamed = with(&ours.kept[0].json, &["sealed", "header", "identity_id"], identity("eva").to_hex());
    assert!(!read(&ours, ours_erased).covers(&record(&renamed)));
}

/// The operator's own program forgets a split, or its entry is about somebody else: two of its shards still open the
/// document. Every split that the operator made is named, whatever became of it.
#[test]
fn an_erasure_names_every_split_in_the_chain() {
    let mut archive = Archive::of_three(1);
    let (first, beside) = (archive.prepare(0), archive.prepare(0));
    let first = archive.commit(0, &first);
    let second = archive.prepare(0);
    let second = archive.commit(0, &second);
    // Two that counted; one that did not, since another was committed before, and with another w3.
    let vault_id = archive.kept[0].record().header().vault_id;
    let stale = *beside.preparation.split_id();
    let (previous, prev) = ("0".repeat(64), archive.registry.chain.head().top().to_hex());
    let message = raw_split(&vault_id, &previous, &stale.to_hex(), &prev);
    archive.written(&identity("mallory"), &message);
    // Of another record, and by somebody without the key.
    let other = archive.prepare(2);
    let other = archive.commit(2, &other);
    archive.written(&identity("mallory"), &message);
    let size = archive.registry.chain.entries().len();
    let erasing = archive.erase(0, &[split(1)]);
    let mut expected = vec![first, second, stale, split(1)];
    expected.sort();
    let erasure = read(&archive, erasing);
    assert_eq!(erasure.splits(), expected);
    assert!(!erasure.splits().contains(&other));
    // The record's entry, and the one that ends the splits.
    let splits = archive.splits(0);
    assert_eq!(archive.registry.chain.entries().len(), size + 2);
    assert_eq!((splits.splits().erased_at(), splits.splits().last()), (Some(size as u64 + 1), None));
    let prev = archive.registry.chain.entries()[size].hash().to_hex();
    let end = raw_split(&vault_id, &second.to_hex(), &"0".repeat(64), &prev);
    assert_eq!(archive.registry.chain.entries()[size + 1].message(), end);
    assert_eq!(erasure.spared(splits.splits()), Ok(vec![]));
    assert_eq!(erasure.spared(archive.splits(2).splits()).unwrap_err(), Misuse::OtherVault.into());
    // The other vault's go on, and the ledger holds.
    assert_eq!(archive.splits(2).splits().last(), Some(&other));
    assert_eq!(archive.check().unwrap().valid, 4);
}

/// An erasure goes by the record's own master: a split of its secret under any other would be left out, and its shards
/// would still open the document. So none can be dealt, also not where the store names the other master, or another
/// vault or identity, in the record.
#[test]
fn a_split_under_another_master_is_not_dealt() {
    let archive = Archive::of_three(1);
    let (kept, other, urls) = (&archive.kept[0], archive.kept[2].record(), ["one", "two"].map(str::to_owned));
    let next = master_of(&Domain::default(), 0x4e);
    let renamed = master_of(&Domain::new("ACME").unwrap(), 0x4d);
    let set = |member: &str, value: String| with(&kept.json, &["sealed", "header", member], value);
    let (named, ivo) = (set("key_id", next.key_id().to_string()), identity("ivo"));
    let tried = [
        (kept.json.clone(), &next),
        (kept.json.clone(), &renamed),
        (named.clone(), &next),
        (named, master()),
        (set("key_id", renamed.key_id().to_string()), &renamed),
        (set("vault_id", other.header().vault_id.to_string()), master()),
        (set("identity_id", ivo.to_string()), master()),
        (set("ledger", "2".repeat(64)), master()),
    ];
    for (json, master) in tried {
        let refused = Dealer::new(&record(&json), master, 2, &urls).unwrap_err();
        assert_eq!(refused, Misuse::ForeignLedger.into(), "{json}");
    }
    for mine in [kept.record(), kept.record().redacted()] {
        let dealer = Dealer::new(&mine, master(), 2, &urls).unwrap();
        let prepared = dealer.prepare(kept.secret.as_ref().unwrap(), None, &mut SystemRng).unwrap();
        assert!(prepared.shards.iter().all(|shard| *shard.vault_id() == mine.header().vault_id));
        prepared.shards[0].verify(&Domain::default(), &archive.shard_key()).unwrap();
    }
}

/// A walk over part of the chain, of another vault or by another key would find no split, and say that there is none.
#[test]
fn a_walk_of_something_else_erases_nothing() {
    let mut archive = Archive::of_three(1);
    let (size, prepared) = (archive.registry.chain.entries().len(), archive.prepare(0));
    archive.commit(0, &prepared);
    let vault_id = archive.kept[0].record().header().vault_id;
    let refused = |own: &OwnSplits| {
        let splits = ErasedSplits::Walked { own, prepared: &[] };
        archive.vault(Tier::Public).erase(&archive.erasable(0), splits, &archive.place(), &mut SystemRng).map(drop)
    };
    assert_eq!(refused(&archive.splits(0)), Ok(()));
    assert_eq!(refused(&archive.splits(2)), Err(Misuse::OtherVault.into()));
    let ivos = ShardKey::derive(&Domain::default(), master().secret(), &identity("ivo"));
    assert_eq!(refused(&archive.splits_by(&ivos, &vault_id, size + 1)), Err(Misuse::OtherVault.into()));
    let acme = Domain::new("ACME").unwrap();
    let (chain, key) = (&archive.registry.chain, archive.shard_key());
    let from = |domain: &Domain, first: usize| {
        let begun = TrustedHead::stored(&head_at(chain, first));
        let reader = ChainReader::new(domain, &begun).up_to(chain.head());
        reading::read(reader, &chain.entries()[first..], |reader| reader.own_splits(&key, &vault_id)).unwrap()
    };
    let own = Domain::default();
    assert_eq!(refused(&from(&acme, 0)), Err(Misuse::OtherVault.into()));
    // Up to a head before the split, and from one after it.
    assert_eq!(refused(&archive.splits_by(&archive.shard_key(), &vault_id, size)), Err(Misuse::UnreadChain.into()));
    assert_eq!(refused(&from(&own, size + 1)), Err(Misuse::UnreadChain.into()));
    let place = usize::try_from(archive.kept[0].record().entry().seq()).unwrap();
    assert_eq!(refused(&from(&own, place + 1)), Ok(()));
    assert_eq!(refused(&from(&own, place + 2)), Err(Misuse::UnreadChain.into()));
}

/// Whoever says that there is no chain names the splits, and what the chain shows later is told.
#[test]
fn a_later_split_is_reported() {
    let mut archive = Archive::of_three(1);
    let prepared = archive.prepare(0);
    let hidden = archive.commit(0, &prepared);
    let (vault, place) = (archive.vault(Tier::Native), archive.place());
    let named = [split(3)];
    let erased = vault.erase(&archive.erasable(0), ErasedSplits::NoChain(&named), &place, &mut SystemRng).unwrap();
    assert!(erased.end.is_none() && *erased.head() == erased.sealed.head);
    let erasing = archive.keep_erasure(erased);
    let erasure = read(&archive, erasing);
    let spared = |archive: &Archive| -> Vec<(SplitId, bool)> {
        let found = erasure.spared(archive.splits(0).splits()).unwrap();
        found.iter().map(|found| (found.split_id, found.seq > erasure.seq())).collect()
    };
    assert_eq!((erasure.splits(), spared(&archive)), (&named[..], vec![(hidden, false)]));
    // Nothing ended the splits: the next one counts, and is told as well.
    let later = archive.prepare(0);
    let later = archive.commit(0, &later);
    assert_eq!(spared(&archive), [(hidden, false), (later, true)]);
    // Erased again by the chain. After that nothing counts, and what is dealt all the same is told.
    let again = archive.erase(0, &[]);
    let again = read(&archive, again);
    let mut both = [hidden, later];
    both.sort();
    assert_eq!(again.splits(), both);
    let splits = archive.splits(0);
    let (vault_id, prev) = (*again.vault_id(), archive.registry.chain.head().top().to_hex());
    let message = raw_split(&vault_id, &"0".repeat(64), &split(9).to_hex(), &prev);
    archive.written(&identity("ana"), &message);
    let found = archive.splits(0);
    assert_eq!(found.splits().erased_at(), splits.splits().erased_at());
    let spared = again.spared(found.splits()).unwrap();
    assert_eq!(spared.iter().map(|found| (found.split_id, found.counted)).collect::<Vec<_>>(), [(split(9), false)]);
    // A third erasure names it too, and ends nothing a second time.
    let size = archive.registry.chain.entries().len();
    let third = archive.erase(0, &[]);
    assert_eq!(archive.registry.chain.entries().len(), size + 1);
    assert_eq!(read(&archive, third).spared(archive.splits(0).splits()), Ok(vec![]));
}

/// Whoever holds the keys writes an erasure that no checkpoint covers, shows it, and takes it back: it counts where it
/// is located, and at its own place only.
#[test]
fn an_erasure_counts_where_it_is_located_only() {
    let mut archive = Archive::of_three(1);
    let size = archive.registry.chain.entries().len();
    let erasing = archive.erase(0, &[]);
    let (record, verified) = (archive.kept[erasing].record(), archive.verified(erasing));
    assert!(archive.located_at(size).unwrap().locate(&record).is_none());
    let stored = &archive.kept[erasing].stored;
    let elsewhere = Erasure::read(&verified, &archive.at(0), stored).unwrap_err();
    assert_eq!(elsewhere, VaultFault::OtherPlace.into());
    assert!(Erasure::read(&verified, &archive.at(erasing), stored).is_ok());
}

/// Reading takes a proof: an erasure that does not verify counts for nothing, and neither do other bytes.
#[test]
fn an_erasure_is_read_from_a_verified_record_only() {
    let mut archive = Archive::of_three(1);
    let erasing = archive.erase(0, &[split(1)]);
    let verified = archive.verified(erasing);
    let stored = archive.kept[erasing].stored.clone();
    let mut other = stored.clone();
    other[20] ^= 1;
    assert_eq!(Erasure::read(&verified, &archive.at(erasing), &other).unwrap_err(), VaultFault::StoredChanged.into());
    let deed = archive.verified(1);
    let read = Erasure::read(&deed, &archive.at(1), &archive.kept[1].stored);
    assert_eq!(read.unwrap_err(), Misuse::NotErasure.into());
    let report = archive.judge(erasing, record(&bent(&archive.kept[erasing].json, &["L6"])));
    assert_eq!(kind(&report), VerdictKind::Invalid);
    assert!(report.into_verdict().valid().is_none());
    // A stranger who verified it by the public policy reads it too.
    let (domain, ring) = (Domain::default(), &archive.registry.ring);
    let verifier = VaultVerifier::new(&domain, ring, &Unprepared);
    let kept = &archive.kept[erasing];
    let public =
        verifier.verify(kept.record().redacted(), &kept.hash(), &archive.ana, &archive.public(), Standing::default());
    let public = public.into_verdict().valid().unwrap();
    assert_eq!(Erasure::read(&public, &archive.at(erasing), &stored).unwrap().splits(), [split(1)]);
}

/// What another program of the operator sealed under this type is read by the same rules.
#[test]
fn the_payload_of_an_erasure_has_one_form() {
    let domain = Domain::builder("DUALSEAL").build().unwrap();
    let mut archive = Archive::of_three(1);
    let vault_id = archive.kept[0].record().header().vault_id;
    let (a, b) = ("1".repeat(64), "2".repeat(64));
    for (payload, problem) in [
        (format!(r#"{{"splits":["{a}","{a}"],"vault_id":"{vault_id}"}}"#), Problem::Order),
        (format!(r#"{{"splits":["{b}","{a}"],"vault_id":"{vault_id}"}}"#), Problem::Order),
        (format!(r#"{{"splits":"{a}","vault_id":"{vault_id}"}}"#), Problem::WrongType),
        (format!(r#"{{"vault_id":"{vault_id}"}}"#), Problem::MissingMember),
        ("{".to_string(), Problem::JsonSyntax),
    ] {
        // Sealed as a deed, and then called an erasure by whoever holds every key: the operator's own program at fault.
        let index = archive.seal(payload.as_bytes(), "DEED", Encryption::None, Tier::Public);
        let json = dualseal_tests::vault::resealed(&archive, index, "ERASURE", &payload);
        archive.kept[index].json = json;
        let report = archive.judge_by(&archive.public(), index, archive.kept[index].record(), false);
        let verified = report.into_verdict().valid().expect("sealed with the operator's keys");
        let entry = verified.record().as_ref().entry().clone();
        let error = Erasure::read(&verified, &located(&entry), payload.as_bytes()).unwrap_err();
        assert!(matches!(&error, Error::Malformed(malformed) if malformed.problem == problem), "{payload}: {error}");
    }
    assert_eq!(domain, Domain::default());
}
