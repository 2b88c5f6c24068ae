//! Making evidence, by whoever has the log.

use super::given::{Given, document_of, stem};
use crate::chain_file::{agreed, entries, under};
use crate::commands::key::state::word;
use crate::commands::verify::Dates;
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE, status_of};
use crate::home::Home;
use crate::input;
use crate::log_folder::{LogFolder, unproved};
use crate::output::{Report, path_text, text};
use crate::published::{Cosigned, Notes, SIGN, last_checkpoint, note};
use crate::store::{CHAIN, Readers};
use crate::target::Target;
use dualseal::checkpoint::{Checkpoint, LogFingerprint, PlaceProof};
use dualseal::encoding::json::Value;
use dualseal::error::Misuse;
use dualseal::evidence::{EvidenceFile, EvidenceKind, EvidenceParts, EvidencePolicy};
use dualseal::key::{CheckedRing, KeyState, PublicRing};
use dualseal::note::Note;
use dualseal::{Error, IdentityId, PublicKey, VerdictKind, Verified};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal evidence make old.pdf.sig.json
  $ dualseal evidence make contract.pdf.seal contract.pdf -o contract.evidence.json
  $ dualseal evidence make contract.pdf.sig.json --note cosigned
  $ dualseal evidence make contract.pdf.sig.json --tiles public --seq 2   # of a long chain a few reads";

/// Makes one file that shows a record, its key and its place in the log to a stranger
///
/// The file has some 30 kB whatever the size of the log, and is verified with the document, the log's fingerprint and
/// the signer's, offline: dualseal verify DOCUMENT --evidence FILE --log HEX --key HEX. The record stands in the home
/// folder's chain, below its last checkpoint. What nobody could verify is not given out.
///
/// It is written beside the record, as RECORD without .json and with .evidence.json.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A signature record, a seal, a quorum's result, or a vault record as `vault redact` writes it
    record: PathBuf,

    /// The document, of a vault record the stored bytes [default: by the record's name, where it is there]
    document: Option<PathBuf>,

    /// Whose seal it is [default: of those for whom the chain has it, whoever made it]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// The session of a quorum's result (session.json)
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,

    #[command(flatten)]
    notes: Notes,

    /// The log's folder, as `chain export --tiles` wrote it: the places are read there, and not from the whole chain
    #[arg(long, value_name = "DIR", requires = "seq")]
    tiles: Option<PathBuf>,

    /// The number of the record's entry, as it was told when the record was made
    #[arg(long, value_name = "NUMBER", requires = "tiles")]
    seq: Option<u64>,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    input::one_stream([&args.record].into_iter().chain(&args.document))?;
    let out = args.target.beside(&stem(&args.record), ".evidence.json")?;
    let given = Given::read(&args.record, args.session.as_deref())?;
    let document = document(args);
    let (made, cosigned) = {
        let home = context.home()?;
        let making = Making::begin(&home, context, args.tiles.is_some())?;
        let cosigned = args.notes.read(making.checkpoint.record())?;
        (making.all(&given, args, cosigned.as_ref())?, cosigned)
        // The document may come slowly, and nobody else is to wait for the folder.
    };
    let file = choose(made, document.as_deref())?;
    file.given_out.clone().map_err(refused)?;
    let prepared = args.target.prepare(out, &format!("{}\n", file.json), Readers::All)?;
    let shown = prepared.shown();
    let aside = prepared.publish()?;
    Ok(Cosigned::tell(cosigned.as_ref(), told(&file, document.as_deref(), shown)).aside_if(aside))
}

/// The document that was named, or that is there under the name that the record's says.
fn document(args: &Args) -> Option<PathBuf> {
    args.document.clone().or_else(|| document_of(&args.record).filter(|path| path.is_file()))
}

/// What all evidence of a home folder has in common.
struct Making<'a> {
    home: &'a Home,
    context: &'a Context,
    ring: CheckedRing,
    public: PublicRing,
    checkpoint: Verified<Checkpoint>,
}

/// One file, and by whom.
struct Made {
    json: String,
    kind: EvidenceKind,
    identity_id: IdentityId,
    key: PublicKey,
    /// As the home folder knows it.
    state: KeyState,
    dates: Dates,
    /// Whether evidence of the key is given out.
    given_out: Result<(), Error>,
    seq: u64,
    checkpoint: Checkpoint,
    domain: DomainFile,
}

impl Made {
    fn log(&self) -> LogFingerprint {
        self.checkpoint.fingerprint(self.domain.domain())
    }
}

