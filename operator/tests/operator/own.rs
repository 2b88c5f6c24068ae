//! The operator's own log: what its checkpoints are worth, what its chain says of them, and who may sign.

#[cfg(unix)]
use crate::disk_planted::{PLANTED, plant};
use crate::folder::{act, authority, begun, place};
use crate::log::{Fresh, Log, ORIGIN, Person, at, key};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, HighWaterMark};
use dualseal::error::{CheckpointFault, Error, Rejected};
use dualseal::reader::TrustedHead;
use dualseal::secret::Secret;
use dualseal::vault::{Encryption, LedgerId, VaultMaster, VaultSealer};
use dualseal::verdict::InvalidReason;
use dualseal::{Entry, IdentityId, KeyState, SigningKey, SystemRng, Verified};
use dualseal_operator::chain::ChainError;
use dualseal_operator::disk::Disk;
#[cfg(unix)]
use dualseal_operator::disk::Refused;
use dualseal_operator::folder::Folder;
use dualseal_operator::own::{OwnChain, OwnCheckpoint, OwnError, Unfit, Unowned, may_sign};
use dualseal_operator::step::Batch;
use std::fs;
#[cfg(unix)]
use std::io::ErrorKind;

/// A folder with three entries and a checkpoint over the first two, of which it knows its people.
struct Own {
    log: Log,
    ana: Person,
    path: Fresh,
    folder: Folder,
}

impl Own {
    fn new(name: &str) -> Self {
        let (log, ana, path) = begun(&format!("own {name}"));
        let folder = Folder::new(Disk::new(), place(&path, &log), authority());
        Self { log, ana, path, folder }
    }

    /// A checkpoint over what is there, by any key, with whatever ring it is to state.
    fn signed(&self, identity_id: &IdentityId, key: &SigningKey, ring: Ring) -> Checkpoint {
        self.signed_of(ORIGIN, identity_id, key, ring)
    }

    fn signed_of(&self, origin: &str, identity_id: &IdentityId, key: &SigningKey, ring: Ring) -> Checkpoint {
        let reading = self.folder.read().unwrap();
        let state = reading.state();
        let own = Some(state.ring()).filter(|_| !matches!(ring, Ring::None));
        // A mark of another log has no ring of this one.
        let mark = if origin == ORIGIN {
            HighWaterMark::first(origin, state.head(), own).unwrap()
        } else {
            HighWaterMark::first(origin, state.head(), None).unwrap()
        };
        let signer = CheckpointSigner::new(&self.log.domain, origin, identity_id, key).unwrap();
        signer.sign(&mark, at(9), &mut SystemRng).unwrap()
    }

    fn judge(&self, checkpoint: Checkpoint) -> Result<OwnCheckpoint, Unowned> {
        let reading = self.folder.read().unwrap();
        OwnCheckpoint::judge(checkpoint, &self.log.domain, ORIGIN, reading.state().ring())
    }

    fn own(&self, checkpoint: Checkpoint) -> Verified<Checkpoint> {
        self.judge(checkpoint).unwrap().into_signed()
    }

    fn now(&self) -> Verified<Checkpoint> {
        self.own(self.signed(&self.ana.id, self.ana.key(), Ring::Own))
    }

    fn append(&self, message: &str) {
        act(&self.folder, &self.ana, |step| step.append(&self.ana.id, message)).unwrap();
    }

    fn chain(&self) -> OwnChain {
        self.folder.read().unwrap().own_chain().unwrap()
    }

    fn state(&self, state: KeyState) {
        act(&self.folder, &self.ana, |step| step.set_state(&self.ana.id, None, state)).unwrap();
    }
}

#[derive(Clone, Copy)]
enum Ring {
    Own,
    None,
}

fn read(own: &Own, chain: &OwnChain) -> Result<Vec<String>, OwnError> {
    let mut messages = Vec::new();
    let mut each = |entry: &Entry| messages.push(entry.message().to_owned());
    chain.read(own.folder.authority(), &TrustedHead::beginning(), &[], &|_| false, &mut each)?;
    Ok(messages)
}

