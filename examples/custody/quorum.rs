//! A board of five of whom three sign, in both kinds of session: with shares that three custodians must bring to
//! verify, and with a key that anybody verifies.

use dualseal::id::MessageHash;
use dualseal::key::Unprepared;
use dualseal::krunica::KrunicaHash;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::Index;
use dualseal::threshold::{
    Founded, Founding, QuorumResult, Renewal, Session, SessionInForce, SessionKind, SessionShare, ThresholdResult,
    verify_quorum,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, Error, IdentityId, KeyRing, Krunica, Signer, SystemRng, VerdictKind, Verifier};
use dualseal_examples::log::Log;
use dualseal_examples::report::Report;
use dualseal_examples::{Fallible, now};

/// The name of the log.
const ORIGIN: &str = "custody.example/log";

/// One session: its records, shares and log.
struct Board {
    domain: Domain,
    secretary: IdentityId,
    owners: Vec<IdentityId>,
    log: Log,
    chain: Krunica,
    founder: KrunicaHash,
    records: Vec<Session>,
    shares: Vec<SessionShare>,
}

/// Tells of both kinds.
pub(crate) fn tell(domain: &Domain, message: &MessageHash, report: &mut Report) -> Fallible<()> {
    println!("Three of five custodians sign the file, with a secret that no one of them has:");
    let mut board = Board::new(domain, |founding, _| founding.hmac(&mut SystemRng))?;
    let other = Board::new(domain, |founding, _| founding.hmac(&mut SystemRng))?;
    signing(&mut board, &other, message, report)?;
    custody(&mut board, report)?;
    println!("\nThe same with a shared ML-DSA-65 key:");
    public(&mut Board::new(domain, |founding, board| founding.mldsa(board, &mut SystemRng))?, message, report)?;
    println!();
    Ok(())
}

impl Board {
    fn new(
        domain: &Domain,
        found: impl FnOnce(&Founding<'_>, &IdentityId) -> Result<Founded, Error>,
    ) -> Fallible<Self> {
        let identity = |name: &str| domain.identity_id(b"custody", name, "");
        let secretary = identity("secretary")?;
        let owners = (1..=5).map(|number| identity(&format!("custodian {number}"))).collect::<Result<Vec<_>, _>>()?;
        let mut chain = Krunica::new();
        let (at, time) = (chain.head(), now()?);
        let founding = Founding { domain, founder: &secretary, owners: &owners, k: 3, head: at, time };
        let Founded { session, shares, entry, .. } = found(&founding, &identity("board")?)?;
        chain.push(entry)?;
        let (founder, records, domain) = (chain.entries()[0].krunica_hash(), vec![session], domain.clone());
        let log = Log::new(&domain, ORIGIN, "custody", "")?;
        Ok(Self { domain, secretary, owners, log, chain, founder, records, shares })
    }

    /// The record in force, under a checkpoint of the log.
    fn in_force(&self) -> Fallible<SessionInForce> {
        self.check(&self.founder, &self.records)
    }

    fn check(&self, founder: &KrunicaHash, records: &[Session]) -> Fallible<SessionInForce> {
        let checkpoint = self.log.sign_first(self.chain.head(), None)?;
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint)?;
        let watched = reader.session(self.records[0].session_id(), founder)?;
        self.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        Ok(reader.finish()?.take(watched)?.in_force(records, &ring_of(&self.records[0]))?)
    }

    /// Copies of some custodians' shares, as a service is handed them.
    fn pick(&self, numbers: &[usize]) -> Result<Vec<SessionShare>, Error> {
        numbers.iter().map(|number| SessionShare::from_json(self.shares[number - 1].to_json().as_bytes())).collect()
    }

    /// Signs for the secretary; the entry is appended when there is one.
    fn sign(
        &mut self,
        message: &MessageHash,
        shares: &[SessionShare],
    ) -> Fallible<Result<QuorumResult, ThresholdResult>> {
        let (session, at, time) = (self.in_force()?, self.chain.head(), now()?);
        match session.sign(message, &self.secretary, shares, at, time, &mut SystemRng) {
            Ok(signed) => {
                self.chain.push(signed.entry)?;
                Ok(Ok(signed.result))
            }
            Err(refusal) => Ok(Err(refusal.result)),
        }
    }

