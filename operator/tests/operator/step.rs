//! What a batch makes, and what it leaves as it was.

use crate::log::{Log, at, key, one};
use dualseal::error::Misuse;
use dualseal::key::{RingFile, SetState, Unprepared};
use dualseal::krunica::Checker;
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::store::StoredState;
use dualseal::tree::Tree;
use dualseal::vault::{Encryption, LedgerHead, LedgerId, VaultMaster, VaultSealer};
use dualseal::{Domain, Error, KeyState, Signer, SigningKey, SystemRng, VerdictKind, Verifier};
use dualseal_operator::secrets::{Master, Place, Vaulted};
use dualseal_operator::step::{Batch, Changes, RingRow, SecretRow, State, StepError, sign_all};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_step_that_fails_leaves_the_batch_as_it_was() {
    let log = Log::new();
    let (ana, bo) = (log.person("ana"), log.person("bo"));
    let contract = log.domain.content_hash(&ana.id, b"one contract");
    let mut batch = Batch::new(log.empty());
    batch.step(at(1), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let before = (batch.state().head().clone(), batch.state().ring().clone());
    let failed: Result<(), StepError> = batch.step(at(2), |step| {
        step.add_key(&bo.id, bo.key().public_key())?;
        step.rotate(&ana.id, key("ana", 1).public_key())?;
        step.sign(&ana.id, &contract)?;
        step.append(&bo.id, "said")?;
        // Ana has a key.
        step.add_key(&ana.id, key("ana", 2).public_key()).map(drop)
    });
    assert_eq!(failed, Err(Misuse::HasCurrentKey.into()));
    assert_eq!((batch.state().head().clone(), batch.state().ring().clone()), before);
    // Nor does what a caller himself refuses.
    let refused: Result<(), StepError> = batch.step(at(3), |step| {
        step.append(&bo.id, "said")?;
        Err(StepError::NotAStep)
    });
    assert_eq!(refused, Err(StepError::NotAStep));
    assert_eq!(*batch.state().head(), before.0);
    let ticket = batch.step(at(4), |step| step.sign(&ana.id, &contract)).unwrap();
    let (placed, to_sign) = batch.place();
    let signed: Vec<_> = to_sign.into_iter().map(|one| one.sign(ana.key(), &mut SystemRng).unwrap()).collect();
    let (state, changes) = placed.finish(signed).unwrap();
    assert_eq!((changes.entries.len(), changes.records.len()), (2, 1));
    let verifier = Verifier::new(&log.domain, state.ring(), &Unprepared);
    let verdict = verifier.verify(&contract, changes.records[ticket.index()].clone(), None);
    assert!(verdict.valid().is_some());
}

#[test]
fn a_batch_takes_a_step_where_it_was_begun() {
    let log = Log::new();
    let ana = log.person("ana");
    let mut batch = Batch::new(log.empty());
    let said = |batch: &Batch, message: &str| {
        let mut step = batch.begin(at(1));
        step.append(&ana.id, message).unwrap();
        step.end().unwrap()
    };
    let (first, second) = (said(&batch, "first"), said(&batch, "second"));
    drop(batch.begin(at(1)));
    assert!(batch.is_empty(), "a step counts when the batch takes it");
    batch.take(first).unwrap();
    let before = batch.state().head().clone();
    assert_eq!(batch.take(second), Err(Misuse::StaleHead.into()));
    // One that is at the same place, and does not know what the batch is to sign.
    let placed = |batch: &mut Batch| {
        batch.step(at(1), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
        batch.step(at(2), |step| step.sign(&ana.id, &log.domain.content_hash(&ana.id, b"one contract"))).unwrap();
    };
    placed(&mut batch);
    let other = Batch::new(batch.state().clone());
    assert_eq!(batch.take(said(&other, "third")), Err(Misuse::StaleHead.into()));
    assert_eq!(batch.state().head().size(), before.size() + 2);
    batch.take(said(&batch, "third")).unwrap();
    assert_eq!(batch.state().head().size(), before.size() + 3);
}

#[test]
fn entries_nodes_rows_and_state_belong_together() {
    let log = Log::new();
    let (ana, bo) = (log.person("ana"), log.person("bo"));
    let mut state = log.empty();
    let (mut checker, mut tree, mut rows) = (Checker::new(), Tree::new(), std::collections::BTreeMap::new());
    for round in 0..20_u8 {
        let mut batch = Batch::new(state);
        batch
            .step(at(round.into()), |step| {
                match round {
                    0 => step.add_key(&ana.id, ana.key().public_key())?,
                    1 => step.add_key(&bo.id, bo.key().public_key())?,
                    7 => step.set_state(&bo.id, None, SetState::compromised_from(3))?,
                    9 => step.rotate(&bo.id, key("bo", 1).public_key())?,
                    _ => step.append(&ana.id, &format!("round {round}"))?,
                };
                step.append(&bo.id, "and more")
            })
            .unwrap();
        let (placed, to_sign) = batch.place();
        assert!(to_sign.is_empty());
        let (next, changes) = placed.finish([]).unwrap();
        assert_eq!(changes.expected, *checker.head());
        for entry in &changes.entries {
            checker.push(entry).unwrap();
            tree.push(entry.leaf_hash());
        }
        assert_eq!((&changes.head, next.head()), (checker.head(), checker.head()));
        assert_eq!(changes.head.root(), tree.root());
        let leaves: Vec<_> = changes.nodes.iter().filter(|node| node.level == 0).map(|node| node.hash).collect();
        assert_eq!(leaves, changes.entries.iter().map(dualseal::Entry::leaf_hash).collect::<Vec<_>>());
        for row in changes.ring.rows {
            let RingRow::Identity(id, row) = row else { panic!("no decoy was made") };
            rows.insert(id, row);
        }
        let file = RingFile::from_rows(changes.ring.seal.as_bytes(), rows.values()).unwrap();
        assert_eq!(*file.unchecked(), **next.ring());
        state = next;
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn nobody_signs_with_a_key_that_is_not_current() {
    let log = Log::new();
    let ana = log.person("ana");
    let contract = log.domain.content_hash(&ana.id, b"one contract");
    let unknown = one(log.empty(), ana.key(), |step| step.sign(&ana.id, &contract));
    assert_eq!(unknown.unwrap_err(), Misuse::UnknownIdentity.into());
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    // A worker that did not hear of the rotation.
    let mut batch = Batch::new(state.clone());
    batch.step(at(1), |step| step.rotate(&ana.id, key("ana", 1).public_key())).unwrap();
    batch.step(at(2), |step| step.sign(&ana.id, &contract)).unwrap();
    let (_, to_sign) = batch.place();
    let stale = to_sign.into_iter().map(|one| one.sign(ana.key(), &mut SystemRng)).collect::<Result<Vec<_>, _>>();
    assert_eq!(stale.unwrap_err(), Misuse::OtherSigner.into());
    let seal_key = SealKey::derive(&log.domain, &Secret::from_slice("master", &[7; 32]).unwrap(), &ana.id);
    let sealer = |domain, key| Sealer::new(domain, &ana.id, &seal_key, key).seal_unplaced(b"one", &mut SystemRng);
    let seal = sealer(&log.domain, ana.key()).unwrap();
    let (_, rotated, _) =
        one(state.clone(), ana.key(), |step| step.rotate(&ana.id, key("ana", 1).public_key())).unwrap();
    // Whose key it was the sealer says, and nobody who knows of the new one.
    let stale = one(rotated.clone(), ana.key(), |step| step.seal(&seal));
    assert_eq!(stale.unwrap_err(), Misuse::NotCurrent.into());
    let elsewhere = sealer(&Domain::new("ACME").unwrap(), ana.key()).unwrap();
    let other = one(state.clone(), ana.key(), |step| step.seal(&elsewhere));
    assert_eq!(other.unwrap_err(), StepError::OtherDomain);
    assert_eq!(rotated.checkpoint_signer(&ana.id, ana.key()).unwrap_err(), Misuse::NotCurrent.into());
    for bad in [KeyState::Revoked, KeyState::Suspended, KeyState::Decoy] {
        let (_, state, _) = one(state.clone(), ana.key(), |step| step.set_state(&ana.id, None, bad)).unwrap();
        let refused = one(state, ana.key(), |step| step.sign(&ana.id, &contract));
        assert_eq!(refused.unwrap_err(), Misuse::NotCurrent.into(), "{bad:?}");
    }
    let (entry, ..) = one(state, ana.key(), |step| step.seal(&seal)).unwrap();
    assert_eq!((entry.identity_id(), entry.message()), (&ana.id, seal.seal().chain_message(&log.domain).as_str()));
}

/// Whoever signs with a stolen key sees his record in the log, and whoever has the ring sees what it is.
#[test]
fn a_honeypot_signs_what_counts_for_nothing() {
    let log = Log::new();
    let ana = log.person("ana");
    let contract = log.domain.content_hash(&ana.id, b"one contract");
    let stranger = key("stranger", 0);
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let as_decoy = |state: &State, key: &SigningKey| {
        one(state.clone(), key, |step| step.sign_as_decoy(&ana.id, key.public_key(), &contract))
    };
    assert_eq!(as_decoy(&state, ana.key()).unwrap_err(), Misuse::NotCurrent.into());
    for bad in [KeyState::Revoked, KeyState::Suspended] {
        let (_, state, _) = one(state.clone(), ana.key(), |step| step.set_state(&ana.id, None, bad)).unwrap();
        assert_eq!(as_decoy(&state, ana.key()).unwrap_err(), Misuse::NotCurrent.into(), "{bad:?}");
    }
    // Nor is it a key that counts for somebody else, whatever its state, also once it is retired.
    let bor = log.person("bor");
    let (_, both, _) = one(state.clone(), bor.key(), |step| step.add_key(&bor.id, bor.key().public_key())).unwrap();
    assert_eq!(as_decoy(&both, bor.key()).unwrap_err(), Misuse::NotCurrent.into());
    let (_, rotated, _) =
        one(both.clone(), bor.key(), |step| step.rotate(&bor.id, key("bor", 1).public_key())).unwrap();
    assert_eq!(as_decoy(&rotated, bor.key()).unwrap_err(), Misuse::NotCurrent.into());
    let (_, trap, _) = one(both, bor.key(), |step| step.set_state(&bor.id, None, KeyState::Decoy)).unwrap();
    as_decoy(&trap, bor.key()).unwrap();
    let verdict = |state: &State, changes: &Changes| {
        let record = changes.records[0].clone();
        assert!(record.is_of(&log.domain, &changes.entries[0]));
        Verifier::new(&log.domain, state.ring(), &Unprepared).verify(&contract, record, None).kind()
    };
    let (_, decoy, _) = one(state.clone(), ana.key(), |step| step.set_state(&ana.id, None, KeyState::Decoy)).unwrap();
    let (_, decoy, changes) = as_decoy(&decoy, ana.key()).unwrap();
    assert_eq!(verdict(&decoy, &changes), VerdictKind::Decoy);
    let (_, after, changes) = as_decoy(&state, &stranger).unwrap();
    assert_eq!(verdict(&after, &changes), VerdictKind::Invalid);
    // The same of what he seals.
    let seal_key = SealKey::derive(&log.domain, &Secret::from_slice("master", &[7; 32]).unwrap(), &ana.id);
    let sealed_by = |state: &State, key: &SigningKey| {
        let sealer = Sealer::new(&log.domain, &ana.id, &seal_key, key);
        let seal = sealer.seal_unplaced(b"one", &mut SystemRng).unwrap();
        let (entry, after, _) = one(state.clone(), ana.key(), |step| step.seal_as_decoy(&seal))?;
        let message = seal.seal().chain_message(&log.domain);
        assert_eq!((entry.identity_id(), entry.message()), (&ana.id, message.as_str()));
        let (verifier, seal) =
            (SealVerifier::new(&log.domain, after.ring(), &Unprepared), Seal::Dual(seal.seal().clone()));
        let report = verifier.verify(&seal, b"one", &ana.id, Policy::Both(&seal_key), Legacy::Refused, None);
        let Conclusion::Verdict(verdict) = report.conclusion else { panic!("{report:?}") };
        Ok::<_, StepError>(verdict.kind())
    };
    assert_eq!(sealed_by(&state, ana.key()).unwrap_err(), Misuse::NotCurrent.into());
    assert_eq!(sealed_by(&decoy, ana.key()), Ok(VerdictKind::Decoy));
    assert_eq!(sealed_by(&state, &stranger), Ok(VerdictKind::Invalid));
}

#[test]
fn every_record_that_was_placed_comes_back_signed_once() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let placed = || {
        let mut batch = Batch::new(state.clone());
        for number in 0..3_u8 {
            let content = log.domain.content_hash(&ana.id, &[number]);
            batch.step(at(number.into()), |step| step.sign(&ana.id, &content)).unwrap();
        }
        let (placed, to_sign) = batch.place();
        let signed = to_sign.into_iter().map(|one| one.sign(ana.key(), &mut SystemRng).unwrap());
        (placed, signed.collect::<Vec<_>>())
    };
    let (whole, mut signed) = placed();
    signed.reverse();
    assert_eq!(whole.finish(signed).unwrap().1.records.len(), 3);
    let (missing, mut signed) = placed();
    signed.pop();
    assert_eq!(missing.finish(signed).unwrap_err(), StepError::Unsigned);
    let ((twice, mut signed), (_, again)) = (placed(), placed());
    signed.extend(again.into_iter().take(1));
    assert_eq!(twice.finish(signed).unwrap_err(), StepError::Unsigned);
    // Of another batch: the same work at another time has the same handle, and counts at its own entry alone.
    let mut other = Batch::new(state.clone());
    let content = log.domain.content_hash(&ana.id, &[0]);
    other.step(at(9), |step| step.sign(&ana.id, &content)).unwrap();
    let foreign = other.place().1.into_iter().map(|one| one.sign(ana.key(), &mut SystemRng).unwrap());
    let (mixed, signed) = placed();
    assert_eq!(mixed.finish(foreign.chain(signed.into_iter().skip(1))).unwrap_err(), StepError::Unsigned);
}

#[test]
fn an_entry_from_elsewhere_is_no_ring_change_and_goes_on_from_the_head() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, changes) =
        one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let taken = |entry: dualseal::Entry| one(state.clone(), ana.key(), |step| step.take(&entry)).map(|_| ());
    let good = state.head().append(&log.domain, &ana.id, "elsewhere", at(1)).unwrap();
    assert_eq!(taken(good.entry.clone()), Ok(()));
    // The same ring's change, made by another process that has the ring key.
    let mut ring = state.ring().clone();
    let change = ring.rotate(&ana.id, key("ana", 1).public_key().clone(), state.head(), at(1)).unwrap();
    assert_eq!(taken(change.entry), Err(StepError::NotAStep));
    let far = good.head.append(&log.domain, &ana.id, "too far", at(2)).unwrap();
    assert!(matches!(taken(far.entry), Err(StepError::Dualseal(Error::Rejected(_)))));
    assert!(matches!(taken(changes.entries[0].clone()), Err(StepError::NotAStep)));
}

#[test]
fn a_vault_record_is_placed_at_the_end_of_its_ledger_with_its_decoy() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let master = VaultMaster::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let ledger = LedgerId::from_bytes([4; 32]);
    let state = state.with_ledger(&ledger);
    let sealer = VaultSealer::new(&master, &ana.id, ana.key());
    let unplaced = |state: &State| {
        let mut stored = Vec::new();
        let mut sealing = sealer.begin("CONTRACT", Encryption::Stream, &mut SystemRng, &mut stored).unwrap();
        sealing.update(b"one contract", &mut stored).unwrap();
        let end = state.ledger(&ledger).unwrap();
        sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap()
    };
    let (first, rival) = (unplaced(&state), unplaced(&state));
    let mut batch = Batch::new(state.clone());
    let made = batch.step(at(5), |step| step.vault(first)).unwrap();
    assert!(made.secret.is_some() && made.ledger.size() == 1);
    assert_eq!(batch.state().ring().decoy_count(), 1);
    // Sealed for the same end: it is sealed again, for the end that there is now.
    let stale = batch.step(at(6), |step| step.vault(rival)).unwrap_err();
    assert_eq!(stale, StepError::StaleLedger(ledger));
    let (_, changes) = batch.place().0.finish([]).unwrap();
    assert_eq!((changes.vault_records.len(), changes.ring.rows.len()), (1, 1));
    assert!(matches!(changes.ring.rows[0], RingRow::Decoy(..)));
    let record = changes.vault_records.into_iter().next().unwrap();
    // A record's entry is nothing that a step takes from elsewhere.
    let copied = one(state.clone(), ana.key(), |step| step.take(&changes.entries[0])).unwrap_err();
    assert_eq!(copied, StepError::NotAStep);
    assert_eq!(record.ledger_head().size(), 1);
    let (_, rotated, _) =
        one(state.clone(), ana.key(), |step| step.rotate(&ana.id, key("ana", 1).public_key())).unwrap();
    let late = unplaced(&state);
    assert_eq!(one(rotated, ana.key(), |step| step.vault(late)).unwrap_err(), Misuse::NotCurrent.into());
    let unknown = log.empty();
    let (_, unknown, _) = one(unknown, ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let nowhere = unplaced(&state);
    assert_eq!(one(unknown, ana.key(), |step| step.vault(nowhere)).unwrap_err(), StepError::UnknownLedger(ledger));
}

#[test]
fn a_ledger_is_begun_in_a_step() {
    let (log, ledger) = (Log::new(), LedgerId::from_bytes([4; 32]));
    let mut batch = Batch::new(log.empty());
    let failed: Result<(), StepError> = batch.step(at(1), |step| {
        step.begin_ledger(&ledger);
        Err(StepError::NotAStep)
    });
    assert_eq!(failed, Err(StepError::NotAStep));
    assert!(batch.is_empty() && batch.state().ledger(&ledger).is_none());
    let again = batch.step(at(1), |step| Ok::<_, StepError>([step.begin_ledger(&ledger), step.begin_ledger(&ledger)]));
    assert_eq!(again, Ok([LedgerHead::new(&ledger); 2]));
    // It is no entry, and something to write all the same.
    assert!(!batch.is_empty());
    let (state, changes) = batch.place().0.finish([]).unwrap();
    assert!(changes.entries.is_empty() && changes.before != changes.state);
    assert_eq!(state.ledger(&ledger), Some(&LedgerHead::new(&ledger)));
    let (_, state, _) = one(state, &key("ana", 0), |step| Ok(step.begin_ledger(&ledger))).unwrap();
    assert_eq!(state.ledger(&ledger), Some(&LedgerHead::new(&ledger)));
}

#[test]
fn a_vault_record_of_another_domain_is_refused() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let acme = Domain::new("ACME").unwrap();
    let ledger = LedgerId::from_bytes([4; 32]);
    let state = state.with_ledger(&ledger);
    for (domain, refused) in [(&log.domain, None), (&acme, Some(StepError::OtherDomain))] {
        let master = VaultMaster::new(domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
        let sealer = VaultSealer::new(&master, &ana.id, ana.key());
        let mut stored = Vec::new();
        let sealing = sealer.begin("CONTRACT", Encryption::None, &mut SystemRng, &mut stored).unwrap();
        let end = state.ledger(&ledger).unwrap();
        let unplaced = sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap();
        let placed = one(state.clone(), ana.key(), |step| step.vault(unplaced).map(drop));
        assert_eq!(placed.err(), refused);
    }
}

#[test]
fn no_secret_is_kept_in_the_place_of_another() {
    let log = Log::new();
    let master = Master::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let secret = |row: &[u8]| {
        let place = Place::new("records", row, "vault").unwrap();
        Vaulted::seal(&master, place, b"a vault secret", &mut SystemRng).unwrap()
    };
    let mut batch = Batch::new(log.empty());
    let keep = |batch: &mut Batch, secrets: Vec<Vaulted>| {
        batch.step(at(0), |step| {
            for secret in secrets {
                step.keep(secret);
            }
            Ok::<_, StepError>(())
        })
    };
    assert!(batch.is_empty());
    let (one, two) = (secret(b"1"), secret(b"2"));
    assert_eq!(keep(&mut batch, vec![one.clone(), two.clone()]), Ok(()));
    assert_eq!(keep(&mut batch, vec![secret(b"1")]), Err(StepError::SamePlace));
    assert_eq!(keep(&mut batch, vec![secret(b"3"), secret(b"3")]), Err(StepError::SamePlace));
    assert!(!batch.is_empty());
    let (_, changes) = batch.place().0.finish([]).unwrap();
    assert_eq!(changes.secrets, [SecretRow::from(one), SecretRow::from(two)]);
    // No byte of what is stored is shown.
    let shown = format!("{:?}", changes.secrets);
    assert!(shown.contains("bytes") && !shown.contains(", 0"), "{shown}");
}

/// Nobody asked for its key, and its record would stand in no store.
#[test]
fn a_signature_or_seal_from_elsewhere_is_not_taken() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let old = key("ana", 9);
    let stale = Signer::new(&log.domain, &ana.id, &old);
    let signed = stale.sign(&stale.content_hash(b"one"), state.head(), at(1), &mut SystemRng).unwrap();
    let seal_key = SealKey::derive(&log.domain, &Secret::from_slice("master", &[7; 32]).unwrap(), &ana.id);
    let seal = Sealer::new(&log.domain, &ana.id, &seal_key, ana.key()).seal(b"one", &mut SystemRng).unwrap();
    let sealed = seal.append_to(state.head(), &log.domain, &ana.id, at(1)).unwrap();
    for entry in [signed.entry, sealed.entry] {
        let taken = one(state.clone(), ana.key(), |step| step.take(&entry));
        assert_eq!(taken.unwrap_err(), StepError::NotAStep);
    }
}