#[test]
fn what_became_of_its_key_says_what_a_checkpoint_is_worth() {
    let mut own = Own::new("worth");
    let ana = own.ana.id;
    let first = own.signed(&ana, own.ana.key(), Ring::Own);
    let worth = |own: &Own, checkpoint: &Checkpoint| own.judge(checkpoint.clone()).map(OwnCheckpoint::as_evidence);
    assert!(own.judge(first.clone()).unwrap().counts());

    for state in [KeyState::Suspended, KeyState::Revoked, KeyState::Decoy] {
        let own = Own::new(&format!("worth {}", state.as_str()));
        let signed = own.signed(&ana, own.ana.key(), Ring::Own);
        own.state(state);
        assert_eq!(worth(&own, &signed).unwrap().unwrap_err(), Unowned::Discounted, "{state:?}");
        assert_eq!(own.judge(signed.clone()).unwrap().into_signed().record(), &signed);
    }

    // What the old key covered while it was current counts, and what it signs afterwards does not.
    own.ana.keys.push(key("ana", 1));
    act(&own.folder, &own.ana, |step| step.rotate(&ana, own.ana.key().public_key())).unwrap();
    assert_eq!(worth(&own, &first).unwrap().unwrap().record(), &first);
    let late = own.signed(&ana, &own.ana.keys[0], Ring::Own);
    assert_eq!(worth(&own, &late).unwrap().unwrap_err(), Unowned::Late);

    let stranger = own.signed(&ana, &key("eva", 0), Ring::Own);
    assert!(matches!(own.judge(stranger), Err(Unowned::Invalid(InvalidReason::ForeignKey))));
    let elsewhere = own.signed_of("example.org/other", &ana, own.ana.key(), Ring::None);
    assert!(matches!(own.judge(elsewhere), Err(Unowned::Invalid(_))));
    let honest = own.signed(&ana, own.ana.key(), Ring::Own);
    let forged = honest.to_json().replace("\"size\":4", "\"size\":3");
    assert_ne!(forged, honest.to_json());
    let forged = Checkpoint::from_json(forged.as_bytes()).unwrap();
    assert_eq!(own.judge(forged).unwrap_err(), Unowned::Invalid(InvalidReason::Signature));
}

