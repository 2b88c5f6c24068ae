//! Data that goes to standard output is nothing else, whatever comes of the command.

use crate::run::Place;

#[test]
fn a_failure_is_no_data() {
    let place = Place::with_vault("streams");
    for args in [
        &["vault", "unseal", "9", "-o", "-"][..],
        &["vault", "unseal", "9"],
        &["vault", "unseal"],
        &["vault", "unseal", "9", "--out=/dev/stdout"],
        &["vault", "redact", "9"],
        &["checkpoint", "sign", "--as=nobody", "-o", "-"],
        &["vault", "tier-key", "--home=none"],
        &["key", "export", "nobody"],
        &["sign", "none", "-o", "-"],
        &["sign", "none", "--out=-", "--nothing"],
        &["combine", "none", "--dealing=none", "--wrapped=none"],
        &["split", "none", "--threshold=2", "--shares=3", "--form=text"],
    ] {
        for json in [&["--json"][..], &[]] {
            let ran = place.run(&[args, json].concat());
            assert!(ran.status != 0 && ran.out.is_empty(), "{args:?}: {ran:?}");
            if !json.is_empty() {
                let answer: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
                assert_eq!(answer["status"], ran.status, "{args:?}");
            }
        }
    }
    // Elsewhere the answer is what standard output is for.
    for args in [&["vault", "unseal", "9", "-o", "x"][..], &["sign", "none"], &["verify", "none"]] {
        let ran = place.run(&[args, &["--json"]].concat());
        assert!(ran.status != 0 && ran.err.is_empty() && ran.out.starts_with('{'), "{args:?}: {ran:?}");
    }
}