impl<'a> Making<'a> {
    fn begin(home: &'a Home, context: &'a Context, from_tiles: bool) -> Result<Self, Failure> {
        // Held against all of the chain where all of it is read.
        let ring =
            if from_tiles { home.ring_to_go_on(context.passphrase())? } else { home.ring(context.passphrase())? };
        let checkpoint = last_checkpoint(home, &ring)?;
        if checkpoint.record().ring() != ring.ring_head().as_ref() {
            let message = "the last checkpoint states another ring than the home folder has: its keys changed since";
            return Err(Failure::new(USAGE, message, SIGN));
        }
        let public = ring.public();
        Ok(Self { home, context, ring, public, checkpoint })
    }

    /// For everybody who could have made the record, a file.
    fn all(&self, given: &Given, args: &Args, cosigned: Option<&Cosigned>) -> Result<Vec<Made>, Failure> {
        let acting = args.acting.as_deref().map(|name| self.home.identity(name)).transpose()?;
        let (places, ring) = match (&args.tiles, args.seq) {
            (Some(folder), Some(seq)) => self.places_from(folder, given, seq)?,
            _ => self.places(given)?,
        };
        let note = match cosigned {
            None => note(self.home, self.checkpoint.record(), self.context.passphrase())?,
            Some(cosigned) => Some(cosigned.note.clone()),
        };
        let (mut all, mut unknown, domain) = (Vec::new(), false, self.home.domain().domain());
        for place in &places {
            for (identity_id, key) in given.makers(&self.ring, place.entry()) {
                if acting.is_some_and(|acting| acting != identity_id) {
                    continue;
                }
                match self.ring.keys(&identity_id).find(|(held, _)| **held == key) {
                    // Of a trap's key a ring knows the hash alone, so that there is nothing to make a file with.
                    None if given.is_by_decoy(domain, &self.ring, key.hash()) => {
                        return Err(refused(Misuse::DecoyKey.into()));
                    }
                    None => unknown = true,
                    Some((_, state)) => {
                        let file = self.file(given, place, &ring, (identity_id, &key), note.clone())?;
                        all.push(self.made(&file, place, (identity_id, key), state));
                    }
                }
            }
        }
        if all.is_empty() {
            let message = match (acting, unknown) {
                (Some(_), false) => "the record is somebody else's than --as says",
                _ => "the ring of this home folder has no key that could have made the record",
            };
            return Err(Failure::new(USAGE, message, "see the keys by `dualseal key show`"));
        }
        Ok(all)
    }

    /// The places of the record's entries, and that of the ring's, in one pass over the chain.
    fn places(&self, given: &Given) -> Result<(Vec<PlaceProof>, PlaceProof), Failure> {
        let (domain, checkpoint) = (self.home.domain().domain(), self.checkpoint.record());
        let size = checkpoint.tree_head().size;
        let sought = given.sought(domain);
        let mut reader = under(domain, &self.checkpoint)?;
        let (watched, of_ring) = (reader.place_proofs(|entry| sought.is_at(entry))?, reader.ring_place()?);
        let mut is_beyond = false;
        let path = self.home.present(CHAIN)?;
        entries(&path, |json| {
            let entry = reader.push_json(json)?;
            is_beyond |= entry.seq() >= size && sought.is_at(&entry);
            Ok(())
        })?;
        let about = |error: Error| Failure::from(error).about(path.display());
        let mut proofs = reader.finish().map_err(about)?;
        agreed(&proofs)?;
        let (places, ring) = (proofs.take(watched).map_err(about)?, proofs.take(of_ring).map_err(about)?);
        if places.is_empty() && is_beyond {
            return Err(uncovered(size));
        }
        if places.is_empty() {
            let hint = "give a record of this home folder's log; what was made with --no-chain has no entry";
            return Err(Failure::new(USAGE, "the record has no entry in the home folder's chain", hint));
        }
        let none = || Failure::defect("the chain that agreed has no entry for the ring of its checkpoint");
        ring.ok_or_else(none).map(|ring| (places, ring))
    }

    /// The same from a log's folder, in a few reads.
    fn places_from(&self, folder: &Path, given: &Given, seq: u64) -> Result<(Vec<PlaceProof>, PlaceProof), Failure> {
        let checkpoint = self.checkpoint.record();
        let size = checkpoint.tree_head().size;
        if seq >= size {
            return Err(uncovered(size));
        }
        let none = || Failure::defect("the ring of a checkpoint has no entry");
        let seqs = [seq, self.ring.last_change().ok_or_else(none)?];
        let mut places = LogFolder::new(folder).places(checkpoint, &seqs).map_err(unproved)?;
        let ring = places.pop().ok_or_else(none)?;
        if places.iter().any(|place| !given.sought(self.home.domain().domain()).is_at(place.entry())) {
            let message = format!("entry {seq} of the log is not the record's");
            let hint = "give the number that was told when the record was made, or leave --tiles and --seq out";
            return Err(Failure::new(USAGE, message, hint));
        }
        Ok((places, ring))
    }