/// The fragment of a vault's record signs as whoever stole it, and never for the log.
#[test]
fn a_honeypot_key_signs_no_checkpoint() {
    let own = Own::new("honeypot");
    let ana = own.ana.id;
    let master = VaultMaster::new(&own.log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let (ledger, mut stored) = (LedgerId::from_bytes([4; 32]), Vec::new());
    let held = own.folder.hold().unwrap();
    let state = held.state().clone().with_ledger(&ledger);
    let vault = VaultSealer::new(&master, &ana, own.ana.key());
    let sealing = vault.begin("CONTRACT", Encryption::None, &mut SystemRng, &mut stored).unwrap();
    let end = state.ledger(&ledger).unwrap();
    let unplaced = sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap();
    let mut batch = Batch::new(state);
    batch.step(at(5), |step| step.vault(unplaced)).unwrap();
    let changes = held.finish(batch, &|_| None).unwrap();
    let fragment = changes.vault_records[0].fragment().unwrap();
    let thief = SigningKey::from_seed(fragment.secret().expose()).unwrap();
    assert_eq!(own.judge(own.signed(&ana, &thief, Ring::Own)).unwrap_err(), Unowned::Honeypot);
}

#[test]
fn others_write_while_the_chain_is_read() {
    let own = Own::new("append");
    let chain = own.chain();
    let read_before = read(&own, &chain).unwrap();
    own.append("meanwhile");
    let mut last = Vec::new();
    let each = |texts: &[&[u8]]| {
        last.extend(texts.iter().map(|json| String::from_utf8_lossy(json).contains("after")));
        Ok(())
    };
    chain.entries(Some(1), each).unwrap();
    assert_eq!(last, [true]);
    assert_eq!((read(&own, &chain).unwrap(), read_before.len()), (read_before, 3));
    assert_eq!(read(&own, &own.chain()).unwrap().len(), 4);
}

/// Another chain of the same length is put in its place.
#[test]
fn what_is_rewritten_meanwhile_is_refused() {
    let own = Own::new("rewrite");
    let other = Own::new("rewrite elsewhere");
    own.append("two");
    other.append("six");
    let (chain, now) = (own.chain(), own.now());
    let path = own.path.join("log/chain.jsonl");
    let rewritten = fs::read(other.path.join("log/chain.jsonl")).unwrap();
    assert_eq!(rewritten.len() as u64, fs::metadata(&path).unwrap().len());
    fs::write(path, rewritten).unwrap();
    let is_rewritten = |error: OwnError| match error {
        OwnError::Chain(ChainError::Chain(Error::Rejected(Rejected::Checkpoint(fault)))) => {
            matches!(fault, CheckpointFault::Rewritten { size: 4 })
        }
        _ => false,
    };
    assert!(is_rewritten(read(&own, &chain).unwrap_err()));
    // Of a chain that is another one it is not said that the checkpoint is a fork.
    let later = chain.hold(Some(own.folder.authority()), &now).unwrap_err();
    assert!(is_rewritten(later));
}

#[test]
fn a_fork_and_a_false_ring_are_told_apart() {
    let own = Own::new("contradicted");
    let authority = || Some(own.folder.authority());
    let (chain, before) = (own.chain(), own.now());
    // Whoever restores an older copy and goes on from it.
    let other = Own::new("contradicted elsewhere");
    other.append("another");
    let fork = other.now();
    own.append("one");
    let grown = own.chain();
    for with in [authority(), None] {
        assert!(chain.hold(with, &before).is_ok() && grown.hold(with, &before).is_ok());
        for (chain, checkpoint) in [(&chain, &own.now()), (&grown, &fork)] {
            let refused = chain.hold(with, checkpoint).unwrap_err();
            assert!(matches!(refused, OwnError::Fork(_)), "{refused}");
            assert_eq!(refused.name(), "fork");
        }
        let lie = own.own(own.signed(&own.ana.id, own.ana.key(), Ring::None));
        let refused = grown.hold(with, &lie);
        // That no ring is stated, where there is one, only its changes show.
        match with {
            Some(_) => assert_eq!(refused.unwrap_err().name(), "false-ring"),
            None => assert!(refused.is_ok()),
        }
    }
    // Another log's is none of its business.
    let elsewhere = Own::new("contradicted by none");
    let signed = elsewhere.signed_of("example.org/other", &elsewhere.ana.id, elsewhere.ana.key(), Ring::None);
    let reading = elsewhere.folder.read().unwrap();
    let another = OwnCheckpoint::judge(signed, &elsewhere.log.domain, "example.org/other", reading.state().ring());
    assert!(another.is_ok_and(|another| chain.hold(authority(), &another.into_signed()).is_ok()));
}

/// All of them in one pass, from any head, and nothing of those below it.
#[test]
fn checkpoints_are_held_from_where_reading_begins() {
    let own = Own::new("begun");
    let first = own.folder.read().unwrap().own_checkpoint().unwrap().unwrap().into_signed();
    let below = own.now();
    let begun = TrustedHead::checkpoint(&below, own.folder.read().unwrap().state().head()).unwrap();
    own.append("more");
    let now = own.now();
    let chain = own.chain();
    let authority = own.folder.authority();
    let read = chain.read(authority, &begun, &[&first, &now, &below], &|_| true, &mut |_| {}).unwrap();
    assert!(read.held[0].is_none());
    assert!(read.held[1..].iter().all(|held| matches!(held, Some(Ok(())))), "{:?}", read.held);
    assert!(read.places.is_empty(), "the last checkpoint ends before");
    let whole = own.chain().read(authority, &TrustedHead::beginning(), &[], &|_| true, &mut |_| {}).unwrap();
    assert_eq!(whole.places.len(), 2);
    assert!(read.bytes < whole.bytes);
    assert_eq!(own.chain().places(&|entry| entry.seq() == 1).unwrap().len(), 1);
    assert!(own.chain().places(&|entry| entry.seq() == 2).unwrap().is_empty());
    // Under a checkpoint that does not count nothing is shown.
    own.state(KeyState::Revoked);
    assert!(!own.folder.read().unwrap().own_checkpoint().unwrap().unwrap().counts());
    assert!(own.chain().places(&|_| true).unwrap().is_empty());
}

/// What takes its place when the lock is gone is not waited for, and leads nowhere else.
#[test]
#[cfg(unix)]
fn a_chain_is_a_file() {
    let own = Own::new("planted");
    let (chain, first) = (own.chain(), own.now());
    let (path, outside) = (chain.path().to_owned(), crate::log::fresh("own planted outside"));
    let aside = outside.join("aside");
    fs::rename(&path, &aside).unwrap();
    for what in PLANTED {
        plant(what, &path, &outside);
        for error in [
            chain.hold(None, &first).unwrap_err(),
            chain.hold(Some(own.folder.authority()), &first).unwrap_err(),
            read(&own, &chain).unwrap_err(),
            chain.places(&|_| true).unwrap_err(),
        ] {
            let OwnError::Chain(ChainError::Read(error)) = error else { panic!("{what}: {error:?}") };
            let refused = error.get_ref().and_then(|inner| inner.downcast_ref());
            assert_eq!(refused, Some(&Refused::NotAFile), "{what}: {error}");
        }
        let ended = OwnChain::ended((chain.domain(), ORIGIN), &path, chain.end(), None).unwrap_err();
        assert_eq!(ended.kind(), ErrorKind::InvalidInput, "{what}");
        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).unwrap();
    }
    let gone = chain.places(&|_| true).unwrap_err();
    assert!(matches!(&gone, OwnError::Chain(ChainError::Read(error)) if error.kind() == ErrorKind::NotFound));
    // The whole chain by another way is no file of this folder either.
    std::os::unix::fs::symlink(&aside, &path).unwrap();
    assert!(chain.places(&|_| true).is_err());
    fs::rename(&aside, &path).unwrap();
    chain.hold(Some(own.folder.authority()), &first).unwrap();
}

