//! Histories of a session of either kind: it signs, its secret is dealt anew with the same numbers or others, dealings
//! are dropped, come into force at once or later, where nothing else did before. Who brings which shares, of which
//! dealing and which of them changed, is drawn, and so is who says that he has his new one: it signs exactly where
//! enough of the last dealing are good, and accuses those alone of whom every share of it is bad. Where it is refused
//! and the chain alone does not tell which dealing is in force, the refusal is told by one of those that may be.
#![no_main]

use dualseal::error::{Error, Rejected, ThresholdFault};
use dualseal::id::MessageHash;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::krunica::Appended;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::Index;
use dualseal::threshold::{
    Founding, Prepared, Renewal, Session, SessionAtHead, SessionInForce, SessionKind, SessionShare, verify_quorum,
};
use dualseal::{Domain, Entry, Head, IdentityId, Timestamp};
use dualseal_fuzz::{Repeatable, checkpoint, identity, key};
use libfuzzer_sys::arbitrary::{Result as Drawn, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::collections::{BTreeMap, BTreeSet};

const OWNERS: [&str; 5] = ["ana", "bo", "cy", "dan", "eva"];
const TURNS: usize = 8;

struct History {
    domain: Domain,
    head: Head,
    entries: Vec<Entry>,
    records: Vec<Session>,
    /// Every dealing, also what never came into force.
    dealings: Vec<Vec<SessionShare>>,
    /// Those that did, the founder's first.
    committed: Vec<usize>,
    in_force: usize,
    /// Dealt and not in force, each with its place among the dealings and the one that it came of.
    prepared: Vec<(Prepared, usize, usize)>,
    rng: Repeatable,
}

/// What somebody brings: shares of dealings, some with their last digit changed.
struct Brought {
    shares: Vec<SessionShare>,
    /// By dealing: of whom a good share is there, and of whom changed ones alone.
    judged: Vec<(BTreeSet<u8>, BTreeSet<u8>)>,
}

fn owners(n: usize) -> Vec<IdentityId> {
    OWNERS[..n].iter().map(|name| identity(name)).collect()
}

fn numbers(drawn: &mut Unstructured<'_>) -> Drawn<(usize, u8)> {
    let n = drawn.int_in_range(2..=OWNERS.len())?;
    Ok((n, drawn.int_in_range(2..=n as u8)?))
}

fn changed(share: &SessionShare) -> SessionShare {
    let (value, json) = (share.value_hex(), share.to_json());
    let (rest, last) = value.split_at(value.len() - 1);
    let other = format!("{rest}{}", if last == "0" { "1" } else { "0" });
    SessionShare::from_json(json.replace(value.as_str(), &other).as_bytes()).expect("another element")
}

impl History {
    fn new(drawn: &mut Unstructured<'_>) -> Drawn<Self> {
        let ((n, k), domain, mut rng) = (numbers(drawn)?, Domain::default(), Repeatable(1));
        let (owners, founder, head) = (owners(n), identity("ana"), Head::EMPTY);
        let founding =
            Founding { domain: &domain, founder: &founder, owners: &owners, k, head: &head, time: Timestamp::MIN };
        let founded =
            if drawn.arbitrary()? { founding.mldsa(&identity("quorum"), &mut rng) } else { founding.hmac(&mut rng) };
        let founded = founded.expect("good numbers");
        let (entries, records, dealings) = (vec![founded.entry], vec![founded.session], vec![founded.shares]);
        let (committed, prepared) = (vec![0], Vec::new());
        Ok(Self { domain, head: founded.head, entries, records, dealings, committed, in_force: 0, prepared, rng })
    }

    /// That holds the session's key, where it has one.
    fn ring(&self) -> KeyRing {
        match self.records[0].kind() {
            SessionKind::Hmac => KeyRing::nobody(),
            SessionKind::MlDsa65 { identity_id, public_key } => KeyRing::pinned(identity_id, public_key.clone()),
        }
    }

    fn session(&self) -> &Session {
        self.records.last().expect("it was founded")
    }

    fn in_force(&self) -> SessionInForce {
        let checkpoint = checkpoint(&self.head, &identity("log"), key(0));
        let mut reader =
            ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint).expect("from its beginning");
        let (id, founder) = (self.records[0].session_id(), self.entries[0].krunica_hash());
        let watched = reader.session(id, &founder).expect("from its beginning");
        self.entries.iter().try_for_each(|entry| reader.push(entry)).expect("the chain");
        let located = reader.finish().expect("the checkpoint's").take(watched).expect("it was founded there");
        located.in_force(&self.records, &self.ring()).expect("its key is known")
    }

    fn at_head(&self, in_force: &SessionInForce) -> SessionAtHead {
        let begun = TrustedHead::stored(in_force.covered());
        let mut reader = ChainReader::new(&self.domain, &begun).up_to(&self.head);
        let watched = reader.session_since(in_force).expect("from what is covered");
        let located = reader.finish().expect("its own head").take(watched).expect("the same session");
        located.at_head(&self.records, &self.ring()).expect("its key is known")
    }

    fn brought(&self, drawn: &mut Unstructured<'_>) -> Drawn<Brought> {
        let nobody = || (BTreeSet::new(), BTreeSet::new());
        let mut judged: Vec<_> = self.dealings.iter().map(|_| nobody()).collect();
        let mut shares = Vec::new();
        for _ in 0..drawn.int_in_range(0..=6)? {
            let dealing = if drawn.ratio(3, 4)? { self.in_force } else { drawn.choose_index(self.dealings.len())? };
            let share = &self.dealings[dealing][drawn.choose_index(self.dealings[dealing].len())?];
            let is_changed = drawn.ratio(1, 4)?;
            let (good, bad) = &mut judged[dealing];
            if is_changed { bad } else { good }.insert(share.index().get());
            let copy = || SessionShare::from_json(share.to_json().as_bytes()).expect("a share's own JSON");
            shares.push(if is_changed { changed(share) } else { copy() });
        }
        judged.iter_mut().for_each(|(good, bad)| *bad = &*bad - good);
        Ok(Brought { shares, judged })
    }

    /// Whether a refusal names whom it should: by the dealing in force where the chain tells it, else by one of those
    /// that may be.
    fn accuses(&self, session: &SessionInForce, error: &Error, judged: &[(BTreeSet<u8>, BTreeSet<u8>)]) -> bool {
        let named = culprits(error);
        match session.session() {
            Some(_) => named == judged[self.in_force].1,
            None => self.committed.iter().any(|dealing| named == judged[*dealing].1),
        }
    }

    fn push(&mut self, entry: Entry, head: Head) {
        self.head = head;
        self.entries.push(entry);
    }

    /// The next thing that happens.
    fn act(&mut self, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        match drawn.int_in_range(0..=4)? {
            0 | 1 => {
                let Brought { shares, judged } = self.brought(drawn)?;
                let (good, bad) = &judged[self.in_force];
                let is_quorum = good.len() >= usize::from(self.session().threshold().k());
                let (message, session) = (MessageHash::of(b"resolution 7"), self.in_force());
                let ask = identity(OWNERS[0]);
                match session.sign(&message, &ask, &shares, &self.head, Timestamp::MIN, &mut self.rng) {
                    Ok(signed) => {
                        assert!(is_quorum, "too few signed");
                        assert_eq!(accused(signed.result.culprits()), *bad);
                        if *self.records[0].kind() == SessionKind::Hmac {
                            session.verify_with_shares(&message, signed.result, &shares).expect("it was just signed");
                        } else {
                            let verdict =
                                verify_quorum(&session, &message, signed.result, &self.ring(), &Unprepared, None);
                            assert!(verdict.valid().is_some(), "it was just signed");
                        }
                        self.push(signed.entry, signed.head);
                    }
                    Err(refusal) => {
                        assert!(!is_quorum, "{}", refusal.error);
                        assert!(self.accuses(&session, &refusal.error, &judged), "{}", refusal.error);
                    }
                }
            }
            2 => {
                let Brought { shares, judged } = self.brought(drawn)?;
                let (good, bad) = &judged[self.in_force];
                let is_quorum = good.len() >= usize::from(self.session().threshold().k());
                let ((n, k), refreshed) = (numbers(drawn)?, drawn.arbitrary()?);
                let threshold = self.session().threshold();
                let is_same = (n, k) == (usize::from(threshold.n()), threshold.k());
                let (owners, session) = (owners(n), self.in_force());
                let renewal = Renewal { owners: &owners, k, time: Timestamp::MIN };
                let prepared = if refreshed {
                    session.prepare_refresh(&shares, &renewal, &mut self.rng)
                } else {
                    session.prepare_rethreshold(&shares, &renewal, &mut self.rng)
                };
                let prepared = match prepared {
                    Ok(prepared) => prepared,
                    Err(error) if is_quorum => {
                        assert!(refreshed && !is_same && matches!(error, Error::Malformed(_)), "{error}");
                        return Ok(());
                    }
                    Err(error) => {
                        assert!(self.accuses(&session, &error, &judged), "{error}");
                        return Ok(());
                    }
                };
                assert!(is_quorum && (is_same || !refreshed), "too few dealt anew, or with other numbers");
                assert_eq!(accused(prepared.culprits()), *bad);
                let copy = |share: &SessionShare| SessionShare::from_json(share.to_json().as_bytes()).expect("a share");
                self.dealings.push(prepared.shares().iter().map(copy).collect());
                self.prepared.push((prepared, self.dealings.len() - 1, self.in_force));
                if drawn.ratio(3, 4)? {
                    self.commit(self.prepared.len() - 1, drawn)?;
                }
            }
            3 if !self.prepared.is_empty() => {
                let which = drawn.choose_index(self.prepared.len())?;
                self.commit(which, drawn)?;
            }
            _ => {
                let Appended { entry, head } =
                    self.head.append(&self.domain, &identity(OWNERS[1]), "said", Timestamp::MIN).expect("free text");
                self.push(entry, head);
            }
        }
        Ok(())
    }

    /// Some of the custodians say that they have their shares; one of them may say so twice.
    fn commit(&mut self, which: usize, drawn: &mut Unstructured<'_>) -> Drawn<()> {
        let (prepared, dealing, of) = &self.prepared[which];
        let threshold = prepared.session().threshold();
        let (mut said, mut numbers) = (Vec::new(), BTreeSet::new());
        let all = drawn.ratio(3, 4)?;
        for share in prepared.shares() {
            for _ in 0..if all { 1 } else { drawn.int_in_range(0..=2)? } {
                let acknowledged = share.acknowledge(&self.domain, prepared.session()).expect("it holds");
                said.push((share.index(), acknowledged));
                numbers.insert(share.index());
            }
        }
        let asked = if drawn.arbitrary()? { Some(drawn.int_in_range(1..=6)?) } else { None };
        let needed = asked.unwrap_or(threshold.n());
        let at = self.at_head(&self.in_force());
        let committed = prepared.commit(&at, &said, asked, &identity(OWNERS[0]));
        let in_range = (threshold.k()..=threshold.n()).contains(&needed);
        let allowed = in_range && *of == self.in_force && numbers.len() >= usize::from(needed);
        let committed = match committed {
            Ok(committed) => committed,
            Err(error) => {
                assert!(!allowed, "{error}");
                let expected = match error {
                    Error::Malformed(_) => !in_range,
                    Error::Rejected(Rejected::Threshold(ThresholdFault::StaleGeneration)) => *of != self.in_force,
                    Error::Rejected(Rejected::Threshold(ThresholdFault::TooFewAcknowledgements { found, .. })) => {
                        usize::from(found) == numbers.len() && found < needed
                    }
                    _ => false,
                };
                assert!(expected, "{error}");
                return Ok(());
            }
        };
        assert!(allowed, "too few said that they have theirs, or it came too late");
        self.in_force = *dealing;
        self.committed.push(*dealing);
        self.records.push(committed.session);
        self.prepared.remove(which);
        self.push(committed.entry, committed.head);
        Ok(())
    }
}

fn accused(culprits: &[Index]) -> BTreeSet<u8> {
    culprits.iter().map(|index| index.get()).collect()
}

fn culprits(error: &Error) -> BTreeSet<u8> {
    let Error::Rejected(Rejected::Sharing(fault)) = error else { panic!("not refused for its shares: {error}") };
    fault.culprits.iter().copied().collect()
}

/// What is in force at the end is known without its shares: by all the records, and by none but the founder.
fn check(history: &History) {
    let session = history.in_force();
    let newest = session.candidates().last().expect("the founder").0;
    assert_eq!(newest.split_id(), history.session().split_id());
    let known: BTreeMap<_, _> = history.records.iter().map(|record| (record.split_id().to_hex(), record)).collect();
    assert_eq!(known.len(), history.records.len(), "each dealing has a name of its own");
}

fuzz_target!(|input: &[u8]| {
    let mut drawn = Unstructured::new(input);
    let Ok(mut history) = History::new(&mut drawn) else { return };
    for _ in 0..TURNS {
        if drawn.is_empty() || history.act(&mut drawn).is_err() {
            break;
        }
    }
    check(&history);
});
