//! Custodians of a threshold session with the chain of its records, and the formulas of sessions written out by hand.

pub use crate::parties::{HMAC, MLDSA, acknowledged};

use crate::log::{ORIGIN, covering};
use crate::random::Given;
use crate::registry::Registry;
use crate::{identity, minute, raw_seal, reading, with_member};
use dualseal::field::{Field, Fp521};
use dualseal::id::{MessageHash, SessionId};
use dualseal::key::{CheckedRing, SetState};
use dualseal::krunica::KrunicaHash;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::{Index, Share};
use dualseal::threshold::{
    Committed, Founded, Founding, Prepared, QuorumRefusal, QuorumResult, QuorumSigned, Renewal, Session, SessionAtHead,
    SessionInForce, SessionKind, SessionShare, SplitId, ThresholdResult,
};
use dualseal::{Domain, Entry, Error, IdentityId, KeyRing, Krunica, SystemRng, Timestamp};
use hmac::{KeyInit, Mac, SimpleHmac};
use serde_json::{Value as Json, json};
use sha3::{Digest, Sha3_256, Sha3_512};

/// A board of custodians: one session, its records and its latest shares.
#[derive(Debug)]
pub struct Board {
    pub domain: Domain,
    pub chain: Krunica,
    pub records: Vec<Session>,
    pub shares: Vec<SessionShare>,
}

/// The identity of custodian `number`.
pub fn owner(number: u8) -> IdentityId {
    identity(&format!("custodian {number}"))
}

/// Those of custodians 1 to n.
pub fn owners(n: u8) -> Vec<IdentityId> {
    (1..=n).map(owner).collect()
}

/// Whoever asks for things here.
pub fn secretary() -> IdentityId {
    identity("secretary")
}

/// The identity of the board's own key.
pub fn board() -> IdentityId {
    identity("board")
}

/// The message of most tests.
pub fn message() -> MessageHash {
    MessageHash::of(b"resolution 7")
}

impl Board {
    /// A session of the first kind.
    pub fn hmac(k: u8, n: u8) -> Self {
        Self::found(|founding| founding.hmac(&mut SystemRng), k, n)
    }

    /// A session of the second kind.
    pub fn mldsa(k: u8, n: u8) -> Self {
        Self::found(|founding| founding.mldsa(&board(), &mut SystemRng), k, n)
    }

    /// Both, each with all that it draws from these bytes.
    pub fn of_each_kind_from(drawn: &[u8], k: u8, n: u8) -> [Self; 2] {
        [
            Self::found(|founding| founding.hmac(&mut Given(drawn)), k, n),
            Self::found(|founding| founding.mldsa(&board(), &mut Given(drawn)), k, n),
        ]
    }

    /// Both.
    pub fn of_each_kind(k: u8, n: u8) -> [Self; 2] {
        [Self::hmac(k, n), Self::mldsa(k, n)]
    }

