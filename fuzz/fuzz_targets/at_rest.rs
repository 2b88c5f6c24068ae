//! Secrets at rest: whatever stands in a row is refused, or is what was put there.
#![no_main]

use dualseal::secret::Secret;
use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::{Master, Place, Rewrapped, Rotation, SecretFault, Vaulted};
use libfuzzer_sys::fuzz_target;

fn master(byte: u8) -> Master {
    let secret = Secret::from_slice("master", &[byte; 32]).expect("32 bytes");
    Master::new(&Domain::default(), secret).expect("no zeros")
}

fuzz_target!(|input: &[u8]| {
    let here = || Place::new("table", b"row", "purpose").expect("labels");
    let (old, new) = (master(1), master(2));
    let rotation = Rotation::new(&old, &new).expect("two masters");
    if let Ok(row) = Vaulted::read(here(), input.to_vec()) {
        assert!(row.open(&old).is_err(), "the input does not know the master");
        assert!(rotation.rewrap(&row, &mut SystemRng).is_err());
    }

    // A secret with one part of its stream replaced, at a place whose row is the input's.
    let [long, place, cut, part, rest @ ..] = input else {
        return;
    };
    let secret = rest.repeat(1 + usize::from(*long) * 16);
    let secret = &secret[..secret.len().min(200_000)];
    let good = Vaulted::seal(&old, here(), secret, &mut SystemRng).expect("a secret").into_stored();
    let mut stored = good.clone();
    let at = stored.len() * usize::from(*place) / 256;
    let end = (at + usize::from(*cut)).min(stored.len());
    stored.splice(at..end, rest.iter().take(usize::from(*part)).copied());
    match Vaulted::read(here(), stored.clone()).and_then(|row| rotation.rewrap(&row, &mut SystemRng)) {
        Ok(Rewrapped::Now(row)) => {
            assert!(stored == good);
            assert_eq!(*row.open(&new).expect("it was put there"), secret);
        }
        Ok(Rewrapped::Already) => panic!("nobody put it under the new master"),
        Err(_) => assert!(stored != good),
    }
    if let Ok(other) = Place::new("table", rest, "purpose") {
        let moved = Vaulted::<Master>::read(other.clone(), good).expect("a secret").open(&old);
        assert_eq!(moved.err(), (other != here()).then_some(SecretFault::OtherKey));
    }
});