    fn file(
        &self,
        given: &Given,
        place: &PlaceProof,
        ring: &PlaceProof,
        (identity_id, key): (IdentityId, &PublicKey),
        note: Option<Note>,
    ) -> Result<EvidenceFile, Failure> {
        let domain = self.home.domain();
        let none = || Failure::defect("a key of the ring is not in the ring that is given out");
        Ok(EvidenceFile::new(EvidenceParts {
            domain: domain.domain(),
            name: domain.name(),
            record: given.record(identity_id, key.clone()),
            public_key: key.clone(),
            place: place.clone(),
            ring: ring.clone(),
            key: self.public.prove(key.hash()).ok_or_else(none)?,
            note,
        })?)
    }

    fn made(
        &self,
        file: &EvidenceFile,
        place: &PlaceProof,
        (identity_id, key): (IdentityId, PublicKey),
        state: KeyState,
    ) -> Made {
        let (domain, checkpoint) = (self.home.domain().clone(), self.checkpoint.record().clone());
        let (json, kind, seq) = (file.to_json(), file.kind(), place.entry().seq());
        let given_out = self.ring.prove(key.hash()).map(drop);
        let dates = Dates::in_ring(&self.ring, &identity_id, key.hash(), seq);
        Made { json, kind, identity_id, key, state, dates, given_out, seq, checkpoint, domain }
    }
}

fn uncovered(size: u64) -> Failure {
    let message = format!("no checkpoint covers the record's entry yet: the last one covers {size} entries");
    Failure::new(USAGE, message, SIGN)
}

/// A decoy's is told as the verdict is.
fn refused(error: Error) -> Failure {
    if error != Error::Misuse(Misuse::DecoyKey) {
        return error.into();
    }
    let message = "DECOY: a stolen honeypot key of this home folder made the record; no evidence is made of it";
    Failure::new(status_of(VerdictKind::Decoy.code()), message, "keep the record: somebody signs with a stolen secret")
}

/// Which of the files holds over the document, as a stranger finds it.
fn choose(mut made: Vec<Made>, document: Option<&Path>) -> Result<Made, Failure> {
    let Some(document) = document else {
        let several = made.len() > 1;
        return match made.pop() {
            Some(file) if !several => Ok(file),
            _ => {
                let message = "several keys could have made the record, and only the document tells which one did";
                Err(Failure::new(
                    USAGE,
                    message,
                    "give the document after the record, of a vault record the stored bytes",
                ))
            }
        };
    };
    let mut opened = Vec::new();
    for file in &made {
        let policy = EvidencePolicy { domain: Some(file.domain.domain()), ..EvidencePolicy::of_log(file.log()) };
        opened.push(EvidenceFile::from_json(file.json.as_bytes())?.open(&policy)?);
    }
    let mut checks: Vec<_> = opened.iter().map(|open| open.begin()).collect();
    input::parts(document, |part| checks.iter_mut().for_each(|check| check.update(part)))?;
    let mut refused = None;
    for (file, check) in made.into_iter().zip(checks) {
        match check.finish() {
            Ok(_) => return Ok(file),
            Err(error) => refused = Some(error),
        }
    }
    let refused = refused.ok_or_else(|| Failure::defect("no file was made"))?;
    let hint = "nothing was written: give the document as it was signed, of a vault record the stored bytes";
    Err(Failure::from(refused).about(document.display()).hint(hint))
}

fn told(file: &Made, document: Option<&Path>, shown: String) -> Report {
    let sentence = match document {
        Some(_) => "Evidence is made, and holds over the document.",
        None => "Evidence is made, and was NOT held against its document.",
    };
    let mut report = Report::new(sentence)
        .detail("path", "evidence", shown)
        .detail("vrsta", "kind", file.kind.as_str())
        .member("document", document.map_or(Value::Null, |path| text(path_text(path))))
        .detail("identity_id", "signer", file.identity_id.to_hex())
        .detail("key_hash", "key", file.key.hash().to_hex())
        .detail("state", "key state", word(file.state))
        .number("seq", "entry", file.seq)
        .number("size", "entries", file.checkpoint.tree_head().size)
        .detail("origin", "log", file.checkpoint.origin())
        .detail("log", "fingerprint", file.log().to_hex())
        .detail("domain", "domain", file.domain.to_words());
    if file.state != KeyState::Valid {
        report = report.note(format!(
            "As of this checkpoint the key is {}, and whoever verifies is told so, with where the record stands.",
            word(file.state)
        ));
    }
    report = file.dates.told().into_iter().fold(report, Report::note);
    if document.is_none() {
        report = report.note("Give the document after the record, so that it is seen to hold before others see it.");
    }
    report.note(
        "Others verify it with the document and the log's fingerprint, which you give them over another channel: \
         dualseal verify DOCUMENT --evidence FILE --log HEX --key HEX",
    )
}
