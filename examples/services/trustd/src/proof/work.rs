//! What the log's writer does for a proof: its text is signed and sealed by the service's identity of proofs, and the
//! answer waits for the checkpoint that covers it.

use super::covered::{Covered, TRIES, missing, wait};
use super::kept::ProofKey;
use super::store::{self, ProofRow, moment};
use super::types::ProofOut;
use crate::App;
use crate::daily::Today;
use crate::driver;
use crate::dsa::may_sign;
use crate::keyed::keyed;
use crate::presence;
use crate::sealed::{self, By};
use crate::vault::{Vault, seal};
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::rand_core::TryRng as _;
use dualseal::seal::DualSeal;
use dualseal::{Domain, Entry, IdentityId, SignatureRecord, SystemRng};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;
use platform::web::Record;
use proof_pdf::text::{Kind, Log, Text, VERSION};
use proof_pdf::{Faulty, Proof};
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use uuid::Uuid;

/// The identity by which the service signs proofs.
///
/// # Errors
/// None: its name has no separator.
pub(super) fn signer(domain: &Domain) -> Result<IdentityId, Problem> {
    Ok(domain.identity_id(b"proofs", "trustd", "proof")?)
}

/// What is spent with a proof.
#[derive(Clone, Debug)]
pub(super) struct Spent {
    pub(super) challenge: Uuid,
    /// A credential, and how often it has answered.
    pub(super) credential: Option<(String, u32)>,
}

/// What a proof stands on, that may be gone when it is made.
#[derive(Clone, Debug)]
pub(super) enum On {
    /// Nothing of the kind.
    Nothing,
    /// What a driver filed: were it erased meanwhile, it would stand in the proof still.
    Filed(Vec<IdentityId>),
    /// An answer.
    Answer(Spent),
}

/// A proof that is made.
struct Make {
    app: App,
    vault: Arc<Vault>,
    dokaz_id: Uuid,
    identity_id: IdentityId,
    kind: Kind,
    text: String,
    now: i64,
    on: On,
    key: Arc<ProofKey>,
    /// What that hangs on.
    owner: OwnerKey,
}

/// A proof, read.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) row: ProofRow,
    pub(super) text: String,
    pub(super) evidence: String,
}

/// Signs and seals what is shown, and gives the proof with its evidence.
///
/// # Errors
/// [`kinds::REQUEST_CLOSED`] where what is spent was spent; [`kinds::MISSING_EVIDENCE`] where a journey is none, or was
/// erased; the log.
pub(super) async fn make(
    (app, vault): (&App, &Arc<Vault>),
    covered: &Covered,
    (identity_id, kind): (IdentityId, Kind),
    claim: &impl Serialize,
    on: On,
) -> Result<Shown, Problem> {
    keyed(app, signer(app.log.domain())?).await?;
    let mut salt = [0; 32];
    SystemRng.try_fill_bytes(&mut salt).map_err(|_| dualseal::Error::Randomness)?;
    let (dokaz_id, now) = (Uuid::now_v7(), app.clock.millis());
    let internal = |error: serde_json::Error| Problem::internal("proof", &error);
    let claim = serde_json::to_string(claim).and_then(RawValue::from_string).map_err(internal)?;
    let text = Text {
        verzija: VERSION.to_owned(),
        vrsta: kind,
        dokaz_id: dokaz_id.to_string(),
        identity_id: identity_id.to_hex(),
        vrijeme: moment(now),
        log: Log {
            adresa: app.config.base_url.as_str().trim_end_matches('/').to_owned(),
            origin: covered.origin().to_owned(),
            otisak: covered.fingerprint(app).to_string(),
        },
        salt: hex::encode(&salt),
        tvrdnja: claim,
    };
    let text = serde_json::to_string(&text).map_err(internal)?;
    let text = Value::parse(text.as_bytes())?.to_canonical()?;
    // Before anything is signed, stored or spent.
    Proof::agrees(&text).map_err(|fault| match fault {
        Faulty::Journey => missing("what was filed is not of one vehicle under one plate: take less time"),
        fault => Problem::internal("proof", &fault),
    })?;
    let key = Arc::new(ProofKey::draw(app.log.domain(), &dokaz_id)?);
    let mut tries = 0;
    let row = loop {
        let (owner, key, on) = (app.owners.current(&identity_id).await?, Arc::clone(&key), on.clone());
        let (app, vault, text) = (App::clone(app), Arc::clone(vault), text.clone());
        let make = Make { app: App::clone(&app), vault, dokaz_id, identity_id, kind, text, now, on, key, owner };
        tries += 1;
        match app.log.submit(make).await {
            // His key is another one by now.
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            done => break done?,
        }
    };
    metrics::counter!("trustd_proofs_total", "kind" => kind.as_str()).increment(1);
    shown(app, vault, row).await
}

