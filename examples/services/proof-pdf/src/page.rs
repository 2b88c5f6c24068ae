//! What is printed of a proof: sentences, a table, hashes, a code, attachments. Whoever typesets it adds no word.

use crate::language::Language;
use crate::moment::Moment;
use crate::proof::{Claim, Filed, Proof};
use crate::text::{EVIDENCE, Kind, TEXT};
use crate::words::Words;
use serde::Serialize;

/// How many letters of a hash stand together.
const GROUP: usize = 8;

/// A page, as plain data.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// Its language.
    pub language: Language,
    /// The kind of proof, as the text has it.
    pub kind: &'static str,
    /// The title.
    pub title: &'static str,
    /// The name of the proof, and its time: each with what stands before it.
    pub about: Vec<[String; 2]>,
    /// What is shown, in sentences.
    pub sentences: Vec<String>,
    /// The same, line by line.
    pub table: Option<Table>,
    /// What is not shown.
    pub limits: Vec<&'static str>,
    /// Identities, keys and hashes.
    pub hashes: Vec<Hash>,
    /// How it is verified: a sentence, and a command.
    pub steps: Vec<[String; 2]>,
    /// What is to come from elsewhere.
    pub warning: &'static str,
    /// An address as a code, and what stands below it.
    pub code: [String; 2],
    /// The files inside.
    pub attachments: Vec<Attachment>,
    /// The same as people read it: names, and what they are.
    pub attached: Vec<[String; 2]>,
    /// The heads of sections: what is shown, what is not, hashes, verification, attachments.
    pub heads: [&'static str; 5],
    /// `Page 1 of 2`: before, between.
    pub page: [&'static str; 2],
    /// The name of the log.
    pub log: String,
    /// Year, month, day, hour, minute and second, UTC.
    #[serde(skip)]
    pub made: [u16; 6],
    /// The name of the proof, of which the document's is made.
    #[serde(skip)]
    pub name: String,
}

/// A table.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The heads of its columns.
    pub heads: Vec<&'static str>,
    /// Its lines.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
pub type Cell = String;

/// A hash that people compare.
#[derive(Clone, Debug, Serialize)]
pub struct Hash {
    /// What it is of.
    pub label: String,
    /// Its letters, eight together.
    pub groups: Vec<String>,
}

/// A file inside of the page.
#[derive(Clone, Debug, Serialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its bytes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

impl Page {
    /// The page of a proof.
    #[must_use]
    pub fn of(proof: &Proof, language: Language) -> Self {
        let words = Words::of(language);
        let (attachments, attached) = (attachments(proof, words), attached(proof, words));
        let (text, folder) = (&proof.text, words.folder);
        let made = proof.made;
        let commands = [
            format!("mkdir {folder} && pdfdetach -saveall -o {folder} dokaz.pdf"),
            format!("dualseal audit {folder} --log LOG --key KEY"),
            format!("proof-pdf {folder} {} 2.pdf && cmp dokaz.pdf 2.pdf", language.as_str()),
        ];
        let entry = &proof.evidence.record.krunica_hash;
        Self {
            language,
            kind: text.vrsta.as_str(),
            title: words.titles[Kind::ALL.iter().position(|kind| *kind == text.vrsta).unwrap_or_default()],
            about: vec![[words.number.to_owned(), text.dokaz_id.clone()], [words.made.to_owned(), made.long(language)]],
            sentences: sentences(proof, words, language),
            table: table(proof, words, language),
            limits: limits(proof, words),
            hashes: hashes(proof, words),
            steps: words.steps.iter().zip(commands).map(|(step, command)| [(*step).to_owned(), command]).collect(),
            warning: words.from_elsewhere,
            code: [
                format!("{}/api/v1/log/entry?krunica_hash={entry}", text.log.adresa.trim_end_matches('/')),
                words.code.to_owned(),
            ],
            attachments,
            attached,
            heads: [words.what_is_shown, words.what_is_not, words.hashes, words.check, words.attached],
            page: words.page,
            log: text.log.origin.clone(),
            made: [
                made.year,
                made.month.into(),
                made.day.into(),
                made.hour.into(),
                made.minute.into(),
                made.second.into(),
            ],
            name: text.dokaz_id.clone(),
        }
    }
}

fn sentences(proof: &Proof, words: &Words, language: Language) -> Vec<String> {
    let log = proof.text.log.origin.as_str();
    let said = |moment: Moment| moment.long(language);
    let mut all = match &proof.claim {
        Claim::Put { between, records } => {
            let [from, to] = between.map(said);
            let vehicle = records.first().map(|(filed, ..)| filed.registracija.as_str()).unwrap_or_default();
            let states: Vec<_> = records.iter().filter_map(|(filed, ..)| filed.entered.as_deref()).collect();
            vec![(words.filed)(records.len(), vehicle, [&from, &to], log), (words.entered)(&states.join(", "))]
        }
        Claim::Istina { evidence, checked } => {
            let time = Moment::parse(&evidence.record.timestamp).map(said).unwrap_or_default();
            vec![
                (words.signed)(&evidence.record.algoritam, &time),
                (words.holds)(&said(*checked), evidence.checkpoint.size, log),
            ]
        }
        Claim::Zivot { drawn, came, verifies_user, seq } => vec![
            (words.answered)(&said(*drawn), &said(*came)),
            words.verified_user[usize::from(*verifies_user)].to_owned(),
            (words.enrolled)(*seq),
        ],
        Claim::Svjedok { size, seen, .. } => vec![(words.saw)(seen.len(), log, *size)],
    };
    let evidence = &proof.evidence;
    let covered = evidence.covered().map(said).unwrap_or_default();
    all.push((words.by_service)(evidence.entry.seq, evidence.checkpoint.size, &covered));
    all
}

fn limits(proof: &Proof, words: &Words) -> Vec<&'static str> {
    vec![match proof.claim {
        Claim::Put { .. } => words.not_filed,
        Claim::Istina { .. } => words.only_the_hash,
        Claim::Zivot { .. } => words.only_presence,
        Claim::Svjedok { .. } => words.only_growth,
    }]
}

