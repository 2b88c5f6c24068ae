//! Shares and dealings: every form that is read, what is read is written back, and no set of shares makes a panic.
#![no_main]

use dualseal::Domain;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{Dealing, Index, Share, Threshold, health, reconstruct, reconstruct_unanchored, ssss};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Ok(text) = std::str::from_utf8(input) {
        texts(text);
    }
    records::<Fp521>(input);
    records::<Gf2_256>(input);
});

fn texts(text: &str) {
    let threshold = Threshold::new(2, 255).expect("a threshold");
    if let Ok(share) = ssss::from_text(text, 2) {
        let (digits, value) = text.split_once('-').expect("it was read");
        assert_eq!(*ssss::to_text(&share, threshold), format!("{digits:0>3}-{value}"));
    }
    let index = Index::new(1).expect("an index");
    if let Ok(share) = Share::<Fp521>::from_hex(index, text) {
        assert_eq!(*share.to_hex(), text);
    }
}

/// The first byte says how many shares follow and k, each with its index; a JSON text may stand behind them.
fn records<F: Field>(input: &[u8]) {
    let Some((first, mut rest)) = input.split_first() else {
        return;
    };
    let mut shares = Vec::new();
    for _ in 0..first >> 4 {
        let Some((share, behind)) = rest.split_at_checked(F::BYTES + 1) else {
            break;
        };
        rest = behind;
        let index = Index::new(share[0].into());
        shares.extend(index.and_then(|index| Share::<F>::from_bytes(index, &share[1..])));
    }
    if let Ok(found) = reconstruct_unanchored((first & 15).into(), &shares) {
        assert!(found.outliers().len() * 2 <= shares.len() - usize::from(first & 15));
        assert_eq!(found.unchecked(), shares.len() == usize::from(first & 15));
    }
    if let Ok(dealing) = Dealing::<F>::from_json(&Domain::default(), rest) {
        let json = dealing.to_json();
        assert_eq!(Dealing::<F>::from_json(&Domain::default(), json.as_bytes()).map(|d| d.to_json()), Ok(json));
        // No input has the hashes of shares that it does not know.
        assert!(reconstruct(&dealing, &shares).is_err());
        assert!(health(&dealing, &shares).present.is_empty());
    }
}
