//! A checkpoint that is read is written again as the same one, is nobody's, and an unverified one checks no chain.
#![no_main]

use dualseal::VerdictKind;
use dualseal::checkpoint::{Checkpoint, CheckpointVerifier, Pins};
use dualseal::key::Unprepared;
use dualseal::krunica::ChainHash;
use dualseal::tree::TreeHash;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(checkpoint) = Checkpoint::from_json(text) else { return };
    assert_eq!(Checkpoint::from_json(checkpoint.to_json().as_bytes()).as_ref(), Ok(&checkpoint));
    let head = checkpoint.tree_head();
    if head.size == 0 {
        assert_eq!((head.top, head.root), (ChainHash::ZERO, TreeHash::empty()));
    }
    assert!(checkpoint.ring().is_none_or(|ring| ring.revision > 0 && ring.revision <= head.size));
    // Whoever pins what it says of itself still asks for a signature.
    let pins = Pins {
        origin: checkpoint.origin().to_string(),
        identity_id: *checkpoint.identity_id(),
        key_hash: *checkpoint.public_key().hash(),
        least_size: head.size,
    };
    let domain = dualseal::Domain::new("FUZZ").expect("a name");
    let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint);
    assert_eq!(verdict.kind(), VerdictKind::Invalid);
});