fn table(proof: &Proof, words: &Words, language: Language) -> Option<Table> {
    match &proof.claim {
        Claim::Put { records, .. } => {
            let mut rows: Vec<Vec<Cell>> = Vec::new();
            // Where it was is known from the border before.
            let mut state = None;
            for (number, (filed, evidence, _)) in records.iter().enumerate() {
                let Filed { entered, odluka, time, came, .. } = filed;
                let none = || "\u{2013}".to_owned();
                let event = match (entered, odluka) {
                    (Some(_), _) => words.crossing.to_owned(),
                    (None, Some(odluka)) => format!("{}: {}", words.inspection, odluka.replace('_', " ")),
                    (None, None) => words.inspection.to_owned(),
                };
                let from = state.clone().unwrap_or_else(none);
                let (from, to) = match entered {
                    Some(to) => (from, to.clone()),
                    None => (from.clone(), from),
                };
                rows.push(vec![
                    (number + 1).to_string(),
                    event,
                    from,
                    to,
                    time.short(language),
                    came.short(language),
                    evidence.entry.seq.to_string(),
                ]);
                state = entered.clone().or(state);
            }
            Some(Table { heads: words.journey.to_vec(), rows })
        }
        Claim::Svjedok { seen, .. } => {
            let row = |(number, (seen, time)): (usize, &(crate::text::Vidio, Moment))| {
                vec![(number + 1).to_string(), seen.ime.clone(), time.short(language)]
            };
            Some(Table { heads: words.witnesses.to_vec(), rows: seen.iter().enumerate().map(row).collect() })
        }
        Claim::Istina { .. } | Claim::Zivot { .. } => None,
    }
}

fn hashes(proof: &Proof, words: &Words) -> Vec<Hash> {
    let hash = |label: &str, letters: &str| Hash {
        label: label.to_owned(),
        groups: letters.as_bytes().chunks(GROUP).map(|group| String::from_utf8_lossy(group).into_owned()).collect(),
    };
    let evidence = &proof.evidence;
    let mut all = vec![hash(words.identity, &proof.text.identity_id)];
    match &proof.claim {
        Claim::Put { records, .. } => {
            let mut keys: Vec<&str> =
                records.iter().map(|(_, evidence, _)| evidence.key.leaf.javni_kljuc.as_str()).collect();
            keys.dedup();
            all.extend(keys.into_iter().map(|key| hash(words.key_of_records, key)));
        }
        Claim::Istina { evidence, .. } => {
            all.push(hash(words.content, &evidence.record.sadrzaj_hash));
            all.push(hash(words.key_of_signer, &evidence.key.leaf.javni_kljuc));
        }
        Claim::Zivot { .. } => {}
        Claim::Svjedok { root, seen, .. } => {
            all.push(hash(words.root, root));
            all.extend(seen.iter().map(|(seen, _)| hash(&(words.key_of_witness)(&seen.ime), &seen.kljuc)));
        }
    }
    all.push(hash(words.signer_of_proof, &evidence.record.identity_id));
    all.push(hash(words.key, &evidence.key.leaf.javni_kljuc));
    all.push(hash(words.log, &proof.text.log.otisak));
    all.push(hash(words.entry, &evidence.record.krunica_hash));
    all
}

/// The files from which the page is printed, and what was filed, beside its evidence.
fn attachments(proof: &Proof, words: &Words) -> Vec<Attachment> {
    let [of_text, of_evidence, of_record, of_its_evidence] = words.attachments;
    let attachment = |name: &str, description: &str, bytes: &str| Attachment {
        name: name.to_owned(),
        description: description.to_owned(),
        bytes: bytes.as_bytes().to_vec(),
    };
    let [text, evidence] = &proof.files;
    let mut all = vec![attachment(TEXT, of_text, text), attachment(EVIDENCE, of_evidence, evidence)];
    if let Claim::Put { records, .. } = &proof.claim {
        for (number, (.., record)) in records.iter().enumerate() {
            let [name, its_evidence] = names(number);
            all.push(attachment(&name, of_record, record.dokument.get()));
            all.push(attachment(&its_evidence, of_its_evidence, record.dokaz.get()));
        }
    }
    all
}

/// The names of a record and of its evidence.
fn names(number: usize) -> [String; 2] {
    ["", ".sig.evidence.json"].map(|end| format!("zapis-{:02}.json{end}", number + 1))
}

fn attached(proof: &Proof, words: &Words) -> Vec<[String; 2]> {
    let [of_text, of_evidence, of_record, of_its_evidence] = words.attachments;
    let mut all = vec![(TEXT.to_owned(), of_text), (EVIDENCE.to_owned(), of_evidence)];
    if let Claim::Put { records, .. } = &proof.claim {
        let ([first, its], [last, of_last]) = (names(0), names(records.len().saturating_sub(1)));
        let among =
            |first: String, last: String| if first == last { first } else { format!("{first} \u{2026} {last}") };
        all.push((among(first, last), of_record));
        all.push((among(its, of_last), of_its_evidence));
    }
    all.into_iter().map(|(names, what)| [names, what.to_owned()]).collect()
}