    fn found(found: impl FnOnce(Founding<'_>) -> Result<Founded, Error>, k: u8, n: u8) -> Self {
        let (domain, mut chain, owners) = (Domain::default(), Krunica::new(), owners(n));
        // The session does not stand at seq 0.
        chain.append(&domain, &secretary(), "opened", minute(0)).expect("free text");
        let founder = secretary();
        let founding =
            Founding { domain: &domain, founder: &founder, owners: &owners, k, head: chain.head(), time: minute(1) };
        let founded = found(founding).expect("founded");
        chain.push(founded.entry).expect("at the head");
        Self { domain, chain, records: vec![founded.session], shares: founded.shares }
    }

    /// The last record.
    pub fn session(&self) -> &Session {
        self.records.last().expect("a founded session")
    }

    /// A ring that holds the session's key, if it has one, and says nothing against it.
    pub fn ring(&self) -> KeyRing {
        match self.records[0].kind() {
            SessionKind::Hmac => KeyRing::nobody(),
            SessionKind::MlDsa65 { identity_id, public_key } => KeyRing::pinned(identity_id, public_key.clone()),
        }
    }

    /// A ring by which the session's key counts as compromised from this position on.
    pub fn ring_revoked_from(&self, seq: u64) -> CheckedRing {
        let SessionKind::MlDsa65 { identity_id, public_key } = self.records[0].kind() else { panic!("it has no key") };
        let mut registry = Registry { chain: self.chain.clone(), ..Registry::new() };
        registry.add(identity_id, public_key);
        registry.set_state(identity_id, None, SetState::compromised_from(seq));
        registry.ring
    }

    /// What callers pinned: the handle of the founding's entry.
    pub fn founder(&self) -> KrunicaHash {
        let message = raw_session_message(&self.records[0]);
        let founding = self.chain.entries().iter().find(|entry| entry.message() == message);
        founding.expect("the founding stands in the chain").krunica_hash()
    }

    /// The record in force, under a checkpoint over the whole chain.
    pub fn in_force(&self) -> SessionInForce {
        self.check(&self.records).expect("the session is in the chain")
    }

    /// Looks for what is in force with some records at hand.
    pub fn check(&self, records: &[Session]) -> Result<SessionInForce, Error> {
        self.check_covered(self.chain.entries().len(), &self.founder(), records)
    }

    /// As [`check`](Self::check), with a checkpoint over the first `size` entries and another pin.
    pub fn check_covered(
        &self,
        size: usize,
        founder: &KrunicaHash,
        records: &[Session],
    ) -> Result<SessionInForce, Error> {
        let checkpoint = covering(ORIGIN, &self.chain, size);
        let (reader, session_id) = (reading::under_in(&self.domain, &checkpoint), self.records[0].session_id());
        let located = reading::read(reader, self.chain.entries(), |reader| reader.session(session_id, founder))?;
        located.in_force(records, &self.ring())
    }

    /// Copies of the shares with these numbers.
    pub fn pick(&self, numbers: &[u8]) -> Vec<SessionShare> {
        numbers.iter().map(|number| copy(&self.shares[usize::from(*number) - 1])).collect()
    }

    /// Signs [`message`] for the secretary. Nothing is appended.
    pub fn sign(&self, shares: &[SessionShare]) -> Result<QuorumSigned, Box<QuorumRefusal>> {
        self.sign_message(&message(), shares)
    }

    /// As [`sign`](Self::sign), for another message.
    pub fn sign_message(
        &self,
        message: &MessageHash,
        shares: &[SessionShare],
    ) -> Result<QuorumSigned, Box<QuorumRefusal>> {
        let (at, requester) = (self.chain.head(), secretary());
        self.in_force().sign(message, &requester, shares, at, minute(2), &mut SystemRng)
    }

    /// A result that is good, its entry appended.
    pub fn signed(&mut self, message: &MessageHash) -> QuorumResult {
        let numbers: Vec<u8> = (1..=self.session().threshold().k()).collect();
        let signed = self.sign_message(message, &self.pick(&numbers)).expect("a quorum");
        self.chain.push(signed.entry).expect("at the head");
        signed.result
    }

    /// Prepares new shares with the shares of these numbers.
    pub fn prepare(&self, numbers: &[u8], k: u8, n: u8) -> Prepared {
        let renewal = Renewal { owners: &owners(n), k, time: minute(5) };
        self.in_force().prepare_rethreshold(&self.pick(numbers), &renewal, &mut SystemRng).expect("a quorum")
    }

    /// What is in force at the head of the chain, as whoever appends to it finds it.
    pub fn at_head(&self) -> SessionAtHead {
        let in_force = self.in_force();
        let reader = ChainReader::new(&self.domain, &TrustedHead::stored(in_force.covered())).up_to(self.chain.head());
        let located = reading::read(reader, &[], |reader| reader.session_since(&in_force)).expect("the whole chain");
        located.at_head(&self.records, &self.ring()).expect("the ring holds the key")
    }

    /// Commits what every custodian said that he has.
    pub fn commit(&mut self, prepared: &Prepared) -> Result<Committed, Error> {
        let said = acknowledged(&self.domain, prepared);
        prepared.commit(&self.at_head(), &said, None, &secretary())
    }

    /// Brings a generation into force.
    pub fn bring(&mut self, committed: Committed, shares: &[SessionShare]) -> Vec<SessionShare> {
        self.chain.push(committed.entry).expect("at the head");
        self.records.push(committed.session);
        std::mem::replace(&mut self.shares, shares.iter().map(copy).collect())
    }

    /// Deals anew with the shares of these numbers, and returns the shares that were in force until then.
    pub fn deal_again(&mut self, numbers: &[u8], k: u8, n: u8) -> Vec<SessionShare> {
        let prepared = self.prepare(numbers, k, n);
        assert_eq!(prepared.culprits(), []);
        let committed = self.commit(&prepared).expect("nothing came between");
        self.bring(committed, prepared.shares())
    }

    /// Appends the entry of a record that somebody made up, and puts the record beside the good ones.
    pub fn announce(&mut self, record: &Json) -> Session {
        let session = Session::from_json(record.to_string().as_bytes()).expect("a well-formed record");
        self.chain.push(session_entry(&self.chain, &session)).expect("at the head");
        self.records.push(session.clone());
        session
    }

    /// What a dealer publishes and hands out who keeps to no rule: any record, any shares, with the entry for the
    /// record.
    pub fn dishonest(record: &Json, shares: Vec<SessionShare>) -> Self {
        let session = Session::from_json(record.to_string().as_bytes()).expect("a well-formed record");
        let mut chain = Krunica::new();
        let entry = session_entry(&chain, &session);
        chain.push(entry).expect("at the head");
        Self { domain: Domain::default(), chain, records: vec![session], shares }
    }
}

/// The last record that may be of a generation, and where its entry stands. It is said to be in force where the chain
/// alone tells it, and nowhere else.
pub fn newest(found: &SessionInForce) -> (&Session, u64) {
    let newest = found.candidates().last().expect("the founder");
    let told = *found.founder().kind() != SessionKind::Hmac || found.candidates().count() == 1;
    assert_eq!(found.session(), told.then_some(newest));
    newest
}

/// A copy, by way of its JSON.
pub fn copy(share: &SessionShare) -> SessionShare {
    SessionShare::from_json(share.to_json().as_bytes()).expect("a share's own JSON")
}

/// A copy with one member changed.
pub fn altered(share: &SessionShare, member: &str, value: Json) -> SessionShare {
    SessionShare::from_json(with_member(&share.to_json(), member, value).as_bytes()).expect("well-formed")
}

/// A copy whose value is another one, as a forger makes it.
pub fn forged(share: &SessionShare) -> SessionShare {
    altered(share, "vrijednost_hex", crate::next_digit(&share.value_hex(), 131).into())
}

/// The value's bytes.
pub fn value(share: &SessionShare) -> [u8; 66] {
    *share.as_ref().to_bytes()
}

/// A result with one member changed.
pub fn altered_result(result: &QuorumResult, member: &str, value: Json) -> QuorumResult {
    match ThresholdResult::from_json(with_member(&result.to_json(), member, value).as_bytes()) {
        Ok(ThresholdResult::Signed(result)) => result,
        other => panic!("{member}: {other:?}"),
    }
}

/// SHA3-256 in hexadecimal.
pub fn h3(bytes: &[u8]) -> String {
    hex::encode(Sha3_256::digest(bytes))
}

/// SHA3-512 in hexadecimal, over parts.
pub fn h5(parts: &[&[u8]]) -> String {
    hex::encode(Sha3_512::digest(parts.concat()))
}

/// `javni_sidro` in the default domain.
pub fn raw_anchor(session_id: &SessionId, algorithm: &str, secret: &[u8; 66]) -> String {
    h5(&[format!("DUALSEAL-THRESHOLD::ANCHOR::{session_id}::{algorithm}::DUALSEAL").as_bytes(), secret])
}

/// One of `udio_sidra` in the default domain.
pub fn raw_commitment(session: &SessionId, split: &SplitId, (k, n): (u8, u8), index: u8, value: &[u8; 66]) -> String {
    let owner = owner(index);
    let text = format!("DUALSEAL-THRESHOLD::SHARE::{session}::{split}::{k}::{n}::{index}::{owner}::DUALSEAL");
    h5(&[text.as_bytes(), value])
}

/// The text that a result's signature is over, in the default domain.
pub fn raw_statement(session: &Session, message: &[u8], result: &QuorumResult) -> String {
    let id = session.session_id();
    let binding = h3(format!("DUALSEAL-THRESHOLD::BINDING::{id}::{}::DUALSEAL", h5(&[message])).as_bytes());
    let culprits: Vec<String> = result.culprits().iter().map(ToString::to_string).collect();
    format!(
        "DUALSEAL-THRESHOLD::RESULT::{}::{id}::{binding}::{}::{}::{}::{}::{}::DUALSEAL",
        session.algorithm(),
        result.requester(),
        result.witness(),
        result.krunica_hash(),
        result.time(),
        culprits.join(",")
    )
}

/// The message of a record's chain entry, in the default domain.
pub fn raw_session_message(session: &Session) -> String {
    let hash = h3(session.to_json().as_bytes());
    format!("DUALSEAL-THRESHOLD::SESSION::{}::{hash}::DUALSEAL", session.session_id())
}

/// The text that a later record's authority is over, in the default domain.
pub fn raw_succession(record: &Json) -> String {
    let mut without = record.clone();
    without.as_object_mut().expect("a record").remove("ovlast");
    let hash = h3(without.to_string().as_bytes());
    let [session, previous, split] =
        ["session_id", "prethodni", "split_id"].map(|member| record[member].as_str().expect("hexadecimal"));
    format!("DUALSEAL-THRESHOLD::SUCCESSION::{session}::{previous}::{split}::{hash}::DUALSEAL")
}

/// The authority of a later record, made by whoever has this secret, or the seed at its end. An HMAC session's when the
/// record is of one.
pub fn raw_authority(record: &Json, secret: &[u8; 66]) -> String {
    let text = raw_succession(record);
    if record["algoritam"] == HMAC {
        let mut mac = SimpleHmac::<Sha3_512>::new_from_slice(secret).expect("any length");
        mac.update(text.as_bytes());
        return hex::encode(mac.finalize().into_bytes());
    }
    raw_seal::sign(secret[34..].try_into().expect("32 bytes"), text.as_bytes())
}

/// An entry at the end of a chain, with any message: what somebody writes who does not use the library.
pub fn raw_entry(chain: &Krunica, w3: &IdentityId, message: &str, time: Timestamp) -> Entry {
    let (prev, seq) = (chain.head().top(), chain.head().size());
    let h = h5(&[format!("{w3}|{message}|{prev}|{seq}").as_bytes()]);
    let entry = json!({
        "h": h, "poruka": message, "prev": prev.to_hex(), "seq": seq, "t": time.to_string(), "w3": w3.to_hex(),
    });
    Entry::from_json(entry.to_string().as_bytes()).expect("well-formed")
}

/// The entry for a session's record.
pub fn session_entry(chain: &Krunica, session: &Session) -> Entry {
    raw_entry(chain, &secretary(), &raw_session_message(session), session.created_at())
}

/// f(index) for f(x) = c_0 + c_1 x + …, each coefficient 66 bytes.
pub fn evaluate(coefficients: &[[u8; 66]], index: u8) -> [u8; 66] {
    let mut value = Fp521::zero();
    for coefficient in coefficients.iter().rev() {
        value = value.mul(&Fp521::from_index(index));
        value.add_assign(&Fp521::from_bytes(coefficient).expect("below p"));
    }
    *value.to_bytes()
}

/// 66 bytes that end in these.
pub fn element(low: &[u8]) -> [u8; 66] {
    let mut bytes = [0; 66];
    bytes[66 - low.len()..].copy_from_slice(low);
    bytes
}

/// A dealing by hand: the secret that is anchored, and for each custodian the value that is committed to and the value
/// that is handed out.
#[derive(Debug)]
pub struct RawDealing<'a> {
    pub algorithm: &'a str,
    pub public_key: Option<&'a dualseal::PublicKey>,
    pub k: u8,
    pub secret: [u8; 66],
    pub committed: Vec<[u8; 66]>,
    pub handed_out: Vec<[u8; 66]>,
}