#[test]
fn a_ring_of_another_domain_begins_no_state() {
    let acme = Domain::new("ACME").unwrap();
    let state = || StoredState::new(dualseal::Head::EMPTY);
    let ring = |domain| {
        let authority = dualseal::RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
        dualseal::CheckedRing::new("example.org/log", &authority).unwrap()
    };
    assert!(State::new(&acme, ring(&acme), state()).is_ok());
    let other = State::new(&acme, ring(&Domain::default()), state());
    assert_eq!(other.unwrap_err(), StepError::OtherDomain);
}

#[test]
fn who_has_no_key_is_named_before_anything_is_signed() {
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let mut batch = Batch::new(state);
    let content = log.domain.content_hash(&ana.id, b"one");
    batch.step(at(1), |step| step.sign(&ana.id, &content)).unwrap();
    assert_eq!(sign_all(batch.place().1, &|_| None).unwrap_err(), StepError::NoKey(ana.id));
}

/// A signature is tried until it fits: whoever waits for one keeps nobody from the others.
#[test]
fn whoever_is_free_signs_the_next() {
    const RECORDS: usize = 9;
    let log = Log::new();
    let ana = log.person("ana");
    let (_, state, _) = one(log.empty(), ana.key(), |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let mut batch = Batch::new(state);
    let content = log.domain.content_hash(&ana.id, b"one");
    for _ in 0..RECORDS {
        batch.step(at(1), |step| step.sign(&ana.id, &content)).unwrap();
    }
    let (placed, to_sign) = batch.place();
    // Each is asked for before any is signed, and then by whoever signs it.
    let (asked, until) = (AtomicUsize::new(0), Instant::now() + Duration::from_secs(30));
    let alone = thread::available_parallelism().map_or(1, usize::from) < 2;
    let signed = sign_all(to_sign, &|_| {
        if asked.fetch_add(1, Ordering::SeqCst) == RECORDS {
            while !alone && asked.load(Ordering::SeqCst) < 2 * RECORDS {
                assert!(Instant::now() < until, "nobody signs the others");
                thread::sleep(Duration::from_millis(1));
            }
        }
        Some(ana.key())
    });
    assert_eq!(placed.finish(signed.unwrap()).unwrap().1.records.len(), RECORDS);
}
