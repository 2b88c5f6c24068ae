//! A shard that is read is written again as the same shard, and none that anybody makes up holds; whatever a node
//! answers is a shard of the one that was asked.
#![no_main]

use dualseal::Domain;
use dualseal::secret::Secret;
use dualseal::shamir::Index;
use dualseal::shard::{Shard, ShardId, ShardKey};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let (shard_id, index) = (ShardId::from_bytes([0x5c; 32]), Index::new(7).expect("in range"));
    let pulled = Shard::pulled(shard_id, index, text);
    assert_eq!((pulled.shard_id(), pulled.index()), (&shard_id, index));
    assert_eq!(
        *Shard::from_json(pulled.to_json().as_bytes()).expect("a shard's own JSON").to_json(),
        *pulled.to_json()
    );
    if let Ok(shard) = Shard::from_json(text) {
        let written = shard.to_json();
        let again = Shard::from_json(written.as_bytes()).expect("a shard's own JSON");
        assert_eq!(*again.to_json(), *written);
        assert!(shard.index().get() <= shard.threshold().n());
        let domain = Domain::default();
        let master = Secret::from_slice("master", &[0x5c; 32]).expect("32 bytes");
        assert!(shard.verify(&domain, &ShardKey::derive(&domain, &master, shard.identity_id())).is_err());
    }
});