impl<'a> RawDealing<'a> {
    /// Shares of a polynomial, all as they should be.
    pub fn honest(algorithm: &'a str, coefficients: &[[u8; 66]], n: u8) -> Self {
        let values: Vec<_> = (1..=n).map(|index| evaluate(coefficients, index)).collect();
        let k = u8::try_from(coefficients.len()).expect("few");
        Self { algorithm, public_key: None, k, secret: coefficients[0], committed: values.clone(), handed_out: values }
    }

    /// The session with its shares and chain.
    pub fn board(&self) -> Board {
        let (session, split) = (SessionId::from_bytes([0x51; 32]), SplitId::from_bytes([0x52; 32]));
        let n = u8::try_from(self.committed.len()).expect("at most 255");
        let commitments = (1..=n).zip(&self.committed);
        let mut record = json!({
            "algoritam": self.algorithm, "javni_sidro": raw_anchor(&session, self.algorithm, &self.secret),
            "k": self.k, "kreiran": minute(0).to_string(), "n": n, "ovlast": null, "prethodni": null,
            "session_id": session.to_hex(),
            "split_id": split.to_hex(),
            "udio_sidra": commitments
                .map(|(index, value)| raw_commitment(&session, &split, (self.k, n), index, value))
                .collect::<Vec<_>>(),
        });
        if let Some(key) = self.public_key {
            record["identity_id"] = board().to_hex().into();
            record["javni_kljuc"] = key.to_hex().into();
        }
        let share = |(index, value): (u8, &[u8; 66])| {
            let number = Index::new(index.into()).expect("from 1");
            SessionShare::new(session, split, owner(index), Share::from_bytes(number, value).expect("below p"))
        };
        Board::dishonest(&record, (1..=n).zip(&self.handed_out).map(share).collect())
    }
}
