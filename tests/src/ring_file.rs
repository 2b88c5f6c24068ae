//! Ring files as somebody who has the ring key could write them: the MAC by other programs' hashes.

use crate::log::{any_head, ring_mac};
use crate::reading::resumed;
use crate::registry::authority;
use dualseal::key::{CheckedRing, RingFile};
use dualseal::krunica::ChainHash;
use dualseal::tree::{Tree, TreeHash};
use dualseal::{Domain, Error, Head};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

/// Puts the MAC of the default domain's ring key into a ring file.
pub fn seal(file: &mut Json) {
    let mut keys: Vec<Json> = file["keys"].as_array().expect("a list").clone();
    keys.sort_by_key(|key| key["povijest"][0][0].as_u64());
    let (decoys, keys): (Vec<Json>, Vec<Json>) = keys.into_iter().partition(|key| key["role"] == "decoy");
    let mut hash = Sha256::new_with_prefix([3]);
    for list in [keys, decoys] {
        let tree: Tree = list.iter().map(|key| TreeHash::of_leaf(canonical(key).as_bytes())).collect();
        hash.update((list.len() as u64).to_be_bytes());
        hash.update(tree.root().as_bytes());
    }
    let (root, sealed) = (hex::encode(hash.finalize()), &file["ovjera"]);
    let text = |value: &Json| value.as_str().expect("a text").to_string();
    let (origin, top) = (text(&file["origin"]), text(&sealed["top"]));
    let (revision, size) = (&file["revision"], &sealed["size"]);
    let statement = format!("DUALSEAL-SIGN::STATE::{origin}::{revision}::{size}::{top}::{root}::DUALSEAL");
    file["ovjera"]["mac"] = ring_mac(&statement).into();
}

/// A ring that was edited by somebody who has the ring key, under a head that nothing follows.
pub fn checked(mut file: Json) -> Result<CheckedRing, Error> {
    seal(&mut file);
    let read = RingFile::from_json(file.to_string().as_bytes())?;
    let top: ChainHash = file["ovjera"]["top"].as_str().expect("a text").parse()?;
    let head = any_head(read.size(), top);
    resumed(read, &authority(&Domain::default()), &head, &[], |_| false)
}

/// The ring, which was written at `from`, as if every entry between the two heads had been looked at.
pub fn moved(ring: &CheckedRing, from: &Head, to: &Head) -> CheckedRing {
    let stored = ring.to_stored_json(from).expect("written at its own head");
    let mut file: Json = serde_json::from_str(&stored).expect("JSON");
    file["ovjera"]["size"] = to.size().into();
    file["ovjera"]["top"] = to.top().to_hex().into();
    checked(file).expect("the same ring")
}

/// Its members stand in order as they are read.
fn canonical(value: &Json) -> String {
    value.to_string()
}

/// The ring in which an identity's one retired key was retired at another seq.
pub fn with_retirement(stored: &str, identity_id: &str, at: u64) -> CheckedRing {
    let mut file: Json = serde_json::from_str(stored).expect("JSON");
    let mut was = Json::Null;
    for key in file["keys"].as_array_mut().expect("a list") {
        if key["identity_id"] == identity_id && key["role"] == "retired" {
            was = core::mem::replace(&mut key["retired"], at.into());
        }
    }
    assert!(was.is_u64(), "a retired key");
    for key in file["keys"].as_array_mut().expect("a list") {
        if key["povijest"][0][0] == was {
            key["povijest"][0][0] = at.into();
        }
    }
    let size = file["ovjera"]["size"].as_u64().expect("a number");
    file["ovjera"]["size"] = size.max(at + 1).into();
    checked(file).expect("a ring")
}
