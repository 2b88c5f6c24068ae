//! Entry bundles and tiles of any width: what is read is written as it was.
#![no_main]

use dualseal::tree::{EntryBundle, Tile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, u8, u16, &[u8])| {
    let (index, level, width, bytes) = input;
    let bundle = EntryBundle { index, width };
    if let Ok(leaves) = bundle.decode(bytes) {
        assert_eq!(leaves.len(), usize::from(width));
        assert_eq!(EntryBundle::encode(&leaves).expect("short leaves"), bytes);
    }
    let tile = Tile { level, index, width };
    if let Ok(hashes) = tile.decode(bytes) {
        assert_eq!(Tile::encode(&hashes), bytes);
    }
    assert!(bundle.path().starts_with("tile/entries/") && tile.path().starts_with("tile/"));
});
