//! What somebody signs with a stolen key of the log: the program signs no such thing, and the library whatever it is
//! given.

use crate::run::Place;
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, HighWaterMark};
use dualseal::{Domain, SigningKey, SystemRng};
use serde_json::Value as Json;

/// The checkpoint with other members, signed by the key of this identity in the home folder.
pub(crate) fn signed(place: &Place, checkpoint: &str, identity: &str, change: &[(&str, Json)]) -> Checkpoint {
    let honest: Json = serde_json::from_str(&place.read(checkpoint)).unwrap();
    let stated = ["origin", "ring", "root", "size", "top"];
    let mut mark: Json = stated.into_iter().map(|name| (name.to_owned(), honest[name].clone())).collect();
    for (name, value) in change {
        mark[*name] = value.clone();
    }
    let mark = HighWaterMark::from_json(mark.to_string().as_bytes()).unwrap();
    let identity_id = place.json(&["key", "show", identity])["info"]["identity_id"].as_str().unwrap().to_owned();
    let key = SigningKey::from_pkcs8_pem(&place.read(&format!("home/keys/{identity_id}.pem"))).unwrap();
    let (domain, identity_id) = (Domain::default(), identity_id.parse().unwrap());
    let signer = CheckpointSigner::new(&domain, mark.origin(), &identity_id, &key).unwrap();
    signer.sign(&mark, honest["time"].as_str().unwrap().parse().unwrap(), &mut SystemRng).unwrap()
}