    /// Deals the secret anew: the same custodians, and the shares until then.
    fn deal_again(&mut self, numbers: &[usize], k: u8) -> Fallible<Vec<SessionShare>> {
        let session = self.in_force()?;
        let renewal = Renewal { owners: &self.owners, k, time: now()? };
        let prepared = session.prepare_rethreshold(&self.pick(numbers)?, &renewal, &mut SystemRng)?;
        // Every custodian has the new share beside the old one, and says so.
        // Beside each stands whom the channel authenticated.
        let record = prepared.session();
        let said = |share: &SessionShare| Ok((share.index(), share.acknowledge(&self.domain, record)?));
        let said = prepared.shares().iter().map(said);
        let said = said.collect::<Result<Vec<_>, Error>>()?;
        let begun = TrustedHead::stored(session.covered());
        let mut reader = ChainReader::new(&self.domain, &begun).up_to(self.chain.head());
        let watched = reader.session_since(&session)?;
        let at = reader.finish()?.take(watched)?.at_head(&[], &ring_of(session.founder()))?;
        let committed = prepared.commit(&at, &said, None, &self.secretary)?;
        self.chain.push(committed.entry)?;
        self.records.push(committed.session);
        let copies = prepared.shares().iter().map(|share| SessionShare::from_json(share.to_json().as_bytes()));
        Ok(std::mem::replace(&mut self.shares, copies.collect::<Result<_, _>>()?))
    }
}

/// A ring that holds a session's key, if it has one: it tells whether the key was revoked.
fn ring_of(session: &Session) -> KeyRing {
    match session.kind() {
        SessionKind::Hmac => KeyRing::nobody(),
        SessionKind::MlDsa65 { identity_id, public_key } => KeyRing::pinned(identity_id, public_key.clone()),
    }
}

/// What a refused signing says, or that there was one.
fn reason(outcome: Result<QuorumResult, ThresholdResult>) -> Result<QuorumResult, String> {
    outcome.map_err(|refused| match refused {
        ThresholdResult::Failed(failure) => failure.reason,
        ThresholdResult::Signed(_) => "a refusal with a signature".to_owned(),
    })
}

fn signing(board: &mut Board, other: &Board, message: &MessageHash, report: &mut Report) -> Fallible<()> {
    let quorum = board.in_force()?.quorum(&board.pick(&[1, 2, 4])?);
    let missing = quorum.health.missing.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let seen = format!("{} present, missing {missing}, reached: {}", quorum.health.present.len(), quorum.reached);
    report.line("custodians 1, 2 and 4 are there", &seen, seen == "3 present, missing 3, 5, reached: true");

    let shares = board.pick(&[1, 2, 4])?;
    let signed = reason(board.sign(message, &shares)?);
    report.accepted("they sign", &signed);
    let result = signed?;
    let session = board.in_force()?;
    let verify = |message: &MessageHash, result: &QuorumResult, numbers: &[usize]| {
        session.verify_with_shares(message, result.clone(), &board.pick(numbers)?)
    };
    report.accepted("three others verify with their shares", &verify(message, &result, &[3, 4, 5]));
    let expected = "the result is not what this session made of this message";
    report.refused("the result for another file", verify(&MessageHash::of(b"another"), &result, &[1, 2, 3]), expected);
    let altered = result.to_json().replace(&result.time().to_string(), "2031-01-01T00:00:00.000Z");
    let ThresholdResult::Signed(altered) = ThresholdResult::from_json(altered.as_bytes())? else {
        return Err("a signed result became another".into());
    };
    report.refused("the result with another time", verify(message, &altered, &[1, 2, 3]), expected);

    let few = reason(board.sign(message, &board.pick(&[1, 5])?)?);
    report.refused("two custodians", few, "2 usable shares, 3 are needed");
    // Relabelled, so that it says that it is of this session.
    let session = &board.records[0];
    let foreign = other.shares[2].to_json();
    let labels = [
        (other.records[0].session_id().to_hex(), session.session_id().to_hex()),
        (other.records[0].split_id().to_hex(), session.split_id().to_hex()),
    ];
    let foreign = labels.iter().fold(foreign.to_string(), |json, (from, to)| json.replace(from, to));
    let mut shares = board.pick(&[1, 2])?;
    shares.push(SessionShare::from_json(foreign.as_bytes())?);
    let expected = "2 usable shares, 3 are needed; bad shares: 3";
    report.refused("custodian 3 sends another session's share", reason(board.sign(message, &shares)?), expected);
    shares.extend(board.pick(&[4])?);
    let signed = reason(board.sign(message, &shares)?)?;
    let culprits: Vec<u8> = signed.culprits().iter().map(|index| index.get()).collect();
    let seen = format!("signed; the result names {culprits:?}");
    report.line("the same with custodian 4 to spare", &seen, culprits == [3]);
    Ok(())
}

