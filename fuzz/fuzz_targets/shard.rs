//! A shard that is read is written again as the same shard, and none that anybody makes up holds.
#![no_main]

use dualseal::Domain;
use dualseal::secret::Secret;
use dualseal::shard::{Shard, ShardKey};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
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
