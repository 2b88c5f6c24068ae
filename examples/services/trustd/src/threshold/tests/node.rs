//! A custodian's node, by the library: it checks what it pulls, keeps it, and gives it back.

use super::{Answer, Service, caller};
use crate::orders::operator_key;
use dualseal::id::SessionId;
use dualseal::presence::{DropOrder, NodeShares, Nonce};
use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, Session, SessionShare, SplitId};
use dualseal::{Domain, IdentityId, SystemRng};
use platform::access::{Caller, Scope, Tier, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct TestNode {
    pub(super) label: String,
    pub(super) identity_id: IdentityId,
    pub(super) world: World,
    domain: Domain,
    /// By session and number.
    held: BTreeMap<(SessionId, u8), NodeShares>,
}

impl TestNode {
    pub(super) fn new(domain: &Domain, number: usize) -> Self {
        let label = format!("node-{number}");
        let identity_id = domain.identity_id(label.as_bytes(), "tests", "node").unwrap();
        Self { label, identity_id, world: World::Real, domain: domain.clone(), held: BTreeMap::new() }
    }

    pub(super) fn caller(&self) -> Caller {
        Caller {
            subject: self.identity_id,
            scopes: BTreeSet::from([Scope::Node]),
            node: Some(self.label.clone()),
            world: self.world,
            ..caller("", Tier::Noble)
        }
    }

    /// Pulls all that waits, checks it by the record, keeps it and says so.
    pub(super) async fn take_all(&mut self, service: &Service) {
        let poll = service.get("requests", &self.caller()).await.ok(200);
        for waiting in poll["udjeli"].as_array().unwrap() {
            self.take(service, waiting).await;
        }
    }

    pub(super) async fn take(&mut self, service: &Service, waiting: &Value) {
        let session_id: SessionId = waiting["session_id"].as_str().unwrap().parse().unwrap();
        let number = u8::try_from(waiting["indeks"].as_u64().unwrap()).unwrap();
        let record = Session::from_json(waiting["zapis"].to_string().as_bytes()).unwrap();
        let (split_id, pair) = self.pull(service, &session_id, number).await.expect("it waits");
        assert_eq!(split_id, *record.split_id());
        let share = self.share(session_id, split_id, number, &pair);
        let said = match waiting["cuva_se_do"].as_str() {
            None => {
                let said = share.acknowledge(&self.domain, &record).unwrap();
                let held = NodeShares::new(&self.domain, Some((share, record))).unwrap();
                self.held.insert((session_id, number), held);
                said
            }
            Some(until) => {
                let held = self.held.entry((session_id, number)).or_default();
                held.prepare(&self.domain, share, record, until.parse().unwrap()).unwrap()
            }
        };
        self.acknowledge(service, &session_id, number, &said).await;
    }

    pub(super) async fn pull(&self, service: &Service, session: &SessionId, number: u8) -> Option<(SplitId, Value)> {
        let answer = service.get(&format!("udio/{session}/{number}"), &self.caller()).await;
        let split_id = answer.headers.get("split-id").map(|value| value.to_str().unwrap().parse().unwrap());
        let pair = answer.ok(200);
        assert_eq!(pair.is_null(), split_id.is_none());
        split_id.map(|split_id| (split_id, pair))
    }

    pub(super) fn share(&self, session: SessionId, split: SplitId, number: u8, pair: &Value) -> SessionShare {
        let index = Index::new(number.into()).unwrap();
        SessionShare::pulled(session, split, self.identity_id, index, pair.to_string().as_bytes())
    }

    pub(super) async fn acknowledge(
        &self,
        service: &Service,
        session: &SessionId,
        n: u8,
        said: &Acknowledgement,
    ) -> Value {
        let mut body: Value = serde_json::from_str(&said.to_json()).unwrap();
        body["indeks"] = n.into();
        service.post(&format!("udio/{session}/ack"), &self.caller(), body).await.ok(200)
    }

    /// Says again that it has its share.
    pub(super) async fn report(&self, service: &Service, session: &SessionId, n: u8) -> Value {
        let (share, record) = self.held[&(*session, n)].current().unwrap();
        let said = share.acknowledge(&self.domain, record).unwrap();
        self.acknowledge(service, session, n, &said).await
    }

    /// What it holds: that was prepared last, or else what counts.
    pub(super) fn pair(&self, session: &SessionId, n: u8, prepared: bool) -> (SplitId, Value) {
        let held = &self.held[&(*session, n)];
        let share = match held.prepared().filter(|_| prepared) {
            Some((share, ..)) => share,
            None => held.current().unwrap().0,
        };
        (*share.split_id(), serde_json::from_str(&share.to_pair_json()).unwrap())
    }

    /// Asks for the operator's word on the share that was prepared for it, and obeys.
    pub(super) async fn let_go(&mut self, service: &Service, session: &SessionId, n: u8) -> Answer {
        let held = &self.held[&(*session, n)];
        let nonce = Nonce::draw(&mut SystemRng).unwrap();
        let split_id = *held.prepared().unwrap().0.split_id();
        let ask = json!({"split_id": split_id.to_hex(), "nonce": nonce.to_hex()});
        let caller = self.caller();
        let answer = service.post(&format!("udio/{session}/order"), &caller, ask).await;
        if answer.status.is_success() {
            let operator = *operator_key(&service.app).await.unwrap().public_key();
            let expiry = answer.body["expiry"].as_str().unwrap().parse().unwrap();
            let signature = answer.body["signature"].as_str().unwrap().parse().unwrap();
            let order = DropOrder { split_id: &split_id, nonce: &nonce, expiry, signature: &signature };
            let record = Session::from_json(answer.body["zapis"].to_string().as_bytes()).unwrap();
            let now = service.app.clock.now();
            let held = self.held.get_mut(&(*session, n)).unwrap();
            held.obey(&self.domain, &self.label, order, &record, &operator, now, &mut |_| true).unwrap();
        }
        answer
    }

    /// What it gives back for a request.
    pub(super) fn giving(&self, session: &SessionId, n: u8, request: &Value) -> Value {
        self.giving_of(session, n, request, false)
    }

    pub(super) fn giving_of(&self, session: &SessionId, n: u8, request: &Value, prepared: bool) -> Value {
        let (split_id, pair) = self.pair(session, n, prepared);
        json!({
            "request_id": request["request_id"],
            "session_id": session.to_hex(),
            "split_id": split_id.to_hex(),
            "indeks": n,
            "vrijednost_hex": pair[1],
            "identity_id": self.identity_id.to_hex(),
        })
    }

    pub(super) async fn give(&self, service: &Service, session: &SessionId, n: u8, request: &Value) -> Value {
        service.post("udio", &self.caller(), self.giving(session, n, request)).await.ok(200)
    }
}