/// Custodians who lose their shares, and records that somebody edited.
fn custody(board: &mut Board, report: &mut Report) -> Fallible<()> {
    let (session, lost) = (board.in_force()?, Index::new(2)?);
    let others = board.pick(&[1, 4, 5])?;
    let repaired = session.repair(&others, lost, &board.owners[1])?;
    let same = repaired.share.to_json() == board.shares[1].to_json();
    report.line("custodian 2's share, lost and made again", if same { "the same share" } else { "another" }, same);
    let stolen = session.repair(&others, lost, &board.secretary);
    report.refused("somebody else asks for it", stolen, "share 2 was not committed to for this custodian");

    let message = MessageHash::of(b"resolution 8");
    let old = board.deal_again(&[1, 3, 5], 3)?;
    let signed = reason(board.sign(&message, &board.pick(&[2, 3, 5])?)?);
    report.accepted("dealt anew, the session signs on", &signed);
    let mut mixed = board.pick(&[2, 3])?;
    mixed.push(SessionShare::from_json(old[0].to_json().as_bytes())?);
    // Whoever is behind the others sends an old share: it does not count, and he is no cheat.
    let expected = "2 usable shares, 3 are needed";
    report.refused("an old share among new ones", reason(board.sign(&message, &mixed)?), expected);
    board.deal_again(&[1, 2, 3], 2)?;
    let signed = reason(board.sign(&message, &board.pick(&[4, 5])?)?);
    report.accepted("dealt anew for two of five, two sign", &signed);

    let founding = board.records[0].to_json().replace("\"k\":3", "\"k\":2");
    let edited = [Session::from_json(founding.as_bytes())?];
    let expected = format!("the session record of chain entry {} was not given", 0);
    report.refused("the founding with another k", board.check(&board.founder, &edited), &expected);
    let pinned = KrunicaHash::from_bytes([0; 32]);
    let expected = "the session's founding does not stand in the chain below the checkpoint";
    report.refused("another founding than the pinned one", board.check(&pinned, &board.records), expected);
    Ok(())
}

/// The quorum's key is one like any other: a stranger needs nothing else.
fn public(board: &mut Board, message: &MessageHash, report: &mut Report) -> Fallible<()> {
    let mut shares = board.pick(&[5, 1, 2, 4])?;
    let forged = shares[3].to_json().replace(&shares[3].value_hex()[..], &shares[0].value_hex());
    shares[3] = SessionShare::from_json(forged.as_bytes())?;
    let signed = reason(board.sign(message, &shares)?);
    report.accepted("a quorum signs, and custodian 4 lies", &signed);
    let result = signed?;
    let session = board.in_force()?;
    let SessionKind::MlDsa65 { identity_id, public_key } = session.founder().kind() else {
        return Err("the session is of the other kind".into());
    };
    // All that a stranger has: the session in force, the result, and the public key that was pinned.
    let (domain, ring) = (&board.domain, KeyRing::pinned(identity_id, public_key.clone()));
    let verify = |message: &MessageHash, result: QuorumResult| {
        verify_quorum(&session, message, result, &ring, &Unprepared, None)
    };
    let (valid, invalid, signature) = (VerdictKind::Valid, VerdictKind::Invalid, Some(InvalidReason::Signature));
    report.verdict("a stranger verifies with the public key", &verify(message, result.clone()), valid, None);
    let other = MessageHash::of(b"another");
    report.verdict("the result for another file", &verify(&other, result.clone()), invalid, signature);
    let cleared = result.to_json().replace("\"culprits\":[4]", "\"culprits\":[]");
    let ThresholdResult::Signed(cleared) = ThresholdResult::from_json(cleared.as_bytes())? else {
        return Err("a signed result became another".into());
    };
    report.verdict("custodian 4 struck off the list", &verify(message, cleared), invalid, signature);

    let in_force = board.in_force()?;
    let content = domain.content_hash(identity_id, b"the articles");
    let (at, time) = (board.chain.head(), now()?);
    let sign =
        |key: &dualseal::SigningKey| Signer::new(domain, identity_id, key).sign(&content, at, time, &mut SystemRng);
    let lent = in_force.with_quorum_key(&board.pick(&[1, 2, 3])?, sign)?;
    let verdict = Verifier::new(domain, &ring, &Unprepared).verify(&content, lent.given?.record, None);
    report.verdict("an ordinary record by the quorum's key", &verdict, valid, None);
    let lent = in_force.with_quorum_key(&board.pick(&[1, 2])?, |_| ());
    report.refused("two custodians ask for the key", lent, "2 usable shares, 3 are needed");
    Ok(())
}