#[test]
fn a_key_signs_where_others_take_it() {
    let mut own = Own::new("signer");
    let (id, eva) = (own.ana.id, own.log.person("eva"));
    let judged = |own: &Own, key: &SigningKey, id: &IdentityId| {
        let reading = own.folder.read().unwrap();
        let ring = reading.state().ring();
        let judged = may_sign(ring, id, key.public_key());
        assert_eq!(judged.is_ok(), ring.check_signer(id, key.public_key()).is_ok());
        judged
    };
    assert_eq!(judged(&own, own.ana.key(), &id), Ok(()));
    assert_eq!(judged(&own, eva.key(), &id), Err(Unfit::NotCurrent(id)));
    assert_eq!(judged(&own, eva.key(), &eva.id), Err(Unfit::NotCurrent(eva.id)));
    for state in [KeyState::Suspended, KeyState::Decoy, KeyState::Revoked] {
        let own = Own::new(&format!("signer {}", state.as_str()));
        own.state(state);
        assert_eq!(judged(&own, own.ana.key(), &id), Err(Unfit::State(id, state)));
    }
    own.ana.keys.push(key("ana", 1));
    act(&own.folder, &own.ana, |step| step.rotate(&id, own.ana.key().public_key())).unwrap();
    assert_eq!(judged(&own, &own.ana.keys[0], &id), Err(Unfit::NotCurrent(id)));
    assert_eq!(judged(&own, own.ana.key(), &id), Ok(()));
}
