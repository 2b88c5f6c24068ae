//! How far the verification of this instance has come.

use dualseal::evidence::{EvidenceCheck, EvidenceFile, OpenEvidence};

use crate::answer::{self, Fault, Part};
use crate::question::Question;

/// The most that is handed over at once, in bytes: some 30 kB of evidence are usual, and a key with a long history has
/// more. A document comes in parts.
pub(crate) const MOST: usize = 17 << 20;

pub(crate) struct State {
    handed: Vec<u8>,
    running: Option<Running>,
    answer: String,
}

/// Evidence that is open, and the document so far. An instance verifies once, so that what it opened is never freed.
struct Running {
    open: &'static OpenEvidence,
    check: EvidenceCheck<'static>,
    pinned: bool,
}

impl State {
    pub(crate) const fn new() -> Self {
        Self { handed: Vec::new(), running: None, answer: String::new() }
    }

    pub(crate) fn room(&mut self, length: usize) -> *mut u8 {
        self.handed.clear();
        if length > MOST {
            return std::ptr::null_mut();
        }
        self.handed.resize(length, 0);
        self.handed.as_mut_ptr()
    }

    pub(crate) fn open(&mut self, question: usize) -> bool {
        let handed = std::mem::take(&mut self.handed);
        self.running = None;
        let Some((question, evidence)) = handed.split_at_checked(question) else {
            self.answer = answer::fault(&Fault::page(), None);
            return false;
        };
        let mut said = None;
        let mut opened = || {
            let question = Question::parse(question)?;
            let of = Fault::of(Part::Evidence);
            let file = EvidenceFile::from_json(evidence).map_err(&of)?;
            let log = file.fingerprint(question.domain()).map_err(&of)?;
            said = Some(log);
            Ok((question.open(file, log)?, question.is_pinned()))
        };
        match opened() {
            Ok((open, pinned)) => {
                let open: &'static OpenEvidence = Box::leak(Box::new(open));
                self.running = Some(Running { open, check: open.begin(), pinned });
                true
            }
            Err(fault) => {
                self.answer = answer::fault(&fault, said);
                false
            }
        }
    }

    pub(crate) fn update(&mut self) {
        if let Some(running) = &mut self.running {
            running.check.update(&self.handed);
        }
        self.handed.clear();
    }

    pub(crate) fn finish(&mut self) {
        let Some(Running { open, check, pinned }) = self.running.take() else {
            if self.answer.is_empty() {
                self.answer = answer::fault(&Fault::page(), None);
            }
            return;
        };
        self.answer = match check.finish() {
            Ok(report) => answer::verdict(&report, open, pinned),
            Err(error) => answer::fault(&Fault::of(Part::Evidence)(error), Some(*open.log())),
        };
    }

    pub(crate) fn answer(&self) -> &str {
        &self.answer
    }
}
