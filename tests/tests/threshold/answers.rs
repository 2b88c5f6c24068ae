//! Threshold sessions against answers that another implementation computed from the documentation (`tests/second`):
//! what is drawn, dealt, appended and signed, to the byte.

use dualseal::id::MessageHash;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::threshold::{
    Founding, Renewal, Session, SessionInForce, SessionKind, SessionShare, ThresholdResult, verify_quorum,
};
use dualseal::{Domain, Entry, Head, IdentityId, Krunica, VerdictKind};
use dualseal_tests::log::{ORIGIN, covering};
use dualseal_tests::parties::{HMAC, acknowledged};
use dualseal_tests::prelude::*;
use dualseal_tests::random::{Constant, Given};
use dualseal_tests::reading;
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value as Json;

/// One session of the answers, and the chain up to the entry that is looked at.
struct Case<'a> {
    domain: Domain,
    answer: &'a Json,
    chain: Krunica,
}

fn same(text: &str, expected: &Json) {
    assert_eq!(serde_json::from_str::<Json>(text).unwrap(), *expected);
}

fn entry(expected: &Json, made: &Entry) {
    let mut json: Json = serde_json::from_str(&made.to_json()).unwrap();
    json.as_object_mut().unwrap().remove("seq");
    assert_eq!(json, *expected);
}

fn shares(list: &Json, name: &str) -> Vec<SessionShare> {
    items(list, name).iter().map(|share| SessionShare::from_json(share.to_string().as_bytes()).unwrap()).collect()
}

fn records(answer: &Json) -> Vec<Session> {
    let deals = items(answer, "deals").iter();
    deals.map(|deal| Session::from_json(deal["session"].to_string().as_bytes()).unwrap()).collect()
}

/// A ring that holds a session's key, if it has one.
fn ring_of(session: &Session) -> KeyRing {
    match session.kind() {
        SessionKind::Hmac => KeyRing::nobody(),
        SessionKind::MlDsa65 { identity_id, public_key } => KeyRing::pinned(identity_id, public_key.clone()),
    }
}