/// A proof with its evidence, which is made once: under the first checkpoint that covers it and states the ring.
///
/// # Errors
/// [`kinds::NOT_COVERED`], also where the service takes no changes and there is no evidence yet; [`kinds::NOT_INTACT`]
/// where it is not what was sealed; [`kinds::ERASED`].
pub(super) async fn shown(app: &App, vault: &Vault, row: ProofRow) -> Result<Shown, Problem> {
    let key = ProofKey::open(app, &row.identity_id, &row.dokaz_id).await?;
    let text = key.read_text(&row.content)?;
    let (signer, seal) = (signer(app.log.domain())?, (row.seal.as_str(), row.seal_krunica.as_str()));
    if sealed::holds(app, vault, seal, (&signer, &text), None).await? == Some(false) {
        return Err(Problem::new(&kinds::NOT_INTACT));
    }
    let mut tries = 0;
    let (row, evidence) = loop {
        if let Some(evidence) = &row.evidence {
            let evidence = key.read_evidence(evidence)?;
            break (row, evidence);
        }
        // Neither is a checkpoint signed there, nor what is shown now kept.
        if app.config.read_only {
            return Err(wait(app));
        }
        tries += 1;
        let record = SignatureRecord::from_json(row.record.as_bytes())?;
        let made = match Covered::now(app).await {
            Ok(covered) => covered.evidence(app, record, &signer, Some(text.as_bytes())).await,
            Err(problem) => Err(problem),
        };
        match made {
            Ok(evidence) => {
                let kept = ProofRow::cover(&app.db, &row.dokaz_id, key.evidence(&evidence)?).await?;
                let kept = kept.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
                let evidence = kept.evidence.as_deref().ok_or_else(|| wait(app))?;
                let evidence = key.read_evidence(evidence)?;
                break (kept, evidence);
            }
            Err(problem) if tries < TRIES && [&kinds::NOT_COVERED, &kinds::BUSY].contains(&problem.kind()) => {
                app.log.checkpoint().await?;
            }
            Err(problem) => return Err(problem),
        }
    };
    // Held against itself, as whoever prints it does.
    Proof::read(&text, &evidence).map_err(|fault| Problem::internal("proof", &fault))?;
    Ok(Shown { row, text, evidence })
}

impl Shown {
    /// As answers have it.
    pub(super) fn out(&self, app: &App) -> Result<ProofOut, Problem> {
        let row = &self.row;
        Ok(ProofOut {
            dokaz_id: row.dokaz_id.to_string(),
            vrsta: row.kind.into(),
            identity_id: row.identity_id.to_hex(),
            vrijeme: moment(row.created),
            krunica_hash: row.krunica.clone(),
            seq: row.seq,
            pecat: row.seal.clone(),
            pecat_krunica_hash: row.seal_krunica.clone(),
            pecat_seq: row.seal_seq,
            poveznica: self.link(app),
            tekst: Record::new(self.text.clone())?,
            dokaz: Record::new(self.evidence.clone())?,
        })
    }

    /// Where it is read.
    pub(super) fn link(&self, app: &App) -> String {
        link(app, &self.row.dokaz_id)
    }
}

/// Where a proof is read.
pub(super) fn link(app: &App, dokaz_id: &Uuid) -> String {
    format!("{}/api/v1/proof/{dokaz_id}", app.config.base_url.as_str().trim_end_matches('/'))
}

impl Make {
    /// What is made of whom it is of, in a day.
    fn today(&self) -> Today<'_> {
        Today::new((&self.identity_id, World::Real), "proofs", self.app.config.limits.proofs_daily)
    }
}

impl Work for Make {
    type Read = (IdentityId, By);
    type Made = (Ticket, DualSeal, Entry);
    type Answer = ProofRow;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        let signer = signer(self.app.log.domain())?;
        may_sign(&self.app, tx, state, &signer).await?;
        // In `rows` a refusal has whoever shares the transaction signed again.
        match &self.on {
            On::Answer(Spent { challenge, .. }) if !store::is_open(tx, challenge, self.now).await? => {
                return Err(Problem::new(&kinds::REQUEST_CLOSED));
            }
            On::Filed(documents) if !driver::are_there(tx, documents, World::Real).await? => {
                return Err(missing("what was filed was erased meanwhile"));
            }
            _ => {}
        }
        let by = By::Itself(seal::signer(&self.app, tx, state.ring(), &signer).await?);
        self.today().count(tx, self.now).await?;
        Ok((signer, by))
    }

    fn step(&self, step: &mut Step<'_>, (signer, by): Self::Read) -> Result<Self::Made, Problem> {
        let content = step.domain().content_hash(&signer, self.text.as_bytes());
        let ticket = step.sign(&signer, &content)?;
        let (seal, entry) = sealed::seal(step, &self.vault, (&signer, &by), &self.text)?;
        step.keep(self.owner.wrap(ProofKey::place(&self.dokaz_id)?, self.key.expose())?);
        Ok((ticket, seal, entry))
    }

    async fn rows(
        &self,
        tx: &mut Tx,
        (ticket, seal, sealed): Self::Made,
        changes: &Changes,
    ) -> Result<ProofRow, Problem> {
        if let On::Answer(Spent { challenge, credential }) = &self.on {
            if !store::spend(tx, challenge, self.now).await? {
                return Err(Problem::new(&kinds::REQUEST_CLOSED));
            }
            if let Some((id, counted)) = credential
                && !presence::count(tx, id, World::Real, *counted).await?
            {
                return Err(presence::copied(&self.app, &self.identity_id, id.clone()));
            }
        }
        let record = changes.records.get(ticket.index()).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let krunica = *record.krunica_hash();
        let entry = changes.entries.iter().find(|entry| entry.krunica_hash() == krunica);
        let seq = entry.ok_or_else(|| Problem::new(&kinds::INTERNAL))?.seq();
        let row = ProofRow {
            dokaz_id: self.dokaz_id,
            identity_id: self.identity_id,
            kind: self.kind,
            created: self.now,
            content: self.key.text(&self.text)?,
            evidence: None,
            record: record.to_json(),
            krunica: krunica.to_string(),
            seq,
            seal: seal.to_string(),
            seal_krunica: sealed.krunica_hash().to_string(),
            seal_seq: sealed.seq(),
        };
        row.add(tx).await?;
        self.app.owners.own(tx, &self.owner, &ProofKey::place(&self.dokaz_id)?).await?;
        Ok(row)
    }

    fn is_sealed(&self) -> bool {
        true
    }
}