impl Case<'_> {
    fn in_force(&self, records: &[Session]) -> SessionInForce {
        let checkpoint = covering(ORIGIN, &self.chain, self.chain.entries().len());
        let founder = self.chain.entries()[1].krunica_hash();
        let reader = reading::under_in(&self.domain, &checkpoint);
        let session = |reader: &mut ChainReader<'_>| reader.session(records[0].session_id(), &founder);
        let located = reading::read(reader, self.chain.entries(), session).unwrap();
        located.in_force(records, &ring_of(&records[0])).unwrap()
    }

    fn deal(&mut self, number: usize) {
        let deal = &items(self.answer, "deals")[number];
        let owners: Vec<IdentityId> =
            items(deal, "owners").iter().map(|owner| owner.as_str().unwrap().parse().unwrap()).collect();
        let (founder, drawn) = (string(self.answer, "founder").parse().unwrap(), bytes(deal, "drawn_hex"));
        let (record, mut rng) = (&deal["session"], Given(&drawn));
        if number > 0 {
            return self.deal_again(number, &owners, &founder, &mut rng);
        }
        let founding = Founding {
            domain: &self.domain,
            founder: &founder,
            owners: &owners,
            k: u8::try_from(deal["k"].as_u64().unwrap()).unwrap(),
            head: self.chain.head(),
            time: string(record, "kreiran").parse().unwrap(),
        };
        let founded = if string(record, "algoritam") == HMAC {
            founding.hmac(&mut rng)
        } else {
            founding.mldsa(&string(record, "identity_id").parse().unwrap(), &mut rng)
        };
        let founded = founded.unwrap();
        same(&founded.session.to_json(), record);
        for (share, expected) in founded.shares.iter().zip(items(deal, "shares")) {
            same(&share.to_json(), expected);
        }
        assert_eq!((founded.shares.len(), rng.0.len()), (owners.len(), 0), "as much as was drawn");
        entry(&self.answer["chain"][self.chain.entries().len()], &founded.entry);
        self.chain.push(founded.entry).unwrap();
    }

    fn deal_again(&mut self, number: usize, owners: &[IdentityId], requester: &IdentityId, rng: &mut Given<'_>) {
        let (deals, before) = (items(self.answer, "deals"), shares(&items(self.answer, "deals")[number - 1], "shares"));
        let (deal, record) = (&deals[number], &deals[number]["session"]);
        let k = u8::try_from(deal["k"].as_u64().unwrap()).unwrap();
        let renewal = Renewal { owners, k, time: string(record, "kreiran").parse().unwrap() };
        let in_force = self.in_force(&records(self.answer));
        let prepared = in_force.prepare_rethreshold(&before, &renewal, rng).unwrap();
        for (share, expected) in prepared.shares().iter().zip(items(deal, "shares")) {
            same(&share.to_json(), expected);
        }
        assert_eq!((prepared.shares().len(), rng.0.len()), (owners.len(), 0), "as much as was drawn");
        let begun = TrustedHead::stored(in_force.covered());
        let reader = ChainReader::new(&self.domain, &begun).up_to(self.chain.head());
        let located = reading::read(reader, &[], |reader| reader.session_since(&in_force)).unwrap();
        let at_head = located.at_head(&[], &ring_of(in_force.founder())).unwrap();
        let committed = prepared.commit(&at_head, &acknowledged(&self.domain, &prepared), None, requester).unwrap();
        same(&committed.session.to_json(), record);
        entry(&self.answer["chain"][self.chain.entries().len()], &committed.entry);
        self.chain.push(committed.entry).unwrap();
    }

    fn sign(&mut self, number: usize) {
        let signing = &items(self.answer, "signings")[number];
        let message = MessageHash::of(&bytes(self.answer, "message_hex"));
        let session = self.in_force(&records(self.answer));
        let expected = &signing["result"];
        let signed = session
            .sign(
                &message,
                &string(signing, "requester").parse().unwrap(),
                &shares(signing, "shares"),
                self.chain.head(),
                string(expected, "ts").parse().unwrap(),
                &mut Constant(0),
            )
            .unwrap();
        same(&signed.result.to_json(), expected);
        entry(&signing["entry"], &signed.entry);

        let ThresholdResult::Signed(result) = ThresholdResult::from_json(expected.to_string().as_bytes()).unwrap()
        else {
            panic!("a signed result");
        };
        match session.founder().kind() {
            SessionKind::Hmac => {
                let shares = shares(&items(self.answer, "deals")[number], "shares");
                session.verify_with_shares(&message, result, &shares).unwrap();
            }
            SessionKind::MlDsa65 { identity_id, public_key } => {
                let ring = KeyRing::pinned(identity_id, public_key.clone());
                let verdict = verify_quorum(&session, &message, result, &ring, &Unprepared, None);
                assert_eq!(verdict.kind(), VerdictKind::Valid);
            }
        }
        self.chain.push(signed.entry).unwrap();
    }
}

#[cfg_attr(test, test)]
pub(crate) fn sessions_to_the_byte() {
    let answers = json("known_answers_quorum.json");
    let mut told = Vec::new();
    for answer in items(&answers, "sessions") {
        let domain = Domain::new(string(answer, "domain")).unwrap();
        let opened = &answer["chain"][0];
        let (w3, time) = (string(opened, "w3").parse().unwrap(), string(opened, "t").parse().unwrap());
        let first = Head::EMPTY.append(&domain, &w3, string(opened, "poruka"), time).unwrap().entry;
        let mut case = Case { domain, answer, chain: Krunica::new() };
        case.chain.push(first).unwrap();
        for number in 0..items(answer, "deals").len() {
            case.deal(number);
            case.sign(number);
        }
        assert_eq!(case.chain, Krunica::from_json(answer["chain"].to_string().as_bytes()).unwrap());
        told.push((
            string(answer, "domain").to_string(),
            string(&answer["deals"][0]["session"], "algoritam").to_string(),
        ));
    }
    told.sort();
    told.dedup();
    assert_eq!(told.len(), 4, "two domains, two kinds");
}
